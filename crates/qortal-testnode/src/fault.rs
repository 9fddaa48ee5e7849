//! Faults of a simulated node, and the requests they apply to.

use std::time::Duration;

/// A failure of the transport or of the response. Each is a real behavior on the wire.
///
/// A websocket opens first for some faults. It then stays silent (`StallAfterHeaders`), ends without a close frame (`TruncateBody`), sends
/// an invalid message (`NotJson`, `WrongShape`, `HugeBody`) or sends pings (`PingFlood`). With any other fault it does not open.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The entire node refuses connections: its port and its open connections are closed. The path pattern and the number of times
    /// have no effect. [`crate::TestNode::clear_faults`] reopens the port.
    Refuse,
    /// The connection is reset after the request has been read.
    ResetBeforeResponse,
    /// No response is sent. The connection stays open until the client closes it.
    StallBeforeHeaders,
    /// Status line and headers are sent, but no body.
    StallAfterHeaders,
    /// Half of the declared body is sent, then the connection is closed.
    TruncateBody,
    /// The response is sent in small pieces, for at most two minutes.
    Slow {
        /// Number of bytes per piece. 0 counts as 1.
        bytes_per_tick: usize,
        /// Delay before each piece.
        tick: Duration,
    },
    /// A status with this body. The content type is JSON if the body begins with `{` or `[`, or else plain text.
    Status(u16, String),
    /// An HTML page with status 200, as sent by a captive portal.
    NotJson,
    /// Well-formed JSON of another shape: a list of strings instead of an object, an object instead of any other value.
    WrongShape,
    /// Well-formed JSON with a text appended to strings: to the value of each field with this name, or to every field and item if no name
    /// is given. The text is appended to a body that is not JSON.
    Inject {
        /// Name of the fields.
        member: Option<String>,
        /// Text to append.
        text: String,
    },
    /// 64 MiB of well-formed JSON, declared by `Content-Length`.
    HugeBody,
    /// A chunked body without end.
    EndlessBody,
    /// Status 302 with this location.
    Redirect(String),
    /// `Content-Length` is half the actual length: the client receives half a response, followed by garbage.
    WrongLength,
    /// A websocket sends pings continuously and reads no pongs. Other requests are answered normally.
    PingFlood,
}

impl Fault {
    /// Returns `true` if a websocket with this fault opens first.
    pub(crate) const fn shows_on_sockets(&self) -> bool {
        matches!(
            self,
            Self::StallAfterHeaders
                | Self::TruncateBody
                | Self::NotJson
                | Self::WrongShape
                | Self::HugeBody
                | Self::PingFlood
        )
    }
}

/// The faults of a node, newest first.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    pattern: Vec<String>,
    fault: Fault,
    remaining: Option<usize>,
}

impl Faults {
    /// Adds a fault for all requests whose path matches `pattern`, or for the next `times` of them.
    pub(crate) fn add(&mut self, pattern: &str, fault: Fault, times: Option<usize>) {
        let pattern = segments(pattern).map(str::to_owned).collect();
        let rule = Rule {
            pattern,
            fault,
            remaining: times,
        };
        self.rules.insert(0, rule);
    }

    pub(crate) fn clear(&mut self) {
        self.rules.clear();
    }

    /// Returns the fault for a request to `path`, and counts it.
    pub(crate) fn take(&mut self, path: &str) -> Option<Fault> {
        let path: Vec<&str> = segments(path).collect();
        let index = self
            .rules
            .iter()
            .position(|rule| rule.remaining != Some(0) && matches(&rule.pattern, &path))?;
        let rule = self.rules.get_mut(index)?;
        rule.remaining = rule.remaining.map(|remaining| remaining - 1);
        Some(rule.fault.clone())
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// Returns `true` if a path matches. `*` matches one or more segments.
fn matches(pattern: &[String], path: &[&str]) -> bool {
    match (pattern.split_first(), path) {
        (None, _) => path.is_empty(),
        (Some(_), []) => false,
        (Some((star, rest)), [_, more @ ..]) if star == "*" => {
            matches(rest, more) || matches(pattern, more)
        }
        (Some((expected, rest)), [found, more @ ..]) => expected == found && matches(rest, more),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Faults};

    #[test]
    fn a_star_stands_for_one_or_more_segments() {
        let table = [
            ("/names/*", "/names/chloe", true),
            ("/names/*", "/names/address/Q", true),
            ("/names/*", "/names", false),
            ("/*/search", "/arbitrary/resources/search", true),
            ("/*/search", "/search", false),
            ("*", "/blocks/height", true),
            (
                "/blocks/*/transactions",
                "/blocks/signature/abc/transactions",
                true,
            ),
            ("/blocks/*/transactions", "/blocks/signature/abc", false),
            ("/blocks/height", "/blocks/height/", true),
        ];
        for (pattern, path, expected) in table {
            let mut faults = Faults::default();
            faults.add(pattern, Fault::NotJson, None);
            assert_eq!(faults.take(path).is_some(), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn the_newest_fault_is_met_first_and_counted_down() {
        let mut faults = Faults::default();
        faults.add("/names/*", Fault::NotJson, None);
        faults.add("/names/*", Fault::WrongShape, Some(2));
        let met: Vec<_> = (0..3).map(|_| faults.take("/names/chloe")).collect();
        assert_eq!(
            met,
            [
                Some(Fault::WrongShape),
                Some(Fault::WrongShape),
                Some(Fault::NotJson)
            ]
        );
    }
}
