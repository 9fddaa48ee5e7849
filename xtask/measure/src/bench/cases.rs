//! The work that is measured, as requests, and how a right answer to each is known.

use std::net::SocketAddr;

use serde_json::{Value, json};

use xtask::failure::Failure;

/// The newest revision with a handshake; the header names it, so that answers are complete.
pub(super) const LEGACY: &str = "2025-11-25";
/// The revision without a handshake: every request carries what it needs.
const MODERN: &str = "2026-07-28";
/// A founder of the chain that the test node answers from; it has a name and a balance.
pub(super) const ADDRESS: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
/// Which form a request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    Legacy,
    Modern,
}

/// One kind of request.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) era: Era,
    pub(super) tool: Option<&'static str>,
    /// How many different sets of tools the requests choose by header, in turn.
    pub(super) selections: u16,
    /// Whether the client declares that it can be asked: its arguments are then hashed, for state that it might return.
    pub(super) can_be_asked: bool,
}

pub(super) const CASES: &[Case] = &[
    LEGACY_CALL,
    Case {
        name: "tools/list",
        era: Era::Legacy,
        tool: None,
        selections: 0,
        can_be_asked: false,
    },
    MODERN_CALL,
    Case {
        name: "tools/list, 2026-07-28",
        era: Era::Modern,
        tool: None,
        selections: 0,
        can_be_asked: false,
    },
];

/// The first case.
pub(super) const LEGACY_CALL: Case = Case {
    name: "validate_address",
    era: Era::Legacy,
    tool: Some("validate_address"),
    selections: 0,
    can_be_asked: false,
};
/// The same, and each request chooses another set of tools.
pub(super) const CHOSEN: Case = Case {
    name: "validate_address, 1,000 sets of tools",
    selections: 1_000,
    ..LEGACY_CALL
};
/// The first case without a handshake.
pub(super) const MODERN_CALL: Case = Case {
    name: "validate_address, 2026-07-28",
    era: Era::Modern,
    tool: Some("validate_address"),
    selections: 0,
    can_be_asked: false,
};
/// The same from a client that can be asked.
pub(super) const ASKABLE: Case = Case {
    name: "validate_address of a client that can be asked",
    can_be_asked: true,
    ..MODERN_CALL
};
/// Tools to choose among; a set is the bits of a number.
const CHOICES: &[&str] = &[
    "get_balance",
    "get_block_height",
    "get_fee",
    "get_last_block",
    "get_name_info",
    "get_node_status",
    "get_poll",
    "list_polls",
    "search_names",
    "validate_address",
];

/// The header that chooses set `number`.
fn choice(number: u16) -> String {
    let bits = CHOICES.iter().enumerate();
    let chosen = bits.filter(|(bit, _)| number >> bit & 1 == 1);
    let names: Vec<_> = chosen.map(|(_, name)| *name).collect();
    format!("X-MCP-Tools: {}\r\n", names.join(","))
}

impl Case {
    /// What every right answer contains and no failed one does.
    pub(super) fn needle(&self) -> &'static str {
        match self.tool {
            Some(_) => "\"structuredContent\"",
            None => "\"inputSchema\"",
        }
    }

    fn method(&self) -> &'static str {
        match self.tool {
            Some(_) => "tools/call",
            None => "tools/list",
        }
    }

    /// The JSON-RPC request with `id`.
    pub(super) fn message(&self, id: u64) -> Value {
        let params = match self.tool {
            Some(tool) => json!({"name": tool, "arguments": {"address": ADDRESS}}),
            None => json!({}),
        };
        let params = match (self.era, self.can_be_asked) {
            (Era::Legacy, _) => params,
            (Era::Modern, true) => with_meta(params, &json!({"elicitation": {}})),
            (Era::Modern, false) => with_meta(params, &json!({})),
        };
        json!({"jsonrpc": "2.0", "id": id, "method": self.method(), "params": params})
    }

    /// The header fields that say what the request is, each with its line end.
    fn headers(&self) -> String {
        match (self.era, self.tool) {
            (Era::Legacy, _) => format!("MCP-Protocol-Version: {LEGACY}\r\n"),
            (Era::Modern, None) => {
                format!("MCP-Protocol-Version: {MODERN}\r\nMcp-Method: tools/list\r\n")
            }
            (Era::Modern, Some(tool)) => format!(
                "MCP-Protocol-Version: {MODERN}\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
            ),
        }
    }

    /// The whole HTTP requests, in the order they are sent.
    pub(super) fn http(&self, server: SocketAddr) -> Vec<String> {
        let headers = self.headers();
        match self.selections {
            0 => vec![self.request(server)],
            count => {
                let message = self.message(1).to_string();
                let chosen = (1..=count).map(|it| format!("{headers}{}", choice(it)));
                chosen.map(|it| post(server, &it, &message)).collect()
            }
        }
    }

    /// One whole HTTP request that chooses no tools.
    pub(super) fn request(&self, server: SocketAddr) -> String {
        post(server, &self.headers(), &self.message(1).to_string())
    }

    /// The same as a script of wrk, which prints what it measured as JSON.
    pub(super) fn script(&self) -> String {
        let fields = format!("{COMMON}{}", self.headers());
        let fields = fields.lines().filter_map(|line| line.split_once(": "));
        let fields = fields.map(|(name, value)| format!("wrk.headers[\"{name}\"] = \"{value}\"\n"));
        let fields: String = fields.collect();
        let message = self.message(1);
        format!("wrk.method = \"POST\"\nwrk.body = [==[{message}]==]\n{fields}{DONE}")
    }

    /// Looks at one answer as closely as a person would, and returns its result.
    pub(super) fn examine(&self, answer: &[u8]) -> Result<Value, Failure> {
        let wrong = |why: &str| {
            let text: String = String::from_utf8_lossy(answer).chars().take(300).collect();
            Failure::unreadable(
                format!("the answer to {}", self.name),
                format!("{why}: {text}"),
            )
        };
        let answer: Value =
            serde_json::from_slice(answer).map_err(|why| wrong(&why.to_string()))?;
        if answer.get("id") != Some(&json!(1)) {
            return Err(wrong("the id is another"));
        }
        let result = answer
            .get("result")
            .ok_or_else(|| wrong("there is no result"))?;
        if self.era == Era::Modern && result.get("resultType") != Some(&json!("complete")) {
            return Err(wrong("it is no complete result of 2026-07-28"));
        }
        if self.tool.is_none() {
            let listed = result.get("tools").and_then(Value::as_array);
            return match listed {
                Some(tools) if !tools.is_empty() => Ok(result.clone()),
                _ => Err(wrong("no tools are listed")),
            };
        }
        if result.get("isError").and_then(Value::as_bool) == Some(true) {
            return Err(wrong("the tool failed"));
        }
        let text = result.pointer("/content/0/text").and_then(Value::as_str);
        let text: Option<Value> = text.and_then(|text| serde_json::from_str(text).ok());
        let structured = result.get("structuredContent");
        if text.is_none() || structured != text.as_ref() {
            return Err(wrong("text and structure differ"));
        }
        if structured.and_then(|found| found.get("address")) != Some(&json!(ADDRESS)) {
            return Err(wrong("it is about another address"));
        }
        Ok(result.clone())
    }
}

