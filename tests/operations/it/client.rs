//! Clients of a public deployment: what they ask, and what became of it.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::header::{CONTENT_TYPE, HOST};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The name that clients know the deployment by.
pub(crate) const NAME: &str = "mcp.example.org";
/// An answer that takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(20);
/// What clients of replicas ask in turn, and what stands in each good answer.
const QUESTIONS: &[(&str, &str)] = &[
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_address","arguments":{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}}}"#,
        r#""isError":false"#,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_block_by_height","arguments":{"height":2}}}"#,
        r#""isError":false"#,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_node_status","arguments":{}}}"#,
        r#""isError":false"#,
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#""tools":["#,
    ),
];

/// What clients ask in turn, and how often.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) queries: Arc<[Query]>,
    pub(crate) rhythm: Rhythm,
}

/// A message, and what stands in each good answer to it.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    message: String,
    needle: &'static str,
}

/// When a client asks again.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rhythm {
    /// So long after each answer.
    After(Duration),
    /// At this interval, unless an answer takes longer; clients begin one after the other.
    Each(Duration),
}

impl Query {
    /// A call of a tool.
    pub(crate) fn call(tool: &str, arguments: &Value) -> Self {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        Self {
            message: message.to_string(),
            needle: r#""isError":false"#,
        }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

/// Clients that ask until they are told to stop.
#[derive(Debug)]
pub(crate) struct Clients {
    tasks: JoinSet<Seen>,
    is_over: Arc<AtomicBool>,
}

/// What became of questions.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) latencies: Vec<Duration>,
    /// How often there was no good answer, and what came instead the first time.
    pub(crate) lost: usize,
    pub(crate) first_loss: Option<String>,
}

/// A client as the clients of MCP are: HTTP/1.1 with a pool, or with a new connection for each question.
pub(crate) fn client(keeps: bool) -> Client {
    numbered_client(keeps, 0)
}

/// One of many, each at an address of its own on the loopback interface, as clients have where limits tell them apart.
fn numbered_client(keeps: bool, number: usize) -> Client {
    let [high, low] = u16::try_from(number).unwrap_or(u16::MAX).to_be_bytes();
    let builder = Client::builder()
        .timeout(PATIENCE)
        .local_address(IpAddr::from([127, 1, high, low]));
    let builder = match keeps {
        true => builder,
        false => builder.pool_max_idle_per_host(0),
    };
    builder.build().unwrap()
}

/// A POST of a message.
pub(crate) fn post(client: &Client, address: SocketAddr, message: &str) -> RequestBuilder {
    client
        .post(format!("http://{address}/mcp"))
        .header(HOST, NAME)
        .header(CONTENT_TYPE, "application/json")
        .header("Accept", "application/json, text/event-stream")
        .body(message.to_owned())
}

impl Clients {
    /// So many that keep their connections, or that do not.
    pub(crate) fn start(address: SocketAddr, count: usize, keeps: bool) -> Self {
        let questions = QUESTIONS.iter().map(|(message, needle)| Query {
            message: (*message).to_owned(),
            needle,
        });
        let script = Script {
            queries: questions.collect(),
            rhythm: Rhythm::After(Duration::from_millis(20)),
        };
        Self::with_script(address, count, keeps, &script)
    }

    /// So many that ask what the script has, each beginning at another place of it.
    pub(crate) fn with_script(
        address: SocketAddr,
        count: usize,
        keeps: bool,
        script: &Script,
    ) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        for number in 0..count {
            let script = script.clone();
            let delay = match script.rhythm {
                Rhythm::After(_) => Duration::ZERO,
                Rhythm::Each(interval) => share(interval, number, count),
            };
            let work = ask(
                numbered_client(keeps, number),
                address,
                (number, delay),
                script,
                Arc::clone(&is_over),
            );
            tasks.spawn(work);
        }
        Self { tasks, is_over }
    }

    /// Waits for what they have asked.
    pub(crate) async fn finish(self) -> Seen {
        self.is_over.store(true, Ordering::Relaxed);
        let all = self.tasks.join_all().await;
        let mut seen = all.into_iter().fold(Seen::default(), Seen::and);
        seen.latencies.sort_unstable();
        seen
    }
}

