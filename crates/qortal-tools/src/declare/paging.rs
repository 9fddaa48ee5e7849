//! Lists in pages: the part that a client asks for, and the part it receives.

mod cursor;
mod page;
mod window;

use std::ops::Deref;

use qortal_client::PageRequest;
use tool_schema::{Arguments, CappedInt, Params, Property};

use crate::{
    ToolError,
    context::Context,
    declare::{Qortal, count},
};

use page::Total;
use window::Window;

pub(crate) use cursor::{By, Cursor, START_AFTER, SortKey};
pub(super) use page::TRUNCATED;
pub(crate) use page::{Characters, NextPage, Page, Rows};

/// The number of rows before a page.
const OFFSET: &str = "offset";

/// Rows on either side of a page that are asked for with it, to find the last row of the page before; enough for what comes and goes
/// while one reads.
const BESIDE: u32 = 10;

/// The same if it is not among those.
const FAR: u32 = 200;

/// The parameters `limit`, which is `USUAL` unless given and at most `MOST`, and `offset`, at most `FARTHEST`; where a page begins
/// after the row that was the last one of the page before, also `start_after`.
///
/// Declared as `#[flatten]`, or as `#[flatten("Of either list.")]` where the limit is not one of rows.
#[derive(Debug, Clone)]
pub(crate) struct Paging<
    const USUAL: u32,
    const MOST: u32 = 100,
    const FARTHEST: u32 = 1_000_000,
    const HAS_START_AFTER: bool = false,
>(Slice);

/// The parameters of a list that has [`Cursor::AfterRow`].
pub(crate) type Continued<
    const USUAL: u32,
    const MOST: u32 = 100,
    const FARTHEST: u32 = 1_000_000,
