//! The handle of a simulated node.

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

/// Why a simulated node cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// No port of the loopback interface could be opened.
    #[error("could not listen on the loopback interface")]
    Listen(#[source] io::Error),
}

/// A running simulated node on a port of the loopback interface, or [in memory](TestNode::in_memory).
///
/// A node started with [`TestNode::start`] is strict: if anything asks for a path that does not exist, uses a wrong
/// method, or calls an endpoint that acts on the node, dropping the node panics with the list of these requests.
/// Dropping ends all tasks of the node; [`TestNode::stop`] also waits for them.
pub struct TestNode {
    server: Arc<Server>,
    url: String,
    way: Transport,
    runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    accepting: Option<JoinHandle<()>>,
}

/// How the node is reached.
enum Transport {
    Port(SocketAddr),
    Memory(Dialer),
}

/// Opens connections in memory to one node.
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
    /// Fails with [`io::ErrorKind::ConnectionRefused`] while the node refuses connections, or after its end.
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
    /// [`StartError`] if no port can be opened.
    pub async fn start(scenario: Scenario) -> Result<Self, StartError> {
        Self::start_with(scenario, true).await
    }

    /// Starts a node that answers unknown paths as the Core does and never complains; the one behind `--demo`.
    ///
    /// # Errors
    ///
    /// [`StartError`] if no port can be opened.
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

    /// Starts a strict node at `http://HOST` that is reached in memory alone, on the clock of the runtime, which may be
    /// paused. Must be called within a tokio runtime with time.
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

    /// Opens connections to a node in memory; none for one with a port.
    #[must_use]
    pub fn dialer(&self) -> Option<Dialer> {
        match &self.way {
            Transport::Memory(dialer) => Some(dialer.clone()),
            Transport::Port(_) => None,
        }
    }

    /// The base URL, `http://127.0.0.1:PORT`, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Lets every matching request from now on meet `fault`; the fault that was added last wins.
    ///
    /// The pattern is a path in which `*` stands for one or more segments; queries play no part.
    pub fn fault(&self, pattern: &str, fault: Fault) {
        self.add_fault(pattern, fault, None);
    }

    /// Lets the next `times` matching requests meet `fault`.
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

    /// Forgets all faults. A node that refused connections listens on its old port again.
    ///
    /// If the system does not give the port back, a strict node says so when it is dropped.
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

    /// Applies an event: every answer from now on knows of it.
    pub fn apply(&self, event: &Event) {
        self.server.change(|state| state.apply(event));
    }

    /// Makes the next block of a demo with what comes with it, and moves the node's clock to its time. On other chains nothing
    /// happens.
    pub fn step(&self) {
        self.server.change(State::step);
    }

    /// Delays every answer: it is sent this long after its request arrived, whatever making it took.
    pub fn latency(&self, latency: Duration) {
        self.server.traffic.lock().latency = latency;
    }

    /// What the node was asked so far, in order of arrival; the newest 10 000 requests.
    #[must_use]
    pub fn journal(&self) -> Vec<Exchange> {
        self.server.traffic.lock().journal.exchanges()
    }

    /// How many requests came so far, with those that the journal has forgotten.
    #[must_use]
    pub fn request_count(&self) -> u64 {
        self.server.traffic.lock().journal.total()
    }

    /// Returns the largest number of requests that were answered at the same time so far. Websockets do not count.
    #[must_use]
    pub fn most_concurrent(&self) -> usize {
        self.server.traffic.lock().most_in_flight
    }

    /// For tests that ask for unknown paths on purpose: a strict node becomes a lenient one.
    pub fn expect_unknown_paths(&self) {
        let mut traffic = self.server.traffic.lock();
        traffic.is_strict = false;
        traffic.unexpected.clear();
    }

    /// Ends all tasks of the node and waits for them.
    ///
    /// # Panics
    ///
    /// Like dropping, if the node is strict and was asked for something unexpected.
    pub async fn stop(mut self) {
        // Dropping the sender tells the loop to end.
        drop(self.stop.take());
        if let Some(accepting) = self.accepting.take() {
            // The loop neither panics nor is aborted here; if it were, it would be over as well.
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
