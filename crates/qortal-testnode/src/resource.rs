//! The resources of the Core's API, one file each. A file's `ENDPOINTS` is its table of contents.

mod acting;
mod addresses;
mod admin;
mod arbitrary;
mod asset_orders;
mod assets;
mod at;
mod block_lists;
mod blocks;
pub(crate) mod chat;
mod crosschain;
mod group_events;
mod groups;
mod names;
mod peers;
mod polls;
mod price;
mod qdn_content;
mod qdn_service;
mod qdn_state;
mod raw_transactions;
mod transactions;
mod utils;

use std::sync::LazyLock;

use serde_json::Value;

use crate::answer::{Answer, Framing};

pub(crate) use crosschain::BLOCKCHAINS;

// What the endpoints of every resource are written with.
use crate::{
    answer::Body,
    chain::{Row, Table, embedded},
    endpoint::Endpoint,
    error::{ApiError, Refusal},
    request::Request,
    state::State,
};

const RESOURCES: &[&[Endpoint]] = &[
    admin::ENDPOINTS,
    addresses::ENDPOINTS,
    names::ENDPOINTS,
    blocks::ENDPOINTS,
    block_lists::ENDPOINTS,
    crosschain::ENDPOINTS,
    price::ENDPOINTS,
    transactions::ENDPOINTS,
    raw_transactions::ENDPOINTS,
    groups::ENDPOINTS,
    group_events::ENDPOINTS,
    chat::ENDPOINTS,
    assets::ENDPOINTS,
    asset_orders::ENDPOINTS,
    arbitrary::ENDPOINTS,
    qdn_content::ENDPOINTS,
    polls::ENDPOINTS,
    at::ENDPOINTS,
    peers::ENDPOINTS,
    utils::ENDPOINTS,
];

/// All endpoints of the simulated node.
pub(crate) fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    RESOURCES
        .iter()
        .copied()
        .flatten()
        .chain(&*acting::ENDPOINTS)
}

/// An address from the path or a query, checked as the Core checks it.
pub(crate) fn valid_address(text: &str) -> Result<&str, Refusal> {
    refuse_if(!crate::codec::is_address(text), ApiError::INVALID_ADDRESS)?;
    Ok(text)
}

/// Refuses addresses of which one is wrong.
pub(crate) fn valid_addresses<'a>(
    mut addresses: impl Iterator<Item = &'a str>,
) -> Result<(), Refusal> {
    addresses.try_for_each(|address| valid_address(address).map(drop))
}

/// The body of a POST request as JSON; another content type is refused as the container does it.
pub(crate) fn json_body(request: &Request) -> Result<Value, Refusal> {
    let content_type = request.header("content-type").unwrap_or_default();
    if !content_type.starts_with("application/json") {
        return Err(Refusal::Page(415));
    }
    serde_json::from_slice(&request.body).map_err(|_| Refusal::Page(400))
}

/// The texts in a JSON list; `None` if it is no such list.
pub(crate) fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// The name of a blockchain that the Core knows.
pub(crate) fn blockchain_name(name: &str) -> Option<&'static str> {
    let known = BLOCKCHAINS.iter().map(|(known, _, _)| *known);
    known.into_iter().find(|known| *known == name)
}

/// Refuses a request that is not as the Core wants it.
fn refuse_if(is_wrong: bool, error: ApiError) -> Result<(), Refusal> {
    if is_wrong { Err(error.into()) } else { Ok(()) }
}

/// A list as the answer.
pub(crate) fn list(rows: impl IntoIterator<Item = Value>) -> Result<Body, Refusal> {
    Ok(Body::Json(rows.into_iter().collect()))
}

/// The answer of a list without rows.
fn empty_list() -> Result<Body, Refusal> {
    list(None)
}

/// A list of which this node has no rows.
fn no_rows(_: &State, _: &Request) -> Result<Body, Refusal> {
    empty_list()
}

/// The answers that are always the same, by their paths.
static FIXED: LazyLock<Value> = LazyLock::new(|| embedded!("fixed.json"));

/// The answer of its path that is always the same.
fn fixed(_: &State, request: &Request) -> Result<Body, Refusal> {
    let path = format!("/{}", request.segments().join("/"));
    Ok(match FIXED.at(&path) {
        Value::String(text) => Body::Text(text.clone()),
        Value::Number(number) => Body::Scalar(number.to_string()),
        other => Body::Json(other.clone()),
    })
}