> = Paging<USUAL, MOST, FARTHEST, true>;

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32, const HAS_START_AFTER: bool>
    Paging<USUAL, MOST, FARTHEST, HAS_START_AFTER>
{
    const LIMIT: CappedInt<1, MOST> = CappedInt::new(USUAL);
    const OFFSET: CappedInt<0, FARTHEST> = CappedInt::new(0);
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32, const HAS_START_AFTER: bool> Params
    for Paging<USUAL, MOST, FARTHEST, HAS_START_AFTER>
{
    fn properties() -> Vec<Property> {
        let start_after = || {
            Property::parameter::<Option<String>, Qortal>(
                START_AFTER,
                "After this row.",
                Some(&None),
            )
        };
        let mut members = vec![
            Property::parameter::<_, Qortal>("limit", "{}", Some(&Self::LIMIT)),
            Property::parameter::<_, Qortal>(OFFSET, "Skipped.", Some(&Self::OFFSET)),
        ];
        members.extend(HAS_START_AFTER.then(start_after));
        members
    }

    fn take(arguments: &mut Arguments<'_>) -> Option<Self> {
        let limit = arguments.take::<_, Qortal>("limit", Some(Self::LIMIT));
        let offset = arguments.take::<_, Qortal>(OFFSET, Some(Self::OFFSET));
        let start_after = match HAS_START_AFTER {
            true => arguments.take::<Option<String>, Qortal>(START_AFTER, Some(None))?,
            false => None,
        };
        Some(Self(Slice::new(limit?, offset?).start_after(start_after)))
    }
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32, const HAS_START_AFTER: bool> Deref
    for Paging<USUAL, MOST, FARTHEST, HAS_START_AFTER>
{
    type Target = Slice;

    fn deref(&self) -> &Slice {
        &self.0
    }
}

/// The part of a list that a client asks for.
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    pub(crate) limit: u32,
    pub(crate) offset: u32,
    /// Whether `offset` is a parameter.
    has_offset: bool,
    /// The key of the last row of the page before, which is near the offset.
    start_after: Option<String>,
}

impl Slice {
    /// The beginning of a list.
    pub(crate) const fn first(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            has_offset: false,
            start_after: None,
        }
    }

    pub(crate) const fn new<const MOST: u32, const FARTHEST: u32>(
        limit: CappedInt<1, MOST>,
        offset: CappedInt<0, FARTHEST>,
    ) -> Self {
        Self {
            limit: limit.value(),
            offset: offset.value(),
            has_offset: true,
            start_after: None,
        }
    }

    /// The same, after the row that is known by this.
    pub(crate) fn start_after(self, start_after: Option<String>) -> Self {
        let start_after = start_after.filter(|it| !it.is_empty());
        Self {
            start_after,
            ..self
        }
    }

    /// The same with a limit that the node sets in this case, which is noted.
    pub(crate) fn at_most(&self, cx: &Context, most: u32, case: &str) -> Self {
        let limit = self.limit;
        if limit > most {
            if !cx.chooses_limit {
                cx.note(format!(
                    "limit was sent as {limit} and lowered to {most}, the most it can be {case}."
                ));
            }
            cx.pin("limit", most.into());
        }
        Self {
            limit: limit.min(most),
            ..self.clone()
        }
    }

    /// The page to ask the node for: one more than is wanted, to know whether that is all.
    pub(crate) fn one_more(&self, reverse: bool) -> PageRequest {
        PageRequest::first(self.limit.saturating_add(1))
            .with_offset(self.offset)
            .with_reverse(reverse)
    }

    /// Returns the page of rows that were asked for with [`Slice::one_more`]. A row that could not be read counts as one of them: the next
    /// page begins after the last row of this one, whether that could be read or not.
    pub(crate) fn of<T>(&self, cx: &Context, cursor: Cursor<T>, rows: Vec<T>) -> Page<T> {
        Window::of(cx, rows, self.offset).page(cx, self, cursor, 0)
    }

    /// Returns the page of a list that came whole. Its offsets count what could be read.
    pub(crate) fn of_whole<T, N: Total>(
        &self,
        cx: &Context,
        cursor: Cursor<T>,
        rows: Vec<T>,
    ) -> Page<T, N> {
        let total = N::of(count(rows.len()));
        let window = Window::whole(rows);
        let offset = self.offset as usize;
        let begins = match (&cursor, &self.start_after) {
            (Cursor::AfterRow(key), Some(start_after)) => {
                let begins = window.after(key, start_after, offset);
                begins.unwrap_or_else(|| lost(cx, offset))
            }
            _ => offset,
        };
        window.page(cx, self, cursor, begins).with_total(total)
    }

    /// Reads the page of a list that the node pages. It takes a second request if the row to begin after is far from where it was.
    pub(crate) async fn read<T, E, F>(
        &self,
        cx: &Context,
        key: SortKey<T>,
        ask: impl Fn(PageRequest) -> F,
    ) -> Result<Page<T>, ToolError>
    where
        E: Into<ToolError>,
        F: Future<Output = Result<Vec<T>, E>>,
    {
        let rows = async |page| ask(page).await.map_err(Into::into);
        let Some(start_after) = &self.start_after else {
            let rows = rows(self.one_more(key.reverse)).await?;
            return Ok(self.of(cx, Cursor::AfterRow(key), rows));
        };
        let mut beside = BESIDE;
        loop {
            let first = self.offset.saturating_sub(beside);
            let before = self.offset - first;
            let asked = before.saturating_add(self.limit).saturating_add(beside);
            let page = PageRequest::first(asked.saturating_add(1)).with_offset(first);
            let mut window = Window::of(cx, rows(page.with_reverse(key.reverse)).await?, first);
            window.is_last = window.rows() <= asked as usize;
            let begins = window.after(&key, start_after, before as usize);
            let begins = begins.filter(|it| window.has_page(*it, self.limit));
            if begins.is_none() && beside < FAR {
                beside = FAR;
                continue;
            }
            let begins = begins.unwrap_or_else(|| lost(cx, before as usize));
            return Ok(window.page(cx, self, Cursor::AfterRow(key), begins));
        }
    }
}

impl<T> Page<T> {
    /// Returns the first rows of a list, of which one more was asked for.
    pub(crate) fn first(cx: &Context, limit: u32, rows: Vec<T>) -> Self {
        Slice::first(limit).of(cx, Cursor::Offset, rows)
    }
}

/// Notes that the last row of the page before was not found.
fn lost(cx: &Context, expected: usize) -> usize {
    cx.note(
        "The row `start_after` is no longer near `offset`, from which this page goes on: rows may come twice or be left out.",
    );
    expected
}
