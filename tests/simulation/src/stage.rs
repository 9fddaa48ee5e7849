//! The server with everything around it: nodes in memory before it, clients in memory behind it.

use std::{
    collections::BTreeMap,
    error::Error,
    io,
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use mcp_http::{Authorization, ExternalStream, TokenVerifier, TransportStats, VerifyError};
use mcp_server::{
    AuthInfo, BoxFuture, Extensions, ListVariant, MemoryBudget, PeerIp, RequestEnd, RequestOutcome,
    Server, ShutdownReport, ShutdownToken,
};
use qortal_client::{ApiKey, Connector, Node, NodeConfig, OwnNode, Timeouts};
use qortal_mcp::ResourceUpdates;
use qortal_testnode::{API_KEY, TestNode};
use qortal_tools::{Catalog, Selection, Surface};
use tokio::{
    io::{DuplexStream, duplex},
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, sleep},
};

use crate::{
    judge::Judge,
    nodes::{HOSTS, Nodes},
    plan::{Habit, Plan},
    random::Random,
};

/// The memory for messages, small enough to be used up.
const MEMORY: usize = 8 << 20;
/// What a client has not read.
const UNREAD: std::ops::Range<usize> = 512..64 * 1024;
/// What is no longer listed after the reload.
const UNLISTED: &str = "get_balance";
/// The probes of nodes that do not answer end after so long without requests.
const PROBES_END: Duration = Duration::from_secs(12);
/// What was seen to be going on some time after everything ended.
const AFTERWARDS: Duration = Duration::from_secs(120);

/// The sessions over HTTP, by client.
type Sessions = Arc<Mutex<BTreeMap<usize, String>>>;

/// A stream and who opened it.
type Opened = (ExternalStream, Option<PeerIp>);

/// Everything but the clients.
pub(crate) struct Stage {
    pub(crate) judge: Judge,
    pub(crate) nodes: Nodes,
    pub(crate) stop: ShutdownToken,
    node: Node,
    on_stdio: Arc<Server>,
    over_http: Arc<Server>,
    usage: TransportStats,
    live: ResourceUpdates,
    scopes: Arc<Scopes>,
    open: mpsc::Sender<Opened>,
    served: JoinHandle<io::Result<ShutdownReport>>,
    sessions: Sessions,
}

/// What the clients need of it.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) judge: Judge,
    on_stdio: Arc<Server>,
    stop: ShutdownToken,
    open: mpsc::Sender<Opened>,
    scopes: Arc<Scopes>,
    sessions: Sessions,
}

impl Stage {
    pub(crate) fn start(plan: Plan) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let judge = Judge::new(plan);
        let plan = Arc::clone(&judge.plan);
        let nodes = Nodes::start(&plan);
        judge.have_blocks(nodes.heights());
        let budget = MemoryBudget::new(MEMORY);
        let node = Node::new(config(&plan, &nodes)?)?;
        let catalog = Arc::new(Catalog::new(node.clone(), &Selection::default())?);
        let live = ResourceUpdates::new(Arc::clone(&catalog));
        let scopes = Arc::new(Scopes::new(Arc::clone(&plan)));
        let started = Instant::now();
        let builder = || {
            let scope_of = Arc::clone(&scopes);
            let (judge, plan) = (judge.clone(), Arc::clone(&plan));
            qortal_mcp::server(Arc::clone(&catalog), &live)
                .limits(qortal_mcp::limits())
                .memory_budget(budget.clone())
                .clock(move || time_of(started))
                .list_variant(move |extensions| Ok(scope_of.of(extensions)))
                .observer(move |answered: &RequestEnd<'_>| refused(&judge, &plan, answered))
        };
        let on_stdio = Arc::new(builder().build()?);
        let over_http = match plan.has_sessions {
            true => builder().build()?,
            false => builder().without_sessions().build()?,
        };
        let over_http = Arc::new(over_http);
        let mut config = mcp_http::HttpConfig::new(Arc::clone(&over_http));
        if plan.needs_token {
            let tokens = Arc::new(Tokens(judge.clone()));
            config = config.with_authorization(Authorization::preshared_tokens(tokens));
        }
        let usage = config.stats.clone();
        let (open, opened) = mpsc::channel(16);
        let stop = ShutdownToken::new();
        let listener = mcp_http::Listener::Connections(opened);
        let served = tokio::spawn(mcp_http::serve(listener, config, stop.clone()));
        Ok(Self {
            judge,
            nodes,
            stop,
            node,
            on_stdio,
            over_http,
            usage,
            live,
            scopes,
            open,
            served,
            sessions: Arc::default(),
        })
    }

