//! What the demo's node says of itself: its peers, its servers for other coins, its settings.

use serde_json::{Value, json};

use super::Demo;
use super::chats;
use super::draw::{Kind, hash, number};
use super::minting::supply;
use super::time::{DAY, HOUR, MINUTE};
use crate::chain::{Chain, Row, amount_text};
use crate::codec::node_address;

/// Connections that came in, and those that the node made.
pub(crate) const PEERS: (u32, u32) = (9, 21);
/// Of the peers, so many exchange QDN data.
pub(crate) const DATA_PEERS: u32 = 14;
/// How long the node had been running at the start.
pub(crate) const RUNNING_FOR: i64 = 4 * DAY + 3 * HOUR;

/// The single answers: what was recorded where it holds on any chain, and what this one is about.
pub(super) fn facts(demo: Demo) -> Value {
    let recorded = Chain::recorded().facts;
    let mut facts = json!({
        "coins": coins(),
        "nodeIds": (0..PEERS.0 + PEERS.1).map(|peer| node_id(peer.into())).collect::<Vec<_>>(),
        "supply": amount_text(supply()),
        "chatSizes": chats::sizes(&chats::rows(demo)),
    });
    for name in [
        "settings",
        "lists",
        "nodeId",
        "penaltyHash",
        "layouts",
        "unitFees",
        "indices",
    ] {
        facts = facts.with(name, recorded.at(name).clone());
    }
    facts.with("coinFees", fees())
}

fn node_id(peer: i64) -> String {
    node_address(hash(Kind::Node, peer))
}

/// The currency code in paths, height, and fees for 1000 bytes and for a trade.
const COINS: [(&str, i64, i64, i64); 6] = [
    ("btc", 975_316, 6_000, 3_000),
    ("ltc", 3_031_904, 10_000, 1_000),
    ("doge", 6_012_377, 1_000_000, 100_000),
    ("dgb", 23_114_205, 100_000, 10_000),
    ("rvn", 4_188_026, 1_125_000, 112_500),
    ("arrr", 3_702_118, 10_000, 10_000),
];

/// Servers of each coin.
const SERVERS: i64 = 9;
const CONNECTED: i64 = 4;

fn coins() -> Value {
    let coin = |(code, height, ..): &(&str, i64, i64, i64)| {
        let server = |place: i64| {
            json!({
                "averageResponseTime": 60 + number(Kind::Node, height + place) % 240,
                "hostName": format!("{code}{}.example.org", place + 1),
                "port": 50_002,
                "connectionType": "SSL",
                "isCurrent": place == 0,
            })
        };
        let servers: Vec<Value> = (0..SERVERS).map(server).collect();
        let answers = json!({
            "height": height,
            "status": {"enabled": true, "connectedServers": CONNECTED, "knownServers": SERVERS},
            "servers": {"servers": servers, "remainingServers": [], "uselessServers": []},
        });
        ((*code).to_owned(), answers)
    };
    Value::Object(COINS.iter().map(coin).collect())
}

fn fees() -> Value {
    let fee = |(code, _, feekb, required): &(&str, i64, i64, i64)| {
        (
            (*code).to_owned(),
            json!({"feekb": feekb, "feerequired": required}),
        )
    };
    Value::Object(COINS.iter().map(fee).collect())
}

/// Nodes that this one has heard of, at addresses that are reserved for documentation.
pub(super) fn peers_known(demo: Demo) -> Vec<Value> {
    let peer = |place: i64| {
        let heard = demo.before((1 + place % 30) * DAY);
        json!({
            "lastAttempted": demo.before(MINUTE * (5 + place * 3)),
            "lastConnected": demo.before(MINUTE * (6 + place * 3)),
            "addedWhen": heard,
            "addedBy": if place < 4 { "INIT" } else { "203.0.113.7:12392" },
            "failedSyncCount": 0,
            "address": format!("198.51.100.{}:12392", place + 1),
        })
    };
    (0..64).map(peer).collect()
}
