//! JSON-RPC 2.0 as MCP uses it: parsing bytes into messages, or into the error to respond with.

pub(crate) mod scanner;

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;

use self::scanner::RequestIdScanner;
use crate::{ErrorObject, Object};

/// The only JSON-RPC version that MCP uses.
const VERSION: &str = "2.0";

/// A request ID: a string or an integer, never null (all revisions, `RequestId`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification allows these two"
)]
pub enum RequestId {
    /// An integer that fits in 64 bits, signed or unsigned. `1.0` and `1e0` are the integer 1, as in the schema of each
    /// revision.
    Integer(i128),
    /// Any string.
    String(String),
}

impl RequestId {
    /// Reads an ID. Returns `None` for null, fractions, floating-point numbers from 2⁵⁰ on, booleans, arrays and
    /// objects.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::String(text.clone())),
            Value::Number(number) => number
                .as_i64()
                .map(i128::from)
                .or_else(|| number.as_u64().map(i128::from))
                .or_else(|| whole(number.as_f64()?))
                .map(Self::Integer),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns the wire form, with the JSON type that was received. An integer that does not fit in 64 bits becomes a
    /// string of its digits.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::String(text) => Value::from(text.as_str()),
            Self::Integer(number) => match i64::try_from(*number) {
                Ok(signed) => Value::from(signed),
                // A peer never sends an integer that does not fit. One that a program created must not become null.
                Err(_) => u64::try_from(*number)
                    .map_or_else(|_| Value::from(number.to_string()), Value::from),
            },
        }
    }
}

macro_rules! ids {
    ($($Ty:ty => $Variant:ident;)+) => { $(
        impl From<$Ty> for RequestId {
            fn from(id: $Ty) -> Self {
                Self::$Variant(id.into())
            }
        }
    )+ };
}

ids! {
    i64 => Integer;
    u64 => Integer;
    String => String;
    &str => String;
}

fn whole(number: f64) -> Option<i128> {
    /// Below this number, `7.0` is read exactly. From here on serde_json may read a different integer unless its
    /// feature `float_roundtrip` is on. The response would then have an ID that the client does not know.
    const EXACT: f64 = 1_125_899_906_842_624.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole, and small enough"
    )]
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i128)
}

/// A request, which expects a response.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "JSON-RPC 2.0 §4 has these members"
)]
pub struct Request {
    /// The ID, which the response repeats.
    pub id: RequestId,
    /// The name of the method.
    pub method: String,
    /// The params. `None` if they are absent or null.
    pub params: Option<Object>,
}

/// A notification, which has no response.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "JSON-RPC 2.0 §4.1 has these members"
)]
pub struct Notification {
    /// The name of the method.
    pub method: String,
    /// The params. `None` if they are absent or null.
    pub params: Option<Object>,
}

/// The peer's response to a request.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "JSON-RPC 2.0 §5 has these members"
)]
pub struct Response {
    /// The ID of the request. `None` if the peer could not read it.
    pub id: Option<RequestId>,
    /// The result, or the error.
    pub outcome: Result<Value, ErrorObject>,
}

/// One JSON-RPC message.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "JSON-RPC 2.0 has these three kinds"
)]
pub enum Message {
    /// A request, which expects a response.
    Request(Request),
    /// A notification, which has no response.
    Notification(Notification),
    /// A response to an earlier request.
    Response(Response),
}

/// A message that is not valid JSON-RPC.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .error.message)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a JSON-RPC 2.0 error response has these members"
)]
pub struct InvalidMessage {
    /// The ID for the error response, if the message has a readable one.
    pub id: Option<RequestId>,
    /// The error for that response.
    pub error: ErrorObject,
}

/// The content of one line or one body.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC 2.0 §6 has these two")]
pub enum MessageOrBatch {
    /// One message.
    Single(Message),
    /// An array of at least one message. Only 2025-03-26 allows it.
    Batch(Vec<Result<Message, InvalidMessage>>),
}

/// Maximum number of messages in a batch. A two-byte item takes about a hundred times its size as a message or an
/// error, so a limit on bytes only would not bound memory.
pub(crate) const MAX_BATCH: usize = 1_000;

