//! `cargo xtask ops replicas`: two replicas behind each balancer of `deploy/`, restarted and killed under load.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::{Client, Response};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use crate::bench::figures::Table;
use crate::ops::balancer::Balancer;
use crate::ops::client::{Clients, NAME, Seen, client, invents_addresses, post, whole};
use xtask::command::progress;
use xtask::failure::Failure;
use xtask::server::{Server, free_address};

const CLIENTS: usize = 20;
/// Before, between and after what happens to the replicas: several checks of a balancer.
const WHILE: Duration = Duration::from_millis(2_500);
/// The balancers whose replicas share nothing.
const BALANCERS: &[Balancer] = &[Balancer::HaProxy, Balancer::Nginx];

/// Two replicas of the server behind a balancer.
#[derive(Debug)]
struct Deployment<'a> {
    runtime: &'a Runtime,
    program: &'a Path,
    folder: &'a Path,
    options: &'static [&'static str],
    replicas: Vec<(SocketAddr, Option<Server>)>,
    balancer: Server,
}

/// The text of the table, and what is not as it should be.
pub(super) fn measure(program: &Path, folder: &Path) -> Result<(String, Vec<String>), Failure> {
    // reqwest wants TLS even where only plain HTTP is spoken; a second installation changes nothing.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(Failure::io("runtime"))?;
    let mut broken = Vec::new();
    let mut table = Table::new(
        &format!("Two replicas, {CLIENTS} clients"),
        &[
            "what happens",
            "behind",
            "answered",
            "lost",
            "p99 ms",
            "longest ms",
        ],
    );
    for balancer in BALANCERS {
        for (how, keeps) in [("kept", true), ("new", false)] {
            let what = format!("one after the other is restarted, {how} connections");
            progress(&format!("{what}, {}", balancer.name()))?;
            let mut deployment = Deployment::start(&runtime, program, folder, *balancer, &[])?;
            let seen = deployment.under_load(keeps, Deployment::restart_all)?;
            broken.extend(row(&mut table, &what, *balancer, &seen));
        }
        let what = "one is killed, and started again";
        progress(&format!("{what}, {}", balancer.name()))?;
        let mut deployment = Deployment::start(&runtime, program, folder, *balancer, &[])?;
        let seen = deployment.under_load(true, Deployment::kill_first)?;
        broken.extend(row(&mut table, what, *balancer, &seen));
    }
    for balancer in [Balancer::HaProxyWithSessions, Balancer::NginxByAddress] {
        let what = "sessions";
        progress(&format!("{what}, {}", balancer.name()))?;
        let deployment = Deployment::start(&runtime, program, folder, balancer, &["--sessions"])?;
        let seen = runtime.block_on(sessions(deployment.address()))?;
        broken.extend(row(&mut table, what, balancer, &seen));
    }
    let mut text = table.finish();
    for balancer in [
        Balancer::HaProxy,
        Balancer::HaProxyWithSessions,
        Balancer::Nginx,
        Balancer::NginxByAddress,
    ] {
        let place = format!("a client invents its address, {}", balancer.file());
        progress(&place)?;
        let options = &["--client-rate-limit", "1"];
        let deployment = Deployment::start(&runtime, program, folder, balancer, options)?;
        let outcome = deployment.invents_addresses()?;
        broken.extend(outcome.err().map(|why| format!("{place}: {why}")));
    }
    text.push_str("\nA client that invents an address for each of its calls is limited through each of the files, and another one is not.\n");
    for balancer in BALANCERS {
        progress(&format!("a stream, {}", balancer.name()))?;
        let mut deployment = Deployment::start(&runtime, program, folder, *balancer, &[])?;
        let (line, why) = deployment.stream(*balancer)?;
        text.push_str(&line);
        broken.extend(why);
    }
    Ok((text, broken))
}

/// Adds a row; what is wrong with it.
fn row(table: &mut Table, what: &str, balancer: Balancer, seen: &Seen) -> Option<String> {
    let millis = |it: Option<&Duration>| it.map_or(0, Duration::as_millis).to_string();
    let count = seen.latencies.len();
    let percentile = seen.latencies.get((count * 99).div_ceil(100).max(1) - 1);
    table.row(&[
        what.to_owned(),
        balancer.name().to_owned(),
        (count - seen.lost).to_string(),
        seen.lost.to_string(),
        millis(percentile),
        millis(seen.latencies.last()),
    ]);
    let place = format!("{what}, {}", balancer.name());
    if count == 0 {
        return Some(format!("{place}: nothing was asked"));
    }
    let why = seen.first_loss.as_ref()?;
    Some(format!("{place}: {} lost, the first: {why}", seen.lost))
}

