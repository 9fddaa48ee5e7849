//! `/peers`: other nodes that this one is connected to or has on record (`PeersResource`).
//!
//! `/peers` uses a different serializer: nulls are present and byte arrays are Base64.

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::{
    answer::first,
    codec::base58_decode,
    resource::{Body, Endpoint, Refusal, Request, Row, State, fixed_with_key, list, no_rows},
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/peers", connected),
    Endpoint::get("/peers/data", data_peers),
    Endpoint::get("/peers/known", known),
    Endpoint::get("/peers/self", no_rows),
    Endpoint::get("/peers/summary", summary),
    Endpoint::get("/peers/enginestats", fixed_with_key),
];

/// Age of a node's connections to its peers at its start, in minutes.
const CONNECTED_FOR: i64 = 42;

fn connected(state: &State, request: &Request) -> Result<Body, Refusal> {
    if first(request, &["application/json"]).is_none() {
        return Err(Refusal::Page(406));
    }
    let (inbound, outbound) = state.peers();
    let outbound = (0..outbound).map(|_| "OUTBOUND");
    let directions = (0..inbound).map(|_| "INBOUND").chain(outbound).enumerate();
    list(directions.map(|(number, direction)| peer(state, number, direction)))
}

/// Returns a fully synchronized peer at an IP address that is reserved for documentation.
fn peer(state: &State, number: usize, direction: &str) -> Value {
    let started = state.scenario.start_time(&state.chain);
    let tip = state.chain.tip();
    let signature = tip.as_ref();
    let signature = signature
        .and_then(|block| base58_decode(block.signature()))
        .unwrap_or_default();
    let facts = &state.chain.facts;
    let node_id = facts.at("nodeIds").get(number);
    json!({
        "direction": direction,
        "handshakeStatus": "COMPLETED",
        "lastPing": 40 + number,
        "connectedWhen": started - CONNECTED_FOR * 60_000,
        "peersConnectedWhen": started - CONNECTED_FOR * 60_000 - 1000,
        "address": format!("192.0.2.{}:12392", 20 + number),
        "version": "qortal-6.1.8",
        "nodeId": node_id.unwrap_or(facts.at("nodeId")),
        "lastHeight": facts.number("height").max(state.chain.height()),
        "lastBlockSignature": BASE64.encode(&signature),
        "lastBlockTimestamp": tip.map(|block| block.timestamp()),
        "connectionId": format!("00000000-0000-4000-8000-{number:012}"),
        "capabilities": [{"QDN": 12_394}],
        "age": format!("{CONNECTED_FOR}m 0s"),
        "isTooDivergent": if number == 0 { Value::Null } else { Value::Bool(false) },
    })
}

/// Returns the peers that exchange QDN data, which use another port.
fn data_peers(state: &State, _: &Request) -> Result<Body, Refusal> {
    let started = state.scenario.start_time(&state.chain);
    let node_ids = state.chain.facts.rows("nodeIds").iter();
    let count = usize::try_from(state.scenario.network.data_peers).unwrap_or_default();
    list(node_ids.take(count).enumerate().map(|(number, node_id)| {
        json!({
            "direction": "OUTBOUND",
            "handshakeStatus": "COMPLETED",
            "connectedWhen": started - CONNECTED_FOR * 60_000,
            "peersConnectedWhen": started - CONNECTED_FOR * 60_000 - 1000,
            "address": format!("192.0.2.{}:12394", 20 + number),
            "version": "qortal-6.1.8",
            "nodeId": node_id,
            "connectionId": format!("00000000-0000-4000-9000-{number:012}"),
            "age": format!("{CONNECTED_FOR}m 0s"),
        })
    }))
}

fn known(state: &State, _: &Request) -> Result<Body, Refusal> {
    list(state.chain.peers_known.iter().cloned())
}

fn summary(state: &State, _: &Request) -> Result<Body, Refusal> {
    let (inbound, outbound) = state.peers();
    Ok(Body::Json(
        json!({"inboundConnections": inbound, "outboundConnections": outbound}),
    ))
}
