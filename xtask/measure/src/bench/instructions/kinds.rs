//! The kinds of calls whose instructions are counted, and a client that makes them one after the other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::cases::{
    ADDRESS, ASKABLE, CHOSEN, LEGACY, LEGACY_CALL, MODERN_CALL, post, stdio_greeting,
};
use xtask::failure::Failure;
use xtask::server::Server;

/// What is off unless a kind is about it.
const LIMIT: &str = "--client-rate-limit";
/// How long one answer may take under valgrind.
const PATIENCE: Duration = Duration::from_secs(60);

/// One kind of call.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// What is sent over HTTP, in turn; on stdio where there is none.
    requests: Option<fn(SocketAddr) -> Vec<String>>,
    /// Of the server, beside those of all kinds.
    options: &'static [&'static str],
    /// What every right answer contains.
    needle: &'static str,
}

/// What most answers contain.
const ANSWERED: &str = "\"structuredContent\"";

const fn http(
    name: &'static str,
    needle: &'static str,
    requests: fn(SocketAddr) -> Vec<String>,
) -> Kind {
    Kind {
        name,
        requests: Some(requests),
        options: &[],
        needle,
    }
}

#[rustfmt::skip]
pub(super) const KINDS: &[Kind] = &[
    http("call over HTTP", ANSWERED, |to| LEGACY_CALL.http(to)),
    http("call over HTTP, 2026-07-28", ANSWERED, |to| MODERN_CALL.http(to)),
    http("call over HTTP, each of other tools by header", ANSWERED, |to| CHOSEN.http(to)),
    http("call over HTTP, of a client that can be asked", ANSWERED, |to| ASKABLE.http(to)),
    Kind { options: &[LIMIT, "4000000000"], ..http("call over HTTP, with a limit on each client's rate", ANSWERED, |to| LEGACY_CALL.http(to)) },
    http("refused call over HTTP", "\"isError\":true", |to| legacy(to, &call("validate_address", &json!({})))),
    http("ping over HTTP", "\"result\":{}", |to| legacy(to, &message("ping", &json!({})))),
    http("list of tools over HTTP", "\"inputSchema\"", |to| legacy(to, &message("tools/list", &json!({})))),
    Kind { options: NOTHING_KEPT, ..http("call over HTTP that asks the node once", ANSWERED, |to| of_account(to, "get_balance")) },
    OVERVIEW,
    http("100 rows of the node over HTTP", ANSWERED, |to| legacy(to, &call("list_names", &json!({"limit": 100})))),
    Kind { requests: None, ..http("call on stdio", ANSWERED, |_| Vec::new()) },
];
/// Of what the node answered before.
const NOTHING_KEPT: &[&str] = &["--cache", "0"];

/// Of the account that all kinds ask for.
#[rustfmt::skip]
pub(super) const OVERVIEW: Kind =
    Kind { options: NOTHING_KEPT, ..http("call over HTTP that asks the node four times", ANSWERED, |to| of_account(to, "get_account_overview")) };

fn of_account(server: SocketAddr, tool: &str) -> Vec<String> {
    legacy(server, &call(tool, &json!({"address": ADDRESS})))
}

