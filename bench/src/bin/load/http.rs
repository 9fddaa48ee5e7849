//! Closed-loop load over HTTP: each connection sends its next request when the last is answered.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use memchr::memmem::Finder;
use qortal_mcp_bench::args::{Args, UsageError};
use tokio::task::{JoinSet, LocalSet, yield_now};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use crate::exchange::Connection;
use crate::failure::Failure;
use crate::histogram::Histogram;
use crate::process::Process;
use crate::report::{Cost, Report};

/// Long enough for caches, branch predictors and connection tasks to settle.
const WARM_UP: Duration = Duration::from_millis(300);
/// How long an answer may take, also the last one.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest a fixed number of requests may take.
const LONGEST_RUN: Duration = Duration::from_secs(600);

/// What is sent where, and how a right answer is known.
struct Target {
    address: SocketAddr,
    /// Sent in turn; each connection begins with another one. Never empty.
    requests: Vec<String>,
    /// So many of them are sent at once, over as many connections, and count as one request that ends with the last answer.
    together: usize,
    needle: Finder<'static>,
    /// Whether no two connections send the same one.
    is_apart: bool,
    /// The longest pause before a request.
    pause: Duration,
}

impl Target {
    fn take(args: &mut Args) -> Result<Self, Failure> {
        let path: PathBuf = args.required("--messages")?;
        let needle: String = args.required("--needle")?;
        let shown = path.display().to_string();
        let text = std::fs::read(&path).map_err(Failure::io(&shown))?;
        let requests: Vec<String> =
            serde_json::from_slice(&text).map_err(|_| Failure::Unreadable(shown.clone()))?;
        let together = args.optional("--together")?.unwrap_or(1);
        if requests.is_empty() || together == 0 || !requests.len().is_multiple_of(together) {
            return Err(Failure::Unreadable(shown));
        }
        Ok(Self {
            address: args.required("--address")?,
            requests,
            together,
            needle: Finder::new(needle.as_bytes()).into_owned(),
            is_apart: args.switch("--apart"),
            pause: Duration::from_micros(args.optional("--pause-us")?.unwrap_or(0)),
        })
    }
}

/// Which requests are made and counted.
#[derive(Clone, Copy)]
enum Extent {
    /// Those begun and answered between two instants.
    Between(Instant, Instant),
    /// So many, however long it takes.
    Count(u64),
}

struct Run {
    target: Target,
    connections: usize,
    extent: Extent,
    sent: Cell<u64>,
    latencies: RefCell<Histogram>,
}

/// Makes one request, waiting for the server to listen, and returns the body of its answer.
pub(crate) async fn once(mut args: Args) -> Result<Vec<u8>, Failure> {
    let target = Target::take(&mut args)?;
    args.finish()?;
    let request = target.requests.first().map_or("", String::as_str);
    first_answer(request.as_bytes(), target.address, &target.needle).await
}

/// The first answer of a server that is starting. Asks without a pause: a start is measured in fractions of a millisecond. But whenever it
/// is refused it gives way, since a new process is on the CPU of the load until it is moved to its own.
pub(crate) async fn first_answer(
    request: &[u8],
    address: SocketAddr,
    needle: &Finder<'_>,
) -> Result<Vec<u8>, Failure> {
    let answered = async {
        let mut connection = loop {
            match Connection::open(address).await {
                Ok(connection) => break connection,
                Err(_) => thread::yield_now(),
            }
        };
        let body = connection.exchange(request, needle).await?;
        Ok(body.to_vec())
    };
    timeout(PATIENCE, answered)
        .await
        .map_err(|_| Failure::TooLong("the first answer"))?
}

