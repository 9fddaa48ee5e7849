//! The access log: one line for each answered request, with its caller, method and outcome.
//!
//! Client-supplied text is shortened and escaped. Arguments are left out because they may be private.

use std::borrow::Cow;

use mcp_http::Parts;
use mcp_protocol::RequestId;
use mcp_server::{AuthInfo, RequestEnd, RequestObserver, RequestOutcome};

/// The characters of a client's text that are logged.
const SHOWN: usize = 64;
/// A method that no table has.
const UNKNOWN: &str = "unknown";

/// The access log of a transport.
#[derive(Debug)]
pub struct AccessLog {
    is_on: fn() -> bool,
    log: fn(&AccessLogEntry<'_>),
}

/// A request in the access log. All client-supplied text in it is escaped and safe to print.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AccessLogEntry<'a> {
    /// The value of `X-Request-ID`.
    pub request_id: Option<Cow<'a, str>>,
    /// The JSON-RPC method. A method unknown to the protocol is `unknown`.
    pub method: &'a str,
    /// The name of the tool or prompt.
    pub name: Option<Cow<'a, str>>,
    /// The outcome of the request.
    pub outcome: Cow<'static, str>,
    /// The duration in milliseconds.
    pub ms: f64,
    /// The name of the client, or of the program that the client runs in.
    pub client: Option<Cow<'a, str>>,
    /// The subject of the request's access token.
    pub subject: Option<Cow<'a, str>>,
    /// The JSON-RPC request ID.
    pub id: Cow<'a, str>,
    /// The protocol revision.
    pub revision: &'static str,
}

impl AccessLog {
    /// Creates an access log that calls `log` for each answered request while `is_on` returns `true`.
    ///
    /// `log` belongs to the program because the target of a log line is a constant.
    #[must_use]
    pub fn from_fn(is_on: fn() -> bool, log: fn(&AccessLogEntry<'_>)) -> Self {
        Self { is_on, log }
    }
}

impl RequestObserver for AccessLog {
    fn is_enabled(&self) -> bool {
        (self.is_on)()
    }

    fn on_response(&self, request: &RequestEnd<'_>) {
        let header = |name: &str| {
            let parts: Option<&Parts> = request.extensions.get();
            let value = parts.and_then(|it| it.headers.get(name));
            value.map(|it| String::from_utf8_lossy(it.as_bytes()))
        };
        let (request_id, agent) = (header("x-request-id"), header("user-agent"));
        (self.log)(&AccessLogEntry {
            request_id: request_id.as_deref().map(safe),
            method: request.method.unwrap_or(UNKNOWN),
            name: request.name.map(safe),
            outcome: match request.outcome {
                RequestOutcome::Result => "result".into(),
                RequestOutcome::ToolError => "tool error".into(),
                RequestOutcome::Refused => "refused".into(),
                RequestOutcome::Error(code) => format!("error {code}").into(),
                RequestOutcome::Task => "task".into(),
                _ => "other".into(),
            },
            // In whole microseconds, without the noise of the last binary digits.
            ms: (request.duration.as_secs_f64() * 1e6).round() / 1e3,
            client: request.client.or(agent.as_deref()).map(safe),
            subject: request.extensions.get().and_then(subject).map(safe),
            id: match request.id {
                RequestId::Integer(number) => number.to_string().into(),
                RequestId::String(text) => safe(text),
            },
            revision: request.revision.name(),
        });
    }
}

fn subject(grant: &AuthInfo) -> Option<&str> {
    grant.subject.as_deref()
}

/// The beginning of a client's text, with what a terminal or a reader of the log could take for something else escaped:
/// control characters, and those that change the direction of text.
fn safe(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(SHOWN).map(|(end, _)| end);
    let shown = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let is_plain = |it: char| it.is_ascii_graphic() || it == ' ' || it.escape_debug().len() == 1;
    if shown.chars().all(is_plain) && end.is_none() {
        return Cow::Borrowed(shown);
    }
    let mut text = String::with_capacity(shown.len() + 3);
    for it in shown.chars() {
        if is_plain(it) {
            text.push(it);
        } else {
            text.extend(it.escape_debug());
        }
    }
    text.extend(end.map(|_| '…'));
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU32, sync::Arc};

    use mcp_protocol::{Request, Revision, ServerInfo, TaskSupport, ToolAnnotations};
    use mcp_server::{
        InMemoryTaskStore, RequestContext, Server, ServerLimits, ToolRouter, tool_schema::NoParams,
    };
    use parking_lot::Mutex;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_clients_write_is_shortened_and_escaped() {
        for (text, expected) in [
            ("claude-code \"2\"", "claude-code \"2\""),
            ("クライアント é", "クライアント é"),
            ("a\nb\u{1b}[31m", "a\\nb\\u{1b}[31m"),
            ("\u{202e}evil\u{9b}", "\\u{202e}evil\\u{9b}"),
        ] {
            assert_eq!(safe(text), expected);
        }
        let long = "x".repeat(SHOWN + 1);
        assert_eq!(safe(&long), format!("{}…", "x".repeat(SHOWN)));
    }

    static OUTCOMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

    #[tokio::test(start_paused = true)]
    async fn a_line_says_what_came_of_its_request() {
        let tools = ToolRouter::new()
            .tool(
                "good",
                "Is good.",
                ToolAnnotations::PURE,
                async |_: NoParams| "Good.",
            )
            .tool(
                "fail",
                "Fails.",
                ToolAnnotations::PURE,
                async |_: NoParams| Err::<&str, _>("It failed."),
            );
        let log = |it: &AccessLogEntry<'_>| OUTCOMES.lock().push(it.outcome.clone().into_owned());
        let server = Server::builder(ServerInfo::new("example", "1"))
            .tools(tools.map_last_tool(|it| it.with_task_support(TaskSupport::Optional)))
            .tasks(InMemoryTaskStore::default())
            .limits(ServerLimits::default().with_total_calls_per_second(NonZeroU32::new(3)))
            .observer(Arc::new(AccessLog::from_fn(|| true, log)));
        let server = server.build().unwrap();
        for (method, params) in [
            ("tools/call", json!({"name": "good"})),
            ("tools/call", json!({"name": "fail"})),
            ("tools/call", json!({"name": "fail", "task": {}})),
            ("tools/call", json!({"name": "good"})),
            ("none", Value::Null),
        ] {
            let request = Request {
                id: RequestId::Integer(1),
                method: method.to_owned(),
                params: params.as_object().cloned(),
            };
            let cx = RequestContext::default();
            server.handle(Revision::V2025_11_25, request, &cx).await;
        }
        let said = OUTCOMES.lock().join(", ");
        assert_eq!(said, "result, tool error, task, refused, error -32601");
    }
}
