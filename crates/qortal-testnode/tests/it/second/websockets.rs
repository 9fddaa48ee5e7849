//! Messages and responses of the websockets.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use qortal_testnode::{Event, Scenario, TestNode};
use serde_json::{Map, Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    tungstenite::Message,
    {WebSocketStream, client_async},
};

use super::Group;
use crate::recording::{Order, difference, recordings, repeat};

/// The machine's clock was this much ahead for the offers, so the chain was older than a day.
const AHEAD: i64 = 16 * 60 * 60 * 1000;

pub(super) const GROUP: Group = Group {
    name: "websockets",
    recordings: include_str!("../../fixtures/second/websockets.jsonl"),
    scenarios: &[
        ("websockets/offers-young-chain", Scenario::recorded),
        ("websockets/offers-", || {
            Scenario::recorded().with_machine_clock(AHEAD)
        }),
        ("websockets/", Scenario::recorded),
    ],
    differences: &[(
        "websockets/offers-reconnect",
        "the Core leaves out trades whose end is in the archive from the second visitor on; here every visitor is the first",
    )],
    not_played: &[],
};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const BOB: &str = "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK";
const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";
const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
const STEVE: &str = "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6";
const TRENT: &str = "QaRfMCN42yurmJNmkc5p9hR846vJgsTovB";
/// The new offer.
const OFFER: &str = "AH9zzNfEpDTqkeuavWhc4VM8HLwcFwgwRm";
const OWN_OFFER: &str = "AVUWonBlockOfTheNodeItselfXXXXXXXX";
/// Models of the new offer: an offer of an offline seller, one of another seller, and one for another coin.
const SELLER: &str = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo";
const CHLOES_OFFER: &str = "AYL6YBoHBwybwJ8Uxfv2o6dhHsQgJQJW5K";
const DOGECOIN_OFFER: &str = "AUUkLSqmSF2wL3CZnxNx9WnYnXyphS6f3z";

fn offer(like: &str, at_address: &str) -> Event {
    Event::OfferMade {
        like: like.to_owned(),
        at_address: at_address.to_owned(),
    }
}

fn moved(at_address: &str, mode: &str) -> Event {
    Event::TradeMoved {
        at_address: at_address.to_owned(),
        mode: mode.to_owned(),
    }
}

fn said(from: &str, group: u32, text: &str) -> Event {
    Event::GroupMessage {
        from: from.to_owned(),
        group,
        text: text.to_owned(),
    }
}

fn said_to(from: &str, to: &str) -> Event {
    Event::DirectMessage {
        from: from.to_owned(),
        to: to.to_owned(),
        text: "hello alice".to_owned(),
    }
}

fn paid(to: &str, units: i64) -> Event {
    Event::Payment {
        to: to.to_owned(),
        units,
    }
}

fn online(until: i64) -> Event {
    Event::SellerOnline {
        at_address: SELLER.to_owned(),
        until,
    }
}

