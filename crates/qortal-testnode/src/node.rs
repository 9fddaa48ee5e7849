//! Handle of a simulated node.

use std::{
    fmt, io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    net::TcpListener,
    runtime::Handle,
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::Instant,
};

use crate::{
    Event, Exchange, Fault, MemoryStream, Scenario,
    server::{self, Server},
    state::State,
    wire::Listener,
};

/// An error in starting a simulated node.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The node could not open a port on the loopback interface.
    #[error("could not listen on the loopback interface")]
    Listen(#[source] io::Error),
}

/// A running simulated node on a port of the loopback interface, or [in memory](TestNode::in_memory).
///
/// A node started with [`TestNode::start`] is strict. If a client requests a path that does not exist, uses a wrong method, or calls an
/// endpoint that acts on the node, dropping the node panics with a list of these requests. Dropping ends all tasks of the node.
/// [`TestNode::stop`] also waits for them.
pub struct TestNode {
    server: Arc<Server>,
    url: String,
    way: Transport,
    runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    accepting: Option<JoinHandle<()>>,
}

/// Transport of a node's connections.
enum Transport {
    Port(SocketAddr),
    Memory(Dialer),
}

/// Connector to one node in memory.
#[derive(Debug, Clone)]
pub struct Dialer(Arc<Mutex<mpsc::UnboundedSender<MemoryStream>>>);

impl Dialer {
    fn new() -> (Self, Listener) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let dialer = Self(Arc::new(Mutex::new(sender)));
        (dialer, Listener::Memory(receiver))
    }

    /// Opens a connection.
    ///
    /// # Errors
    ///
    /// Returns an error of kind [`io::ErrorKind::ConnectionRefused`] while the node refuses connections, or after it has stopped.
    pub fn dial(&self) -> io::Result<MemoryStream> {
        let (ours, theirs) = MemoryStream::pair();
        let sent = self.0.lock().send(theirs);
        sent.map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        Ok(ours)
    }

    fn listen_again(&self) -> Listener {
        let (sender, receiver) = mpsc::unbounded_channel();
        *self.0.lock() = sender;
        Listener::Memory(receiver)
    }
}

impl TestNode {
    /// Starts a strict node, for tests. Must be called within a tokio runtime with IO and time.
    ///
    /// # Errors
    ///
    /// Returns a [`StartError`] if the node cannot open a port.
    pub async fn start(scenario: Scenario) -> Result<Self, StartError> {
        Self::start_with(scenario, true).await
    }

    /// Starts a lenient node, as used by `--demo`. It responds to unknown paths like the Core and never panics because of a request.
    ///
    /// # Errors
    ///
    /// Returns a [`StartError`] if the node cannot open a port.
    pub async fn start_lenient(scenario: Scenario) -> Result<Self, StartError> {
        Self::start_with(scenario, false).await
    }

    async fn start_with(scenario: Scenario, strict: bool) -> Result<Self, StartError> {
        let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(loopback)
            .await
            .map_err(StartError::Listen)?;
        let address = listener.local_addr().map_err(StartError::Listen)?;
        let url = format!("http://{address}");
        let listener = Listener::Port(listener);
        Ok(Self::run(
            scenario,
            strict,
            listener,
            Transport::Port(address),
            url,
        ))
    }

    /// Creates a strict node at `http://HOST` that is reachable only in memory. It uses the clock of the runtime, which may be paused. Must
    /// be called within a tokio runtime with time.
    #[must_use]
    pub fn in_memory(host: &str, scenario: Scenario) -> Self {
        let (dialer, listener) = Dialer::new();
        let url = format!("http://{host}");
        Self::run(scenario, true, listener, Transport::Memory(dialer), url)
    }

    fn run(
        scenario: Scenario,
        strict: bool,
        listener: Listener,
        way: Transport,
        url: String,
    ) -> Self {
        let state = State::new(scenario, Instant::now());
        let server = Arc::new(Server::new(state, listener, strict));
        let (stop, stopping) = oneshot::channel();
        let accepting = tokio::spawn(server::accept(Arc::clone(&server), stopping));
        Self {
            server,
            url,
            way,
            runtime: Handle::current(),
            stop: Some(stop),
            accepting: Some(accepting),
        }
    }

    /// Returns the connector to a node in memory, or `None` for a node with a port.
    #[must_use]
    pub fn dialer(&self) -> Option<Dialer> {
        match &self.way {
            Transport::Memory(dialer) => Some(dialer.clone()),
            Transport::Port(_) => None,
        }
    }

