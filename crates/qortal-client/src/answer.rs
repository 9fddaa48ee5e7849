//! Reading answers: by endpoint, never by its `Content-Type`.

use std::str;

use bytes::Bytes;
use qortal_types::Amount;
use serde::{Deserialize, de::DeserializeOwned};
use tracing::debug;

use crate::{
    ApiError, Endpoint, Gaps, NodeError, NodeErrorKind, Observation, Observations,
    error::excerpt,
    hollow::Content,
    rows::{self, LeftOut, MOST_ROWS, Rows},
    transport::Received,
    turns,
    unsigned::Unsigned,
    upstream::Source,
};

/// A successful answer.
#[derive(Debug)]
pub(crate) struct Answer {
    endpoint: Endpoint,
    received: Received,
    /// Where to note what the answer does not say itself.
    observations: Option<Observations>,
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
            200..=299 => Ok(Self {
                endpoint,
                received,
                observations: None,
            }),
            _ => Err(refusal(endpoint, &received)),
        }
    }

    pub(crate) fn observed_by(self, observations: Option<Observations>) -> Self {
        Self {
            observations,
            ..self
        }
    }

    /// Reads JSON. Rows of its lists that cannot be read are left out and noted.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, NodeError> {
        let body = &self.received.body;
        let read = || Content::of::<T>().read(body);
        let (value, left_out) = turns::take(body.len(), || rows::counted(read));
        let value =
            value.map_err(|error| self.unreadable("the expected JSON").with_source(error))?;
        self.note_left_out(left_out);
        Ok(value)
    }

    /// Reads JSON, or nothing where the Core answers 204 because its result is null.
    pub(crate) fn json_if_any<T: DeserializeOwned>(&self) -> Result<Option<T>, NodeError> {
        if self.received.status == 204 {
            Ok(None)
        } else {
            self.json().map(Some)
        }
    }

    /// Reads a JSON list, and notes where rows of it were left out.
    pub(crate) fn list<T: DeserializeOwned>(&self) -> Result<Vec<T>, NodeError> {
        let Rows { rows, gaps } = self.json()?;
        if let Some(observations) = self.observations.as_ref().filter(|_| !gaps.is_empty()) {
            let rows = rows.len();
            observations.add_gaps(Gaps { rows, places: gaps });
        }
        Ok(rows)
    }

    fn note_left_out(&self, left_out: LeftOut) {
        let endpoint = self.endpoint;
        if let Some(problem) = left_out.problem {
            let rows = left_out.odd;
            debug!(%endpoint, rows, %problem, "rows left out");
            self.note(Observation::OddRows { endpoint, rows });
        }
        if left_out.has_more {
            let limit = MOST_ROWS;
            self.note(Observation::TooManyRows { endpoint, limit });
        }
    }

    fn note(&self, observation: Observation) {
        if let Some(observations) = &self.observations {
            observations.add(observation);
        }
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
        let units = Unsigned::new(Amount::from_units(self.value(what)?));
        units
            .map(Unsigned::amount)
            .ok_or_else(|| self.unreadable(what))
    }

    /// Which node it came from.
    pub(crate) fn source(&self) -> &Source {
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

    /// Returns the bytes as received.
    pub(crate) fn into_bytes(self) -> Bytes {
        self.received.body
    }

    fn unreadable(&self, what: &'static str) -> NodeError {
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
        let what = "an answer of a Qortal node";
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

#[cfg(test)]
mod tests;