/// Returns the events for an event of the recording, by the prefix of its description.
fn events(what: &str) -> Vec<Event> {
    let own = Event::OwnBlock;
    let table: [(&str, Vec<Event>); 40] = [
        ("open", vec![]),
        // Blocks and status.
        ("block 469 from a peer", vec![Event::Block]),
        ("block 470, minted by this node", vec![own.clone()]),
        ("block 471 from a peer", vec![Event::Block]),
        ("block 471 is taken back", vec![]),
        ("another block 471 from a peer", vec![Event::OtherBlock]),
        ("the node looks", vec![Event::StatusCheck]),
        // Trades: a message takes effect with the block after its own.
        (
            "block 469 with a new DOGECOIN",
            vec![offer(DOGECOIN_OFFER, OFFER), Event::Block],
        ),
        ("payment for the fees", vec![]),
        ("message of the trade", vec![]),
        ("block 472", vec![Event::Block]),
        ("block 473", vec![offer(SELLER, OFFER), Event::Block]),
        ("block 474", vec![Event::Block]),
        ("block 475", vec![moved(OFFER, "TRADING"), Event::Block]),
        ("block 476", vec![Event::Block]),
        ("block 477", vec![moved(OFFER, "REDEEMED"), Event::Block]),
        (
            "block 478",
            vec![offer(CHLOES_OFFER, OWN_OFFER), own.clone()],
        ),
        ("block 479", vec![Event::Block]),
        ("block 480", vec![Event::Block]),
        ("block 481", vec![Event::Block]),
        ("block 482", vec![moved(OWN_OFFER, "TRADING"), Event::Block]),
        ("block 483", vec![Event::Block]),
        ("block 484", vec![moved(OWN_OFFER, "REDEEMED"), own]),
        ("block 485", vec![Event::Block]),
        ("block 486", vec![Event::Block]),
        // Presences.
        ("(network time set)", vec![]),
        ("a seller comes online", vec![online(1_795_243_500_000)]),
        ("the same presence again", vec![online(1_795_243_500_000)]),
        ("its presence is prolonged", vec![online(1_795_244_400_000)]),
        (
            "network time passes every expiry",
            vec![Event::Later(3_600_000)],
        ),
        ("the seller is seen again", vec![online(1_795_247_100_000)]),
        // Chat: the node only learns the groups of an account now and then.
        (
            "rita refers to it",
            vec![Event::GroupReaction {
                from: RITA.to_owned(),
                group: 3,
                text: "thumbs up".to_owned(),
            }],
        ),
        ("bob writes to alice", vec![said_to(BOB, ALICE)]),
        ("steve writes to rita", vec![said_to(STEVE, RITA)]),
        ("trent writes to group 4", vec![said(TRENT, 4, "secret")]),
        ("alice leaves group 5", vec![]),
        ("block 469: she has left", vec![Event::Block]),
        (
            "the group list of the chat",
            vec![Event::GroupLeft {
                address: ALICE.to_owned(),
                group: 5,
            }],
        ),
        ("bob writes to group 3 again", vec![said(BOB, 3, "second")]),
        ("bob writes to group 3", vec![said(BOB, 3, "hello group")]),
    ];
    let payments = [
        ("alice pays", vec![]),
        (
            "block 471 with both payments",
            vec![paid(BOB, 123), paid(CHLOE, 5)],
        ),
        (
            "victor publishes IMAGE card",
            vec![Event::Published {
                service: "IMAGE".to_owned(),
                name: "victor".to_owned(),
                identifier: "card".to_owned(),
            }],
        ),
        ("block 470", vec![Event::Block]),
    ];
    let mut rows = table.into_iter().chain(payments);
    let found = rows.find(|(start, _)| what.starts_with(start));
    found.unwrap_or_else(|| panic!("{what}")).1
}

/// Returns the events before the websocket opened.
fn before(id: &str) -> Vec<&'static str> {
    match id {
        "websockets/status-stale" => vec!["block 469 from a peer"],
        "websockets/offers-reconnect" => vec!["block 473", "block 475", "block 477"],
        "websockets/offers-own-block" | "websockets/offers-own-block-blocks" => {
            vec!["block 472"; 9]
        }
        "websockets/presence-expired" => vec![
            "network time passes every expiry",
            "the seller is seen again",
        ],
        _ => Vec::new(),
    }
}

/// Fields that are generated, or that depend on omissions of the simulated node, such as fees and the minter.
const DRAWN: [&str; 16] = [
    "signature",
    "minterPublicKey",
    "onlineAccountsCount",
    "transactionCount",
    "reference",
    "qortAmount",
    "btcAmount",
    "foreignAmount",
    "qortalAtAddress",
    "qortalCreatorTradeAddress",
    "partnerQortalReceivingAddress",
    "publicKey",
    "senderPublicKey",
    "tradeAddress",
    "chatReference",
    "created",
];

/// Returns the parts of a message to compare. After an event, the fields above must be present but need not be equal.
fn comparable(text: &str, id: &str, has_happened: bool) -> Value {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return text.into();
    };
    let is_presence = id.starts_with("websockets/presence");
    reduce(&mut value, &|name| {
        let is_moment = name == "timestamp" && !is_presence;
        let is_late = has_happened && (DRAWN.contains(&name) || is_moment);
        let is_always = is_moment && (id.contains("offers") || id.contains("notifications"));
        is_late || is_always
    });
    if id.contains("notifications") {
        value.sort_all_objects();
    }
    value
}

/// Blanks some fields, and sorts lists in hash table order.
fn reduce(value: &mut Value, is_drawn: &dyn Fn(&str) -> bool) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match is_drawn(name) {
                    true => *value = json!("drawn"),
                    false => reduce(value, is_drawn),
                }
            }
        }
        Value::Array(rows) => {
            rows.iter_mut().for_each(|row| reduce(row, is_drawn));
            let of_hash_table =
                |row: &Value| row.get("mode").is_some() || row.get("address").is_some();
            if rows.iter().all(of_hash_table) {
                rows.sort_by_key(Value::to_string);
            }
        }
        _ => (),
    }
}