impl<'a> Deployment<'a> {
    fn start(
        runtime: &'a Runtime,
        program: &'a Path,
        folder: &'a Path,
        balancer: Balancer,
        options: &'static [&'static str],
    ) -> Result<Self, Failure> {
        let addresses = [free_address()?, free_address()?];
        let mut deployment = Self {
            runtime,
            program,
            folder,
            options,
            replicas: addresses.map(|it| (it, None)).into(),
            balancer: balancer.start(addresses, folder)?,
        };
        for number in 0..addresses.len() {
            deployment.start_replica(number)?;
        }
        deployment.pass(WHILE);
        Ok(deployment)
    }

    /// Where clients find the balancer.
    fn address(&self) -> SocketAddr {
        self.balancer.address()
    }

    fn start_replica(&mut self, number: usize) -> Result<(), Failure> {
        let log = self.log(number);
        if let Some((address, server)) = self.replicas.get_mut(number) {
            let listen = address.to_string();
            let mut arguments = vec!["http", "--demo", "--listen", &listen, "--allow-host", NAME];
            arguments.extend(["--trusted-proxy", "127.0.0.1"]);
            arguments.extend(self.options);
            *server = Some(Server::start_at(*address, self.program, &arguments, &log)?);
        }
        Ok(())
    }

    /// What is wrong if a client claims the addresses of others.
    fn invents_addresses(&self) -> Result<Result<(), String>, Failure> {
        let client = |last| {
            let builder = Client::builder()
                .resolve(NAME, self.address())
                .local_address(IpAddr::from([127, 0, 0, last]))
                .no_proxy();
            builder
                .build()
                .map_err(|why| Failure::unreadable("a client", why))
        };
        let url = format!("http://{NAME}:{}/mcp", self.address().port());
        let clients = [&client(2)?, &client(3)?];
        Ok(invents_addresses(self.runtime, clients, &url))
    }

    fn take_replica(&mut self, number: usize) -> Option<Server> {
        self.replicas.get_mut(number)?.1.take()
    }

    fn log(&self, number: usize) -> PathBuf {
        self.folder.join(format!("replica-{number}.log"))
    }

    fn pass(&self, time: Duration) {
        self.runtime.block_on(async { sleep(time).await });
    }

    /// What clients see while something happens.
    fn under_load(
        &mut self,
        keeps: bool,
        happens: fn(&mut Self) -> Result<(), Failure>,
    ) -> Result<Seen, Failure> {
        let clients = Clients::start(self.runtime, self.address(), CLIENTS, keeps)?;
        self.pass(WHILE);
        happens(self)?;
        self.pass(WHILE);
        Ok(clients.finish(self.runtime))
    }

    fn restart_all(&mut self) -> Result<(), Failure> {
        for number in 0..self.replicas.len() {
            if let Some(replica) = self.take_replica(number) {
                replica.stop()?;
            }
            self.start_replica(number)?;
            self.pass(WHILE);
        }
        Ok(())
    }

    fn kill_first(&mut self) -> Result<(), Failure> {
        drop(self.take_replica(0));
        self.pass(WHILE);
        self.start_replica(0)
    }

    /// Opens a stream of notifications, waits for a comment that keeps it open, and stops the replicas one after the
    /// other; the line about it, and what is wrong.
    fn stream(&mut self, balancer: Balancer) -> Result<(String, Option<String>), Failure> {
        /// Comments come every 15 seconds.
        const COMMENT: Duration = Duration::from_secs(20);
        const SOON: Duration = Duration::from_secs(5);
        let begun = Instant::now();
        let mut answer = self.runtime.block_on(listen(self.address()))?;
        let first = self
            .runtime
            .block_on(until(&mut answer, "subscriptions/acknowledged", SOON));
        let after = begun.elapsed().as_millis();
        let comment = self.runtime.block_on(until(&mut answer, ":\n\n", COMMENT));
        let mut last = Err("it was never ended".to_owned());
        for number in 0..self.replicas.len() {
            if last.is_ok() {
                break;
            }
            if let Some(replica) = self.take_replica(number) {
                replica.stop()?;
            }
            let complete = "\"resultType\":\"complete\"";
            last = self.runtime.block_on(until(&mut answer, complete, SOON));
        }
        let name = balancer.name();
        let wrong = [
            ("first event", first),
            ("comment", comment),
            ("result", last),
        ]
        .into_iter()
        .find_map(|(what, outcome)| {
            Some(format!("a stream, {name}: no {what}: {}", outcome.err()?))
        });
        let verdict = match &wrong {
            None => format!(
                "Through {name} a stream of `subscriptions/listen` has its first event after {after} ms, its comments, and a result when its replica is \
                 stopped.\n"
            ),
            Some(why) => format!("NOT MET: {why}\n"),
        };
        Ok((format!("\n{verdict}"), wrong))
    }
}

/// Opens a stream of notifications about the chain's last block.
async fn listen(address: SocketAddr) -> Result<Response, Failure> {
    const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["qortal://chain/tip"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let request = post(&client(true)?, address, MESSAGE)
        .timeout(Duration::from_secs(60))
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "subscriptions/listen");
    let answer = request.send().await;
    answer.map_err(|why| Failure::unreadable("a stream", why))
}

/// Reads a stream until it has this text.
async fn until(answer: &mut Response, needle: &str, patience: Duration) -> Result<(), String> {
    let mut text = String::new();
    let reading = async {
        while !text.contains(needle) {
            match answer.chunk().await {
                Ok(Some(bytes)) => text.push_str(&String::from_utf8_lossy(&bytes)),
                Ok(None) => return Err("the stream ended".to_owned()),
                Err(why) => return Err(why.to_string()),
            }
        }
        Ok(())
    };
    let read = timeout(patience, reading).await;
    let read = read.unwrap_or_else(|_| Err(format!("not within {} s", patience.as_secs())));
    read.map_err(|why| format!("{why}, after {text:?}"))
}

/// Clients that each begin a session and ask three times in it, on a new connection each time.
async fn sessions(address: SocketAddr) -> Result<Seen, Failure> {
    const BEGIN: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ops","version":"0"}}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut seen = Seen::default();
    for _ in 0..CLIENTS {
        let client = client(false)?;
        let begun = post(&client, address, BEGIN).send().await;
        let begun = begun.map_err(|why| Failure::unreadable("a session", why))?;
        let id = begun.headers().get("mcp-session-id").cloned();
        let id = id.ok_or_else(|| Failure::unreadable("a session", "it has no id"))?;
        for _ in 0..3 {
            let begun = Instant::now();
            let request = post(&client, address, PING).header("mcp-session-id", &id);
            seen.take(begun, r#""result":{}"#, whole(request).await);
        }
    }
    seen.latencies.sort_unstable();
    Ok(seen)
}
