//! The access log: one line for each answered request, which says who asked for what and what came of it.
//!
//! What a client wrote is shortened and escaped, and arguments are left out: they may be private.

use std::borrow::Cow;

use mcp_http::Parts;
use mcp_protocol::RequestId;
use mcp_server::{AnsweredRequest, Grant, RequestOutcome};

use crate::logging::ACCESS_LOG;

/// The characters of a client's text that are logged.
const SHOWN: usize = 64;
/// A method that no table has.
const UNKNOWN: &str = "unknown";

/// The access log of a transport.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AccessLog(&'static str);

impl AccessLog {
    pub(crate) const HTTP: Self = Self("http");
    pub(crate) const STDIO: Self = Self("stdio");

    /// How OpenTelemetry calls the transport.
    #[cfg(feature = "otel")]
    pub(crate) fn transport(self) -> &'static str {
        match self {
            Self("http") => "tcp",
            Self(_) => "pipe",
        }
    }

    /// Whether requests are logged now.
    pub(crate) fn is_on() -> bool {
        tracing::enabled!(target: ACCESS_LOG, tracing::Level::INFO)
    }

    /// Logs a request, if the access log is on.
    pub(crate) fn answered(self, request: &AnsweredRequest<'_>) {
        if !Self::is_on() {
            return;
        }
        let header = |name: &str| {
            let parts: Option<&Parts> = request.extensions.get();
            let value = parts.and_then(|it| it.headers.get(name));
            value.map(|it| String::from_utf8_lossy(it.as_bytes()))
        };
        let request_id = header("x-request-id");
        let agent = header("user-agent");
        let client = request.client.or(agent.as_deref()).map(safe);
        let subject = request.extensions.get().and_then(subject).map(safe);
        let id = match request.id {
            RequestId::Integer(number) => number.to_string(),
            RequestId::String(text) => safe(text).into_owned(),
        };
        let outcome = match request.outcome {
            RequestOutcome::Result => "result".to_owned(),
            RequestOutcome::ToolError => "tool error".to_owned(),
            RequestOutcome::Refused => "refused".to_owned(),
            RequestOutcome::Error(code) => format!("error {code}"),
            _ => "other".to_owned(),
        };
        // In whole microseconds, without the noise of the last binary digits.
        let ms = (request.duration.as_secs_f64() * 1e6).round() / 1e3;
        let Self(transport) = self;
        tracing::info!(
            target: ACCESS_LOG,
            request_id = request_id.as_deref().map(safe).as_deref(),
            method = request.method.unwrap_or(UNKNOWN),
            name = request.name.map(safe).as_deref(),
            outcome,
            ms,
            client = client.as_deref(),
            subject = subject.as_deref(),
            id,
            revision = request.revision.name(),
            transport,
            "answered"
        );
    }
}

fn subject(grant: &Grant) -> Option<&str> {
    grant.subject.as_deref()
}

/// The beginning of a client's text, with what a terminal or a reader of the log could take for something else escaped:
/// control characters, and those that change the direction of text.
fn safe(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(SHOWN).map(|(end, _)| end);
    let shown = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let is_plain = |it: char| it.is_ascii_graphic() || it == ' ' || it.escape_debug().len() == 1;
    match (shown.chars().all(is_plain), end) {
        (true, None) => Cow::Borrowed(shown),
        (_, end) => {
            let mut text = String::with_capacity(shown.len() + 3);
            for it in shown.chars() {
                match is_plain(it) {
                    true => text.push(it),
                    false => text.extend(it.escape_debug()),
                }
            }
            if end.is_some() {
                text.push('…');
            }
            Cow::Owned(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, safe};

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
}
