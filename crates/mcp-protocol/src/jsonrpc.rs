//! JSON-RPC 2.0 as MCP uses it: from bytes to messages, and what is wrong with those that are none.

use serde_json::Value;

use crate::{Object, error::ErrorObject};

/// The id of a request: a string or an integer, never null (all revisions, `RequestId`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RequestId {
    /// Any integer that fits 64 bits, signed or not.
    Integer(i128),
    /// Any string.
    String(String),
}

impl RequestId {
    /// Reads an id; `None` for null, fractions, booleans, arrays and objects.
    #[must_use]
    pub fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::String(text.clone())),
            Value::Number(number) => number
                .as_i64()
                .map(i128::from)
                .or_else(|| number.as_u64().map(i128::from))
                .map(Self::Integer),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The wire form, of the same JSON type as it came.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::String(text) => Value::from(text.as_str()),
            Self::Integer(number) => match i64::try_from(*number) {
                Ok(signed) => Value::from(signed),
                Err(_) => u64::try_from(*number).map_or(Value::Null, Value::from),
            },
        }
    }
}

/// A call that wants an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// To be repeated in the response.
    pub id: RequestId,
    /// The method's name.
    pub method: String,
    /// The params; an absent or null member is `None`.
    pub params: Option<Object>,
}

/// A message that is never answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    /// The method's name.
    pub method: String,
    /// The params; an absent or null member is `None`.
    pub params: Option<Object>,
}

/// The answer of the peer to a request of ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// The id of our request; `None` when it was unreadable.
    pub id: Option<RequestId>,
    /// What it came to.
    pub outcome: Result<Value, ErrorObject>,
}

/// One JSON-RPC message.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Wants an answer.
    Request(Request),
    /// Wants none.
    Notification(Notification),
    /// Answers a request of ours.
    Response(Response),
}

/// A message that cannot be acted upon.
#[derive(Debug, Clone, PartialEq)]
pub struct Invalid {
    /// The id to answer with, where it could be read.
    pub id: Option<RequestId>,
    /// What to answer.
    pub error: ErrorObject,
}

/// What one line or one body holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// One message.
    Single(Message),
    /// An array of at least one, which only 2025-03-26 allows.
    Batch(Vec<Result<Message, Invalid>>),
}

/// The most messages in a batch. An item of two bytes takes a hundred times that once it is a message or
/// an error, so that a body within all limits would not be.
pub const BATCH: usize = 1_000;

/// The most values in one line or one body, each member of an object and item of an array counted: one of
/// two bytes takes some fifty once it has been read.
pub const VALUES: usize = 100_000;

/// Reads one line or one body.
///
/// Bytes that are not UTF-8 JSON, or nest deeper than 128 levels, are a parse error (-32700);
/// JSON that is no message, a batch of none or of more than [`BATCH`], and more than [`VALUES`] values are an
/// invalid request (-32600) with the id where it was readable.
pub fn parse(bytes: &[u8]) -> Result<Incoming, Invalid> {
    if has_too_many_values(bytes) {
        let what = format!("a message may hold {VALUES} values");
        return Err(invalid(None, &what));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|err| Invalid {
        id: None,
        error: ErrorObject::new(crate::error::PARSE_ERROR, format!("Parse error: {err}")),
    })?;
    match value {
        Value::Array(items) if items.is_empty() => Err(invalid(None, "a batch must not be empty")),
        Value::Array(items) if items.len() > BATCH => {
            let what = format!("a batch may hold {BATCH} messages");
            Err(invalid(None, &what))
        }
        Value::Array(items) => Ok(Incoming::Batch(items.into_iter().map(message).collect())),
        other => message(other).map(Incoming::Single),
    }
}

/// Counts what begins a value outside of texts; whether it is JSON at all is not asked yet.
fn has_too_many_values(bytes: &[u8]) -> bool {
    // The shortest value is a digit and a comma.
    if bytes.len() / 2 <= VALUES {
        return false;
    }
    let (mut values, mut in_text, mut escaped) = (0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => (),
        }
        if values > VALUES {
            return true;
        }
    }
    false
}

fn message(value: Value) -> Result<Message, Invalid> {
    let Value::Object(mut object) = value else {
        return Err(invalid(None, "a message must be an object"));
    };
    let id = match object.get("id") {
        None => None,
        Some(value) => match RequestId::from_value(value) {
            Some(id) => Some(id),
            None if !object.contains_key("method") && is_response(&object) => None,
            None => return Err(invalid(None, "the id must be a string or an integer")),
        },
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid(id, "jsonrpc must be \"2.0\""));
    }
    let method = match object.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return Err(invalid(id, "the method must be a string")),
        None if is_response(&object) => {
            let outcome = match object.remove("error") {
                Some(error) => Err(ErrorObject::from_value(&error)),
                None => Ok(object.remove("result").unwrap_or_default()),
            };
            return Ok(Message::Response(Response { id, outcome }));
        }
        None => return Err(invalid(id, "the method is missing")),
    };
    let params = match object.remove("params") {
        None | Some(Value::Null) => None,
        Some(Value::Object(params)) => Some(params),
        Some(_) => return Err(invalid(id, "params must be an object")),
    };
    Ok(match id {
        Some(id) => Message::Request(Request { id, method, params }),
        None => Message::Notification(Notification { method, params }),
    })
}

/// The wire form of a notification.
#[must_use]
pub fn notification(method: &str, params: Object) -> String {
    let mut object = Object::new();
    object.insert("jsonrpc".to_owned(), "2.0".into());
    object.insert("method".to_owned(), method.into());
    if !params.is_empty() {
        object.insert("params".to_owned(), Value::Object(params));
    }
    Value::Object(object).to_string()
}

/// The wire form of a request.
#[must_use]
pub fn request(id: &RequestId, method: &str, params: Object) -> String {
    let mut object = Object::new();
    object.insert("jsonrpc".to_owned(), "2.0".into());
    object.insert("id".to_owned(), id.to_value());
    object.insert("method".to_owned(), method.into());
    object.insert("params".to_owned(), Value::Object(params));
    Value::Object(object).to_string()
}

fn is_response(object: &Object) -> bool {
    object.contains_key("result") || object.contains_key("error")
}

fn invalid(id: Option<RequestId>, what: &str) -> Invalid {
    Invalid {
        id,
        error: ErrorObject::invalid_request(what),
    }
}
