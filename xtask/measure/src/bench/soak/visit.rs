//! One visit of a client that misbehaves: what it does on a connection until that ends, and how it ended.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use crate::bench::soak::probe::answer;
use crate::bench::soak::server::{call, head, post};

/// Linux has all of 127.0.0.0/8.
const ABUSER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
/// The pause between two bytes of a slow client.
const SLOW: Duration = Duration::from_millis(200);
/// The pause of a client that must not seem idle.
const OFTEN: Duration = Duration::from_millis(300);
/// The largest body that servers take by default.
const LARGEST_BODY: usize = 4 << 20;
/// The bytes that a socket of a client on this machine holds, which the system doubles.
const SMALL_BUFFER: u32 = 16 << 10;
/// How many calls a connection of a flood sends before it is opened again.
const FLOOD: usize = 2_000;

/// Connects from an address that good clients do not have, as someone elsewhere would.
async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    socket()?.connect(address).await
}

fn socket() -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((ABUSER, 0)))?;
    Ok(socket)
}

/// Creates a socket with small buffers: those of a client elsewhere are on its own machine.
fn small_socket() -> io::Result<TcpSocket> {
    let socket = socket()?;
    socket.set_send_buffer_size(SMALL_BUFFER)?;
    socket.set_recv_buffer_size(SMALL_BUFFER)?;
    Ok(socket)
}