/// Keeps `--connections` busy for `--seconds`, or until `--requests` are answered.
pub(crate) async fn load(mut args: Args) -> Result<Report, Failure> {
    let target = Target::take(&mut args)?;
    let connections: usize = args.required("--connections")?;
    let requests: Option<u64> = args.optional("--requests")?;
    let seconds: f64 = args.optional("--seconds")?.unwrap_or(1.0);
    let server = Process(args.required("--pid")?);
    args.finish()?;
    if target.is_apart && target.requests.len() / target.together < connections {
        let problem = "--apart wants as many messages as connections".to_owned();
        return Err(UsageError::new(problem).into());
    }

    let mut open = Vec::new();
    for _ in 0..connections {
        let mut group = Vec::with_capacity(target.together);
        for _ in 0..target.together {
            group.push(Connection::open(target.address).await?);
        }
        open.push(group);
    }
    let now = Instant::now();
    let (extent, begin) = match requests {
        Some(count) => (Extent::Count(count), now),
        None => {
            let begin = now + WARM_UP;
            let end = begin + Duration::from_secs_f64(seconds.clamp(0.01, 600.0));
            (Extent::Between(begin, end), begin)
        }
    };
    let run = Rc::new(Run {
        target,
        connections,
        extent,
        sent: Cell::new(0),
        latencies: RefCell::new(Histogram::new()),
    });
    LocalSet::new()
        .run_until(measure(run, open, begin, server))
        .await
}

async fn measure(
    run: Rc<Run>,
    open: Vec<Vec<Connection>>,
    begin: Instant,
    server: Process,
) -> Result<Report, Failure> {
    let rss_before_kib = server.resident()?;
    let mut connections = JoinSet::new();
    for (index, group) in open.into_iter().enumerate() {
        connections.spawn_local(keep_busy(run.clone(), group, index));
    }
    sleep_until(begin).await;
    let cpu_before = server.cpu()?;
    let problems = match run.extent {
        Extent::Between(_, end) => {
            sleep_until(end).await;
            None
        }
        Extent::Count(_) => Some(all_ended(&mut connections, begin + LONGEST_RUN).await?),
    };
    let cost = Cost {
        elapsed: begin.elapsed(),
        cpu: server.cpu()?.saturating_sub(cpu_before),
        rss_before_kib,
        rss_after_kib: server.resident()?,
    };
    let problems = match problems {
        Some(problems) => problems,
        None => all_ended(&mut connections, Instant::now() + PATIENCE).await?,
    };
    let mut report = Report::new(&run.latencies.borrow(), problems, cost);
    report.sent = Some(run.sent.get());
    Ok(report)
}

/// Waits for the connections, and returns what went wrong on them.
async fn all_ended(
    connections: &mut JoinSet<Result<(), Failure>>,
    deadline: Instant,
) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    while let Some(ended) = timeout_at(deadline, connections.join_next())
        .await
        .map_err(|_| Failure::TooLong("the last answer"))?
    {
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => problems.push(failure.to_string()),
            Err(failure) => problems.push(failure.to_string()),
        }
    }
    Ok(problems)
}

async fn keep_busy(
    run: Rc<Run>,
    mut connections: Vec<Connection>,
    index: usize,
) -> Result<(), Failure> {
    let Run {
        target,
        connections: count,
        extent,
        sent,
        latencies,
    } = run.as_ref();
    let groups = target.requests.chunks_exact(target.together);
    let places = places(groups.len(), index, *count, target.is_apart);
    for (number, place) in (1..).zip(places.iter().cycle()) {
        let group = groups.clone().nth(*place).unwrap_or_default();
        if !target.pause.is_zero() {
            let until = Instant::now() + pause(target.pause, number);
            while Instant::now() < until {
                yield_now().await;
            }
        }
        let started = Instant::now();
        match extent {
            Extent::Between(_, end) if started >= *end => return Ok(()),
            Extent::Count(count) if sent.get() >= *count => return Ok(()),
            Extent::Between(..) | Extent::Count(_) => {}
        }
        sent.set(sent.get() + 1);
        for (connection, request) in connections.iter_mut().zip(group) {
            connection.send(request.as_bytes()).await?;
        }
        for connection in &mut connections {
            connection.receive(&target.needle).await?;
        }
        let ended = Instant::now();
        let counts = match extent {
            Extent::Between(begin, end) => started >= *begin && ended <= *end,
            Extent::Count(_) => true,
        };
        if counts {
            latencies.borrow_mut().record(ended - started);
        }
    }
    Ok(())
}

