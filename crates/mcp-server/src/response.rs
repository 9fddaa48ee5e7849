//! A response on its way out.

use bytes::{BufMut, Bytes};
use mcp_protocol::{ErrorObject, RequestId};
use serde_json::Value;

/// Room for what comes before the result, with an id as most clients send it.
const HEAD_BYTES: usize = 64;
const END: &[u8] = b"}";

/// The answer to one request, or to input that could not be read as one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Response {
    /// The request's id; `None` only where it could not be read.
    pub id: Option<RequestId>,
    /// Result or error.
    pub reply: Reply,
}

/// The result or error of a response.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON-RPC has these two and no others"
)]
pub enum Reply {
    /// The serialized `result` member.
    Result(Bytes),
    /// The `error` member.
    Error(ErrorObject),
}

impl Response {
    /// A response with this serialized `result`.
    #[must_use]
    pub const fn result(id: RequestId, result: Bytes) -> Self {
        Self {
            id: Some(id),
            reply: Reply::Result(result),
        }
    }

    /// An error response.
    #[must_use]
    pub fn error(id: Option<RequestId>, error: ErrorObject) -> Self {
        Self {
            id,
            reply: Reply::Error(error),
        }
    }

    /// The wire form in three pieces to be written one after the other: a large result is not copied.
    /// An unreadable id is left out: `"id":null` is valid in no revision.
    #[must_use]
    pub fn into_segments(self) -> [Bytes; 3] {
        let mut head = Vec::with_capacity(HEAD_BYTES);
        self.write_head(&mut head);
        let body = match self.reply {
            Reply::Result(result) => result,
            Reply::Error(error) => Bytes::from(error.to_value().to_string()),
        };
        [Bytes::from(head), body, Bytes::from_static(END)]
    }

    /// Appends the wire form.
    pub fn write_to(&self, out: &mut impl BufMut) {
        self.write_head(out);
        match &self.reply {
            Reply::Result(result) => out.put_slice(result),
            Reply::Error(error) => out.put_slice(error.to_value().to_string().as_bytes()),
        }
        out.put_slice(END);
    }

    /// About the length of the wire form; that of errors and of ids is a guess.
    #[must_use]
    pub fn expected_len(&self) -> usize {
        match &self.reply {
            Reply::Result(result) => HEAD_BYTES + result.len(),
            Reply::Error(error) => HEAD_BYTES + error.message.len(),
        }
    }

    /// Everything before the result or the error.
    fn write_head(&self, out: &mut impl BufMut) {
        out.put_slice(br#"{"jsonrpc":"2.0","#);
        if let Some(id) = &self.id {
            out.put_slice(br#""id":"#);
            write_id(out, id);
            out.put_u8(b',');
        }
        out.put_slice(match &self.reply {
            Reply::Result(_) => br#""result":"#.as_slice(),
            Reply::Error(_) => br#""error":"#.as_slice(),
        });
    }

    /// The wire form of several responses: one JSON array.
    #[must_use]
    pub fn batch(responses: impl IntoIterator<Item = Self>) -> Bytes {
        let mut out = vec![b'['];
        for (n, response) in responses.into_iter().enumerate() {
            if n > 0 {
                out.push(b',');
            }
            response.write_to(&mut out);
        }
        out.push(b']');
        Bytes::from(out)
    }

    /// The wire form in one piece.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.expected_len());
        self.write_to(&mut out);
        out
    }
}

fn write_id(out: &mut impl BufMut, id: &RequestId) {
    let text = match id {
        RequestId::Integer(number) => match i64::try_from(*number) {
            Ok(number) => number.to_string(),
            Err(_) => number.to_string(),
        },
        RequestId::String(text) => Value::from(text.as_str()).to_string(),
    };
    out.put_slice(text.as_bytes());
}