/// Returns how the server ends a connection that only waits.
async fn end_of(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<String> {
    let mut received = [0; 16];
    match stream.read(&mut received).await? {
        0 => Ok("closed".to_owned()),
        _ => {
            let status = received.get(9..12).unwrap_or_default();
            Ok(format!("answered {}", String::from_utf8_lossy(status)))
        }
    }
}

pub(super) async fn silence(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    end_of(&mut stream).await
}

pub(super) async fn slow_head(address: SocketAddr) -> io::Result<String> {
    slowly(address, head(1, ""), Vec::new()).await
}

pub(super) async fn slow_body(address: SocketAddr) -> io::Result<String> {
    slowly(address, Vec::new(), head(100_000, "")).await
}

/// Sends `at_once`, then `slow` and whatever follows byte by byte.
async fn slowly(address: SocketAddr, slow: Vec<u8>, at_once: Vec<u8>) -> io::Result<String> {
    let mut stream = connect(address).await?;
    stream.write_all(&at_once).await?;
    let (mut read, mut write) = stream.split();
    let sending = async {
        for byte in slow.into_iter().chain(std::iter::repeat(b' ')) {
            write.write_all(&[byte]).await?;
            sleep(SLOW).await;
        }
        io::Result::Ok(String::new())
    };
    tokio::select! {
        sent = sending => sent,
        ended = end_of(&mut read) => ended,
    }
}

pub(super) async fn half_closed(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    stream.write_all(&post(LIST)).await?;
    stream.shutdown().await?;
    sleep(SLOW).await;
    end_of(&mut stream).await
}

/// Asks for as much as the server will take, and reads nothing.
pub(super) async fn deaf(address: SocketAddr) -> io::Result<String> {
    let mut stream = small_socket()?.connect(address).await?;
    let request = post(LIST);
    loop {
        // Blocks when the server stops reading, until it ends the connection.
        stream.write_all(&request).await?;
    }
}

/// Sends one call after another, each as soon as the last is answered.
pub(super) async fn flooding(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    for number in 0..FLOOD {
        let arguments = format!(r#"{{"height":{}}}"#, number % 400 + 2);
        stream
            .write_all(&call("get_block_by_height", &arguments))
            .await?;
        answer(&mut stream).await?;
    }
    Ok(format!("made {FLOOD} calls"))
}

/// Requests one list of tools after another, no two of the same selection.
pub(super) async fn choosing(address: SocketAddr) -> io::Result<String> {
    const TOOLS: [&str; 20] = [
        "get_node_health",
        "get_balance",
        "get_name_info",
        "search_names",
        "list_names",
        "list_trade_offers",
        "get_trade_detail",
        "list_completed_trades",
        "get_trade_ledger",
        "list_groups",
        "get_group",
        "get_group_members",
        "get_chat_messages",
        "get_active_chats",
        "get_block_at_timestamp",
        "get_block_by_height",
        "list_block_summaries",
        "search_transactions",
        "search_qdn",
        "list_assets",
    ];
    const LISTS: usize = 200;
    static SELECTION: AtomicUsize = AtomicUsize::new(0);
    let mut stream = connect(address).await?;
    let mut lists = 0;
    for _ in 0..LISTS {
        let selection = SELECTION.fetch_add(1, Ordering::Relaxed);
        let is_chosen = |(index, _): &(usize, &&str)| selection >> index & 1 == 1;
        let chosen = TOOLS.iter().enumerate().filter(is_chosen);
        let chosen: Vec<_> = chosen.map(|(_, name)| *name).collect();
        let header = format!("X-MCP-Exclude-Tools: {}\r\n", chosen.join(","));
        let mut request = head(LIST.len(), &header);
        request.extend_from_slice(LIST.as_bytes());
        stream.write_all(&request).await?;
        let (_, body) = answer(&mut stream).await?;
        lists += usize::from(body.contains("inputSchema"));
    }
    Ok(format!(
        "had up to {} lists of {LISTS}",
        lists.next_multiple_of(LISTS / 10)
    ))
}

/// Has one chart after another drawn, no two of them alike.
pub(super) async fn drawing(address: SocketAddr) -> io::Result<String> {
    const CHARTS: usize = 99;
    let mut stream = connect(address).await?;
    for number in 0..CHARTS {
        let arguments = format!(
            r#"{{"blockchain":"LITECOIN","interval":"hour","limit":{}}}"#,
            number + 2
        );
        stream
            .write_all(&call("get_price_chart", &arguments))
            .await?;
        answer(&mut stream).await?;
    }
    Ok(format!("had {CHARTS} charts drawn"))
}

/// Sends a call, and leaves when the server has begun with it.
pub(super) async fn vanishing(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    stream.write_all(&call("get_node_status", "{}")).await?;
    sleep(SLOW).await;
    Ok("left".to_owned())
}

pub(super) async fn waiting(address: SocketAddr) -> io::Result<String> {
    ended_as(address, &call("list_names", r#"{"limit":1}"#)).await
}

pub(super) async fn peers(address: SocketAddr) -> io::Result<String> {
    ended_as(address, &call("list_peers", "{}")).await
}

/// Sends a call, and tells how it was answered.
async fn ended_as(address: SocketAddr, request: &[u8]) -> io::Result<String> {
    let mut stream = connect(address).await?;
    stream.write_all(request).await?;
    let (status, body) = answer(&mut stream).await?;
    let what = match (
        body.contains("\"isError\":false"),
        body.contains("\"isError\":true"),
    ) {
        (true, _) => "answered",
        (_, true) => "refused by the tool",
        (false, false) => "refused",
    };
    Ok(format!("{what} {status}"))
}

/// As many values as the largest body can hold.
pub(super) async fn large(address: SocketAddr) -> io::Result<String> {
    const BEGIN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":[0"#;
    const END: &str = "]}}}";
    let count = (LARGEST_BODY - BEGIN.len() - END.len()) / 2;
    let message = format!("{BEGIN}{}{END}", ",0".repeat(count));
    let mut stream = connect(address).await?;
    stream.write_all(&post(&message)).await?;
    let (status, _) = answer(&mut stream).await?;
    Ok(format!("answered {status}"))
}

/// All of the largest body but its last byte.
pub(super) async fn withheld(address: SocketAddr) -> io::Result<String> {
    let mut stream = small_socket()?.connect(address).await?;
    stream.write_all(&head(LARGEST_BODY, "")).await?;
    let piece = vec![b' '; 64 << 10];
    for _ in 0..LARGEST_BODY / piece.len() - 1 {
        stream.write_all(&piece).await?;
    }
    end_of(&mut stream).await
}

/// As many small values as half a megabyte has.
fn many_values() -> String {
    const VALUES: usize = 49_000;
    format!("[{}0]", "[7,8,9],".repeat(VALUES / 4))
}

/// A call with them in its metadata.
pub(super) async fn large_meta(address: SocketAddr) -> io::Result<String> {
    with_values(address, "_meta").await
}

/// A call with them in a member that no one knows.
pub(super) async fn large_call(address: SocketAddr) -> io::Result<String> {
    with_values(address, "junk").await
}

async fn with_values(address: SocketAddr, member: &str) -> io::Result<String> {
    let values = many_values();
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_node_status","{member}":{{"junk":{values}}}}}}}"#
    );
    ended_as(address, &post(&message)).await
}

/// Asks so often that it is never idle.
pub(super) async fn busy(address: SocketAddr) -> io::Result<String> {
    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut stream = connect(address).await?;
    loop {
        stream.write_all(&post(PING)).await?;
        answer(&mut stream).await?;
        sleep(OFTEN).await;
    }
}

pub(super) async fn forgetful(address: SocketAddr) -> io::Result<String> {
    let padding = "x".repeat(200_000);
    let initialize = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{"experimental":{{"x":"{padding}"}}}},"clientInfo":{{"name":"soak","version":"0"}}}}}}"#
    );
    let mut stream = connect(address).await?;
    for _ in 0..100 {
        stream.write_all(&post(&initialize)).await?;
        let (status, _) = answer(&mut stream).await?;
        if status != 200 {
            return Ok(format!("answered {status}"));
        }
    }
    Ok("opened 100 sessions".to_owned())
}