    pub(crate) fn site(&self) -> Site {
        Site {
            judge: self.judge.clone(),
            on_stdio: Arc::clone(&self.on_stdio),
            stop: self.stop.clone(),
            open: self.open.clone(),
            scopes: Arc::clone(&self.scopes),
            sessions: Arc::clone(&self.sessions),
        }
    }

    pub(crate) fn reload(&self) {
        self.judge.say("reload");
        self.scopes.configure();
    }

    /// What must hold at every step.
    pub(crate) fn step(&self) {
        self.judge.step();
        for health in self.node.health() {
            if health.in_flight > self.node.concurrency() {
                self.judge
                    .broke("more requests are under way to a node than there are places");
            }
        }
        if self.on_stdio.memory_budget().used() > MEMORY {
            self.judge.broke("more memory is used than there is");
        }
    }

    /// Waits until everything has ended, and looks at what is left.
    pub(crate) async fn finish(self) {
        let judge = self.judge.clone();
        drop(self.open);
        match self.served.await {
            Ok(Ok(_)) => (),
            ended => judge.broke(format!("the HTTP server ended with {ended:?}")),
        }
        judge.say("HTTP has ended");
        self.live.stop().await;
        judge.say("the subscriptions have ended");
        // A node of one's own is probed until it is well.
        self.nodes.heal();
        sleep(PROBES_END).await;
        let asked = self.nodes.requests();
        // Nothing may go on, or begin.
        sleep(AFTERWARDS).await;
        let asked_since = self.nodes.requests();
        if asked != asked_since {
            judge.broke(format!(
                "nodes were asked after the end: {asked:?} {asked_since:?}"
            ));
        }
        for server in [&self.on_stdio, &self.over_http] {
            let load = server.stats();
            if load.calls + load.subscriptions > 0 {
                judge.broke(format!("left after the end: {load:?}"));
            }
        }
        let usage = &self.usage;
        let open = [
            usage.connections(),
            usage.listening_streams(),
            usage.sessions(),
        ];
        // Sessions end with their time, which has not passed.
        if open[..2] != [0, 0] || !judge.plan.has_sessions && open[2] != 0 {
            judge.broke(format!("connections, streams, sessions left: {open:?}"));
        }
        let held = self
            .node
            .health()
            .iter()
            .map(|it| it.in_flight + it.waiting)
            .sum::<usize>();
        if held > 0 {
            judge.broke(format!("{held} places at the nodes were not given back"));
        }
        let used = self.on_stdio.memory_budget().used();
        if used > 0 {
            judge.broke(format!("{used} bytes were not given back"));
        }
        drop((self.node, self.on_stdio, self.over_http, self.live));
        self.nodes.stop().await;
        sleep(Duration::from_secs(1)).await;
    }
}

/// The client of the nodes, whose connections are in memory.
fn config(plan: &Plan, nodes: &Nodes) -> Result<NodeConfig, Box<dyn Error + Send + Sync>> {
    let nodes = nodes.all.iter().map(|it| &it.node);
    let urls: Vec<_> = nodes.clone().map(|it| it.url().to_owned()).collect();
    let dialers: Vec<_> = nodes.filter_map(TestNode::dialer).collect();
    let connector = Connector::new(move |host, _| {
        let index = HOSTS.iter().position(|it| *it == host);
        let dialer = index.and_then(|it| dialers.get(it)).cloned();
        Box::pin(async move {
            let stream = dialer.ok_or(io::ErrorKind::HostUnreachable)?.dial()?;
            Ok(Box::new(stream) as _)
        })
    });
    let (first, others) = urls.split_first().ok_or("no node")?;
    let timeouts = Timeouts::default()
        .with_quick(plan.quick)
        .with_slow(plan.slow);
    let others: Vec<_> = others.iter().map(OwnNode::new).collect();
    Ok(NodeConfig::new(first)
        .with_own_nodes(others)
        .with_api_key(ApiKey::new(API_KEY)?)
        .with_timeouts(timeouts)
        .with_cool_down(plan.cool_down)
        .with_connector(connector))
}

/// The time of day goes on with the clock of the play.
fn time_of(started: Instant) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_800_000_000) + started.elapsed()
}

