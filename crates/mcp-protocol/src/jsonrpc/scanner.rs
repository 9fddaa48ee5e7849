//! The ID of an unparsable request, whose client still expects a response.

use serde_json::Value;

use super::RequestId;

/// Maximum bytes kept of a field's name or value. A longer ID is not found.
const TOKEN_BYTES: usize = 1_024;

/// A scanner that finds the ID of a request in bytes that need not be JSON, in chunks of any size.
///
/// The ID is the value of `"id"` in the first object, provided that the object also has a `"method"`. Without a method,
/// the message is a response, and its ID belongs to one of our own requests.
#[derive(Debug, Default)]
pub struct RequestIdScanner {
    /// The number of open objects and arrays.
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// The field's name, then its value, without nested objects and arrays.
    token: Vec<u8>,
    member: Option<Member>,
    id: Option<RequestId>,
    has_method: bool,
    /// Whether the first object has ended, or there is none.
    is_done: bool,
}

#[derive(Debug, Clone, Copy)]
enum Member {
    Id,
    Method,
    Other,
}

impl RequestIdScanner {
    /// Creates a scanner at the start of a message.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the ID in a single chunk of bytes.
    #[must_use]
    pub fn find(bytes: &[u8]) -> Option<RequestId> {
        let mut scanner = Self::new();
        scanner.feed(bytes);
        scanner.id()
    }

    /// Scans the next bytes of the message.
    pub fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.is_done {
                return;
            }
            self.take(byte);
        }
    }

    /// Returns the ID, if the bytes so far contain one.
    #[must_use]
    pub fn id(self) -> Option<RequestId> {
        self.id.filter(|_| self.has_method)
    }

    fn take(&mut self, byte: u8) {
        if self.in_text {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ => (),
            }
            self.keep(byte);
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                self.keep(byte);
            }
            b'[' if self.depth == 0 => self.is_done = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                    self.is_done = true;
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.member = Some(match self.value().as_ref().and_then(Value::as_str) {
                    Some("id") => Member::Id,
                    Some("method") => Member::Method,
                    Some(_) | None => Member::Other,
                });
                self.token.clear();
            }
            b',' if self.depth == 1 => self.end_member(),
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < TOKEN_BYTES {
            self.token.push(byte);
        }
    }

    fn end_member(&mut self) {
        match self.member.take() {
            // The last one counts, as in JSON parsers.
            Some(Member::Id) => self.id = self.value().as_ref().and_then(RequestId::read),
            Some(Member::Method) => self.has_method = true,
            Some(Member::Other) | None => (),
        }
        self.token.clear();
    }

    fn value(&self) -> Option<Value> {
        serde_json::from_slice(&self.token).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: impl AsRef<[u8]>, expect: Option<RequestId>) {
        let bytes = text.as_ref();
        let shown = bytes.escape_ascii();
        assert_eq!(RequestIdScanner::find(bytes), expect, "{shown}");
        let mut in_pieces = RequestIdScanner::new();
        bytes.chunks(1).for_each(|it| in_pieces.feed(it));
        assert_eq!(in_pieces.id(), expect, "{shown}");
    }

    #[test]
    fn r020_the_id_of_an_unreadable_request_is_found() {
        let seven = || Some(RequestId::Integer(7));
        for params in [
            r#""\ud83d""#,
            "1e999",
            "NaN",
            "[1,]",
            r#"{"a": "}],{\"id\":8"}"#,
            r#"{"id": 8, "method": "y"}"#,
            "\"raw\ttab\"",
            "01",
            "",
        ] {
            check(
                format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{params}}}"#),
                seven(),
            );
            check(
                format!(r#"{{"method":"x","params":{params}, "id" : 7 }}"#),
                seven(),
            );
            check(
                format!("\u{feff}{{\"method\":\"x\",\"id\":7,\"params\":{params}"),
                seven(),
            );
        }
        check(b"{\"id\":7,\"method\":\"x\",\"params\":\"\xff\"}", seven());
        check(r#"{"\u0069d":7.0,"method":"x"} and more"#, seven());
        check(r#"{"id":6,"method":"x","id":7,}"#, seven());
        let text = RequestId::String("a\"}".to_owned());
        check(r#"{"id":"a\"}","method":"x","params":1e999}"#, Some(text));
    }

    #[test]
    fn what_is_no_request_has_no_id() {
        for text in [
            "",
            "{",
            "nonsense",
            r#"{"id":7}"#,
            r#"{"id":7,"result":1e999}"#,
            r#"{"id":7,"method":"x""#.trim_end_matches("thod\":\"x\""),
            r#"{"method":"x","id":7"#,
            r#"{"method":"x","id":null}"#,
            r#"{"method":"x","id":{"id":7}}"#,
            r#"{"method":"x","id":[7]}"#,
            r#"{"method":"x","params":{"id":7}}"#,
            r#"[{"method":"x","id":7}]"#,
            r#"["method":"x","id":7]"#,
            r#"{"id":6,"method":"x","id":{"a":7}}"#,
            r#"{"method":"x","id":"\ud83d"}"#,
        ] {
            check(text, None);
        }
        // With its quotes.
        let longest = "x".repeat(TOKEN_BYTES - 2);
        let of = |id: &str| format!(r#"{{"method":"x","id":"{id}"}}"#);
        check(of(&longest), Some(RequestId::String(longest.clone())));
        check(of(&format!("{longest}x")), None);
    }
}