/// The same for those who have the key.
fn fixed_with_key(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    fixed(state, request)
}

/// A row as the answer, or the error that says that there is none.
fn found(row: Option<&Value>, unknown: ApiError) -> Result<Body, Refusal> {
    Ok(Body::Json(row.ok_or(unknown)?.clone()))
}

/// Whether what was found is what is wanted, if anything is.
fn fits<T: PartialEq>(wanted: Option<T>, found: T) -> bool {
    wanted.is_none_or(|wanted| wanted == found)
}

/// A file that a browser should save; the Core writes it as it is made.
pub(crate) fn attachment(content_type: &str, name: &str, body: String) -> Body {
    let disposition = format!("attachment; filename=\"{name}\"");
    let answer = Answer::new(200, content_type, body);
    Body::Whole(
        answer
            .with_header("content-disposition", disposition)
            .with_framing(Framing::Chunked),
    )
}

/// The part of a list that is asked for. Without a limit, or with one of 0 or less, everything is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paging<'request> {
    request: &'request Request,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) reverse: bool,
}

/// Largest `limit` of the cross-chain and AT lists (`INVALID_CRITERIA` beyond).
const LARGEST_LIMIT: usize = 100;

impl<'request> Paging<'request> {
    /// Reads the three parameters; a negative offset is a repository error, as in SQL.
    pub(crate) fn of(request: &'request Request) -> Result<Self, Refusal> {
        let offset = request.int("offset")?.unwrap_or(0);
        let offset = usize::try_from(offset).map_err(|_| ApiError::REPOSITORY_ISSUE)?;
        Self::with_offset(request, offset)
    }

    /// As [`Self::of`] where a negative offset counts as none.
    pub(crate) fn lenient(request: &'request Request) -> Result<Self, Refusal> {
        let offset = request.int("offset")?.unwrap_or(0);
        Self::with_offset(request, usize::try_from(offset).unwrap_or(0))
    }

    /// As [`Self::of`] for the lists that accept a limit of 100 at most.
    pub(crate) fn bounded(request: &'request Request) -> Result<Self, Refusal> {
        let paging = Self::of(request)?;
        match paging.limit {
            Some(limit) if limit > LARGEST_LIMIT => Err(ApiError::INVALID_CRITERIA.into()),
            _ => Ok(paging),
        }
    }

    fn with_offset(request: &'request Request, offset: usize) -> Result<Self, Refusal> {
        let limit = request
            .int("limit")?
            .and_then(|limit| usize::try_from(limit).ok())
            .filter(|&limit| limit > 0);
        Ok(Self {
            request,
            limit,
            offset,
            reverse: request.flag("reverse"),
        })
    }

    /// The same of a list from which the offset is gone already.
    pub(crate) fn without_offset(self) -> Self {
        Self { offset: 0, ..self }
    }

    /// The asked part of `rows`, which come in ascending order.
    pub(crate) fn apply<T>(&self, mut rows: Vec<T>) -> Vec<T> {
        if self.reverse {
            rows.reverse();
        }
        self.cut(rows)
    }

    /// Offset and limit of `rows` that are in order already: all of them were read for it.
    pub(crate) fn cut<T>(&self, rows: Vec<T>) -> Vec<T> {
        self.request.reads(rows.len());
        rows.into_iter()
            .skip(self.offset)
            .take(self.limit.unwrap_or(usize::MAX))
            .collect()
    }

    /// The asked part of `rows`, which come in ascending order, as the answer.
    fn list(&self, rows: Vec<&Value>) -> Result<Body, Refusal> {
        self.list_of(rows, Value::clone)
    }

    /// The same, with what the answer has for each row.
    fn list_of<T>(&self, rows: Vec<T>, row: impl FnMut(T) -> Value) -> Result<Body, Refusal> {
        list(self.apply(rows).into_iter().map(row))
    }
}

#[cfg(test)]
mod tests {
    use super::{FIXED, endpoints};

    #[test]
    fn each_fixed_answer_is_that_of_an_endpoint() {
        for path in FIXED.as_object().unwrap().keys() {
            assert!(endpoints().any(|it| it.path == path), "{path}");
        }
    }
}
