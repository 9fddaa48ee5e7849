//! Deserialization of responses. The endpoint decides the format, never the `Content-Type`. Lists are read row by row, so an
//! invalid row does not affect the others.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    slice, str, vec,
};

use bytes::Bytes;
use qortal_types::{Amount, is_code};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, IgnoredAny, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    ApiError, Endpoint, NodeError, NodeErrorKind, error::excerpt, transport::Received,
    upstream::Source,
};

/// The longest lists that the Core sends, trades without a limit and accounts online, have a few ten thousand rows; invented
/// ones fit by the million into the byte limit of an answer.
pub(crate) const MOST_ROWS: usize = 50_000;

/// Declares structs under the Core's names for fields. Later releases may add fields.
macro_rules! answers {
    ($($(#[$attribute:meta])+ pub struct $Name:ident { $($members:tt)+ })+) => {$(
        $(#[$attribute])+
        #[derive(Debug, Clone, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $Name { $($members)+ }
    )+};
}

pub(crate) use answers;

/// A successful answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    endpoint: Endpoint,
    received: Received,
}

/// The Core's error object; bare pages of the servlet container have other members.
#[derive(Deserialize)]
struct ErrorBody {
    error: Option<i32>,
    message: Option<String>,
}

impl Answer {
    pub(crate) fn new(endpoint: Endpoint, received: Received) -> Result<Self, NodeError> {
        match received.status {
            200..=299 => Ok(Self { endpoint, received }),
            _ => Err(refusal(endpoint, &received)),
        }
    }

    pub(crate) const fn endpoint(&self) -> Endpoint {
        self.endpoint
    }

    pub(crate) const fn body(&self) -> &Bytes {
        &self.received.body
    }

    /// The Core answers 204 where its result is null.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.received.status == 204
    }

    /// Reads JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, NodeError> {
        let body = str::from_utf8(&self.received.body);
        let body = body.map_err(|error| self.not_json().with_source(error))?;
        serde_json::from_str(body).map_err(|error| self.not_json().with_source(error))
    }

    /// It is not the JSON that the endpoint sends.
    pub(crate) fn not_json(&self) -> NodeError {
        self.unreadable("the expected JSON")
    }

    /// Reads plain text.
    pub(crate) fn text(&self) -> Result<&str, NodeError> {
        str::from_utf8(&self.received.body)
            .map_err(|error| self.unreadable("UTF-8 text").with_source(error))
    }

    /// Reads plain text that begins with `head`; anything else does not answer the request.
    pub(crate) fn text_with_head(&self, head: &str, what: &'static str) -> Result<&str, NodeError> {
        let text = self.text()?;
        if text.starts_with(head) {
            return Ok(text);
        }
        Err(self.unreadable(what))
    }

    /// Reads plain text as a value.
    pub(crate) fn value<T: str::FromStr>(&self, what: &'static str) -> Result<T, NodeError> {
        self.text()?
            .trim()
            .parse()
            .map_err(|_| self.unreadable(what))
    }

    /// Reads a plain decimal of scale 8: with eight decimal places, or with an exponent when it is tiny
    /// (`BigDecimal.toString`). One with fewer places was truncated.
    pub(crate) fn amount(&self) -> Result<Amount, NodeError> {
        let what = "an amount with eight decimal places";
        let text = self.text()?.trim();
        let places = text.split_once('.').map_or(0, |(_, places)| places.len());
        if places == 8 || text.contains('E') {
            return self.value(what);
        }
        Err(self.unreadable(what))
    }

    /// Reads plain text as a value, or nothing where the Core writes `false` for "none".
    pub(crate) fn value_or_false<T: str::FromStr>(
        &self,
        what: &'static str,
    ) -> Result<Option<T>, NodeError> {
        if self.received.body.as_ref() == b"false" {
            Ok(None)
        } else {
            self.value(what).map(Some)
        }
    }

    /// Reads a plain number of 10^-8 units, which is a fee or a price.
    pub(crate) fn units(&self) -> Result<Amount, NodeError> {
        let what = "a whole number that is not negative";
        let amount = Amount::from_units(self.value(what)?);
        unsigned(amount).ok_or_else(|| self.unreadable(what))
    }

    /// Returns the node that it came from.
    pub(crate) const fn source(&self) -> &Source {
        &self.received.source
    }

    /// Whether the whole body was read.
    pub(crate) fn is_complete(&self) -> bool {
        self.received.is_complete
    }

    /// Returns the media type, which only matters for files.
    pub(crate) fn content_type(&self) -> Option<&str> {
        self.received.content_type.as_deref()
    }

    /// It is not what the endpoint sends.
    pub(crate) fn unreadable(&self, what: &'static str) -> NodeError {
        NodeError::new(
            self.endpoint,
            NodeErrorKind::Unreadable {
                what,
                excerpt: excerpt(&self.received.body),
            },
        )
    }
}