/// Maximum number of values in one line or body, counting each field of an object and each item of an array. A two-byte
/// value takes about fifty bytes in memory.
pub(crate) const MAX_VALUES: usize = 100_000;

/// Limits for parsing one line or body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLimits {
    /// Maximum number of messages in a batch.
    pub(crate) batch: usize,
    /// Maximum number of values, counting each field of an object and each item of an array.
    pub(crate) values: usize,
}

impl ReadLimits {
    setters! { const
        /// Sets the maximum number of messages in a batch.
        with_batch(messages: usize) { batch = messages }
        /// Sets the maximum number of values.
        with_values(values: usize) { values = values }
    }
}

impl Default for ReadLimits {
    /// Returns the defaults: 1,000 messages and 100,000 values.
    fn default() -> Self {
        Self {
            batch: MAX_BATCH,
            values: MAX_VALUES,
        }
    }
}

/// Parses one line or body within the default limits.
///
/// ```
/// use mcp_protocol::jsonrpc::{self, MessageOrBatch, Message};
///
/// let line = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
/// let Ok(MessageOrBatch::Single(Message::Request(request))) = jsonrpc::parse(line) else {
///     panic!("this is a request");
/// };
/// assert_eq!(request.method, "ping");
/// assert!(jsonrpc::parse(b"{").is_err());
/// ```
///
/// # Errors
/// Returns an error with the ID of the request, if one can be found. The code is -32700 for bytes that are not UTF-8
/// JSON, for nesting deeper than 128 levels, and for numbers or strings that Rust cannot represent. The code is -32600
/// for JSON that is not a message, an empty batch, more than 1,000 messages, and more than 100,000 values.
pub fn parse(bytes: &[u8]) -> Result<MessageOrBatch, InvalidMessage> {
    parse_with_limits(bytes, ReadLimits::default())
}

/// Parses one line or body within the given limits. A client may accept larger responses than a server accepts
/// requests.
///
/// ```
/// use mcp_protocol::jsonrpc::{ReadLimits, parse_with_limits};
///
/// let line = br#"{"jsonrpc":"2.0","id":1,"result":{"numbers":[1,2,3,4]}}"#;
/// assert!(parse_with_limits(line, ReadLimits::default().with_values(4)).is_err());
/// assert!(parse_with_limits(line, ReadLimits::default().with_values(1_000_000)).is_ok());
/// ```
///
/// # Errors
/// Fails as [`parse`] does.
pub fn parse_with_limits(
    bytes: &[u8],
    limits: ReadLimits,
) -> Result<MessageOrBatch, InvalidMessage> {
    let ReadLimits { batch, values } = limits;
    if has_more_values(bytes, values) {
        let what = format!("a message may contain at most {values} values");
        return Err(invalid(RequestIdScanner::find(bytes), &what));
    }
    let unreadable = |err: serde_json::Error| InvalidMessage {
        id: RequestIdScanner::find(bytes),
        error: ErrorObject::new(crate::error::PARSE_ERROR, format!("Parse error: {err}")),
    };
    if bytes.trim_ascii_start().starts_with(b"{") {
        let envelope = serde_json::from_slice(bytes).map_err(unreadable)?;
        return message(envelope).map(MessageOrBatch::Single);
    }
    match serde_json::from_slice(bytes).map_err(unreadable)? {
        Value::Array(items) if items.is_empty() => Err(invalid(None, "a batch must not be empty")),
        Value::Array(items) if items.len() > batch => {
            let what = format!("a batch may contain at most {batch} messages");
            Err(invalid(None, &what))
        }
        Value::Array(items) => Ok(MessageOrBatch::Batch(items.into_iter().map(item).collect())),
        _ => Err(no_object()),
    }
}

/// Parses one message of a batch.
fn item(value: Value) -> Result<Message, InvalidMessage> {
    message(Envelope::deserialize(value).map_err(|_| no_object())?)
}

