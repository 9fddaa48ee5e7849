//! A JSON-RPC response and its serialization.

use std::ops::Deref;

use bytes::{BufMut, Bytes};
use mcp_protocol::{ErrorObject, RequestId};
use serde_json::Value;

use crate::dispatch::RequestOutcome;

/// Capacity for the text before the result, with an ID as most clients send it.
const HEAD_BYTES: usize = 64;
const END: &[u8] = b"}";

/// The response to one request, or to unparsable input.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Response {
    /// The request ID, or `None` if it could not be parsed.
    pub id: Option<RequestId>,
    /// The result or the error.
    pub reply: ResponsePayload,
}

/// The result or error of a response.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON-RPC has these two and no others"
)]
pub enum ResponsePayload {
    /// The serialized `result` field.
    Result(ResultBytes),
    /// The `error` field.
    Error(ErrorObject),
}

/// The reply to a request, and its outcome for observers.
pub(crate) struct Replied {
    pub(crate) reply: ResponsePayload,
    pub(crate) outcome: RequestOutcome,
}

impl From<ResponsePayload> for Replied {
    fn from(reply: ResponsePayload) -> Self {
        Self {
            reply,
            outcome: RequestOutcome::Result,
        }
    }
}

/// A serialized `result`, followed by the closing brace of its response. A large result and the brace are thus written
/// together, and a transport does not send a packet of one byte.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultBytes(Bytes);

impl ResultBytes {
    /// Replaces the bytes with the ones that `change` returns.
    pub(crate) fn map(self, change: impl FnOnce(Bytes) -> Bytes) -> Self {
        Self(change(self.0))
    }
}

impl From<Vec<u8>> for ResultBytes {
    fn from(mut result: Vec<u8>) -> Self {
        result.reserve_exact(END.len());
        result.extend_from_slice(END);
        Self(Bytes::from(result))
    }
}

impl From<String> for ResultBytes {
    fn from(result: String) -> Self {
        Self::from(result.into_bytes())
    }
}

/// Dereferences to the `result`, without the closing brace.
impl Deref for ResultBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.strip_suffix(END).unwrap_or_default()
    }
}

impl Response {
    /// Creates a response with this serialized `result`.
    #[must_use]
    pub fn result(id: RequestId, result: impl Into<ResultBytes>) -> Self {
        Self {
            id: Some(id),
            reply: ResponsePayload::Result(result.into()),
        }
    }

    /// Creates an error response.
    #[must_use]
    pub fn error(id: Option<RequestId>, error: ErrorObject) -> Self {
        Self {
            id,
            reply: ResponsePayload::Error(error),
        }
    }

    /// Serializes the response as two segments, to be written one after the other. A large result is not copied. An
    /// unparsable ID is omitted, because `"id":null` is valid in no revision.
    #[must_use]
    pub fn into_segments(self) -> [Bytes; 2] {
        let mut head = Vec::with_capacity(HEAD_BYTES);
        self.write_head(&mut head);
        let ResultBytes(body) = match self.reply {
            ResponsePayload::Result(result) => result,
            ResponsePayload::Error(error) => error.to_value().to_string().into(),
        };
        [Bytes::from(head), body]
    }

    /// Appends the serialized response to a buffer.
    pub fn write_to(&self, out: &mut impl BufMut) {
        self.write_head(out);
        match &self.reply {
            ResponsePayload::Result(ResultBytes(closed)) => out.put_slice(closed),
            ResponsePayload::Error(error) => {
                out.put_slice(error.to_value().to_string().as_bytes());
                out.put_slice(END);
            }
        }
    }

    /// Returns the approximate length of the serialized response. The length of IDs and errors is estimated.
    #[must_use]
    pub fn expected_len(&self) -> usize {
        match &self.reply {
            ResponsePayload::Result(result) => HEAD_BYTES + result.len(),
            ResponsePayload::Error(error) => HEAD_BYTES + error.message.len(),
        }
    }

    /// Writes everything before the result or the error.
    fn write_head(&self, out: &mut impl BufMut) {
        out.put_slice(br#"{"jsonrpc":"2.0","#);
        if let Some(id) = &self.id {
            out.put_slice(br#""id":"#);
            write_id(out, id);
            out.put_u8(b',');
        }
        out.put_slice(match &self.reply {
            ResponsePayload::Result(_) => br#""result":"#.as_slice(),
            ResponsePayload::Error(_) => br#""error":"#.as_slice(),
        });
    }

    /// Serializes several responses as one JSON array.
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

    /// Serializes the response as one byte vector.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.expected_len());
        self.write_to(&mut out);
        out
    }
}

/// Returns the message for a result that exceeds the limit.
pub(crate) fn too_large(size: usize, most: usize) -> String {
    format!("The result has {size} bytes, and this server sends at most {most}. Ask for less.")
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
