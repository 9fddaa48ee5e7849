//! The faults a node can be told to show, and which request meets which.

use std::time::Duration;

/// A failure of the transport or of the answer. Each is a real behavior on the wire.
///
/// A websocket is opened and then shows `StallAfterHeaders` by silence, `TruncateBody` by an end without a word,
/// `NotJson`, `WrongShape` and `HugeBody` by such a message, `PingFlood` by pings; with any other fault it is not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The whole node refuses connections: its port is closed, open connections are cut.
    /// The path pattern and the number of times play no part; [`crate::TestNode::clear_faults`] opens the port again.
    Refuse,
    /// The connection is reset after the request has been read.
    ResetBeforeResponse,
    /// Nothing is answered; the connection stays open until the client closes it.
    StallBeforeHeaders,
    /// Status line and headers are sent, the body never comes.
    StallAfterHeaders,
    /// Half of the announced body is sent, then the connection is closed.
    TruncateBody,
    /// The answer comes in small pieces, for two minutes at most.
    Slow {
        /// Bytes in each piece; 0 counts as 1.
        bytes_per_tick: usize,
        /// Pause before each piece.
        tick: Duration,
    },
    /// Another status, with this body; labeled JSON if it begins with `{` or `[`, else plain text.
    Status(u16, String),
    /// A page of HTML with status 200, as a captive portal sends it.
    NotJson,
    /// Well-formed JSON of another shape: a list of texts for an object, an object for anything else.
    WrongShape,
    /// Well-formed JSON, with this text after each string that is the value of a member of this name, or of each member
    /// and item without one; what is not JSON has the text at its end.
    Inject {
        /// The name of the members.
        member: Option<String>,
        /// What follows each.
        text: String,
    },
    /// 64 MiB of well-formed JSON, announced by `Content-Length`.
    HugeBody,
    /// A chunked body without end.
    EndlessBody,
    /// Status 302 to this location.
    Redirect(String),
    /// `Content-Length` says half of what is sent: the client sees half an answer, and rubbish after it.
    WrongLength,
    /// A websocket sends pings one after another, and reads no answer to them. Everything else is answered as ever.
    PingFlood,
}

impl Fault {
    /// Whether a websocket with this fault is opened first.
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
    /// Adds a fault for all requests, or for the next `times`, whose path matches `pattern`.
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

    /// The fault a request for `path` meets, counted down.
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

/// Whether a path fits; `*` stands for one or more segments.
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
