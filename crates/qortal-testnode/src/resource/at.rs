//! `/at`: automated transactions (`AtResource`).

use bytes::Bytes;
use serde_json::{Value, json};

use crate::{
    chain::pseudo_random,
    codec::public_key,
    resource::{ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, list},
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/at/{ataddress}", by_address),
    Endpoint::get("/at/{ataddress}/data", data),
    Endpoint::get("/at/executables", executables),
    Endpoint::get("/at/byfunction/{codehash}", by_function),
];

/// Length of the data segment of the AT that does nothing.
const SMALLEST_DATA: usize = 32;
/// Length of the data segments that are made up for trading ATs.
const TRADE_DATA: usize = 512;

/// The members that a list of those that run has of each.
const EXECUTABLE: [&str; 8] = [
    "ATAddress",
    "creatorPublicKey",
    "creation",
    "isSleeping",
    "isFinished",
    "hadFatalError",
    "isFrozen",
    "frozenBalance",
];

fn named<'state>(state: &'state State, request: &Request) -> Option<&'state Value> {
    let address = request.capture("ataddress");
    let mut ats = state.chain.ats.iter().map(|row| row.at("at"));
    ats.find(|at| at.text("ATAddress") == address)
}

fn by_address(state: &State, request: &Request) -> Result<Body, Refusal> {
    Ok(named(state, request).map_or(Body::Nothing, |at| Body::Json(at.clone())))
}

/// Zeros for an AT without variables, drawn bytes for the others. An unknown AT crashes the Core.
fn data(state: &State, request: &Request) -> Result<Body, Refusal> {
    let at = named(state, request).ok_or(Refusal::CRASH)?;
    let is_simple = at.text("codeBytes") == "i";
    let bytes = if is_simple {
        vec![0; SMALLEST_DATA]
    } else {
        pseudo_random(at.number("creation"), 3, TRADE_DATA)
    };
    Ok(Body::Bytes {
        content_type: "application/octet-stream",
        bytes: Bytes::from(bytes),
    })
}

fn executables(state: &State, _: &Request) -> Result<Body, Refusal> {
    let running = state.chain.ats.iter();
    let running = running.filter(|row| !row.at("at").flag("isFinished"));
    list(running.map(|row| {
        let at = row.at("at");
        let answer = EXECUTABLE.iter().fold(json!({}), |answer, name| {
            answer.with_some(name, at.get(name).cloned())
        });
        answer
            .with("codeHash58", at.at("codeHash").clone())
            .with("atName", row.at("atName").clone())
    }))
}

fn by_function(state: &State, request: &Request) -> Result<Body, Refusal> {
    let hash = request.capture("codehash");
    public_key(hash).ok_or(ApiError::INVALID_CRITERIA)?;
    let paging = Paging::bounded(request)?;
    let executable = request.optional_flag("isExecutable");
    let mut rows: Vec<&Value> = state.chain.ats.iter().map(|row| row.at("at")).collect();
    rows.retain(|at| at.text("codeHash") == hash);
    rows.retain(|at| executable.is_none_or(|executable| executable != at.flag("isFinished")));
    paging.list(rows)
}
