//! What a node tells by itself, read as it comes, and how that ends.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use insta::assert_snapshot;
use qortal_client::{
    AnswerMemory, Node, NodeConfig, NodeError, Socket,
    api::chat::{ChatRoom, Encoding},
};
use qortal_testnode::{API_KEY, Event, Fault, Scenario, TestNode};
use tokio::{
    net::TcpListener,
    time::{Instant, pause, timeout},
};
use tokio_tungstenite::tungstenite::Message;

const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";

async fn started() -> (TestNode, Node) {
    let server = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut config = NodeConfig::new(server.url());
    config.api_key = Some(qortal_client::ApiKey::new(API_KEY).unwrap());
    config.timeouts.connect = Duration::from_secs(5);
    config.max_answer_bytes = 100_000;
    (server, Node::new(config).unwrap())
}

async fn next<T>(socket: &mut Socket<T>) -> Result<T, NodeError> {
    let next = timeout(Duration::from_secs(20), socket.next()).await;
    next.expect("the node tells something")
}

#[tokio::test]
async fn each_new_tip_is_told() {
    let (server, node) = started().await;
    let mut socket = node.block_socket().await.unwrap();
    // Nothing is told of the block that is there; a ping shows that the node is ready.
    let mut status = node.status_socket().await.unwrap();
    next(&mut status).await.unwrap();
    server.apply(&Event::Block);
    assert_eq!(next(&mut socket).await.unwrap().height.number(), 469);
    server.apply(&Event::OtherBlock);
    let other = next(&mut socket).await.unwrap();
    assert_eq!(other.height.number(), 469);
    assert_eq!(node.last_block().await.unwrap().signature, other.signature);
    drop((socket, status));
    server.stop().await;
}

#[tokio::test]
async fn a_room_tells_its_last_message_and_then_new_ones() {
    let (server, node) = started().await;
    let (rita, chloe) = (RITA.parse().unwrap(), CHLOE.parse().unwrap());
    let mut group = node
        .chat_socket(ChatRoom::Group(3), Encoding::Base64)
        .await
        .unwrap();
    let mut direct = node
        .chat_socket(ChatRoom::Direct(rita, chloe), Encoding::Base58)
        .await
        .unwrap();
    let last = next(&mut group).await.unwrap();
    assert_eq!(last[0].data, "TWVzc2FnZSBudW1iZXIgMTE=");
    assert_eq!(last.len(), 1);
    assert!(next(&mut direct).await.unwrap().len() <= 1);
    server.apply(&Event::GroupMessage {
        from: RITA.to_owned(),
        group: 3,
        text: "Hello".to_owned(),
    });
    let told = next(&mut group).await.unwrap();
    assert_eq!(told[0].data, "SGVsbG8=");
    let (from, to) = (RITA.to_owned(), CHLOE.to_owned());
    let text = "Hi".to_owned();
    server.apply(&Event::DirectMessage { from, to, text });
    let told = next(&mut direct).await.unwrap();
    assert_eq!((told[0].sender, told[0].recipient), (rita, Some(chloe)));
    drop((group, direct));
    server.stop().await;
}

#[tokio::test]
async fn who_is_online_is_told() {
    let (server, node) = started().await;
    let mut socket = node.trade_presence_socket().await.unwrap();
    assert_eq!(next(&mut socket).await.unwrap().len(), 9);
    let at_address = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo".to_owned();
    let until = 1_795_243_500_000;
    server.apply(&Event::SellerOnline { at_address, until });
    let told = next(&mut socket).await.unwrap();
    let told: Vec<_> = told.iter().map(|it| it.timestamp.millis()).collect();
    assert_eq!(told, [until]);
    drop(socket);
    server.stop().await;
}

