//! Conversion of an endpoint's result to an HTTP response, with the content negotiation of the Core's JAX-RS stack.

use bytes::Bytes;
use serde_json::Value;

use crate::{error::Refusal, json, page, request::Request};

/// The result of an endpoint, by the Java type that determines the content type.
#[derive(Debug)]
pub(crate) enum Body {
    /// An object or a list.
    Json(Value),
    /// Serialized JSON, for numbers that do not fit a machine type.
    JsonText(String),
    /// A `String`, sent with any content type.
    Text(String),
    /// A `long`, `int` or `boolean`, which has no JSON writer.
    Scalar(String),
    /// A `BigDecimal`, in the format of `toString()`.
    Decimal(String),
    /// Bytes with a fixed content type.
    Bytes {
        content_type: &'static str,
        bytes: Bytes,
    },
    /// A null object, sent as status 204.
    Nothing,
    /// A complete response of the endpoint.
    Whole(Answer),
}

/// An HTTP response, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Bytes,
    pub(crate) framing: Framing,
    /// Whether the connection is closed afterwards, as the container does for the most severe errors.
    pub(crate) close: bool,
    /// Number of rows read for the response.
    pub(crate) rows_read: usize,
}

/// The framing of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// By its length if it fits the container's buffer, otherwise chunked.
    Buffered,
    /// By its length, regardless of its size.
    Length,
    /// Chunked.
    Chunked,
    /// By this length, regardless of the body. The connection is closed afterwards.
    Announced(usize),
    /// No response is sent.
    Silent,
}

/// Number of bytes that the container buffers before it starts to send.
const BUFFER: usize = 8 * 1024;

impl Answer {
    /// Returns `true` if the body is sent in chunks.
    pub(crate) fn is_chunked(&self) -> bool {
        match self.framing {
            Framing::Buffered => self.body.len() > BUFFER,
            Framing::Chunked => true,
            Framing::Length | Framing::Announced(_) | Framing::Silent => false,
        }
    }

    pub(crate) fn with_framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    pub(crate) fn new(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            content_type: Some(content_type.to_owned()),
            headers: Vec::new(),
            body: body.into(),
            framing: Framing::Buffered,
            close: false,
            rows_read: 0,
        }
    }

    /// Creates a response without a body or a content type.
    pub(crate) fn empty(status: u16) -> Self {
        Self {
            content_type: None,
            ..Self::new(status, "", Bytes::new())
        }
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

pub(crate) const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// Returns the response to `request` for its endpoint's result.
pub(crate) fn render(request: &Request, outcome: Result<Body, Refusal>) -> Answer {
    match outcome {
        Ok(Body::Whole(answer)) => answer,
        Ok(Body::Nothing) => Answer::empty(204),
        Ok(Body::Bytes {
            content_type,
            bytes,
        }) => Answer::new(200, content_type, bytes),
        Ok(Body::Json(value)) => json_answer(request, || json::to_text(&value)),
        Ok(Body::JsonText(text)) => json_answer(request, || text),
        Ok(Body::Text(text)) => Answer::new(200, &text_label(request), text),
        Ok(Body::Scalar(text)) => match first(request, &[TEXT]) {
            Some(_) => Answer::new(200, TEXT, text),
            None => page::answer(request, 500),
        },
        Ok(Body::Decimal(text)) => match first(request, &[TEXT, JSON]) {
            Some(JSON) => Answer::new(200, JSON, format!("{{\"value\":{text}}}")),
            Some(_) => Answer::new(200, TEXT, text),
            None => page::answer(request, 500),
        },
        Err(Refusal::Api(error)) => {
            let message = error.message(request.wants_german());
            Answer::new(error.status, JSON, json::error_text(error.code, message))
        }
        Err(Refusal::Explained(error, message)) => {
            Answer::new(error.status, JSON, json::error_text(error.code, &message))
        }
        Err(Refusal::BadParameter(name)) => Answer::new(
            400,
            &text_label(request),
            format!("Bad parameter \"{name}\""),
        ),
        Err(Refusal::Page(status)) => page::answer(request, status),
        Err(Refusal::Silence) => Answer::empty(500).with_framing(Framing::Silent),
    }
}

fn json_answer(request: &Request, text: impl FnOnce() -> String) -> Answer {
    match first(request, &[JSON]) {
        Some(_) => Answer::new(200, JSON, text()),
        None => page::answer(request, 500),
    }
}

/// Returns the content type of an unquoted string: the client's first choice.
fn text_label(request: &Request) -> String {
    let accepted = accepted(request);
    match accepted.first() {
        Some(range) if !range.contains('*') => range.clone(),
        _ => TEXT.to_owned(),
    }
}

/// Returns the first of the `offered` media types in the client's order. A wildcard selects the first one of its kind.
pub(crate) fn first(request: &Request, offered: &[&'static str]) -> Option<&'static str> {
    accepted(request).iter().find_map(|range| {
        let fits = |media_type: &&&'static str| match range.strip_suffix("/*") {
            Some("*") => true,
            Some(kind) => media_type.split('/').next() == Some(kind),
            None => range == **media_type,
        };
        offered.iter().find(fits).copied()
    })
}

/// Returns the media ranges of the `Accept` header by descending weight.
fn accepted(request: &Request) -> Vec<String> {
    let header = request.header("accept");
    let header = header.filter(|header| !header.trim().is_empty());
    let ranges = header.unwrap_or("*/*").split(',').map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
        (media_type, weight.unwrap_or(1.0))
    });
    let mut ranges: Vec<(String, f32)> = ranges.collect();
    ranges.sort_by(|left, right| right.1.total_cmp(&left.1));
    let by_weight = ranges.into_iter();
    by_weight.map(|(media_type, _)| media_type).collect()
}