/// `initialize` with `id`, as most clients send it.
fn initialize(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": {
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }})
    .to_string()
}

/// `initialize` over HTTP.
pub(super) fn http_greeting(address: SocketAddr) -> String {
    post(address, "", &initialize(1))
}

/// The lines a client begins with on stdio.
pub(super) fn stdio_greeting() -> Vec<u8> {
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    format!("{}\n{initialized}\n", initialize(1)).into_bytes()
}

/// The same parameters with what a request without a handshake carries.
fn with_meta(mut params: Value, capabilities: &Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    if let Some(params) = params.as_object_mut() {
        params.insert("_meta".to_owned(), meta);
    }
    params
}

/// What every request of a client says of its body and of the answer.
const COMMON: &str =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
/// How wrk is made to print its figures: latencies and the time in microseconds.
const DONE: &str = r#"
function done(summary, latency, requests)
  local failed = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "duration_us": %d, "p50_us": %d, "p99_us": %d, "failed": %d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    failed.connect + failed.read + failed.write + failed.status + failed.timeout))
end
"#;

pub(super) fn post(address: SocketAddr, headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\n{COMMON}{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use crate::bench::cases::{CASES, MODERN_CALL};

    #[test]
    fn a_script_of_wrk_sends_the_request_of_its_case() {
        let (script, request) = (
            MODERN_CALL.script(),
            MODERN_CALL.request("127.0.0.1:1".parse().unwrap()),
        );
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(
            script.contains(&format!("wrk.body = [==[{body}]==]")),
            "{script}"
        );
        let named = ["POST", "Host", "Content-Length"];
        for line in head
            .lines()
            .filter(|line| !named.iter().any(|it| line.starts_with(it)))
        {
            let (name, value) = line.split_once(": ").unwrap();
            assert!(
                script.contains(&format!("wrk.headers[\"{name}\"] = \"{value}\"")),
                "{line}"
            );
        }
    }

    fn check(case: &str, answer: &str, expected: Result<(), &str>) {
        let case = CASES.iter().find(|known| known.name == case).unwrap();
        let found = case.examine(answer.as_bytes());
        match expected {
            Ok(()) => assert!(found.is_ok(), "{found:?}"),
            Err(why) => assert!(found.unwrap_err().to_string().contains(why), "{answer}"),
        }
    }

    #[test]
    fn a_wrong_answer_is_seen_before_it_is_measured() {
        let good = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"address\":\"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v\"}"}],"structuredContent":{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"},"isError":false}}"#;
        check("validate_address", good, Ok(()));
        check(
            "validate_address, 2026-07-28",
            good,
            Err("no complete result"),
        );
        check(
            "validate_address",
            &good.replace("false", "true"),
            Err("the tool failed"),
        );
        check(
            "validate_address",
            &good.replace("\"structuredContent\"", "\"other\""),
            Err("differ"),
        );
        check(
            "validate_address",
            &good.replace("Qg", "Qh"),
            Err("another address"),
        );
        check(
            "validate_address",
            &good.replace("\"id\":1", "\"id\":2"),
            Err("the id"),
        );
        check(
            "tools/list",
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#,
            Err("no tools"),
        );
        check("tools/list", "{", Err("EOF"));
    }
}