    /// Returns the base URL, `http://127.0.0.1:PORT`, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Applies `fault` to every matching request from now on. The latest fault takes precedence.
    ///
    /// The pattern is a path in which `*` matches one or more segments. Queries are ignored.
    pub fn fault(&self, pattern: &str, fault: Fault) {
        self.add_fault(pattern, fault, None);
    }

    /// Applies `fault` to the next `times` matching requests.
    pub fn fault_times(&self, pattern: &str, fault: Fault, times: usize) {
        self.add_fault(pattern, fault, Some(times));
    }

    fn add_fault(&self, pattern: &str, fault: Fault, times: Option<usize>) {
        match fault {
            Fault::Refuse => {
                // Dropping the listener closes the port before this returns.
                drop(self.server.listener.lock().take());
                self.server.listener_changed.notify_one();
            }
            fault => self.server.traffic.lock().faults.add(pattern, fault, times),
        }
    }

    /// Removes all faults. A node that refused connections listens on its old port again.
    ///
    /// If the system does not return the port, a strict node reports this when it is dropped.
    pub fn clear_faults(&self) {
        self.server.traffic.lock().faults.clear();
        let mut listener = self.server.listener.lock();
        if listener.is_none() {
            match self.listen_again() {
                Ok(opened) => *listener = Some(opened),
                Err(error) => self
                    .server
                    .report(format!("could not listen on {} again: {error}", self.url)),
            }
        }
        drop(listener);
        self.server.listener_changed.notify_one();
    }

    fn listen_again(&self) -> io::Result<Listener> {
        let address = match &self.way {
            Transport::Port(address) => address,
            Transport::Memory(dialer) => return Ok(dialer.listen_again()),
        };
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let _context = self.runtime.enter();
        TcpListener::from_std(listener).map(Listener::Port)
    }

    /// Applies an event, which affects every later response.
    pub fn apply(&self, event: &Event) {
        self.server.change(|state| state.apply(event));
    }

    /// Makes the next block of a demo with its events, and moves the node's clock to the block's time. Has no effect on other chains.
    pub fn step(&self) {
        self.server.change(State::step);
    }

    /// Delays every response until this long after the arrival of its request, regardless of the processing time.
    pub fn latency(&self, latency: Duration) {
        self.server.traffic.lock().latency = latency;
    }

    /// Returns the requests so far, in order of arrival. The journal holds the newest 10 000.
    #[must_use]
    pub fn journal(&self) -> Vec<Exchange> {
        self.server.traffic.lock().journal.exchanges()
    }

    /// Returns the number of requests so far, including those that the journal has dropped.
    #[must_use]
    pub fn request_count(&self) -> u64 {
        self.server.traffic.lock().journal.total()
    }

    /// Returns the largest number of requests processed at the same time so far. Websockets do not count.
    #[must_use]
    pub fn most_concurrent(&self) -> usize {
        self.server.traffic.lock().most_in_flight
    }

    /// Makes a strict node lenient, for tests that request unknown paths on purpose.
    pub fn expect_unknown_paths(&self) {
        let mut traffic = self.server.traffic.lock();
        traffic.is_strict = false;
        traffic.unexpected.clear();
    }

    /// Ends all tasks of the node and waits for them.
    ///
    /// # Panics
    ///
    /// Panics like dropping, if the node is strict and has received an unexpected request.
    pub async fn stop(mut self) {
        // Dropping the sender ends the loop.
        drop(self.stop.take());
        if let Some(accepting) = self.accepting.take() {
            // The loop neither panics nor is aborted here. In either case it would have ended as well.
            let _ = accepting.await;
        }
    }
}

impl Drop for TestNode {
    fn drop(&mut self) {
        if let Some(accepting) = self.accepting.take() {
            accepting.abort();
        }
        let unexpected = std::mem::take(&mut self.server.traffic.lock().unexpected);
        if !unexpected.is_empty() && !std::thread::panicking() {
            complain(&unexpected);
        }
    }
}

#[expect(
    clippy::panic,
    reason = "a strict node exists to fail the test that made an unexpected request"
)]
fn complain(unexpected: &[String]) {
    panic!(
        "unexpected requests to the simulated node:\n  {}",
        unexpected.join("\n  ")
    );
}

impl fmt::Debug for TestNode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TestNode")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