/// The Core's code in a body, if that is one of its errors.
pub(crate) fn code(body: &[u8]) -> Option<ApiError> {
    let body: ErrorBody = serde_json::from_slice(body).ok()?;
    body.error.map(ApiError::from_code)
}

/// The members of the body decide: a page is not JSON, and only the Core's errors have a number.
pub(crate) fn refusal(endpoint: Endpoint, received: &Received) -> NodeError {
    let body = &received.body;
    if received.is_page(endpoint) && received.status < 300 {
        let what = "a response of a Qortal node";
        let excerpt = excerpt(body);
        return NodeError::new(endpoint, NodeErrorKind::Unreadable { what, excerpt });
    }
    let (code, message) = match serde_json::from_slice::<ErrorBody>(body) {
        Ok(body) => (
            body.error.map(ApiError::from_code),
            body.message.unwrap_or_default(),
        ),
        Err(_) if body.trim_ascii_start().starts_with(b"<") => (None, String::new()),
        // `Bad parameter "limit"` comes as plain text.
        Err(_) => (None, excerpt(body)),
    };
    NodeError::new(
        endpoint,
        NodeErrorKind::Refused {
            status: received.status,
            code,
            message: excerpt(message.as_bytes()),
            key_use: received.key_use,
        },
    )
}

/// An amount that is not negative: the Core accepts no other fee, amount or price (`NEGATIVE_FEE`, `NEGATIVE_AMOUNT` and
/// `NEGATIVE_PRICE` of its `ValidationResult`).
fn unsigned(amount: Amount) -> Option<Amount> {
    (amount >= Amount::ZERO).then_some(amount)
}

/// Reads a fee, a price, or what is paid.
pub(crate) fn unsigned_amount<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Amount, D::Error> {
    let amount = Amount::deserialize(deserializer)?;
    unsigned(amount).ok_or_else(|| D::Error::custom(format_args!("{amount} is negative")))
}

/// A fee, a price, or what is paid.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Unsigned(#[serde(deserialize_with = "unsigned_amount")] Amount);

impl Unsigned {
    pub(crate) const fn amount(self) -> Amount {
        self.0
    }
}

/// Reads one that may be null.
pub(crate) fn unsigned_amount_if_any<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Amount>, D::Error> {
    let amount = Option::<Unsigned>::deserialize(deserializer)?;
    Ok(amount.map(Unsigned::amount))
}

/// Reads a code.
pub(crate) fn read_code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match is_code(&text) {
        true => Ok(text),
        false => Err(D::Error::custom("the text is not a code")),
    }
}

/// Reads one that may be null or absent.
pub(crate) fn read_code_if_any<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Code(#[serde(deserialize_with = "read_code")] String);

    let code = Option::<Code>::deserialize(deserializer)?;
    Ok(code.map(|it| it.0))
}