type Socket = WebSocketStream<TcpStream>;

async fn open(node: &TestNode, recorded: &Value) -> Socket {
    let host = node.url().strip_prefix("http://").unwrap();
    let path = recorded["path"].as_str().unwrap();
    let query = recorded["query"]
        .as_str()
        .map_or(String::new(), |it| format!("?{it}"));
    let stream = TcpStream::connect(host).await.unwrap();
    let opened = client_async(format!("ws://{host}{path}{query}"), stream).await;
    opened.unwrap().0
}

/// Replays one websocket. Returns the first difference, if there is one.
async fn differs(node: &TestNode, recorded: &Value) -> Option<String> {
    let id = recorded["id"].as_str().unwrap();
    let happen = |what: &str| events(what).iter().for_each(|event| node.apply(event));
    before(id).into_iter().for_each(happen);
    let mut socket = open(node, recorded).await;
    let mut has_happened = !before(id).is_empty();
    let mut is_closed = false;
    for line in &recordings(recorded["body"].as_str().unwrap()) {
        let text = line["text"].as_str().unwrap_or_default();
        if let Some(what) = line["event"].as_str() {
            has_happened |= what != "open";
            // The messages for the last event must arrive before the next one.
            happen(what);
            continue;
        }
        let frame = line["frame"].as_str().unwrap();
        if line["dir"] == "out" {
            let message = match frame {
                "text" => Message::text(text),
                "ping" => Message::Ping(Vec::new().into()),
                "close" => {
                    socket.close(None).await.unwrap();
                    is_closed = true;
                    continue;
                }
                other => panic!("{other}"),
            };
            socket.send(message).await.unwrap();
            continue;
        }
        let heard = timeout(Duration::from_secs(20), socket.next()).await.ok()?;
        let heard = heard?.ok()?;
        let agrees = match &heard {
            Message::Text(came) => {
                frame == "text"
                    && comparable(came, id, has_happened) == comparable(text, id, has_happened)
            }
            Message::Pong(_) => frame == "pong",
            Message::Close(came) => {
                is_closed = true;
                let came = came.as_ref();
                let came = came.map(|it| (u64::from(u16::from(it.code)), it.reason.to_string()));
                let said = line["reason"].as_str().unwrap_or_default().to_owned();
                frame == "close"
                    && (line["code"] == 1000 || came == line["code"].as_u64().map(|it| (it, said)))
            }
            _ => false,
        };
        if !agrees {
            return Some(format!(
                "{}\n    recorded {}",
                comparable(&heard.to_string(), id, has_happened),
                comparable(text, id, has_happened)
            ));
        }
    }
    if is_closed {
        return None;
    }
    // No further message was sent.
    socket.send(Message::text("ping")).await.unwrap();
    let heard = timeout(Duration::from_secs(20), socket.next())
        .await
        .unwrap();
    let heard = heard.unwrap().unwrap();
    (heard != Message::text("pong")).then(|| format!("{heard}\n    recorded nothing more"))
}

#[tokio::test]
async fn frames_are_those_of_the_recorded_core() {
    let mut problems = Map::new();
    for recorded in GROUP.rows() {
        let id = recorded["id"].as_str().unwrap();
        let source = GROUP.source(&recorded).unwrap();
        let scenario = GROUP.scenarios.iter().find(|(known, _)| *known == source);
        let node = TestNode::start(scenario.unwrap().1()).await.unwrap();
        node.expect_unknown_paths();
        let found = match recorded["status"].as_u64() {
            Some(101) => differs(&node, &recorded).await,
            _ => {
                let received = repeat(node.url(), &recorded).await;
                difference(&recorded, &received, Order::AsRecorded)
            }
        };
        node.stop().await;
        let is_known = GROUP.differences.iter().any(|(known, _)| *known == id);
        if found.is_some() != is_known {
            let found = found.unwrap_or_else(|| "agrees now, take it off the list".to_owned());
            problems.insert(id.to_owned(), found.into());
        }
    }
    let count = problems.len();
    let problems: Vec<String> = problems
        .iter()
        .map(|(id, it)| format!("{id}: {it}"))
        .collect();
    assert_eq!(count, 0, "{}", problems.join("\n"));
}