/// Which of `groups` a connection sends in turn: all from its own place on, or such as no other of `count` connections sends.
fn places(groups: usize, index: usize, count: usize, is_apart: bool) -> Vec<usize> {
    match is_apart {
        true => (index..groups).step_by(count).collect(),
        false => (0..groups).map(|turn| (index + turn) % groups).collect(),
    }
}

/// How long request `number` waits: evenly spread over the `longest` pause, so that requests meet a timer of the server at all of its
/// phases alike. The fractions of the multiples of the golden ratio are spread so.
fn pause(longest: Duration, number: u32) -> Duration {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    longest.mul_f64((f64::from(number) * GOLDEN).fract())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr, TcpListener};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use bytes::Bytes;
    use hyper::Request;
    use hyper::body::Incoming;
    use hyper::service::service_fn;
    use qortal_mcp_bench::args::Args;
    use qortal_mcp_bench::serve::{json, serve};

    use super::{load, pause, places};

    /// Twenty requests over four connections to a server that knows one answer: how many were right and wrong, and heard.
    async fn check(name: &str, needle: &str, more: &str, expected: (u64, u64, usize)) {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address: SocketAddr = free.local_addr().unwrap();
        drop(free);
        let heard = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&heard);
        let answer = move |_: Request<Incoming>| {
            count.fetch_add(1, Ordering::Relaxed);
            async { Ok(json(Bytes::from_static(b"{\"ok\":1}"))) }
        };
        let server = tokio::spawn(serve(address, service_fn(answer)));
        tokio::task::yield_now().await;

        let request = format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\n\r\n");
        let messages = std::env::temp_dir().join(format!("load-{name}-{}", std::process::id()));
        std::fs::write(
            &messages,
            serde_json::to_vec(&[&request, &request]).unwrap(),
        )
        .unwrap();
        let line = format!(
            "--address {address} --messages {} --needle {needle} --pid {} --connections 4 --requests 20 {more}",
            messages.display(),
            std::process::id()
        );
        let report = load(Args::new(line.split(' ').map(str::to_owned))).await;
        std::fs::remove_file(&messages).unwrap();
        server.abort();

        let report = report.unwrap();
        let heard = heard.load(Ordering::Relaxed);
        let found = (report.requests, report.errors, heard);
        assert_eq!(found, expected, "{report:?}");
        assert_eq!(report.sent, Some(report.requests + report.errors));
        assert_eq!(report.first_error.is_some(), expected.1 > 0);
    }

    #[tokio::test]
    async fn every_right_answer_is_counted() {
        check("right", "ok", "--together 1", (20, 0, 20)).await;
    }

    #[tokio::test]
    async fn a_wrong_answer_ends_its_connection() {
        check("wrong", "missing", "--pause-us 10", (0, 4, 4)).await;
    }

    #[test]
    fn connections_begin_apart_or_stay_apart() {
        for (index, is_apart, expected) in [
            (0, false, &[0, 1, 2, 3, 4][..]),
            (8, false, &[3, 4, 0, 1, 2]),
            (0, true, &[0, 3]),
            (1, true, &[1, 4]),
            (2, true, &[2]),
        ] {
            assert_eq!(places(5, index, 3, is_apart), expected, "{index}");
        }
    }

    #[test]
    fn pauses_are_spread_evenly() {
        let longest = Duration::from_millis(1);
        let mut tenths = [0; 10];
        for number in 1..=1_000 {
            tenths[usize::try_from(pause(longest, number).as_micros() / 100).unwrap()] += 1;
        }
        assert!(
            tenths.iter().all(|count| (98..=102).contains(count)),
            "{tenths:?}"
        );
        assert_eq!(pause(Duration::ZERO, 7), Duration::ZERO);
    }

    #[tokio::test]
    async fn requests_at_once_count_as_one() {
        check("together", "ok", "--together 2", (20, 0, 40)).await;
    }
}
