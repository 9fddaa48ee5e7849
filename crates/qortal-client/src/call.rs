//! One request to a node: a validated and encoded endpoint with its arguments.

use std::{
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use hyper::header::HeaderValue;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use qortal_types::{Blockchain, Service};
use serde::Serialize;

use crate::{Access, Endpoint, NodeError, NodeErrorKind, options::options};

/// Unreserved characters (RFC 3986) are not encoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The Core answers 414 when request line and headers exceed 8 KiB.
const MAX_TARGET_BYTES: usize = 7_000;

/// The Core's limits and offsets are signed 32-bit numbers.
const MAX_PAGE_NUMBER: u32 = i32::MAX.cast_unsigned();

/// The problem with a blockchain outside the list.
pub(crate) const UNKNOWN_BLOCKCHAIN: &str = "is not a known blockchain";

options! {
    /// A page of a list.
    ///
    /// A limit is always sent, because the Core returns everything without one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct PageRequest {
        /// The maximum number of elements. 0 is rejected, because the Core treats it as "all".
        limit: u32 => with_limit,
        /// The number of elements to skip.
        offset: u32 => with_offset,
        /// Whether to reverse the list. The page is taken from the reversed list.
        reverse: bool => with_reverse,
    }
}

impl PageRequest {
    /// Returns a page of the first `limit` elements.
    #[must_use]
    pub const fn first(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            reverse: false,
        }
    }

    /// Returns a page of the last `limit` elements, starting with the last one.
    #[must_use]
    pub const fn last(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            reverse: true,
        }
    }

    /// Returns the next page.
    #[must_use]
    pub const fn next(self) -> Self {
        Self {
            offset: self.offset.saturating_add(self.limit),
            ..self
        }
    }
}

/// An endpoint with its arguments. The first argument that cannot be sent is remembered until the call is made.
#[derive(Debug)]
pub(crate) struct Call {
    endpoint: Endpoint,
    /// The rest of the template.
    template: std::str::Split<'static, char>,
    /// Path and query so far, encoded.
    target: String,
    has_query: bool,
    /// JSON, of a POST request.
    body: Option<String>,
    up_to: Option<usize>,
    problem: Option<(&'static str, &'static str)>,
}

/// A valid call.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) endpoint: Endpoint,
    /// Which nodes may answer; never more than the endpoint allows.
    pub(crate) access: Access,
    /// Path and query, encoded.
    pub(crate) target: Arc<str>,
    pub(crate) body: Option<String>,
    /// The number of bytes of the answer to read; all if `None`.
    pub(crate) up_to: Option<usize>,
    /// The trace that it is part of, which the configured node is told.
    pub(crate) trace_parent: Option<HeaderValue>,
}

/// The identity of a request: path, query and body, how much of the answer to read, and which nodes may answer.
pub(crate) type RequestKey = (Arc<str>, Option<usize>, Access);

impl Request {
    /// Creates a request without arguments.
    pub(crate) fn plain(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            access: endpoint.access(),
            target: endpoint.template().into(),
            body: None,
            up_to: None,
            trace_parent: None,
        }
    }

    pub(crate) fn key(&self) -> RequestKey {
        let asked = match &self.body {
            None => Arc::clone(&self.target),
            // No target has a blank.
            Some(body) => format!("{} {body}", self.target).into(),
        };
        (asked, self.up_to, self.access)
    }

    /// Whether an answer of a trusted node may be given to others who ask the same soon: not what only an owner is told, and not
    /// the time, which is wrong a moment later.
    pub(crate) fn is_cacheable(&self) -> bool {
        !self.endpoint.access().needs_key() && self.endpoint != Endpoint::NodeTime
    }
}

impl Call {
    pub(crate) fn to(endpoint: Endpoint) -> Self {
        let mut template = endpoint.template().split('/');
        // Templates begin with a slash, so the first piece is empty.
        template.next();
        Self {
            endpoint,
            template,
            target: String::new(),
            has_query: false,
            body: None,
            up_to: None,
            problem: None,
        }
    }

    /// Fills in the next parameter of the path.
    pub(crate) fn with(mut self, value: impl Display) -> Self {
        let value = value.to_string();
        match self.copy_literals() {
            Some(name) => {
                if let Some(problem) = segment_problem(&value) {
                    self.problem.get_or_insert((name, problem));
                }
                self.target.push('/');
                self.target.extend(utf8_percent_encode(&value, ENCODED));
            }
            None => debug_assert!(false, "{} has no parameter left", self.endpoint),
        }
        self
    }

    /// Adds one query parameter.
    pub(crate) fn query(mut self, name: &'static str, value: impl Display) -> Self {
        let value = value.to_string();
        if value.contains('\0') {
            self.problem
                .get_or_insert((name, "contains a NUL character"));
        }
        self.end_path();
        self.target.push(if self.has_query { '&' } else { '?' });
        self.has_query = true;
        self.target.push_str(name);
        self.target.push('=');
        self.target.extend(utf8_percent_encode(&value, ENCODED));
        self
    }

