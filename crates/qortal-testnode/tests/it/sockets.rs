//! Tests of websockets from the client's side of the wire.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use qortal_testnode::{Event, Fault, Scenario, TestNode};
use serde_json::Value;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    tungstenite::protocol::CloseFrame,
    tungstenite::{Error, Message},
    {WebSocketStream, client_async},
};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

type Socket = WebSocketStream<TcpStream>;

async fn open(node: &TestNode, target: &str) -> Result<Socket, Error> {
    let host = node.url().strip_prefix("http://").unwrap();
    let stream = TcpStream::connect(host).await.unwrap();
    let opened = client_async(format!("ws://{host}/websockets{target}"), stream).await;
    opened.map(|(socket, _)| socket)
}

async fn hear(socket: &mut Socket) -> Message {
    let heard = timeout(Duration::from_secs(20), socket.next()).await;
    heard.unwrap().unwrap().unwrap()
}

async fn told(socket: &mut Socket) -> Value {
    match hear(socket).await {
        Message::Text(text) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Sends `ping` and waits for the next message, so all earlier messages have arrived by then.
async fn next_is_pong(socket: &mut Socket) {
    socket.send(Message::text("ping")).await.unwrap();
    assert_eq!(hear(socket).await, Message::text("pong"));
}

#[tokio::test]
async fn what_happens_is_told_on_the_sockets_it_is_about() {
    // Changes of offers are only sent on a chain older than a day.
    let scenario = Scenario::recorded().with_machine_clock(DAY_MILLIS);
    let node = TestNode::start(scenario).await.unwrap();
    let mut status = open(&node, "/admin/status").await.unwrap();
    let mut blocks = open(&node, "/blocks").await.unwrap();
    let mut group = open(&node, "/chat/messages?txGroupId=3&limit=2&reverse=true")
        .await
        .unwrap();
    let litecoin = "/crosschain/tradeoffers?foreignBlockchain=LITECOIN";
    let mut offers = open(&node, litecoin).await.unwrap();
    let mut new_offers = open(&node, &format!("{litecoin}&excludeInitialData=true"))
        .await
        .unwrap();
    let first = told(&mut status).await;
    assert_eq!(first["height"], 468);
    assert_eq!(told(&mut group).await.as_array().unwrap().len(), 2);
    assert_eq!(told(&mut new_offers).await, Value::Array(Vec::new()));
    let open_offers = told(&mut offers).await;
    let open_offers = open_offers.as_array().unwrap();
    assert!(open_offers.iter().all(|it| it["mode"] == "OFFERING"));
    assert!(open_offers.len() > 2);
    for socket in [
        &mut status,
        &mut blocks,
        &mut group,
        &mut offers,
        &mut new_offers,
    ] {
        next_is_pong(socket).await;
    }
    for number in [2, 3] {
        node.apply(&Event::GroupMessage {
            from: "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ".to_owned(),
            group: number,
            text: "Hello".to_owned(),
        });
    }
    let messages = told(&mut group).await;
    assert_eq!(messages.as_array().unwrap().len(), 1);
    assert_eq!(messages[0]["txGroupId"], 3);
    let at_address = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo".to_owned();
    node.apply(&Event::OfferCancelled { at_address });
    for socket in [&mut offers, &mut new_offers] {
        // Includes the trade that was in progress at the start.
        let changed = told(socket).await;
        let modes: Vec<_> = changed
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["mode"])
            .collect();
        assert_eq!(modes, ["TRADING", "CANCELLED"]);
    }
    assert_eq!(told(&mut blocks).await["height"], 469);
    next_is_pong(&mut status).await;
    node.apply(&Event::StatusCheck);
    assert_eq!(told(&mut status).await["height"], 469);
    for socket in [
        &mut status,
        &mut blocks,
        &mut group,
        &mut offers,
        &mut new_offers,
    ] {
        next_is_pong(socket).await;
    }
    node.stop().await;
}

async fn closed(node: &TestNode, target: &str) -> Option<(u16, String)> {
    let mut socket = open(node, target).await.unwrap();
    match hear(&mut socket).await {
        Message::Close(frame) => {
            frame.map(|CloseFrame { code, reason }| (code.into(), reason.to_string()))
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_closed_with_the_codes_of_the_core() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let criteria = Some((4001, "invalid criteria".to_owned()));
    for target in [
        "/chat/messages",
        "/chat/messages?txGroupId=0",
        "/chat/messages?involving=QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ",
        "/chat/messages?involving=a&involving=b",
    ] {
        assert_eq!(closed(&node, target).await, criteria, "{target}");
    }
    let target = "/crosschain/tradeoffers?foreignBlockchain=litecoin";
    let unknown = (4003, "unknown blockchain: litecoin".to_owned());
    assert_eq!(closed(&node, target).await, Some(unknown));
    let number = (1011, "For input string: \"x\"".to_owned());
    assert_eq!(
        closed(&node, "/chat/messages?txGroupId=x").await,
        Some(number)
    );
    node.stop().await;
}

#[tokio::test]
async fn a_read_only_client_has_no_business_on_other_sockets() {
    for target in ["/crosschain/tradebot", "/datamonitor", "/nothing"] {
        let node = TestNode::start(Scenario::recorded()).await.unwrap();
        let refused = open(&node, target).await;
        assert!(matches!(refused, Err(Error::Http(it)) if it.status() == 404));
        let complained = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(node)));
        let complaint = complained.unwrap_err();
        let complaint = complaint.downcast_ref::<String>().unwrap();
        assert!(
            complaint.contains(&format!("GET /websockets{target}")),
            "{complaint}"
        );
    }
}

#[tokio::test]
async fn the_journal_has_the_beginning_and_the_end_of_a_socket() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut socket = open(&node, "/admin/status").await.unwrap();
    told(&mut socket).await;
    let journal = |node: &TestNode| {
        let journal = node.journal().into_iter();
        let lines = journal.map(|it| format!("{} {}", it.method, it.target));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(journal(&node), ["GET /websockets/admin/status"]);
    drop(socket);
    let ended = async {
        while node.journal().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), ended).await.unwrap();
    assert_eq!(journal(&node)[1], "CLOSE /websockets/admin/status");
    node.stop().await;
}

#[tokio::test]
async fn sockets_end_with_the_node() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut socket = open(&node, "/blocks").await.unwrap();
    next_is_pong(&mut socket).await;
    node.stop().await;
    let heard = timeout(Duration::from_secs(20), socket.next())
        .await
        .unwrap();
    assert!(!matches!(heard, Some(Ok(Message::Text(_)))), "{heard:?}");
}

#[tokio::test]
async fn a_flood_of_pings_does_not_wait_for_answers() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.fault("/websockets/*", Fault::PingFlood);
    let mut blocks = open(&node, "/blocks").await.unwrap();
    for _ in 0..1_000 {
        assert!(matches!(hear(&mut blocks).await, Message::Ping(_)));
    }
    drop(blocks);
    node.stop().await;
}