pub(super) async fn subscribed(address: SocketAddr) -> io::Result<String> {
    listening(address, r#"{"toolsListChanged":true}"#).await
}

pub(super) async fn subscribed_to_node(address: SocketAddr) -> io::Result<String> {
    let uris = r#"{"resourceSubscriptions":["qortal://node/status","qortal://chain/tip"]}"#;
    listening(address, uris).await
}

/// Opens a stream of notifications, neither reads it nor leaves, and tells if it is not given one.
async fn listening(address: SocketAddr, notifications: &str) -> io::Result<String> {
    const HEADERS: &str =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"notifications":{notifications},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    );
    let mut stream = connect(address).await?;
    stream.write_all(&head(message.len(), HEADERS)).await?;
    stream.write_all(message.as_bytes()).await?;
    unread_stream(stream).await
}

/// Opens a session, and the stream of notifications that the official SDKs open.
pub(super) async fn session_stream(address: SocketAddr) -> io::Result<String> {
    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"soak","version":"0"}}}"#;
    let mut stream = connect(address).await?;
    stream.write_all(&post(INITIALIZE)).await?;
    let mut received = vec![0; 4096];
    let read = stream.read(&mut received).await?;
    let received = String::from_utf8_lossy(received.get(..read).unwrap_or_default()).into_owned();
    let session = received
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "));
    let Some(session) = session else {
        return Ok("opened no session".to_owned());
    };
    let mut stream = connect(address).await?;
    let get = format!(
        "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n"
    );
    stream.write_all(get.as_bytes()).await?;
    unread_stream(stream).await
}

/// Reads the beginning of a stream, and then neither reads nor leaves.
async fn unread_stream(mut stream: TcpStream) -> io::Result<String> {
    let mut received = vec![0; 4096];
    let read = stream.read(&mut received).await?;
    let received = String::from_utf8_lossy(received.get(..read).unwrap_or_default()).into_owned();
    if !received.contains("text/event-stream") {
        return Ok("refused one more".to_owned());
    }
    // What a client that does not read cannot see is whether its stream still is open.
    std::future::pending().await
}
