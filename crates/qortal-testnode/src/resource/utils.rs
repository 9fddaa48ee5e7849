//! `/utils`, `/stats`, `/lists` and `/data`: small resources.

use qortal_types::TransactionType;
use serde_json::Value;

use crate::resource::{
    Body, Endpoint, Refusal, Request, Row, State, acting::restricted, fixed_with_key,
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/utils/timestamp", timestamp),
    Endpoint::get("/utils/layout/{txtype}", layout),
    Endpoint::get("/utils/tobase58/{hex}", restricted),
    Endpoint::get("/utils/tobase64/{hex}", restricted),
    Endpoint::get("/utils/random", restricted),
    Endpoint::post("/utils/frombase58", restricted),
    Endpoint::post("/utils/frombase64", restricted),
    Endpoint::get("/stats/supply/circulating", circulating_supply),
    Endpoint::get("/lists/{listName}", list_by_name),
    Endpoint::get("/data/cache/size", fixed_with_key),
];

/// Returns the transaction types of the Core, by number from 1 on (`TransactionType`).
pub(super) fn transaction_types() -> impl Iterator<Item = &'static str> {
    TransactionType::ALL.iter().map(TransactionType::as_str)
}

/// Returns the uncorrected clock of the machine.
fn timestamp(state: &State, _: &Request) -> Result<Body, Refusal> {
    Ok(Body::Scalar(state.machine_time().to_string()))
}

/// Returns the recorded layout of a payment. Layouts of other types are not stored.
fn layout(state: &State, request: &Request) -> Result<Body, Refusal> {
    let kind = request.capture("txtype");
    if transaction_types().all(|it| it != kind) {
        return Err(Refusal::BadParameter("txtype"));
    }
    Ok(Body::Json(state.chain.facts.at("layouts").at(kind).clone()))
}

fn circulating_supply(state: &State, _: &Request) -> Result<Body, Refusal> {
    Ok(Body::Decimal(state.chain.facts.text("supply").to_owned()))
}

/// Returns a list of the node, as JSON with a plain-text content type.
fn list_by_name(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    let lists = state.chain.facts.at("lists");
    let list = lists.get(request.capture("listName"));
    Ok(Body::Text(
        list.map_or_else(|| "[]".to_owned(), Value::to_string),
    ))
}
