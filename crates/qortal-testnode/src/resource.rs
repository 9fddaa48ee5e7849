//! Resources of the Core's API, one file each. A file's `ENDPOINTS` is its table of contents.

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

// Imports for the endpoints of all resources.
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

/// Returns all endpoints of the simulated node.
pub(crate) fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    RESOURCES
        .iter()
        .copied()
        .flatten()
        .chain(&*acting::ENDPOINTS)
}

/// Returns an address from the path or a query if it passes the Core's validation.
pub(crate) fn valid_address(text: &str) -> Result<&str, Refusal> {
    refuse_if(!crate::codec::is_address(text), ApiError::INVALID_ADDRESS)?;
    Ok(text)
}

/// Rejects a list with an invalid address.
pub(crate) fn valid_addresses<'a>(
    mut addresses: impl Iterator<Item = &'a str>,
) -> Result<(), Refusal> {
    addresses.try_for_each(|address| valid_address(address).map(drop))
}

/// Returns the body of a POST request as JSON. Other content types are rejected like in the container.
pub(crate) fn json_body(request: &Request) -> Result<Value, Refusal> {
    let content_type = request.header("content-type").unwrap_or_default();
    if !content_type.starts_with("application/json") {
        return Err(Refusal::Page(415));
    }
    serde_json::from_slice(&request.body).map_err(|_| Refusal::Page(400))
}

/// Returns the strings in a JSON list, or `None` if the value is not a list of strings.
pub(crate) fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// Returns the name of a blockchain that the Core supports.
pub(crate) fn blockchain_name(name: &str) -> Option<&'static str> {
    let known = BLOCKCHAINS.iter().map(|(known, _, _)| *known);
    known.into_iter().find(|known| *known == name)
}

/// Returns `error` if the request violates a rule of the Core.
fn refuse_if(is_wrong: bool, error: ApiError) -> Result<(), Refusal> {
    if is_wrong { Err(error.into()) } else { Ok(()) }
}

/// Returns a list response.
pub(crate) fn list(rows: impl IntoIterator<Item = Value>) -> Result<Body, Refusal> {
    Ok(Body::Json(rows.into_iter().collect()))
}

/// Returns an empty list response.
fn empty_list() -> Result<Body, Refusal> {
    list(None)
}

/// Returns an empty list, for lists without rows on this node.
fn no_rows(_: &State, _: &Request) -> Result<Body, Refusal> {
    empty_list()
}

/// Constant responses, by path.
static FIXED: LazyLock<Value> = LazyLock::new(|| embedded!("fixed.json"));

/// Returns the constant response of the request's path.
fn fixed(_: &State, request: &Request) -> Result<Body, Refusal> {
    let path = format!("/{}", request.segments().join("/"));
    Ok(match FIXED.at(&path) {
        Value::String(text) => Body::Text(text.clone()),
        Value::Number(number) => Body::Scalar(number.to_string()),
        other => Body::Json(other.clone()),
    })
}

/// Returns the constant response of the request's path, if the request has the API key.
fn fixed_with_key(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    fixed(state, request)
}

/// Returns a row as the response, or an error if it is missing.
fn found(row: Option<&Value>, unknown: ApiError) -> Result<Body, Refusal> {
    Ok(Body::Json(row.ok_or(unknown)?.clone()))
}

/// Returns `true` if `found` is the wanted value, or no value is wanted.
fn fits<T: PartialEq>(wanted: Option<T>, found: T) -> bool {
    wanted.is_none_or(|wanted| wanted == found)
}

/// Returns a file for browsers to save, which the Core streams while it is generated.
pub(crate) fn attachment(content_type: &str, name: &str, body: String) -> Body {
    let disposition = format!("attachment; filename=\"{name}\"");
    let answer = Answer::new(200, content_type, body);
    Body::Whole(
        answer
            .with_header("content-disposition", disposition)
            .with_framing(Framing::Chunked),
    )
}

/// The requested part of a list. Without a limit, or with a limit of 0 or less, all rows are returned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paging<'request> {
    request: &'request Request,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) reverse: bool,
}

/// Maximum `limit` of the cross-chain and AT lists (`INVALID_CRITERIA` above).
const LARGEST_LIMIT: usize = 100;

impl<'request> Paging<'request> {
    /// Parses the three parameters. A negative offset is a repository error, as in SQL.
    pub(crate) fn of(request: &'request Request) -> Result<Self, Refusal> {
        let offset = request.int("offset")?.unwrap_or(0);
        let offset = usize::try_from(offset).map_err(|_| ApiError::REPOSITORY_ISSUE)?;
        Self::with_offset(request, offset)
    }

    /// Parses the parameters like [`Self::of`], but treats a negative offset as 0.
    pub(crate) fn lenient(request: &'request Request) -> Result<Self, Refusal> {
        let offset = request.int("offset")?.unwrap_or(0);
        Self::with_offset(request, usize::try_from(offset).unwrap_or(0))
    }

    /// Parses the parameters like [`Self::of`], for lists with a maximum limit of 100.
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

    /// Returns the page without its offset, for lists that have it applied already.
    pub(crate) fn without_offset(self) -> Self {
        Self { offset: 0, ..self }
    }

    /// Returns the requested part of `rows`, which are in ascending order.
    pub(crate) fn apply<T>(&self, mut rows: Vec<T>) -> Vec<T> {
        if self.reverse {
            rows.reverse();
        }
        self.cut(rows)
    }

    /// Applies offset and limit to `rows` in final order. All of them count as read.
    pub(crate) fn cut<T>(&self, rows: Vec<T>) -> Vec<T> {
        self.request.reads(rows.len());
        rows.into_iter()
            .skip(self.offset)
            .take(self.limit.unwrap_or(usize::MAX))
            .collect()
    }

    /// Returns the requested part of `rows`, which are in ascending order, as the response.
    fn list(&self, rows: Vec<&Value>) -> Result<Body, Refusal> {
        self.list_of(rows, Value::clone)
    }

    /// Returns the requested part of `rows` as the response, with each row converted by `row`.
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
