//! The parent span of a request (W3C Trace Context).

use std::fmt;

/// The parent span of a request, as carried by `traceparent` (W3C Trace Context, "traceparent Header").
///
/// A tracing program adds one to the [`Extensions`](crate::Extensions) of a request. Outgoing requests of a call can
/// then carry it.
///
/// ```
/// use mcp_server::TraceParent;
///
/// let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// let parent = TraceParent::parse(text).expect("it is one");
/// assert!(parent.is_sampled());
/// assert_eq!(parent.to_string(), text);
/// assert_eq!(TraceParent::parse("00-0-0-01"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceParent {
    trace: u128,
    span: u64,
    flags: u8,
}

impl TraceParent {
    /// Creates the parent from the IDs of a trace and a span. Returns `None` if an ID is 0 and therefore invalid.
    #[must_use]
    pub const fn from_ids(trace: u128, span: u64, is_sampled: bool) -> Option<Self> {
        if trace == 0 || span == 0 {
            None
        } else {
            Some(Self {
                trace,
                span,
                flags: is_sampled as u8,
            })
        }
    }

    /// Parses the value of a `traceparent`. Returns `None` if it is invalid. Fields of later versions are ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '-');
        let mut hex = |length| {
            let part = parts.next().filter(|it| it.len() == length)?;
            let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            part.bytes().all(is_hex).then_some(part)
        };
        let version = u8::from_str_radix(hex(2)?, 16).ok()?;
        let trace = u128::from_str_radix(hex(32)?, 16).ok()?;
        let span = u64::from_str_radix(hex(16)?, 16).ok()?;
        let flags = u8::from_str_radix(hex(2)?, 16).ok()?;
        let has_more = parts.next().is_some();
        match version {
            0xff => None,
            0 if has_more => None,
            _ => Self::from_ids(trace, span, flags & 1 == 1),
        }
    }

    /// Returns the trace ID.
    #[must_use]
    pub const fn trace_id(self) -> u128 {
        self.trace
    }

    /// Returns the span ID.
    #[must_use]
    pub const fn span_id(self) -> u64 {
        self.span
    }

    /// Returns whether the caller records the trace.
    #[must_use]
    pub const fn is_sampled(self) -> bool {
        self.flags & 1 == 1
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, span, flags } = self;
        write!(f, "00-{trace:032x}-{span:016x}-{flags:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::TraceParent;

    #[test]
    fn a_trace_parent_is_what_the_standard_says() {
        const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
        const SPAN: &str = "b7ad6b7169203331";
        for (text, expect) in [
            (format!("00-{TRACE}-{SPAN}-00"), true),
            (format!("00-{TRACE}-{SPAN}-03"), true),
            // A later version.
            (format!("cc-{TRACE}-{SPAN}-01-more-of-it"), true),
            (format!("00-{TRACE}-{SPAN}-01-more"), false),
            (format!("ff-{TRACE}-{SPAN}-01"), false),
            (format!("00-{}-{SPAN}-01", TRACE.to_uppercase()), false),
            (format!("00-{}-{SPAN}-01", "0".repeat(32)), false),
            (format!("00-{TRACE}-{}-01", "0".repeat(16)), false),
            (format!("00-{TRACE}-+7ad6b7169203331-01"), false),
            (format!("00-{TRACE}-{SPAN}"), false),
            (format!("00-{TRACE}-{SPAN}-1"), false),
            (String::new(), false),
        ] {
            assert_eq!(TraceParent::parse(&text).is_some(), expect, "{text}");
        }
    }
}
