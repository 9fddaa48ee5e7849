//! The whole server over a simulated node, as a client sees it on either transport.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

/// The example of the guide is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/serve-views.md")]
struct ViewGuide;

mod events;
mod http;
mod stdio;

pub use events::Events;
pub use http::Answer;
pub use stdio::Stream;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use mcp_protocol::{Revision, lifecycle::CLIENT_CAPABILITIES};
use mcp_server::Server;
use qortal_client::{ApiKey, Node, NodeConfig};
use qortal_mcp::ResourceUpdates;
use qortal_resources::PollInterval;
use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::{Catalog, Selection, Surface};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

/// A running server: one simulated node, and two transports as the program carries them.
pub struct Host {
    /// The node it asks.
    pub node: TestNode,
    /// The core behind stdio; the one behind HTTP does without sessions.
    pub server: Arc<Server>,
    live: ResourceUpdates,
    /// How many tools it lists.
    pub tools: usize,
    address: SocketAddr,
    stop: CancellationToken,
    served: JoinHandle<std::io::Result<mcp_server::ShutdownReport>>,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Whether clients over HTTP get sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sessions {
    Kept,
    None,
}

impl Host {
    /// Over the recorded chain, with every tool listed.
    pub async fn start() -> Self {
        Self::over(Scenario::recorded()).await
    }

    /// Over another chain.
    pub async fn over(scenario: Scenario) -> Self {
        Self::with(scenario, Sessions::None, everything()).await
    }

    /// Over the recorded chain, with another selection.
    pub async fn listing(selection: Selection) -> Self {
        Self::with(Scenario::recorded(), Sessions::None, selection).await
    }

    /// Over the recorded chain, with sessions over HTTP.
    pub async fn with_sessions() -> Self {
        Self::with(Scenario::recorded(), Sessions::Kept, everything()).await
    }

    async fn with(scenario: Scenario, sessions: Sessions, selection: Selection) -> Self {
        let node = TestNode::start(scenario).await.unwrap();
        let mut config = NodeConfig::new(node.url()).with_api_key(ApiKey::new(API_KEY).unwrap());
        // Long enough for a machine that has much else to do.
        config.timeouts.quick = Duration::from_secs(30);
        config.timeouts.connect = Duration::from_secs(30);
        let catalog = Catalog::new(Node::new(config).unwrap(), &selection).unwrap();
        let tools = catalog.selection().listed().count();
        let catalog = Arc::new(catalog);
        let mut policy = PollInterval::default();
        policy.interval = Duration::from_millis(10);
        policy.min_read_interval = Duration::from_millis(1);
        let live = ResourceUpdates::with_policy(Arc::clone(&catalog), policy);
        let server = || {
            let server = qortal_mcp::server(Arc::clone(&catalog), &live);
            server.limits(qortal_mcp::limits())
        };
        let over_http = match sessions {
            Sessions::Kept => server().build().unwrap(),
            Sessions::None => server().without_sessions().build().unwrap(),
        };
        let server = Arc::new(server().build().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let config = mcp_http::HttpConfig::new(Arc::new(over_http));
        let served = tokio::spawn(mcp_http::serve(listener, config, stop.clone()));
        Self {
            node,
            server,
            live,
            tools,
            address,
            stop,
            served,
        }
    }

    /// Ends everything and waits for it.
    pub async fn stop(self) {
        self.stop.cancel();
        soon(self.served).await.unwrap().unwrap();
        soon(self.live.stop()).await;
        soon(self.node.stop()).await;
    }

    /// Sends one request over HTTP as a client of `revision` would.
    pub async fn http(&self, revision: Revision, method: &str, params: Value) -> Answer {
        http::post(self.address, revision, &request(revision, method, params)).await
    }

    /// Sends any body over HTTP as a client of `revision` would.
    pub async fn http_body(&self, revision: Revision, body: &[u8]) -> Answer {
        let headers = http::headers(revision, None, None);
        http::post_bytes(self.address, revision, &headers, body).await
    }

    /// Opens a stream of events with one request over HTTP: a POST with a body, or a GET without.
    pub async fn events(
        &self,
        revision: Revision,
        method: &str,
        headers: &str,
        body: &str,
    ) -> Events {
        Events::open(self.address, revision, method, headers, body).await
    }

    /// Sends one request over HTTP with more headers than its revision has.
    pub async fn http_with(&self, revision: Revision, headers: &str, body: &Value) -> Answer {
        http::post_bytes(self.address, revision, headers, body.to_string().as_bytes()).await
    }

    /// Ends the session that the header names.
    pub async fn delete(&self, session: &str) {
        http::delete(self.address, session).await;
    }

    /// Waits for a request to the node with this target.
    pub async fn until_asked(&self, target: &str) {
        soon(async {
            while !self.node.journal().iter().any(|it| it.target == target) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }

    /// Opens a stream and, where there is a handshake, shakes hands.
    pub async fn stdio(&self, revision: Revision) -> Stream {
        Stream::open(Arc::clone(&self.server), revision).await
    }

    /// A client of the revision on each transport.
    pub async fn clients(&self, revision: Revision) -> Clients<'_> {
        Clients {
            host: self,
            revision,
            stream: self.stdio(revision).await,
        }
    }
}

/// Every tool, linked to its view.
fn everything() -> Selection {
    let mut selection = Selection::of(Surface::Extended);
    selection.views = true;
    selection
}

/// One client of a revision on each transport.
#[derive(Debug)]
pub struct Clients<'a> {
    host: &'a Host,
    revision: Revision,
    stream: Stream,
}

impl Clients<'_> {
    /// The answers to the same request over HTTP and on stdio.
    pub async fn ask(&mut self, method: &str, params: Value) -> [Value; 2] {
        let over_http = self.host.http(self.revision, method, params.clone()).await;
        [over_http.json(), self.stream.ask(method, params).await]
    }

    /// Ends the stream, on which nothing more may have been said.
    pub async fn finish(self) {
        let rest = self.stream.finish().await;
        assert!(rest.is_empty(), "{rest:?}");
    }
}

/// A request with id 1, naming its revision where there is no handshake, and there with the capabilities of its `_meta`.
#[must_use]
pub fn request(revision: Revision, method: &str, mut params: Value) -> Value {
    if !revision.has_handshake() {
        let capabilities = params["_meta"][CLIENT_CAPABILITIES].take();
        let capabilities = capabilities.as_object().cloned().unwrap_or_default();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision.name(),
            CLIENT_CAPABILITIES: capabilities,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        });
    }
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// Waits, but not for ever.
pub async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(30), future)
        .await
        .unwrap_or_else(|_| panic!("nothing happened within 30 seconds"))
}
