//! `limit`, `offset` and `reverse` as the Core's queries treat them.

use crate::{
    error::{ApiError, Refusal},
    request::Request,
};

/// The part of a list that is asked for. Without a limit, or with one of 0 or less, everything is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paging {
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) reverse: bool,
}

/// Largest `limit` of the cross-chain and AT lists (`INVALID_CRITERIA` beyond).
const LARGEST_LIMIT: usize = 100;

impl Paging {
    /// Reads the three parameters; a negative offset is a repository error, as in SQL.
    pub(crate) fn of(request: &Request) -> Result<Self, Refusal> {
        let offset = request.int("offset")?.unwrap_or(0);
        let offset = usize::try_from(offset).map_err(|_| ApiError::REPOSITORY_ISSUE)?;
        Self::with_offset(request, offset)
    }

    /// As [`Self::of`] where a negative offset counts as none.
    pub(crate) fn lenient(request: &Request) -> Result<Self, Refusal> {
        let offset = request.int("offset")?.unwrap_or(0);
        Self::with_offset(request, usize::try_from(offset).unwrap_or(0))
    }

    /// As [`Self::of`] for the lists that accept a limit of 100 at most.
    pub(crate) fn bounded(request: &Request) -> Result<Self, Refusal> {
        let paging = Self::of(request)?;
        match paging.limit {
            Some(limit) if limit > LARGEST_LIMIT => Err(ApiError::INVALID_CRITERIA.into()),
            _ => Ok(paging),
        }
    }

    fn with_offset(request: &Request, offset: usize) -> Result<Self, Refusal> {
        let limit = request
            .int("limit")?
            .and_then(|limit| usize::try_from(limit).ok())
            .filter(|&limit| limit > 0);
        Ok(Self {
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

    /// Offset and limit of `rows` that are in order already.
    pub(crate) fn cut<T>(&self, rows: Vec<T>) -> Vec<T> {
        rows.into_iter()
            .skip(self.offset)
            .take(self.limit.unwrap_or(usize::MAX))
            .collect()
    }
}