/// Counts the characters outside strings that start a value. The bytes need not be JSON.
fn has_more_values(bytes: &[u8], most: usize) -> bool {
    // The shortest value is a digit and a comma.
    if bytes.len() / 2 <= most {
        return false;
    }
    let (mut values, mut in_text, mut escaped) = (0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            // A backslash outside a string is invalid JSON, and the parser reads nothing after it.
            b'\\' => escaped = true,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => (),
        }
        if values > most {
            return true;
        }
    }
    false
}

fn message(mut envelope: Envelope) -> Result<Message, InvalidMessage> {
    // Some servers write null for absent fields. A result may be null.
    envelope.error.take_if(|it| it.is_null());
    let is_response = envelope.result.is_some() || envelope.error.is_some();
    let id = match &envelope.id {
        None => None,
        Some(value) => match RequestId::read(value) {
            Some(id) => Some(id),
            None if envelope.method.is_none() && is_response => None,
            None => return Err(invalid(None, "the id must be a string or an integer")),
        },
    };
    if !envelope.is_version_2 {
        return Err(invalid(id, "jsonrpc must be \"2.0\""));
    }
    let method = match envelope.method {
        Some(Value::String(method)) => method,
        Some(_) => return Err(invalid(id, "the method must be a string")),
        None if is_response => {
            let outcome = match envelope.error {
                Some(error) => Err(ErrorObject::read(&error)),
                None => Ok(envelope.result.unwrap_or_default()),
            };
            return Ok(Message::Response(Response { id, outcome }));
        }
        None => return Err(invalid(id, "the method is missing")),
    };
    let params = match envelope.params {
        None | Some(Value::Null) => None,
        Some(Value::Object(params)) => Some(params),
        Some(_) => return Err(invalid(id, "params must be an object")),
    };
    Ok(match id {
        Some(id) => Message::Request(Request { id, method, params }),
        None => Message::Notification(Notification { method, params }),
    })
}

/// Returns the wire form of a notification.
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

/// Returns the wire form of a request.
#[must_use]
pub fn request(id: &RequestId, method: &str, params: Object) -> String {
    let mut object = Object::new();
    object.insert("jsonrpc".to_owned(), "2.0".into());
    object.insert("id".to_owned(), id.to_value());
    object.insert("method".to_owned(), method.into());
    object.insert("params".to_owned(), Value::Object(params));
    Value::Object(object).to_string()
}

fn no_object() -> InvalidMessage {
    invalid(None, "a message must be an object")
}

fn invalid(id: Option<RequestId>, what: &str) -> InvalidMessage {
    InvalidMessage {
        id,
        error: ErrorObject::invalid_request(what),
    }
}

/// The fields of a message, read before the message type is known and without a tree of the message itself. The last
/// one of repeated fields counts. Unknown ones are read and dropped.
#[derive(Debug, Default)]
struct Envelope {
    /// Whether `jsonrpc` is "2.0".
    is_version_2: bool,
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
}

/// The name of a field.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Unknown,
}

/// The value of `jsonrpc`. A string without escapes is not copied.
#[derive(Deserialize)]
#[serde(untagged)]
enum Version<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Other(IgnoredAny),
}

impl Envelope {
    /// Returns the slot for a field's value. Returns `None` for `jsonrpc` and unknown fields.
    fn place(&mut self, member: &Member) -> Option<&mut Option<Value>> {
        match member {
            Member::Id => Some(&mut self.id),
            Member::Method => Some(&mut self.method),
            Member::Params => Some(&mut self.params),
            Member::Result => Some(&mut self.result),
            Member::Error => Some(&mut self.error),
            Member::Jsonrpc | Member::Unknown => None,
        }
    }
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = Envelope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Envelope, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(member) = members.next_key()? {
            match envelope.place(&member) {
                Some(place) => *place = Some(members.next_value()?),
                None if matches!(member, Member::Jsonrpc) => {
                    let version = members.next_value()?;
                    envelope.is_version_2 = matches!(version, Version::Text(it) if it == VERSION);
                }
                // Read a complete value, so an unrepresentable one is an error anywhere.
                None => drop(members.next_value::<Value>()?),
            }
        }
        Ok(envelope)
    }
}
