//! `/admin`: the state of the node (`AdminResource`).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::resource::{
    Body, Endpoint, Refusal, Request, Row, State, fixed, fixed_with_key, list,
    utils::transaction_types,
};

/// The summary covers the last day.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/admin/status", status),
    Endpoint::get("/admin/info", info),
    Endpoint::get("/admin/uptime", uptime),
    Endpoint::get("/admin/summary", summary),
    Endpoint::get("/admin/summary/alltime", summary_of_all_time),
    Endpoint::get("/admin/enginestats", fixed_with_key),
    Endpoint::get("/admin/mintingaccounts", minting_accounts),
    Endpoint::get("/admin/settings", settings),
    Endpoint::get("/admin/settings/{setting}", setting),
    Endpoint::get("/admin/logs", logs),
    Endpoint::get("/admin/systeminfo", system_info),
    Endpoint::get("/admin/apikey/test", fixed_with_key),
    Endpoint::get("/admin/http/getca", fixed),
    Endpoint::get("/admin/http/san", fixed),
    Endpoint::get("/admin/unused", fixed),
];

fn status(state: &State, _: &Request) -> Result<Body, Refusal> {
    Ok(Body::Json(state.status()))
}

fn info(state: &State, _: &Request) -> Result<Body, Refusal> {
    let [major, minor, patch] = state.scenario.release;
    let info = json!({
        "currentTimestamp": state.network_time(),
        "uptime": state.uptime(),
        "buildVersion": format!("qortal-{major}.{minor}.{patch}-bb6b1bf"),
        "buildTimestamp": 1_761_998_400,
        "nodeId": state.chain.facts.at("nodeId"),
        "isTestNet": false,
        "type": "full",
    });
    Ok(Body::Json(match state.network_time() {
        Some(_) => info,
        None => info.without("currentTimestamp"),
    }))
}

fn uptime(state: &State, _: &Request) -> Result<Body, Refusal> {
    Ok(Body::Scalar(state.uptime().to_string()))
}

/// Returns the recorded counts, of a chain less than a day old. A fresh chain's counts are those of its transactions.
fn summary(state: &State, _: &Request) -> Result<Body, Refusal> {
    state.require_network_time()?;
    Ok(Body::Json(summary_of(state)))
}

fn summary_of(state: &State) -> Value {
    match state.chain.facts.get("summary") {
        Some(summary) => summary.with("blockCount", state.chain.height()),
        None if state.chain.height() > 1 => summary_since(state, state.now() - DAY_MILLIS),
        None => json!({
            "blockCount": state.chain.height(),
            "assetsIssued": 0,
            "namesRegistered": 0,
            "transactionCountByType": {"GENESIS": state.chain.transactions.len()},
            "totalTransactionCount": state.chain.transactions.len(),
        }),
    }
}

/// Returns counts of the chain's events after a time.
fn summary_since(state: &State, time: i64) -> Value {
    let before = state.chain.block_at(time).map_or(0, |block| block.height);
    let mut counts = BTreeMap::new();
    let rows = state.chain.transactions.iter();
    for row in rows.filter(|row| row.number("blockHeight") > before) {
        let place = transaction_types().position(|it| it == row.text("type"));
        *counts.entry(place).or_insert(0) += 1;
    }
    let of = |kind: &str| {
        let place = transaction_types().position(|it| it == kind);
        counts.get(&place).copied().unwrap_or(0)
    };
    let by_type = counts.iter().filter_map(|(place, count)| {
        let kind = transaction_types().nth((*place)?)?;
        Some((kind.to_owned(), Value::from(*count)))
    });
    json!({
        "blockCount": state.chain.height() - before,
        "assetsIssued": of("ISSUE_ASSET"),
        "namesRegistered": of("REGISTER_NAME"),
        "transactionCountByType": by_type.collect::<serde_json::Map<_, _>>(),
        "totalTransactionCount": counts.values().sum::<i64>(),
    })
}

/// Returns a summary of the entire chain, without the genesis block.
fn summary_of_all_time(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    let summary = match state.chain.facts.get("summary") {
        None if state.chain.height() > 1 => summary_since(state, 0),
        _ => summary_of(state),
    };
    let counts = summary.at("transactionCountByType").without("GENESIS");
    let total: i64 = counts
        .as_object()
        .map_or(0, |counts| counts.values().filter_map(Value::as_i64).sum());
    let summary = summary
        .with("blockCount", state.chain.height() - 1)
        .with("transactionCountByType", counts)
        .with("totalTransactionCount", total);
    Ok(Body::Json(summary))
}

fn minting_accounts(state: &State, _: &Request) -> Result<Body, Refusal> {
    list(state.chain.minting_accounts.iter().cloned())
}

/// Returns all settings with a value.
fn settings(state: &State, _: &Request) -> Result<Body, Refusal> {
    let settings = state.chain.facts.at("settings").as_object();
    let set = settings.into_iter().flatten().filter(|it| !it.1.is_null());
    Ok(Body::Json(
        set.map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    ))
}

/// Returns a single setting by its Java field name. An unknown one is an uncaught exception.
fn setting(state: &State, request: &Request) -> Result<Body, Refusal> {
    let settings = state.chain.facts.at("settings");
    match settings.get(request.capture("setting")) {
        Some(Value::String(text)) => Ok(Body::Text(text.clone())),
        Some(value) => Ok(Body::Text(value.to_string())),
        None => Err(Refusal::CRASH),
    }
}

/// Returns an empty log, since this node does not write one.
fn logs(_: &State, request: &Request) -> Result<Body, Refusal> {
    request.int("limit")?;
    request.int("offset")?;
    Ok(Body::Text(String::new()))
}

/// Returns the data of a small machine, which vary slightly with the time.
fn system_info(state: &State, _: &Request) -> Result<Body, Refusal> {
    const TOTAL: i64 = 196_083_712;
    let used = 115_000_000 + state.uptime().rem_euclid(1_000_000);
    Ok(Body::Json(json!({
        "freeMemory": TOTAL - used,
        "memoryInUse": used,
        "totalMemory": TOTAL,
        "maxMemory": 2_147_483_648_u64,
        "availableProcessors": 2,
    })))
}