/// A member that may be null, and must be there.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// What serde alone does not judge: a record with lists in it, or without a member that must be there.
pub(crate) trait Record: DeserializeOwned + Send + 'static {
    /// What its lists leave out.
    fn left_out(&self) -> LeftOut {
        LeftOut::default()
    }

    /// Whether it says anything. The Core leaves out members that are null; of its error object, and of what is no answer of a
    /// Core at all, such a record knows no member.
    fn says_anything(&self) -> bool {
        true
    }
}

/// What could not be read of the lists of an answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct LeftOut {
    /// How many rows are not what they should be.
    pub(crate) odd: usize,
    /// Why the first of those could not be read.
    pub(crate) problem: Option<Box<str>>,
    /// Whether a list has more than [`MOST_ROWS`].
    pub(crate) has_more: bool,
}

impl LeftOut {
    /// The same with what another list leaves out.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            odd: self.odd + other.odd,
            problem: self.problem.or(other.problem),
            has_more: self.has_more || other.has_more,
        }
    }
}

/// The readable rows of a list in their order, with the positions of missing rows.
#[derive(Clone)]
pub struct Rows<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) gaps: Vec<usize>,
    pub(crate) left_out: LeftOut,
}

impl<T> Rows<T> {
    /// Returns the positions of the omitted rows in the original list, in ascending order. Rows are omitted if they are invalid, or
    /// vanished between two of the node's queries.
    #[must_use]
    pub fn gaps(&self) -> &[usize] {
        &self.gaps
    }

    /// What it leaves out, with what is left out `within` its rows.
    pub(crate) fn left_out_with(&self, within: impl Fn(&T) -> LeftOut) -> LeftOut {
        let rows = self.rows.iter().map(within);
        rows.fold(self.left_out.clone(), LeftOut::and)
    }

    /// How many rows were read, with those that were left out.
    pub(crate) const fn places(&self) -> usize {
        self.rows.len() + self.gaps.len()
    }
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            gaps: Vec::new(),
            left_out: LeftOut::default(),
        }
    }
}

impl<T> Deref for Rows<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<T> DerefMut for Rows<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }
}

impl<T> From<Rows<T>> for Vec<T> {
    fn from(it: Rows<T>) -> Self {
        it.rows
    }
}

impl<T> IntoIterator for Rows<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Rows<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(f)
    }
}

/// Deserializes a JSON list. The Core writes null for a row that vanished between two of its queries, and such rows are left out.
/// If there are several rows and none can be read, the value is not a list of such rows.
impl<'de, T: DeserializeOwned> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut rows = Vec::new();
        let mut read = |row: &str| {
            let row = serde_json::from_str::<Option<T>>(row)?;
            let is_there = row.is_some();
            rows.extend(row);
            Ok(is_there)
        };
        let (gaps, left_out) = deserializer.deserialize_seq(RowByRow(&mut read))?;
        Ok(Self {
            rows,
            gaps,
            left_out,
        })
    }
}

/// Reads each row by a function, which says whether it is there at all, and returns what is left out. It is compiled once, whatever
/// the rows are.
struct RowByRow<'a>(&'a mut dyn FnMut(&str) -> serde_json::Result<bool>);

impl<'de> Visitor<'de> for RowByRow<'_> {
    type Value = (Vec<usize>, LeftOut);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut gaps, mut left_out) = (Vec::new(), LeftOut::default());
        let mut places = 0;
        while places < MOST_ROWS
            && let Some(row) = list.next_element::<&RawValue>()?
        {
            match (self.0)(row.get()) {
                Ok(true) => {}
                Ok(false) => gaps.push(places),
                Err(problem) => {
                    gaps.push(places);
                    left_out.odd += 1;
                    let first = &mut left_out.problem;
                    first.get_or_insert_with(|| problem.to_string().into());
                }
            }
            places += 1;
        }
        while list.next_element::<IgnoredAny>()?.is_some() {
            left_out.has_more = true;
        }
        match &left_out.problem {
            Some(problem) if gaps.len() == places && left_out.odd > 1 => {
                Err(A::Error::custom(problem))
            }
            _ => Ok((gaps, left_out)),
        }
    }
}

#[cfg(test)]
mod tests;
