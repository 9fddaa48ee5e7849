//! A client over HTTP.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use http_body_util::{BodyExt, Full};
use hyper::{
    Method, Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1::{self, SendRequest},
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST},
    http::request::Builder,
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout_at},
};

use crate::{
    client::{Flight, connection::Connection, message::request},
    judge::{Asked, TOKEN_GONE},
    stage::Site,
};

type Sender = SendRequest<Full<Bytes>>;

/// A client whose requests go over several connections.
pub(crate) struct Http {
    pub(crate) connection: Connection,
    site: Site,
    tasks: JoinSet<()>,
    shared: Arc<Shared>,
    pause: Duration,
    listens: bool,
}

/// What its requests share.
#[derive(Debug, Default)]
struct Shared {
    session: Mutex<Option<String>>,
    /// Connections that are kept.
    idle: Mutex<Vec<Sender>>,
}

/// How one exchange goes.
struct Exchange {
    connection: Connection,
    site: Site,
    shared: Arc<Shared>,
    /// Before the answer is read.
    pause: Duration,
    is_stream: bool,
    /// The request that is to be answered.
    id: Option<u64>,
}

impl Http {
    pub(crate) fn new(connection: Connection, site: Site) -> Self {
        Self {
            connection,
            site,
            tasks: JoinSet::new(),
            shared: Arc::default(),
            pause: Duration::ZERO,
            listens: false,
        }
    }

    /// The answer to the next request is read so late.
    pub(crate) const fn pause(&mut self, pause: Duration) {
        self.pause = pause;
    }

    pub(crate) fn tools(&self) -> usize {
        let plan = &self.connection.judge.plan;
        self.site
            .listed(plan.surface_of(self.connection.plan.number))
    }

    pub(crate) fn send(&mut self, method: &str, params: Value, asked: Asked) -> Option<Flight> {
        let id = self.connection.next_id();
        let revision = self.connection.plan.revision;
        let message = request(revision, id, method, params);
        let pause = std::mem::take(&mut self.pause);
        let is_stream = asked.is_stream;
        let asked = Asked {
            is_slow: !pause.is_zero(),
            ..asked
        };
        let done = self.connection.sends(id, &message, asked);
        let mut post = self.head(Method::POST);
        if !revision.has_handshake() {
            post = post.header("Mcp-Method", method);
            if let Some(name) = message["params"]["name"].as_str() {
                post = post.header("Mcp-Name", name);
            }
        }
        let task = self.exchange(post, message.to_string(), pause, is_stream, Some(id));
        Some(Flight {
            id,
            done,
            task: Some(task),
        })
    }

    fn exchange(
        &mut self,
        head: Builder,
        body: String,
        pause: Duration,
        is_stream: bool,
        id: Option<u64>,
    ) -> tokio::task::AbortHandle {
        let request = head.body(Full::from(body)).expect("the headers are valid");
        let exchange = Exchange {
            connection: self.connection.clone(),
            site: self.site.clone(),
            shared: Arc::clone(&self.shared),
            pause,
            is_stream,
            id,
        };
        self.tasks.spawn(exchange.run(request))
    }

    fn head(&self, method: Method) -> Builder {
        let client = self.connection.plan;
        let mut head = Request::builder()
            .method(method)
            .uri("/mcp")
            .header(HOST, "localhost")
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .header("MCP-Protocol-Version", client.revision.name());
        if self.connection.judge.plan.needs_token {
            head = head.header(AUTHORIZATION, format!("Bearer token-{}", client.number));
        }
        if let Some(session) = &*lock(&self.shared.session) {
            head = head.header("Mcp-Session-Id", session);
        }
        head
    }

    /// Leaves the connection of a request.
    pub(crate) fn cancel(&self, flight: &Flight) {
        self.connection
            .judge
            .gave_up(self.connection.number, flight.id);
        if let Some(task) = &flight.task {
            task.abort();
        }
    }

    /// Opens the stream of the session, if there is one.
    pub(crate) fn listen(&mut self, uri: &'static str) -> bool {
        if lock(&self.shared.session).is_none() {
            return false;
        }
        self.connection.subscribed(uri);
        if !std::mem::replace(&mut self.listens, true) {
            let get = self.head(Method::GET);
            self.exchange(get, String::new(), Duration::ZERO, true, None);
        }
        true
    }

    /// Uses the session of another client, which has another token.
    pub(crate) async fn steal(&self) {
        let judge = &self.connection.judge;
        let client = self.connection.plan.number;
        let stolen = self.site.session_of_another(client);
        let (Some(stolen), true) = (stolen, judge.plan.needs_token) else {
            return;
        };
        let ping = json!({"jsonrpc": "2.0", "id": 0, "method": "ping"}).to_string();
        let post = self.head(Method::POST).body(Full::from(ping));
        let mut post = post.expect("the headers are valid");
        let session = stolen.parse().expect("it came in a header");
        post.headers_mut().insert("Mcp-Session-Id", session);
        let Some(mut sender) = connect(&self.site, client).await else {
            return;
        };
        match sender.send_request(post).await {
            Ok(response) => {
                let status = response.status().as_u16();
                judge.say(format!("{client} uses the session of another: {status}"));
                // Of a revision without sessions, the header says nothing.
                if self.connection.plan.revision.has_handshake() && !matches!(status, 401 | 404) {
                    judge.broke(format!("the session of another was answered {status}"));
                }
            }
            Err(err) => judge.say(format!("{client} uses no session: {err}")),
        }
    }

