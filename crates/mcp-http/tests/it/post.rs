//! Requests as a correct client of each revision writes them, and as an incorrect one does.

use mcp_protocol::{Revision, lifecycle};
use serde_json::{Value, json};

/// A POST to be sent as bytes.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    /// Something else where that is what a test is about.
    pub(crate) method: &'static str,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Post {
    /// A body with the headers that every POST needs.
    pub(crate) fn body(body: impl Into<Vec<u8>>) -> Self {
        let headers = [
            ("Host", "localhost"),
            ("X-Request-ID", "test"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        Self {
            method: "POST",
            target: "/mcp".to_owned(),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            body: body.into(),
        }
    }

    /// A message that says nothing of its revision but in the header, as after a handshake.
    pub(crate) fn message(revision: Revision, message: &Value) -> Self {
        Self::body(message.to_string()).with("MCP-Protocol-Version", revision.name())
    }

    /// A request of the revision, with everything it asks for.
    pub(crate) fn request(revision: Revision, id: Value, method: &str, params: Value) -> Self {
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        if revision.has_handshake() {
            return Self::message(revision, &message);
        }
        message["params"]["_meta"] = meta(revision.name());
        let name = message["params"]["name"].as_str().map(str::to_owned);
        let post = Self::message(revision, &message).with("Mcp-Method", method);
        match name {
            Some(name) => post.with("Mcp-Name", &name),
            None => post,
        }
    }

    /// A call of a tool.
    pub(crate) fn call(revision: Revision, tool: &str, arguments: Value) -> Self {
        let params = json!({"name": tool, "arguments": arguments});
        Self::request(revision, json!(1), "tools/call", params)
    }

    /// One header more.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Without the header.
    pub(crate) fn without(mut self, name: &str) -> Self {
        let before = self.headers.len();
        self.headers.retain(|(its_name, _)| its_name != name);
        assert_ne!(self.headers.len(), before, "there is no {name}");
        self
    }

    /// With another value for the header.
    pub(crate) fn set(self, name: &str, value: &str) -> Self {
        self.without(name).with(name, value)
    }

    /// As another method.
    pub(crate) fn method(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    /// To another target.
    pub(crate) fn to(mut self, target: &str) -> Self {
        self.target = target.to_owned();
        self
    }

    /// With only so much of the body.
    pub(crate) fn cut(mut self, len: usize) -> Self {
        self.body.truncate(len);
        self
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head(&format!("Content-Length: {}", self.body.len()));
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// The head alone, with this line about the body.
    pub(crate) fn head(&self, framing: &str) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        format!("{head}{framing}\r\n\r\n").into_bytes()
    }
}

/// `_meta` that names a revision.
pub(crate) fn meta(revision: &str) -> Value {
    json!({
        lifecycle::PROTOCOL_VERSION: revision,
        lifecycle::CLIENT_CAPABILITIES: {},
    })
}

/// The one revision without a handshake.
pub(crate) const PER_REQUEST: Revision = Revision::V2026_07_28;

/// The revisions with a handshake.
pub(crate) fn handshake() -> impl Iterator<Item = Revision> {
    Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.has_handshake())
}
