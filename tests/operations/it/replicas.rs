//! Two replicas behind each balancer of `deploy/`, restarted and killed under load.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use reqwest::{Client, Response};
use tokio::time::{sleep, timeout};

use xtask::server::{Server, free_address};

use crate::balancer::Balancer;
use crate::client::{Clients, NAME, Seen, client, invents_addresses, post, whole};
use crate::site::Site;

const CLIENTS: usize = 20;
/// Before, between and after what happens to the replicas: several checks of a balancer.
const WHILE: Duration = Duration::from_millis(2_500);
/// The balancers whose replicas share nothing.
const BALANCERS: [Balancer; 2] = [Balancer::HaProxy, Balancer::Nginx];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn replicas_are_restarted_without_a_loss() {
    let site = Site::begin("replicas").await;
    for balancer in BALANCERS {
        for (how, keeps) in [("kept", true), ("new", false)] {
            let mut deployment = Deployment::start(&site, balancer, &[]).await;
            let clients = Clients::start(deployment.address(), CLIENTS, keeps);
            sleep(WHILE).await;
            for number in 0..deployment.replicas.len() {
                deployment.stop_replica(number);
                deployment.start_replica(number);
                sleep(WHILE).await;
            }
            sleep(WHILE).await;
            let what = format!("one after the other is restarted, {how} connections");
            check(&what, balancer, &clients.finish().await);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_replica_is_killed_without_a_loss() {
    let site = Site::begin("replicas").await;
    for balancer in BALANCERS {
        let mut deployment = Deployment::start(&site, balancer, &[]).await;
        let clients = Clients::start(deployment.address(), CLIENTS, true);
        sleep(WHILE).await;
        drop(deployment.replicas[0].1.take());
        sleep(WHILE).await;
        deployment.start_replica(0);
        sleep(WHILE).await;
        let what = "one is killed, and started again";
        check(what, balancer, &clients.finish().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn sessions_find_their_replica() {
    let site = Site::begin("replicas").await;
    for balancer in [Balancer::HaProxyWithSessions, Balancer::NginxByAddress] {
        let deployment = Deployment::start(&site, balancer, &["--sessions"]).await;
        let seen = sessions(deployment.address()).await;
        check("sessions", balancer, &seen);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_invented_address_is_not_believed() {
    let site = Site::begin("replicas").await;
    for balancer in [
        Balancer::HaProxy,
        Balancer::HaProxyWithSessions,
        Balancer::Nginx,
        Balancer::NginxByAddress,
    ] {
        let deployment = Deployment::start(&site, balancer, &["--client-rate-limit", "1"]).await;
        let address = deployment.address();
        let client = |last| {
            let builder = Client::builder().resolve(NAME, address).no_proxy();
            let own = IpAddr::from([127, 0, 0, last]);
            builder.local_address(own).build().unwrap()
        };
        let url = format!("http://{NAME}:{}/mcp", address.port());
        let clients = [&client(2), &client(3)];
        invents_addresses(balancer.file(), clients, &url).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_stream_has_its_events_and_a_result() {
    /// Comments come every 15 seconds.
    const COMMENT: Duration = Duration::from_secs(20);
    const SOON: Duration = Duration::from_secs(5);
    let site = Site::begin("replicas").await;
    for balancer in BALANCERS {
        let mut deployment = Deployment::start(&site, balancer, &[]).await;
        let begun = Instant::now();
        let mut answer = listen(deployment.address()).await;
        let first = until(&mut answer, "subscriptions/acknowledged", SOON).await;
        assert_eq!(first, Ok(()), "{}", balancer.name());
        let after = begun.elapsed().as_millis();
        println!("{}: the first event after {after} ms", balancer.name());
        let comment = until(&mut answer, ":\n\n", COMMENT).await;
        assert_eq!(comment, Ok(()), "{}", balancer.name());
        // It is one of the two that has the stream.
        let mut last = Err("it was never ended".to_owned());
        for number in 0..deployment.replicas.len() {
            if last.is_err() {
                deployment.stop_replica(number);
                last = until(&mut answer, "\"resultType\":\"complete\"", SOON).await;
            }
        }
        assert_eq!(last, Ok(()), "{}", balancer.name());
    }
}

/// Prints a row, and fails with what is wrong with it.
fn check(what: &str, balancer: Balancer, seen: &Seen) {
    let name = balancer.name();
    println!("| what happens | behind | answered | lost | p99 ms | longest ms |");
    println!(
        "| {what} | {name} | {} | {} | {} | {} |",
        seen.latencies.len() - seen.lost,
        seen.lost,
        seen.percentile(99).as_millis(),
        seen.longest().as_millis()
    );
    seen.check(&format!("{what}, {name}"), 1, 0);
}

/// Two replicas of the server behind a balancer.
#[derive(Debug)]
struct Deployment<'a> {
    site: &'a Site,
    options: &'static [&'static str],
    replicas: [(SocketAddr, Option<Server>); 2],
    balancer: Server,
}

impl<'a> Deployment<'a> {
    async fn start(site: &'a Site, balancer: Balancer, options: &'static [&'static str]) -> Self {
        let addresses = [(); 2].map(|()| free_address().unwrap());
        let mut deployment = Self {
            site,
            options,
            replicas: addresses.map(|it| (it, None)),
            balancer: balancer.start(addresses, &site.folder),
        };
        for number in 0..addresses.len() {
            deployment.start_replica(number);
        }
        sleep(WHILE).await;
        deployment
    }

    /// Where clients find the balancer.
    fn address(&self) -> SocketAddr {
        self.balancer.address()
    }

    fn start_replica(&mut self, number: usize) {
        let (address, server) = &mut self.replicas[number];
        let listen = address.to_string();
        let mut arguments = vec![
            "http",
            "--demo",
            "--listen",
            &listen,
            "--allowed-hosts",
            NAME,
        ];
        arguments.extend(["--trusted-proxies", "127.0.0.1"]);
        arguments.extend(self.options);
        let log = self.site.folder.join(format!("replica-{number}.log"));
        let started = Server::start_at(*address, &self.site.program, &arguments, &log);
        *server = Some(started.unwrap());
    }

    fn stop_replica(&mut self, number: usize) {
        self.replicas[number].1.take().unwrap().stop().unwrap();
    }
}

/// Opens a stream of notifications about the chain's last block.
async fn listen(address: SocketAddr) -> Response {
    const MESSAGE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["qortal://chain/tip"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let request = post(&client(true), address, MESSAGE)
        .timeout(Duration::from_secs(60))
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "subscriptions/listen");
    request.send().await.unwrap()
}

/// Reads a stream until it has this text; why that does not come.
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
    read.map_err(|why| format!("no {needle:?}: {why}, after {text:?}"))
}

/// Clients that each begin a session and ask three times in it, on a new connection each time.
async fn sessions(address: SocketAddr) -> Seen {
    const BEGIN: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ops","version":"0"}}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut seen = Seen::default();
    for _ in 0..CLIENTS {
        let client = client(false);
        let begun = post(&client, address, BEGIN).send().await.unwrap();
        let id = begun.headers().get("mcp-session-id").unwrap().clone();
        for _ in 0..3 {
            let begun = Instant::now();
            let request = post(&client, address, PING).header("mcp-session-id", &id);
            seen.take(begun, r#""result":{}"#, whole(request).await);
        }
    }
    seen.latencies.sort_unstable();
    seen
}
