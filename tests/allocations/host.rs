//! A server on the thread that is measured, a client that allocates nothing there, and the node on a thread of its own.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread,
};

use mcp_protocol::Revision;
use mcp_server::{Server, ShutdownReport};
use qortal_client::{Node, NodeConfig};
use qortal_mcp::ResourceUpdates;
use qortal_testnode::{Scenario, TestNode};
use qortal_tests::request;
use qortal_tools::{Catalog, Selection};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime::{Builder, Runtime},
    sync::oneshot,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

/// Larger than any answer here.
const ANSWER_BYTES: usize = 1 << 20;

/// A server over HTTP and on stdio, as the program carries them.
pub(crate) struct Host {
    runtime: Runtime,
    server: Arc<Server>,
    live: ResourceUpdates,
    address: SocketAddr,
    stop: CancellationToken,
    served: JoinHandle<io::Result<ShutdownReport>>,
    node: NodeThread,
}

impl Host {
    pub(crate) fn start() -> Self {
        let node = NodeThread::start();
        let runtime = runtime();
        let entered = runtime.enter();
        let catalog = Node::new(NodeConfig::new(&node.url)).unwrap();
        let catalog = Arc::new(Catalog::new(catalog, &Selection::default()).unwrap());
        let live = ResourceUpdates::new(Arc::clone(&catalog));
        let server = qortal_mcp::server(catalog, &live).limits(qortal_mcp::limits());
        let server = Arc::new(server.without_sessions().build().unwrap());
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let config = mcp_http::HttpConfig::new(Arc::clone(&server));
        let served = runtime.spawn(mcp_http::serve(listener, config, stop.clone()));
        drop(entered);
        Self {
            runtime,
            server,
            live,
            address,
            stop,
            served,
            node,
        }
    }

    /// Ends everything and waits for it.
    pub(crate) fn stop(self) {
        self.stop.cancel();
        self.runtime.block_on(async {
            self.served.await.unwrap().unwrap();
            self.live.stop().await;
        });
        self.node.stop();
    }
}

/// Two ends of a connection that every system has; they stand for the pipes of stdio.
async fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let ours = TcpStream::connect(address).await.unwrap();
    let (theirs, _) = listener.accept().await.unwrap();
    (ours, theirs)
}

/// The simulated node, whose allocations are not those of the server.
struct NodeThread {
    url: String,
    stop: oneshot::Sender<()>,
    thread: thread::JoinHandle<()>,
}

impl NodeThread {
    fn start() -> Self {
        let (tell, told) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            runtime().block_on(async {
                let node = TestNode::start(Scenario::large()).await.unwrap();
                tell.send(node.url().to_owned()).unwrap();
                stopped.await.unwrap();
                node.stop().await;
            });
        });
        let url = told.recv().unwrap();
        Self { url, stop, thread }
    }

    fn stop(self) {
        self.stop.send(()).unwrap();
        self.thread.join().unwrap();
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

trait Connection: AsyncRead + AsyncWrite + Unpin {}

impl<T: AsyncRead + AsyncWrite + Unpin> Connection for T {}

/// A client that sends one request again and again.
pub(crate) struct Client {
    connection: Box<dyn Connection>,
    request: Vec<u8>,
    answer: Vec<u8>,
    /// Whether these bytes are a whole answer.
    is_whole: fn(&[u8]) -> bool,
}

impl Client {
    pub(crate) fn http(host: &Host, revision: Revision, method: &str, params: Value) -> Self {
        let mut headers = format!("MCP-Protocol-Version: {}\r\n", revision.name());
        if !revision.has_handshake() {
            headers.push_str(&format!("Mcp-Method: {method}\r\n"));
            if let Some(name) = params["name"].as_str() {
                headers.push_str(&format!("Mcp-Name: {name}\r\n"));
            }
        }
        let body = request(revision, method, params).to_string();
        let connection = host.runtime.block_on(TcpStream::connect(host.address));
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            host.address,
            body.len()
        );
        Self::new(connection.unwrap(), request, is_whole_response)
    }

    pub(crate) fn stdio(host: &Host, revision: Revision, method: &str, params: Value) -> Self {
        let (ours, theirs) = host.runtime.block_on(pair());
        let entered = host.runtime.enter();
        let (input, output) = theirs.into_split();
        let stop = host.stop.clone();
        let limits = mcp_stdio::StdioLimits::default();
        let served = mcp_stdio::serve(Arc::clone(&host.server), input, output, stop, limits);
        drop(host.runtime.spawn(served));
        drop(entered);
        let initialize = json!({
            "protocolVersion": revision.name(),
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        });
        let line = |method: &str, params| format!("{}\n", request(revision, method, params));
        let initialize = line("initialize", initialize);
        let mut client = Self::new(ours, initialize, |answer| answer.ends_with(b"\n"));
        client.ask(host);
        client.request = line(method, params).into_bytes();
        client
    }

    fn new(
        connection: impl Connection + 'static,
        request: String,
        is_whole: fn(&[u8]) -> bool,
    ) -> Self {
        Self {
            connection: Box::new(connection),
            request: request.into_bytes(),
            answer: vec![0; ANSWER_BYTES],
            is_whole,
        }
    }

    /// Sends the request, and reads the answer.
    pub(crate) fn ask(&mut self, host: &Host) -> &[u8] {
        let mut read = 0;
        host.runtime.block_on(async {
            self.connection.write_all(&self.request).await.unwrap();
            while !(self.is_whole)(&self.answer[..read]) {
                let more = self.connection.read(&mut self.answer[read..]).await;
                read += more.unwrap();
                assert!(read < ANSWER_BYTES, "the answer has no end");
            }
        });
        &self.answer[..read]
    }
}

/// Whether all of the body is there that the head announces.
fn is_whole_response(bytes: &[u8]) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => return false,
    };
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let announced = head
        .lines()
        .find_map(|it| it.strip_prefix("content-length: "));
    announced.and_then(|it| it.parse().ok()) == Some(body.len())
}
