//! What clients do that they should not.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use crate::bench::soak::target::{head, post};
use crate::bench::soak::traffic::answer;

/// Something a client does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abuse {
    /// After "clients that".
    pub(super) name: &'static str,
    pub(super) clients: usize,
    /// Runs one connection to its end, and returns how it ended.
    visit: fn(SocketAddr) -> Visit,
}

type Visit = Pin<Box<dyn Future<Output = io::Result<String>> + Send>>;

/// What a server without sessions has to bear.
pub(super) const FOR_ALL: &[Abuse] = &[
    Abuse {
        name: "connect and say nothing",
        clients: 3_000,
        visit: |address| Box::pin(silence(address)),
    },
    Abuse {
        name: "send a head byte by byte",
        clients: 1_000,
        visit: |address| Box::pin(slowly(address, head(1, ""), Vec::new())),
    },
    Abuse {
        name: "send a body byte by byte",
        clients: 1_000,
        visit: |address| Box::pin(slowly(address, Vec::new(), head(100_000, ""))),
    },
    Abuse {
        name: "close their side after asking",
        clients: 200,
        visit: |address| Box::pin(half_closed(address)),
    },
    Abuse {
        name: "never read long answers",
        clients: 600,
        visit: |address| Box::pin(deaf(address, LIST)),
    },
    Abuse {
        name: "leave before the answer",
        clients: 50,
        visit: |address| Box::pin(vanishing(address)),
    },
    Abuse {
        name: "send the largest bodies",
        clients: 16,
        visit: |address| Box::pin(large(address)),
    },
    Abuse {
        name: "withhold the end of the largest bodies",
        clients: 500,
        visit: |address| Box::pin(withheld(address)),
    },
    Abuse {
        name: "send calls with large metadata",
        clients: 256,
        visit: |address| Box::pin(large_meta(address)),
    },
    Abuse {
        name: "subscribe and never read",
        clients: 600,
        visit: |address| Box::pin(subscribed(address)),
    },
    Abuse {
        name: "keep their connections busy",
        clients: 1_200,
        visit: |address| Box::pin(busy(address)),
    },
];

/// What a server with sessions has to bear besides.
pub(super) const FOR_SESSIONS: &[Abuse] = &[
    Abuse {
        name: "open sessions and forget them",
        clients: 8,
        visit: |address| Box::pin(forgetful(address)),
    },
    Abuse {
        name: "subscribe and never read",
        clients: 600,
        visit: |address| Box::pin(subscribed(address)),
    },
    Abuse {
        name: "never read long answers",
        clients: 600,
        visit: |address| Box::pin(deaf(address, LIST)),
    },
    Abuse {
        name: "connect and say nothing",
        clients: 3_000,
        visit: |address| Box::pin(silence(address)),
    },
];

/// Linux has all of 127.0.0.0/8.
const ABUSER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
/// The pause between two bytes of a slow client.
const SLOW: Duration = Duration::from_millis(200);
/// The pause of a client that must not seem idle.
const OFTEN: Duration = Duration::from_millis(300);
/// A rejected client reconnects after this.
const BACK: Duration = Duration::from_millis(500);
/// The largest body that servers take by default.
const LARGEST_BODY: usize = 4 << 20;

impl Abuse {
    /// Does it for ever.
    pub(super) async fn visit_again_and_again(self, address: SocketAddr, tally: Tally) {
        loop {
            match (self.visit)(address).await {
                Ok(end) => tally.count(end),
                Err(why) => tally.count(why.kind().to_string()),
            }
            sleep(BACK).await;
        }
    }
}

/// How visits ended, over all clients.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally(Arc<Mutex<BTreeMap<String, usize>>>);

impl Tally {
    fn count(&self, end: String) {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *ends.entry(end).or_default() += 1;
    }

    pub(super) fn shown(&self) -> String {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown: Vec<_> = ends
            .iter()
            .map(|(end, count)| format!("{count} {end}"))
            .collect();
        match shown.is_empty() {
            true => "all stayed".to_owned(),
            false => shown.join(", "),
        }
    }
}

/// Connects from an address that good clients do not have, as someone elsewhere would.
async fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((ABUSER, 0)))?;
    socket.connect(address).await
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

async fn silence(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    end_of(&mut stream).await
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

async fn half_closed(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    stream.write_all(&post(LIST)).await?;
    stream.shutdown().await?;
    sleep(SLOW).await;
    end_of(&mut stream).await
}

/// Asks for as much as the server will take, and reads nothing.
async fn deaf(address: SocketAddr, message: &str) -> io::Result<String> {
    let mut stream = connect(address).await?;
    let request = post(message);
    loop {
        // Blocks when the server stops reading, until it ends the connection.
        stream.write_all(&request).await?;
    }
}

async fn vanishing(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_node_status","arguments":{}}}"#;
    stream.write_all(&post(call)).await?;
    Ok("left".to_owned())
}

/// As many values as the largest body can hold.
async fn large(address: SocketAddr) -> io::Result<String> {
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
async fn withheld(address: SocketAddr) -> io::Result<String> {
    let mut stream = connect(address).await?;
    stream.write_all(&head(LARGEST_BODY, "")).await?;
    let piece = vec![b' '; 64 << 10];
    for _ in 0..LARGEST_BODY / piece.len() - 1 {
        stream.write_all(&piece).await?;
    }
    end_of(&mut stream).await
}

/// A call with as many small values in its metadata as half a megabyte has.
async fn large_meta(address: SocketAddr) -> io::Result<String> {
    const VALUES: usize = 49_000;
    let values = "[7,8,9],".repeat(VALUES / 4);
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_block_height","_meta":{{"junk":[{values}0]}}}}}}"#
    );
    let mut stream = connect(address).await?;
    stream.write_all(&post(&message)).await?;
    let (status, _) = answer(&mut stream).await?;
    Ok(format!("answered {status}"))
}

/// Asks so often that it is never idle.
async fn busy(address: SocketAddr) -> io::Result<String> {
    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut stream = connect(address).await?;
    loop {
        stream.write_all(&post(PING)).await?;
        answer(&mut stream).await?;
        sleep(OFTEN).await;
    }
}

async fn forgetful(address: SocketAddr) -> io::Result<String> {
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

async fn subscribed(address: SocketAddr) -> io::Result<String> {
    const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    const HEADERS: &str =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
    let mut stream = connect(address).await?;
    stream.write_all(&head(MESSAGE.len(), HEADERS)).await?;
    stream.write_all(MESSAGE.as_bytes()).await?;
    let mut received = vec![0; 4096];
    let read = stream.read(&mut received).await?;
    let received = String::from_utf8_lossy(received.get(..read).unwrap_or_default()).into_owned();
    if !received.contains("text/event-stream") {
        return Ok("refused one more".to_owned());
    }
    // Neither reads nor leaves.
    std::future::pending().await
}