    /// Adds a query parameter unless it is absent.
    pub(crate) fn query_if(self, name: &'static str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    /// Adds a query parameter once for each value.
    pub(crate) fn query_each(
        self,
        name: &'static str,
        values: impl IntoIterator<Item = impl Display>,
    ) -> Self {
        values
            .into_iter()
            .fold(self, |call, value| call.query(name, value))
    }

    /// Adds `name=true`, or nothing: absent is false for the Core.
    pub(crate) fn query_flag(self, name: &'static str, set: bool) -> Self {
        self.query_if(name, set.then_some(true))
    }

    pub(crate) fn page(mut self, page: PageRequest) -> Self {
        if page.limit == 0 {
            self.problem
                .get_or_insert(("limit", "is zero, which the node treats as no limit"));
        }
        if page.limit > MAX_PAGE_NUMBER {
            self.problem
                .get_or_insert(("limit", "is larger than 2147483647"));
        }
        if page.offset > MAX_PAGE_NUMBER {
            self.problem
                .get_or_insert(("offset", "is larger than 2147483647"));
        }
        let offset = (page.offset > 0).then_some(page.offset);
        self.query("limit", page.limit)
            .query_if("offset", offset)
            .query_flag("reverse", page.reverse)
    }

    /// Filters by blockchain. An unknown one is rejected, because the Core would treat it as "all".
    pub(crate) fn blockchain(self, name: &'static str, blockchain: Option<&Blockchain>) -> Self {
        let call = self.query_if(name, blockchain);
        match blockchain {
            Some(Blockchain::Other(_)) => call.refuse(name, UNKNOWN_BLOCKCHAIN),
            _ => call,
        }
    }

    pub(crate) fn json_body(self, body: &impl Serialize) -> Self {
        match serde_json::to_string(body) {
            Ok(text) => Self {
                body: Some(text),
                ..self
            },
            Err(_) => self.refuse("body", "cannot be written as JSON"),
        }
    }

    /// Reads only the beginning of the answer. No `Range` header is sent: the Core announces more bytes than it has for a
    /// range beyond the end.
    pub(crate) fn up_to(self, bytes: usize) -> Self {
        Self {
            up_to: Some(bytes),
            ..self
        }
    }

    /// Fills in the name of a service. Only capitals are sent: `/arbitrary/{service}/{name}` must not become one of the
    /// Core's own paths below `/arbitrary`, such as `/arbitrary/check/tmp`.
    pub(crate) fn with_service(self, service: &Service) -> Self {
        let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        let call = self.with(service);
        if service.as_str().bytes().all(is_name) {
            call
        } else {
            call.refuse(
                "service",
                "is not a service name, which has only capital letters",
            )
        }
    }

    /// Fills in the name of a blockchain. An unknown one is rejected.
    pub(crate) fn with_blockchain(self, blockchain: &Blockchain) -> Self {
        let call = self.with(blockchain);
        match blockchain {
            Blockchain::Other(_) => call.refuse("blockchain", UNKNOWN_BLOCKCHAIN),
            _ => call,
        }
    }

    /// Remembers that an argument cannot be sent.
    pub(crate) fn refuse(mut self, name: &'static str, problem: &'static str) -> Self {
        self.problem.get_or_insert((name, problem));
        self
    }

    pub(crate) fn into_request(mut self) -> Result<Request, NodeError> {
        let endpoint = self.endpoint;
        let bad =
            |name, problem| NodeError::new(endpoint, NodeErrorKind::BadParameter { name, problem });
        self.end_path();
        if let Some((name, problem)) = self.problem {
            return Err(bad(name, problem));
        }
        if self.target.len() > MAX_TARGET_BYTES {
            return Err(bad("path and query", "are longer than the node accepts"));
        }
        Ok(Request {
            endpoint,
            access: endpoint.access(),
            target: self.target.into(),
            body: self.body,
            up_to: self.up_to,
            trace_parent: None,
        })
    }

    /// Copies the rest of the template, which must have no parameter left.
    fn end_path(&mut self) {
        if let Some(name) = self.copy_literals() {
            self.problem.get_or_insert((name, "is missing"));
        }
    }

    /// Copies the template up to the next parameter, whose name is returned.
    fn copy_literals(&mut self) -> Option<&'static str> {
        for piece in self.template.by_ref() {
            if let Some(name) = piece.strip_prefix('{') {
                return Some(name.trim_end_matches('}'));
            }
            self.target.push('/');
            self.target.push_str(piece);
        }
        None
    }
}

/// The problem that keeps a text from being one path segment.
///
/// Encoding alone is not enough: proxies and servlet containers decode `%2F`, `%5C` and dots before they look at the path,
/// and the Core's container (Jetty 10) refuses such paths with a bare 400.
fn segment_problem(value: &str) -> Option<&'static str> {
    match value {
        "" => Some("is empty"),
        "." | ".." => Some("is not allowed in a path"),
        _ if value.contains(['/', '\\']) => {
            Some("contains a slash, which the node does not accept there")
        }
        _ if value.contains(char::is_control) => Some("contains a control character"),
        _ if holds_encoded_separator(value) => {
            Some("contains an encoded slash, dot or NUL, which some servers decode twice")
        }
        _ => None,
    }
}

/// Whether a text becomes a separator, a dot or NUL when it is decoded once more than it should be.
pub(crate) fn holds_encoded_separator(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["%2f", "%5c", "%2e", "%00"]
        .iter()
        .any(|encoded| text.contains(encoded))
}

/// A counter for the requests of clients that [`Node::counted_by`](crate::Node::counted_by) returns. Clones share their counts.
#[derive(Debug, Clone, Default)]
pub struct RequestCounter {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    begun: AtomicU32,
    ended: AtomicU32,
}

impl RequestCounter {
    /// Returns the number of requests that have begun.
    #[must_use]
    pub fn begun(&self) -> u32 {
        self.counts.begun.load(Ordering::Relaxed)
    }

    /// Returns the number of requests that have ended: they were answered, failed, or were dropped.
    #[must_use]
    pub fn ended(&self) -> u32 {
        self.counts.ended.load(Ordering::Relaxed)
    }

    /// Counts a request as begun now, and as ended when the guard is dropped.
    pub(crate) fn begin(&self) -> RequestGuard {
        self.counts.begun.fetch_add(1, Ordering::Relaxed);
        RequestGuard(Arc::clone(&self.counts))
    }
}

/// A request in progress.
#[derive(Debug)]
pub(crate) struct RequestGuard(Arc<Counts>);

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
