//! The HTTP headers that MCP defines, and the encoding of their values (2026-07-28 `basic/transports/streamable-http`,
//! "Request Metadata").

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::Method;

/// The protocol version of the request (2025-06-18 `basic/transports`).
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The method of the request in the body.
pub const METHOD: &str = "mcp-method";
/// The tool, prompt, resource or task of the request in the body: see [`name_field`].
pub const NAME: &str = "mcp-name";
/// The session ID of a request, and of the response to `initialize` (2025-03-26 `basic/transports`).
pub const SESSION_ID: &str = "mcp-session-id";
/// The ID of the event after which a client resumes a stream (2025-03-26 `basic/transports`).
pub const LAST_EVENT_ID: &str = "last-event-id";

/// The text around a base64-encoded value in UTF-8. Headers use it for values that they cannot carry directly.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// Returns the params field whose value the header `Mcp-Name` repeats. Returns `None` if requests of this method have
/// no such header (2026-07-28 `basic/transports/streamable-http`, "Standard Request Headers").
#[must_use]
pub const fn name_field(method: Method) -> Option<&'static str> {
    match method {
        Method::ToolsCall | Method::PromptsGet | Method::ResourcesRead => method.target_field(),
        // Extension Tasks, "Streamable HTTP: Routing Headers".
        Method::TasksGet | Method::TasksUpdate | Method::TasksCancel => method.target_field(),
        Method::Initialize
        | Method::Discover
        | Method::Ping
        | Method::ToolsList
        | Method::PromptsList
        | Method::ResourcesList
        | Method::ResourcesTemplatesList
        | Method::ResourcesDirectoryRead
        | Method::ResourcesSubscribe
        | Method::ResourcesUnsubscribe
        | Method::CompletionComplete
        | Method::LoggingSetLevel
        | Method::SubscriptionsListen
        | Method::SkillsList
        | Method::SkillsGet
        | Method::TasksResult
        | Method::TasksList
        | Method::LegacyInitialized
        | Method::LegacyToolsList
        | Method::LegacyToolsCall => None,
    }
}

/// Encodes a string as a header value. The result is base64-encoded if the string contains anything but printable
/// ASCII, starts or ends with a space, or looks like an encoded value ("Value Encoding").
#[must_use]
pub fn encode(text: &str) -> Cow<'_, str> {
    let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let is_trimmed = !text.starts_with(' ') && !text.ends_with(' ');
    let looks_encoded = text.starts_with(ENCODED.0) && text.ends_with(ENCODED.1);
    if is_printable && is_trimmed && !looks_encoded {
        return Cow::Borrowed(text);
    }
    let (start, end) = ENCODED;
    Cow::Owned(format!("{start}{}{end}", STANDARD.encode(text)))
}

/// Decodes a header value. Returns `None` if it is encoded but not valid base64.
#[must_use]
pub fn decode(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let encoded = value.strip_prefix(ENCODED.0.as_bytes());
    match encoded.and_then(|rest| rest.strip_suffix(ENCODED.1.as_bytes())) {
        Some(base64) => STANDARD.decode(base64).ok().map(Cow::Owned),
        None => Some(Cow::Borrowed(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn encode_of_text_that_a_header_cannot_carry_is_base64_which_decode_reads() {
        for (text, expect) in [
            ("", ""),
            ("us west 1", "us west 1"),
            ("a ", "=?base64?YSA=?="),
            ("\tx", "=?base64?CXg=?="),
            ("é", "=?base64?w6k=?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ] {
            assert_eq!(encode(text), expect, "{text:?}");
            assert_eq!(decode(expect.as_bytes()).as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn decode_of_invalid_base64_fails() {
        for (value, expect) in [
            ("=?base64?YQ?=", None),
            ("=?base64?Y Q==?=", None),
            ("=?base64?\u{e9}?=", None),
            ("=?base64?", Some("=?base64?")),
            ("YQ==", Some("YQ==")),
        ] {
            let decoded = decode(value.as_bytes());
            assert_eq!(decoded.as_deref(), expect.map(str::as_bytes), "{value}");
        }
    }
}