    /// Leaves all that is open, and forgets its session.
    pub(crate) fn leave(&mut self) {
        // Dropping them ends them.
        self.tasks = JoinSet::new();
        self.connection.left();
        self.shared = Arc::default();
        self.listens = false;
        self.connection = self.connection.next(&self.site);
    }

    /// Waits for what is under way.
    pub(crate) async fn finish(mut self) {
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(failed) = ended
                && failed.is_panic()
            {
                self.connection
                    .judge
                    .broke(crate::said(&*failed.into_panic()));
            }
        }
        self.connection.ended();
    }
}

impl Exchange {
    async fn run(self, request: Request<Full<Bytes>>) {
        let judge = self.connection.judge.clone();
        let (number, asked_at) = (self.connection.number, judge.now());
        let problem = self.exchange(request).await.err();
        let Some(id) = self.id.filter(|id| judge.is_open(number, *id)) else {
            return;
        };
        let may_fail = self.is_stream || self.is_revoked() || asked_at >= judge.plan.stop;
        let problem = problem.unwrap_or_else(|| "the answer ended without one".to_owned());
        match may_fail {
            true => judge.say(format!("{number} ! {id} {problem}")),
            false => judge.broke(format!("{number} {id} was not answered: {problem}")),
        }
        self.connection.closed(id);
    }

    fn is_revoked(&self) -> bool {
        let judge = &self.connection.judge;
        let revoked = judge.plan.revoked;
        revoked.is_some_and(|(of, at)| of == self.connection.plan.number && judge.now() >= at)
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<(), String> {
        let client = self.connection.plan.number;
        let kept = lock(&self.shared.idle).pop().filter(|it| !it.is_closed());
        let mut sender = match kept {
            Some(sender) => sender,
            None => connect(&self.site, client).await.ok_or("no connection")?,
        };
        let was_revoked = self.is_revoked();
        let response = sender.send_request(request).await;
        let response = response.map_err(|err| err.to_string())?;
        sleep(self.pause).await;
        let headers = response.headers();
        let text = |name: &str| headers.get(name).and_then(|it| it.to_str().ok());
        if let Some(session) = text("mcp-session-id") {
            self.site.opened_session(client, session);
            *lock(&self.shared.session) = Some(session.to_owned());
        }
        let status = response.status().as_u16();
        match status {
            200 if was_revoked => self
                .connection
                .judge
                .broke("a token that is revoked was accepted"),
            _ => (),
        }
        match text("content-type") {
            Some("text/event-stream") => self.events(response).await?,
            _ => {
                let body = response.into_body().collect().await;
                let body = body.map_err(|err| err.to_string())?.to_bytes();
                // What is refused before it is read need not be answered as JSON-RPC.
                if status != 200 && !is_response(&body) {
                    return Err(format!("status {status}"));
                }
                self.hear(&body);
            }
        }
        lock(&self.shared.idle).push(sender);
        Ok(())
    }

    fn hear(&self, bytes: &[u8]) {
        match serde_json::from_slice(bytes) {
            Ok(message) => self.connection.heard(&message),
            Err(err) => self.connection.judge.broke(format!("no JSON: {err}")),
        }
    }

    async fn events(&self, response: Response<Incoming>) -> Result<(), String> {
        let judge = &self.connection.judge;
        let revoked = judge.plan.revoked.filter(|_| self.is_stream);
        let revoked = revoked.filter(|(of, _)| *of == self.connection.plan.number);
        let gone = revoked.map(|(_, at)| judge.at(at + TOKEN_GONE));
        let mut body = response.into_body();
        let mut unread = Vec::new();
        loop {
            let frame = match gone {
                None => body.frame().await,
                Some(gone) => match timeout_at(gone, body.frame()).await {
                    Ok(frame) => frame,
                    Err(_) => {
                        judge.broke(format!(
                            "a stream of {} outlives its token",
                            self.connection.number
                        ));
                        return Ok(());
                    }
                },
            };
            let Some(frame) = frame else {
                return Ok(());
            };
            let frame = frame.map_err(|err| err.to_string())?;
            unread.extend(frame.into_data().unwrap_or_default());
            while let Some(end) = unread.windows(2).position(|it| it == b"\n\n") {
                let event: Vec<u8> = unread.drain(..end + 2).collect();
                let lines = event.split(|it| *it == b'\n');
                for data in lines.filter_map(|it| it.strip_prefix(b"data: ")) {
                    self.hear(data);
                }
            }
        }
    }
}

fn is_response(body: &[u8]) -> bool {
    let message: Option<Value> = serde_json::from_slice(body).ok();
    message.is_some_and(|it| it["id"].is_u64())
}

async fn connect(site: &Site, client: usize) -> Option<Sender> {
    let stream = site.connect(client).await?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
    // It ends with its sender, where a failure is seen.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    Some(sender)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