#[tokio::test]
async fn what_is_asked_for_is_in_the_path_and_the_key_stays_here() {
    let (server, node) = started().await;
    let (rita, chloe) = (RITA.parse().unwrap(), CHLOE.parse().unwrap());
    let room = ChatRoom::Direct(rita, chloe);
    drop(node.status_socket().await.unwrap());
    drop(node.block_socket().await.unwrap());
    drop(
        node.chat_socket(ChatRoom::Group(3), Encoding::Base58)
            .await
            .unwrap(),
    );
    drop(node.chat_socket(room, Encoding::Base64).await.unwrap());
    drop(node.trade_presence_socket().await.unwrap());
    let journal = server.journal();
    let asked = journal.iter().filter(|it| it.method != "CLOSE");
    assert!(asked.clone().all(|it| !it.has_api_key));
    let asked: Vec<_> = asked
        .map(|it| format!("{} {}", it.method, it.target))
        .collect();
    assert_snapshot!(asked.join("\n"), @r"
    GET /websockets/admin/status
    GET /websockets/blocks
    GET /websockets/chat/messages?txGroupId=3&encoding=BASE58&limit=1&reverse=true
    GET /websockets/chat/messages?involving=QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ&involving=QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL&encoding=BASE64&limit=1&reverse=true
    GET /websockets/crosschain/tradepresence
    ");
    server.stop().await;
}

#[tokio::test]
async fn a_socket_that_is_not_opened_says_why() {
    let (server, node) = started().await;
    let mut said = String::new();
    for fault in [
        Fault::Status(404, String::new()),
        Fault::Redirect("/websockets/blocks".to_owned()),
        Fault::ResetBeforeResponse,
        Fault::EndlessBody,
        Fault::Refuse,
    ] {
        server.fault("/websockets/*", fault.clone());
        let error = node.status_socket().await.unwrap_err();
        said.push_str(&format!("{fault:?}: {error}\n"));
        server.clear_faults();
    }
    assert_snapshot!(said, @r#"
    Status(404, ""): node refused GET /websockets/admin/status with HTTP 404
    Redirect("/websockets/blocks"): node refused GET /websockets/admin/status with HTTP 302
    ResetBeforeResponse: node unreachable for GET /websockets/admin/status: the connection was reset
    EndlessBody: node refused GET /websockets/admin/status with HTTP 200
    Refuse: node unreachable for GET /websockets/admin/status: the connection was refused
    "#);
    assert!(
        server
            .journal()
            .iter()
            .all(|it| it.target != "/websockets/blocks")
    );
    server.stop().await;
}

#[tokio::test]
async fn a_socket_that_ends_says_why() {
    let (server, node) = started().await;
    let mut said = String::new();
    for fault in [
        Fault::TruncateBody,
        Fault::NotJson,
        Fault::WrongShape,
        Fault::HugeBody,
    ] {
        server.fault("/websockets/*", fault.clone());
        let mut socket = node.status_socket().await.unwrap();
        let error = next(&mut socket).await.unwrap_err();
        said.push_str(&format!("{fault:?}: {error}\n"));
        server.clear_faults();
    }
    let room = ChatRoom::Group(0);
    let mut socket = node.chat_socket(room, Encoding::Base64).await.unwrap();
    let error = next(&mut socket).await.unwrap_err();
    said.push_str(&format!("group 0: {error}"));
    assert_snapshot!(said, @r#"
    TruncateBody: node unreachable for GET /websockets/admin/status
    NotJson: response to GET /websockets/admin/status is not the expected JSON: "<html>Please log in.</html>"
    WrongShape: response to GET /websockets/admin/status is not the expected JSON: "{"another":["shape"]}"
    HugeBody: response to GET /websockets/admin/status has more than 100000 bytes
    group 0: node refused GET /websockets/chat/messages with HTTP 101: invalid criteria
    "#);
    server.stop().await;
}

#[tokio::test]
async fn a_silent_node_is_asked_whether_it_is_there() {
    let (server, node) = started().await;
    let mut alive = node.block_socket().await.unwrap();
    server.fault("/websockets/*", Fault::StallAfterHeaders);
    let mut silent = node.block_socket().await.unwrap();
    pause();
    let start = Instant::now();
    let given_up = async { (silent.next().await.unwrap_err(), start.elapsed()) };
    // The node closes a socket after half a minute without a word.
    let minutes = timeout(Duration::from_secs(600), alive.next());
    let ((error, after), quiet) = tokio::join!(given_up, minutes);
    assert_snapshot!(error, @"no response to GET /websockets/blocks within 20s");
    assert_eq!(after.as_secs(), 40);
    assert!(quiet.is_err());
    drop((alive, silent));
    server.stop().await;
}

#[tokio::test]
async fn there_are_only_so_many_sockets() {
    let (server, node) = started().await;
    let mut open = Vec::new();
    for _ in 0..16 {
        open.push(node.block_socket().await.unwrap());
    }
    let error = node.block_socket().await.unwrap_err();
    assert_snapshot!(error, @"GET /websockets/blocks was not sent because 16 requests are in progress");
    open.pop();
    assert!(node.block_socket().await.is_ok());
    drop(open);
    server.stop().await;
}

#[tokio::test]
async fn a_socket_takes_memory_as_long_as_it_is_open() {
    let server = TestNode::start(Scenario::recorded()).await.unwrap();
    let left = Arc::new(Mutex::new(1_000_000_usize));
    let shared = Arc::clone(&left);
    let mut config = NodeConfig::new(server.url());
    config.memory = Some(AnswerMemory::new(move || {
        let mut grant = Grant {
            left: Arc::clone(&shared),
            bytes: 0,
        };
        Box::new(move |bytes| grant.grow_to(bytes))
    }));
    let node = Node::new(config).unwrap();
    let mut socket = node.status_socket().await.unwrap();
    next(&mut socket).await.unwrap();
    assert!(*left.lock().unwrap() < 500_000);
    let error = node.block_socket().await.unwrap_err();
    assert_snapshot!(error, @"no memory left for the response to GET /websockets/blocks");
    drop(socket);
    assert_eq!(*left.lock().unwrap(), 1_000_000);
    server.stop().await;
}

struct Grant {
    left: Arc<Mutex<usize>>,
    bytes: usize,
}

impl Grant {
    fn grow_to(&mut self, bytes: usize) -> bool {
        let mut left = self.left.lock().unwrap();
        let Some(rest) = left.checked_sub(bytes.saturating_sub(self.bytes)) else {
            return false;
        };
        *left = rest;
        self.bytes = self.bytes.max(bytes);
        true
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        *self.left.lock().unwrap() += self.bytes;
    }
}

/// More than the buffers of both systems take.
const FLOOD_PINGS: usize = 300_000;
const PING_BYTES: usize = 125;

/// A node that sends pings and reads no answers to them, until it has sent everything.
async fn flood(listener: TcpListener) -> usize {
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    let ping = Message::Ping(vec![0; PING_BYTES].into());
    for _ in 0..FLOOD_PINGS {
        socket.feed(ping.clone()).await.unwrap();
    }
    let mut answered = 0;
    while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(500), socket.next()).await {
        answered += 1;
    }
    answered
}

#[tokio::test]
async fn answers_that_no_one_reads_are_not_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let node = Node::new(NodeConfig::new(url)).unwrap();
    let client = async {
        let mut blocks = node.block_socket().await.unwrap();
        while blocks.next().await.is_ok() {}
    };
    let (answered, ()) = tokio::join!(flood(listener), client);
    assert!(
        answered < FLOOD_PINGS / 2,
        "{answered} of {FLOOD_PINGS} answers had been kept"
    );
}