/// Only who asks for too much is refused.
fn refused(judge: &Judge, plan: &Plan, answered: &RequestEnd<'_>) {
    let peer = answered.extensions.get::<PeerIp>();
    let client = plan
        .clients
        .iter()
        .find(|it| peer == Some(&address(it.number)));
    let is_greedy = client.is_some_and(|it| it.habit == Habit::Greedy);
    if answered.outcome == RequestOutcome::Refused && !is_greedy {
        judge.broke(format!(
            "a call of client {:?} was refused for the calls of others",
            client.map(|it| it.number)
        ));
    }
}

fn address(client: usize) -> PeerIp {
    let last = u8::try_from(client + 1).unwrap_or(u8::MAX);
    PeerIp::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, last)))
}

impl Site {
    /// Opens a stream to the server on stdio, which another task serves.
    pub(crate) fn stdio(
        &self,
        client: usize,
        random: &mut Random,
    ) -> (DuplexStream, JoinHandle<io::Result<ShutdownReport>>) {
        let (ours, theirs) = duplex(random.index(UNREAD));
        let (read, write) = tokio::io::split(theirs);
        let mut extensions = Extensions::new();
        extensions.insert(address(client));
        let server = Arc::clone(&self.on_stdio);
        let limits = mcp_stdio::StdioLimits::default();
        let stop = self.stop.clone();
        let served = async move {
            mcp_stdio::serve_with_extensions(server, extensions, read, write, stop, limits).await
        };
        (ours, tokio::spawn(served))
    }

    /// Opens a connection over HTTP; none after the end.
    pub(crate) async fn connect(&self, client: usize) -> Option<DuplexStream> {
        let (ours, theirs) = duplex(64 * 1024);
        let opened = (ExternalStream::new(theirs), Some(address(client)));
        self.open.send(opened).await.ok()?;
        Some(ours)
    }

    /// How many tools a client of this surface may be shown.
    pub(crate) fn listed(&self, surface: &str) -> usize {
        self.scopes.selection(surface).0.listed().count()
    }

    pub(crate) fn opened_session(&self, client: usize, session: &str) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.insert(client, session.to_owned());
    }

    /// The session of another client.
    pub(crate) fn session_of_another(&self, client: usize) -> Option<String> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut others = sessions.iter().filter(|(of, _)| **of != client);
        others.next().map(|(_, session)| session.clone())
    }
}

/// What each surface lists, as the program chooses it: another selection has other keys.
#[derive(Debug)]
struct Scopes {
    plan: Arc<Plan>,
    configured: RwLock<(Selection, u32)>,
}

impl Scopes {
    fn new(plan: Arc<Plan>) -> Self {
        Self {
            plan,
            configured: RwLock::default(),
        }
    }

    fn configure(&self) {
        let mut configured = self
            .configured
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        configured.0.exclude = vec![UNLISTED.to_owned()];
        configured.1 += 1;
    }

    fn selection(&self, surface: &str) -> (Selection, u32) {
        let configured = self
            .configured
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let (mut selection, version) = configured.clone();
        let named = Surface::ALL.into_iter().find(|it| it.name() == surface);
        selection.surface = named.unwrap_or(Surface::Standard);
        (selection, version)
    }

    fn of(&self, extensions: &Extensions) -> ListVariant {
        let subject = extensions
            .get::<AuthInfo>()
            .and_then(|it| it.subject.as_deref());
        let client = subject.and_then(|it| it.parse().ok()).unwrap_or_default();
        let surface = match subject {
            Some(_) => self.plan.surface_of(client),
            None => "standard",
        };
        let (selection, version) = self.selection(surface);
        ListVariant::private(format!("{surface} {version}")).with_data(Arc::new(selection))
    }
}

/// Tokens that name their client, until they are revoked.
#[derive(Debug)]
struct Tokens(Judge);

impl TokenVerifier for Tokens {
    fn verify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<AuthInfo, VerifyError>> {
        Box::pin(async move {
            let Self(judge) = self;
            sleep(Duration::from_millis(15)).await;
            let client = token.strip_prefix("token-").and_then(|it| it.parse().ok());
            let Some(client) = client.filter(|it: &usize| *it < judge.plan.clients.len()) else {
                return Err(VerifyError::unknown_token());
            };
            if judge
                .plan
                .revoked
                .is_some_and(|(of, at)| of == client && judge.now() >= at)
            {
                return Err(VerifyError::unknown_token());
            }
            Ok(AuthInfo::for_subject(client.to_string()))
        })
    }
}