fn message(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn call(tool: &str, arguments: &Value) -> Value {
    message("tools/call", &json!({"name": tool, "arguments": arguments}))
}

fn legacy(server: SocketAddr, message: &Value) -> Vec<String> {
    let headers = format!("MCP-Protocol-Version: {LEGACY}\r\n");
    vec![post(server, &headers, &message.to_string())]
}

impl Kind {
    /// Starts a server by `command` over `node`, and calls it so often, one call after the other.
    pub(super) fn call(
        &self,
        command: &[String],
        node: &str,
        calls: usize,
        folder: &Path,
    ) -> Result<(), Failure> {
        let (program, first) = command
            .split_first()
            .ok_or_else(|| Failure::Found("no command".to_owned()))?;
        match self.requests {
            Some(requests) => self.over_http(program, first, node, calls, folder, requests),
            None => self.on_stdio(program, first, node, calls),
        }
    }

    fn over_http(
        &self,
        program: &str,
        first: &[String],
        node: &str,
        calls: usize,
        folder: &Path,
        requests: fn(SocketAddr) -> Vec<String>,
    ) -> Result<(), Failure> {
        let mut arguments: Vec<_> = first.iter().map(String::as_str).collect();
        arguments.extend(["http", "--listen", "ADDRESS", "--node", node]);
        if !self.options.contains(&LIMIT) {
            arguments.extend([LIMIT, "0"]);
        }
        arguments.extend(self.options);
        let log = folder.join("instructions.log");
        let server = Server::start(Path::new(program), &arguments, &log)?;
        let requests = requests(server.address());
        let mut stream = TcpStream::connect(server.address()).map_err(Failure::io("the server"))?;
        stream
            .set_nodelay(true)
            .and_then(|()| stream.set_read_timeout(Some(PATIENCE)))
            .map_err(Failure::io("the connection"))?;
        for request in requests.iter().cycle().take(calls) {
            let sent = stream.write_all(request.as_bytes());
            sent.map_err(Failure::io("a request"))?;
            let response = response(&mut stream)?;
            found(&response, "HTTP/1.1 200 OK")?;
            found(&response, self.needle)?;
        }
        drop(stream);
        server.stop()
    }

    fn on_stdio(
        &self,
        program: &str,
        first: &[String],
        node: &str,
        calls: usize,
    ) -> Result<(), Failure> {
        let child = Command::new(program)
            .args(first)
            .args(["--node", node])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(Failure::io(program))?;
        let said = self.converse(&mut child, calls);
        let ended = child.wait().map_err(Failure::io(program))?;
        said?;
        match ended.success() {
            true => Ok(()),
            false => Err(Failure::Found(format!("the server ended with {ended}"))),
        }
    }

    fn converse(&self, child: &mut Child, calls: usize) -> Result<(), Failure> {
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::unreadable("the server", "it has no pipes"));
        };
        let mut output = BufReader::new(output);
        let mut say = |line: &[u8], needle: &str| {
            input.write_all(line).map_err(Failure::io("a request"))?;
            let mut answer = String::new();
            let read = output.read_line(&mut answer);
            read.map_err(Failure::io("an answer"))?;
            found(&answer, needle)
        };
        say(&stdio_greeting(), "\"protocolVersion\"")?;
        let line = format!("{}\n", LEGACY_CALL.message(1));
        for _ in 0..calls {
            say(line.as_bytes(), self.needle)?;
        }
        Ok(())
    }
}

fn found(answer: &str, needle: &str) -> Result<(), Failure> {
    match answer.contains(needle) {
        true => Ok(()),
        false => {
            let shown: String = answer.chars().take(300).collect();
            let why = format!("no {needle} in {shown}");
            Err(Failure::unreadable("an answer", why))
        }
    }
}

/// Reads one response, of the length that its head announces.
fn response(stream: &mut TcpStream) -> Result<String, Failure> {
    let mut reader = BufReader::new(stream);
    let (mut text, mut length) = (String::new(), 0);
    while !text.ends_with("\r\n\r\n") {
        let begun = text.len();
        let read = reader
            .read_line(&mut text)
            .map_err(Failure::io("an answer"))?;
        let line = text.get(begun..).unwrap_or_default();
        let announced = line.strip_prefix("content-length: ");
        length = announced
            .map_or(Ok(length), |it| it.trim().parse())
            .unwrap_or(length);
        if read == 0 {
            return Err(Failure::unreadable("an answer", "it has no end"));
        }
    }
    let mut body = vec![0; length];
    reader
        .read_exact(&mut body)
        .map_err(Failure::io("an answer"))?;
    text.push_str(&String::from_utf8_lossy(&body));
    Ok(text)
}
