//! A response on its way out.

use bytes::Bytes;
use mcp_protocol::{ErrorObject, RequestId};
use serde_json::Value;

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
        let mut head = Vec::with_capacity(64);
        head.extend_from_slice(br#"{"jsonrpc":"2.0","#);
        if let Some(id) = &self.id {
            head.extend_from_slice(br#""id":"#);
            write_id(&mut head, id);
            head.push(b',');
        }
        let body = match self.reply {
            Reply::Result(result) => {
                head.extend_from_slice(br#""result":"#);
                result
            }
            Reply::Error(error) => {
                head.extend_from_slice(br#""error":"#);
                Bytes::from(error.to_value().to_string())
            }
        };
        [Bytes::from(head), body, Bytes::from_static(b"}")]
    }

    /// The wire form of several responses: one JSON array.
    #[must_use]
    pub fn batch(responses: impl IntoIterator<Item = Self>) -> Bytes {
        let mut out = vec![b'['];
        for (n, response) in responses.into_iter().enumerate() {
            if n > 0 {
                out.push(b',');
            }
            for segment in response.into_segments() {
                out.extend_from_slice(&segment);
            }
        }
        out.push(b']');
        Bytes::from(out)
    }

    /// The wire form in one piece.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.clone().into_segments().concat()
    }
}

fn write_id(out: &mut Vec<u8>, id: &RequestId) {
    match id {
        RequestId::Integer(number) => out.extend_from_slice(number.to_string().as_bytes()),
        RequestId::String(text) => {
            out.extend_from_slice(Value::from(text.as_str()).to_string().as_bytes());
        }
    }
}
