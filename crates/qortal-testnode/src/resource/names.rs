//! `/names`: registered names, their owners and prices (`NamesResource`).

use qortal_types::Reduced;
use serde_json::{Value, json};

use crate::{
    like::is_like,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table, found, json_body,
        list, refuse_if, texts, valid_address, valid_addresses,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/names", all),
    Endpoint::get("/names/address/{address}", of_address),
    Endpoint::get("/names/primary/{address}", primary),
    Endpoint::post("/names/list", primary_of_list),
    Endpoint::get("/names/{name}", by_name),
    Endpoint::get("/names/search", search),
    Endpoint::get("/names/forsale", for_sale),
];

/// Sorts rows by name, in the order of code points.
fn by_code_point(mut rows: Vec<&Value>) -> Vec<&Value> {
    rows.sort_by_cached_key(|row| row.text("name"));
    rows
}

fn all(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let after = request.long("after")?;
    let is_later = |row: &Value| {
        after.is_none_or(|after| row.number("registered") > after || row.number("updated") > after)
    };
    paging.list(by_code_point(state.chain.names.matching(is_later)))
}

fn of_address(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let paging = Paging::of(request)?;
    let names = &state.chain.names;
    let mut rows = names.matching(|row| row.text("owner") == address);
    rows.sort_by_cached_key(|row| row.number("registered"));
    paging.list_of(rows, |row| row.pick("name owner"))
}

fn primary_summary(state: &State, address: &str) -> Value {
    let name = state.chain.primary_name(address);
    json!({}).with_some("name", name).with("owner", address)
}

fn primary(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    Ok(Body::Json(primary_summary(state, address)))
}

fn primary_of_list(state: &State, request: &Request) -> Result<Body, Refusal> {
    let body = json_body(request)?;
    refuse_if(body.is_null(), ApiError::INVALID_CRITERIA)?;
    let addresses = texts(&body).ok_or(Refusal::CRASH)?;
    refuse_if(addresses.is_empty(), ApiError::INVALID_CRITERIA)?;
    valid_addresses(addresses.iter().copied())?;
    let addresses = addresses.into_iter();
    list(addresses.map(|address| primary_summary(state, address)))
}

/// Returns a name by its reduced form, so look-alikes find it too.
fn by_name(state: &State, request: &Request) -> Result<Body, Refusal> {
    let wanted = Reduced::of(request.capture("name"));
    let mut names = state.chain.names.iter();
    let row = names.find(|row| Reduced::of(row.text("name")) == wanted);
    found(row, ApiError::NAME_UNKNOWN)
}

fn search(state: &State, request: &Request) -> Result<Body, Refusal> {
    let missing = || ApiError::INVALID_CRITERIA.saying("Missing query");
    let query = request.raw("query").ok_or_else(missing)?.to_lowercase();
    let pattern = if request.flag("prefix") {
        format!("{query}%")
    } else {
        format!("%{query}%")
    };
    let paging = Paging::of(request)?;
    let fits = |row: &Value| is_like(&row.text("name").to_lowercase(), &pattern);
    paging.list(by_code_point(state.chain.names.matching(fits)))
}

fn for_sale(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let rows = by_code_point(state.chain.names.matching(|row| row.flag("isForSale")));
    paging.list(rows)
}