/// The part of an interval after which one of so many begins.
fn share(interval: Duration, number: usize, count: usize) -> Duration {
    let whole = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    interval.saturating_mul(whole(number)) / whole(count).max(1)
}

async fn ask(
    client: Client,
    address: SocketAddr,
    (number, delay): (usize, Duration),
    script: Script,
    is_over: Arc<AtomicBool>,
) -> Seen {
    let mut seen = Seen::default();
    sleep(delay).await;
    for query in script.queries.iter().cycle().skip(number) {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let begun = Instant::now();
        let answer = whole(post(&client, address, &query.message)).await;
        seen.take(begun, query.needle, answer);
        sleep(match script.rhythm {
            Rhythm::After(pause) => pause,
            Rhythm::Each(interval) => interval.saturating_sub(begun.elapsed()),
        })
        .await;
    }
    seen
}

/// Asks as two clients, the first of which claims another address with each call; the server answers one call a second. Fails if the
/// first is believed, or the second is taken for it.
pub(crate) async fn invents_addresses(place: &str, [first, second]: [&Client; 2], url: &str) {
    /// Calls of the first client.
    const CALLS: u8 = 30;
    let mut refused = 0;
    for n in 0..CALLS {
        let claimed = format!("192.0.2.{n}");
        let request = first.post(url).header("X-Forwarded-For", &claimed);
        let request = request.header("Forwarded", format!("for={claimed}"));
        refused += u8::from(!is_answered(place, request).await);
    }
    assert_ne!(
        refused, 0,
        "{place}: a client is believed that claims the addresses of others"
    );
    assert!(
        is_answered(place, second.post(url)).await,
        "{place}: another client is not told apart"
    );
}

/// Whether a call is answered, not refused.
async fn is_answered(place: &str, request: RequestBuilder) -> bool {
    const CALL: &str =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_block_height"}}"#;
    let request = request.header(CONTENT_TYPE, "application/json").body(CALL);
    let (status, body) = whole(request).await.unwrap();
    let is_good = body.contains("\"isError\":false");
    let is_known = is_good || body.contains("Too many calls");
    assert!(status == 200 && is_known, "{place}: {status} with {body}");
    is_good
}

/// The status and the body of the answer, or why there is none.
pub(crate) async fn whole(request: RequestBuilder) -> Result<(u16, String), String> {
    let answer = request.send().await.map_err(|why| causes(&why))?;
    let status = answer.status().as_u16();
    let body = answer.text().await.map_err(|why| causes(&why))?;
    Ok((status, body))
}

/// An error with all of its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |it| it.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    causes.join(": ")
}

impl Seen {
    /// The time within which so many of a hundred were answered.
    pub(crate) fn percentile(&self, of_hundred: usize) -> Duration {
        let place = (self.latencies.len() * of_hundred).div_ceil(100).max(1) - 1;
        self.latencies.get(place).copied().unwrap_or_default()
    }

    /// The most that anyone waited.
    pub(crate) fn longest(&self) -> Duration {
        self.latencies.last().copied().unwrap_or_default()
    }

    /// Fails if more than this many were lost, or nothing was asked.
    pub(crate) fn check(&self, place: &str, least: usize, most_lost: usize) {
        assert!(self.latencies.len() >= least, "{place}: nothing was asked");
        let first = self.first_loss.as_deref().unwrap_or_default();
        let lost = self.lost;
        assert!(
            lost <= most_lost,
            "{place}: {lost} lost, the first: {first}"
        );
    }

    pub(crate) fn take(
        &mut self,
        begun: Instant,
        needle: &str,
        answer: Result<(u16, String), String>,
    ) {
        let loss = match answer {
            Ok((200, body)) if body.contains(needle) => None,
            Ok((status, body)) => Some(format!("{status} with {body}")),
            Err(why) => Some(why),
        };
        self.latencies.push(begun.elapsed());
        if let Some(loss) = loss {
            self.lost += 1;
            self.first_loss.get_or_insert(loss);
        }
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.latencies.extend(other.latencies);
        self.lost += other.lost;
        self.first_loss = self.first_loss.or(other.first_loss);
        self
    }
}
