//! The kinds of calls whose instructions are counted, and a client that makes them one after the other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::cases::{ADDRESS, LEGACY, LEGACY_CALL, MODERN_CALL, post, stdio_greeting};
use xtask::failure::Failure;
use xtask::server::Server;

/// How long one answer may take under valgrind.
const PATIENCE: Duration = Duration::from_secs(60);

/// One kind of call.
pub(super) struct Kind {
    pub(super) name: &'static str,
    transport: Transport,
    /// Of the server, beside those of all kinds.
    options: &'static [&'static str],
    /// What every right answer contains.
    needle: &'static str,
}

/// How it is asked, with what.
enum Transport {
    Http(fn(&Server) -> String),
    Stdio(fn() -> Value),
}

pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "call over HTTP",
        transport: Transport::Http(|server| LEGACY_CALL.http(server.address()).concat()),
        options: &[],
        needle: "\"structuredContent\"",
    },
    Kind {
        name: "call over HTTP, 2026-07-28",
        transport: Transport::Http(|server| MODERN_CALL.http(server.address()).concat()),
        options: &[],
        needle: "\"structuredContent\"",
    },
    Kind {
        name: "refused call over HTTP",
        transport: Transport::Http(|server| legacy(server, &call("validate_address", &json!({})))),
        options: &[],
        needle: "\"isError\":true",
    },
    Kind {
        name: "ping over HTTP",
        transport: Transport::Http(|server| legacy(server, &message("ping", &json!({})))),
        options: &[],
        needle: "\"result\":{}",
    },
    Kind {
        name: "list of tools over HTTP",
        transport: Transport::Http(|server| legacy(server, &message("tools/list", &json!({})))),
        options: &[],
        needle: "\"inputSchema\"",
    },
    Kind {
        name: "100 rows of the node over HTTP",
        transport: Transport::Http(|server| {
            legacy(server, &call("list_names", &json!({"limit": 100})))
        }),
        options: &[],
        needle: "\"structuredContent\"",
    },
    Kind {
        name: "call on stdio",
        transport: Transport::Stdio(|| LEGACY_CALL.message(1)),
        options: &[],
        needle: "\"structuredContent\"",
    },
];

/// Of the account that all kinds ask for, with nothing kept of what the node answered before.
pub(super) const OVERVIEW: Kind = Kind {
    name: "overview of an account over HTTP",
    transport: Transport::Http(|server| {
        legacy(
            server,
            &call("get_account_overview", &json!({"address": ADDRESS})),
        )
    }),
    options: &["--cache", "0"],
    needle: "\"structuredContent\"",
};

fn message(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn call(tool: &str, arguments: &Value) -> Value {
    message("tools/call", &json!({"name": tool, "arguments": arguments}))
}

fn legacy(server: &Server, message: &Value) -> String {
    let headers = format!("MCP-Protocol-Version: {LEGACY}\r\n");
    post(server.address(), &headers, &message.to_string())
}

impl Kind {
    /// Starts a server by `command` over `node`, and calls it so often, one call after the other.
    pub(super) fn call(
        &self,
        command: &[String],
        node: &str,
        calls: u64,
        folder: &Path,
    ) -> Result<(), Failure> {
        match self.transport {
            Transport::Http(request) => self.over_http(command, node, calls, folder, request),
            Transport::Stdio(message) => self.on_stdio(command, node, calls, &message()),
        }
    }

    fn over_http(
        &self,
        command: &[String],
        node: &str,
        calls: u64,
        folder: &Path,
        request: fn(&Server) -> String,
    ) -> Result<(), Failure> {
        let (program, first) = program(command)?;
        let options = ["http", "--client-rate-limit", "0", "--listen", "ADDRESS"];
        let mut arguments: Vec<_> = first.iter().map(String::as_str).collect();
        arguments.extend(options.iter().chain(self.options));
        arguments.extend(["--node", node]);
        let log = folder.join("instructions.log");
        let server = Server::start(Path::new(program), &arguments, &log)?;
        let request = request(&server);
        let mut stream = TcpStream::connect(server.address()).map_err(Failure::io("the server"))?;
        stream
            .set_nodelay(true)
            .and_then(|()| stream.set_read_timeout(Some(PATIENCE)))
            .map_err(Failure::io("the connection"))?;
        for _ in 0..calls {
            let sent = stream.write_all(request.as_bytes());
            sent.map_err(Failure::io("a request"))?;
            self.examine(&response(&mut stream)?)?;
        }
        drop(stream);
        server.stop()
    }

    fn on_stdio(
        &self,
        command: &[String],
        node: &str,
        calls: u64,
        message: &Value,
    ) -> Result<(), Failure> {
        let (program, first) = program(command)?;
        let child = Command::new(program)
            .args(first)
            .args(["--node", node])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.map_err(Failure::io(program))?;
        let said = self.converse(&mut child, calls, message);
        let ended = child.wait().map_err(Failure::io(program))?;
        said?;
        match ended.success() {
            true => Ok(()),
            false => Err(Failure::Found(format!("the server ended with {ended}"))),
        }
    }

    fn converse(&self, child: &mut Child, calls: u64, message: &Value) -> Result<(), Failure> {
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
        let line = format!("{message}\n");
        for _ in 0..calls {
            say(line.as_bytes(), self.needle)?;
        }
        Ok(())
    }

    fn examine(&self, response: &str) -> Result<(), Failure> {
        found(response, "HTTP/1.1 200 OK")?;
        found(response, self.needle)
    }
}

fn program(command: &[String]) -> Result<(&String, &[String]), Failure> {
    let split = command.split_first();
    split.ok_or_else(|| Failure::Usage("no command".to_owned()))
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
    let mut bytes = Vec::new();
    let mut chunk = [0; 64 << 10];
    loop {
        let read = stream.read(&mut chunk).map_err(Failure::io("an answer"))?;
        bytes.extend(chunk.iter().take(read));
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let mut lines = head.lines();
            let announced = lines.find_map(|it| it.strip_prefix("content-length: "));
            if announced.and_then(|it| it.parse().ok()) == Some(body.len()) {
                return Ok(text.into_owned());
            }
        }
        if read == 0 {
            return Err(Failure::unreadable("an answer", "it has no end"));
        }
    }
}
