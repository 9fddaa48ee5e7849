//! A server on a port of its own, with tools that do what tests need.

use std::{io, net::SocketAddr, sync::Arc};

use mcp_http::{HttpConfig, Service, ShutdownReport, ShutdownToken};
use mcp_protocol::{CallToolResult, Object, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{Server, ToolRouter};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    sync::{
        Mutex, Semaphore,
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    },
    task::JoinHandle,
};

use crate::client::{Client, soon};

pub(crate) struct Site {
    pub(crate) addr: SocketAddr,
    pub(crate) stop: ShutdownToken,
    pub(crate) task: JoinHandle<io::Result<ShutdownReport>>,
    pub(crate) waits: Waits,
}

/// What became of the calls of the tool `wait`.
pub(crate) struct Waits {
    events: Mutex<UnboundedReceiver<Event>>,
    releases: Arc<Semaphore>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Started,
    Finished,
    Dropped,
}

impl Site {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    pub(crate) async fn start_with(adapt: impl FnOnce(&mut HttpConfig)) -> Self {
        let (mut config, waits) = config();
        adapt(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stop = ShutdownToken::new();
        Self {
            addr: listener.local_addr().unwrap(),
            task: tokio::spawn(mcp_http::serve(listener, config, stop.clone())),
            stop,
            waits,
        }
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(self.addr).await
    }

    /// Stops it, and waits until nothing of it is left.
    pub(crate) async fn end(self) {
        self.stop.start_draining();
        soon(self.task).await.unwrap().unwrap();
    }
}

impl Waits {
    pub(crate) async fn expect(&self, event: Event) {
        let next = soon(async { self.events.lock().await.recv().await }).await;
        assert_eq!(next, Some(event));
    }

    /// Lets one call finish.
    pub(crate) fn release(&self) {
        self.releases.add_permits(1);
    }

    /// Nothing more has happened.
    pub(crate) async fn expect_no_more(&self) {
        assert_eq!(self.events.lock().await.try_recv().ok(), None);
    }
}

pub(crate) fn service(adapt: impl FnOnce(&mut HttpConfig)) -> (Service, Waits) {
    let (mut config, waits) = config();
    adapt(&mut config);
    (Service::new(config).unwrap(), waits)
}

pub(crate) fn config() -> (HttpConfig, Waits) {
    let (send, receive) = unbounded_channel();
    let releases = Arc::new(Semaphore::new(0));
    let waits = Waits {
        events: Mutex::new(receive),
        releases: Arc::clone(&releases),
    };
    let toolbox = echo()
        .raw_tool(tool("sum"), |arguments| async move { sum(&arguments) })
        .raw_tool(tool("fill"), |arguments| async move {
            let bytes = arguments.get("bytes").and_then(Value::as_u64);
            let bytes = usize::try_from(bytes.unwrap_or(0)).unwrap();
            CallToolResult::text("x".repeat(bytes))
        })
        .raw_tool(tool("panic"), |_| async { panic!("as asked") })
        .raw_tool(tool("wait"), move |_| {
            wait(send.clone(), Arc::clone(&releases))
        });
    let server = Server::builder(ServerInfo::new("example", "1.0.0")).tools(toolbox);
    (HttpConfig::new(Arc::new(server.build().unwrap())), waits)
}

/// One tool, which answers with its arguments.
pub(crate) fn echo() -> ToolRouter {
    ToolRouter::new().raw_tool(tool("echo"), |arguments| async move {
        CallToolResult::structured(arguments.into())
    })
}

pub(crate) fn tool(name: &str) -> Tool {
    Tool::new(
        name,
        "For tests.",
        json!({"type": "object"}),
        ToolAnnotations::PURE,
    )
}

fn sum(arguments: &Object) -> CallToolResult {
    let term = |name: &str| arguments.get(name).and_then(Value::as_i64);
    match (term("a"), term("b")) {
        (Some(a), Some(b)) => CallToolResult::structured(json!({"sum": a + b})),
        _ => CallToolResult::error("a and b must be integers. Pass both."),
    }
}

async fn wait(events: UnboundedSender<Event>, releases: Arc<Semaphore>) -> CallToolResult {
    let mut call = Call {
        events,
        last: Event::Dropped,
    };
    call.events.send(Event::Started).unwrap();
    releases.acquire().await.unwrap().forget();
    call.last = Event::Finished;
    CallToolResult::text("waited")
}

/// Says how a call ended.
struct Call {
    events: UnboundedSender<Event>,
    last: Event,
}

impl Drop for Call {
    fn drop(&mut self) {
        // A test that does not look at events has dropped its end.
        let _ = self.events.send(self.last);
    }
}
