//! Pages of lists in whose order a new row can come anywhere: the next page begins after the last row of this one, wherever that is by
//! then.

use std::{borrow::Cow, cmp::Ordering, ops::Deref};

use qortal_client::{NodeError, Page, api::transactions::Transaction};
use qortal_types::Amount;
use tool_schema::{Arguments, Member, Params};

use super::{Paged, Paging, Slice};
use crate::{
    ToolError,
    context::{Context, Next},
    declare::Qortal,
    support::untrusted::clean,
};

/// Rows on either side of a page that are asked for with it, to find the last row of the page before; enough for what comes and goes
/// while one reads.
const BESIDE: u32 = 10;

/// The same if it is not among those.
const FAR: u32 = 200;

/// The most characters of what a row is known by: a longer one would be much to copy. The names of accounts and groups are shorter.
const MOST_KEY: usize = 60;

/// The characters that it usually has at most.
const USUAL_KEY: usize = 16;

/// What the last row of the page before is known by.
pub(crate) const PAST: &str = "past";

/// The parameters `limit`, `offset` and `past`, by which a page begins after the row that was the last one of the page before.
#[derive(Debug, Clone)]
pub(crate) struct Continued<
    const USUAL: u32,
    const MOST: u32 = 100,
    const FARTHEST: u32 = 1_000_000,
> {
    page: Paging<USUAL, MOST, FARTHEST>,
    past: Option<String>,
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32> Params
    for Continued<USUAL, MOST, FARTHEST>
{
    fn members() -> Vec<Member> {
        let mut members = Paging::<USUAL, MOST, FARTHEST>::members();
        let past = Member::parameter::<Option<String>, Qortal>(PAST, "Last row.", Some(&None));
        members.push(past);
        members
    }

    fn take(arguments: &mut Arguments<'_>) -> Option<Self> {
        let page = Paging::take(arguments);
        let past = arguments.take::<Option<String>, Qortal>(PAST, Some(None))?;
        Some(Self {
            page: page?,
            past: past.filter(|it| !it.is_empty()),
        })
    }
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32> Deref
    for Continued<USUAL, MOST, FARTHEST>
{
    type Target = Slice;

    fn deref(&self) -> &Slice {
        &self.page
    }
}

/// The order of a list, by what its rows are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// Code points: the Core's order of names.
    Characters,
    /// Upper-case characters: the Core's order of the names of groups (collation `SQL_TEXT_UCC`).
    Letters,
    /// The number that each begins with.
    Number,
    /// Something else, so that a row that is gone leaves no place behind.
    Other,
}

impl By {
    /// `None` if it says nothing about them.
    fn compare(self, left: &str, right: &str) -> Option<Ordering> {
        let number = |it: &str| it.split(' ').next()?.parse::<Amount>().ok();
        match self {
            Self::Characters => Some(left.cmp(right)),
            Self::Letters => Some(left.to_uppercase().cmp(&right.to_uppercase())),
            Self::Number => Some(number(left)?.cmp(&number(right)?)),
            Self::Other => None,
        }
    }
}

/// How the rows of a list are known, and in which order they are.
pub(crate) struct Known<T> {
    pub(crate) by: By,
    /// Whether it is read from its end.
    pub(crate) reverse: bool,
    pub(crate) key: fn(&T) -> Cow<'_, str>,
}

impl<T> Known<T> {
    fn compare(&self, left: &str, right: &str) -> Option<Ordering> {
        let order = self.by.compare(left, right);
        order.map(|it| if self.reverse { it.reverse() } else { it })
    }
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32> Continued<USUAL, MOST, FARTHEST> {
    /// Where the page begins.
    pub(crate) fn start(&self) -> Start<'_> {
        Start {
            slice: *self.page,
            past: self.past.as_deref(),
        }
    }
}

/// Where a page begins: after the row that was the last one of the page before, which is near the offset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start<'a> {
    slice: Slice,
    past: Option<&'a str>,
}

impl<'a> Start<'a> {
    pub(crate) fn new(slice: Slice, past: Option<&'a str>) -> Self {
        let past = past.filter(|it| !it.is_empty());
        Self { slice, past }
    }
}

impl Deref for Start<'_> {
    type Target = Slice;

    fn deref(&self) -> &Slice {
        &self.slice
    }
}

impl Known<Transaction> {
    /// Transactions by the time at which they were made, and by their signatures.
    pub(crate) const fn by_time(reverse: bool) -> Self {
        Self {
            // Numbers of as many digits.
            by: By::Characters,
            reverse,
            key: |it| {
                let signature = it.signature.as_ref().map(ToString::to_string);
                let signature = signature.unwrap_or_default();
                let beginning = signature.get(..8).unwrap_or_default();
                format!("{} {beginning}", it.timestamp.millis()).into()
            },
        }
    }
}

impl Start<'_> {
    /// A page of a list that the node pages, with what else is in its answer. It takes a second request if the row to begin after is far
    /// from where it was.
    pub(crate) async fn of_answer<T, A, F>(
        self,
        cx: &Context,
        known: Known<T>,
        ask: impl Fn(Page) -> F,
    ) -> Result<(Paged<T>, A), ToolError>
    where
        F: Future<Output = Result<(Vec<T>, A), ToolError>>,
    {
        let Some(past) = self.past else {
            let (rows, answer) = ask(self.one_more(known.reverse)).await?;
            let window = Window::of(cx, &known, rows, self.offset);
            return Ok((window.page(cx, self.slice, 0), answer));
        };
        let mut beside = BESIDE;
        loop {
            let first = self.offset.saturating_sub(beside);
            let before = self.offset - first;
            let asked = before.saturating_add(self.limit).saturating_add(beside);
            let page = Page::first(asked.saturating_add(1)).with_offset(first);
            let (rows, answer) = ask(page.with_reverse(known.reverse)).await?;
            let mut window = Window::of(cx, &known, rows, first);
            window.is_last = window.rows() <= asked as usize;
            let begins = window.after(&known, past, before as usize);
            let has_page = |begins: &usize| {
                window.is_last || window.rows().saturating_sub(*begins) > self.limit as usize
            };
            match begins.filter(has_page) {
                Some(begins) => return Ok((window.page(cx, self.slice, begins), answer)),
                None if beside < FAR => beside = FAR,
                None => {
                    note_lost(cx);
                    return Ok((window.page(cx, self.slice, before as usize), answer));
                }
            }
        }
    }

    /// The same of an answer that is the list.
    pub(crate) async fn of_rows<T, F>(
        self,
        cx: &Context,
        known: Known<T>,
        ask: impl Fn(Page) -> F,
    ) -> Result<Paged<T>, ToolError>
    where
        F: Future<Output = Result<Vec<T>, NodeError>>,
    {
        let ask = |page| {
            let rows = ask(page);
            async move { Ok::<_, ToolError>((rows.await?, ())) }
        };
        Ok(self.of_answer(cx, known, ask).await?.0)
    }

    /// The page of a list that came whole.
    pub(crate) fn of_whole<T>(self, cx: &Context, known: Known<T>, rows: Vec<T>) -> Paged<T, u32> {
        let offset = self.offset as usize;
        let window = Window {
            first: 0,
            keys: Keys::of(&known, &rows),
            items: rows,
            gaps: Vec::new(),
            is_last: true,
        };
        let begins = match self.past {
            None => offset,
            Some(past) => window.after(&known, past, offset).unwrap_or_else(|| {
                note_lost(cx);
                offset
            }),
        };
        let slice = Slice {
            offset: u32::try_from(begins).unwrap_or(u32::MAX),
            has_offset: false,
            ..self.slice
        };
        let following = Following {
            call: cx.next().without(PAST),
            offset: slice.offset,
            keys: window.keys,
            skipped: begins,
            gaps: Vec::new(),
        };
        let page = slice.of_all(cx, window.items);
        page.followed_by(move |rows| following.after(rows))
    }
}

fn note_lost(cx: &Context) {
    cx.note(
        "The row `past` is no longer near `offset`, from which this page goes on: rows may come twice or be left out.",
    );
}

/// What rows are known by, as they are shown, so that it can be copied.
struct Keys {
    text: String,
    /// Where each ends in it.
    ends: Vec<usize>,
}

impl Keys {
    fn of<T>(known: &Known<T>, rows: &[T]) -> Self {
        let mut keys = Self {
            text: String::with_capacity(rows.len().saturating_mul(USUAL_KEY)),
            ends: Vec::with_capacity(rows.len()),
        };
        for row in rows {
            let key = (known.key)(row);
            let shown = clean(&key);
            let end = shown.char_indices().nth(MOST_KEY);
            let end = end.map_or(shown.len(), |(end, _)| end);
            keys.text.push_str(shown.get(..end).unwrap_or_default());
            keys.ends.push(keys.text.len());
        }
        keys
    }

    fn get(&self, index: usize) -> Option<&str> {
        let before = index.checked_sub(1).and_then(|it| self.ends.get(it));
        let begin = before.copied().unwrap_or(0);
        self.text.get(begin..*self.ends.get(index)?)
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|it| self.get(it))
    }
}

/// Rows of a list, in its order.
struct Window<T> {
    /// The place of the first one in the list.
    first: u32,
    items: Vec<T>,
    keys: Keys,
    /// The places among them of rows that could not be read.
    gaps: Vec<usize>,
    /// Whether the list ends with them.
    is_last: bool,
}

impl<T> Window<T> {
    fn of(cx: &Context, known: &Known<T>, items: Vec<T>, first: u32) -> Self {
        Self {
            first,
            keys: Keys::of(known, &items),
            gaps: cx.gaps(items.len()),
            is_last: false,
            items,
        }
    }

    fn rows(&self) -> usize {
        self.items.len().saturating_add(self.gaps.len())
    }

    /// The place of an item among the rows.
    fn place(&self, index: usize) -> usize {
        let gaps = self.gaps.iter();
        gaps.fold(index, |place, gap| place + usize::from(*gap <= place))
    }

    /// The place after the row that is known by this and was the last one before `expected`, or where it would be; `None` if that is not
    /// among these rows.
    fn after(&self, known: &Known<T>, past: &str, expected: usize) -> Option<usize> {
        let before = expected.saturating_sub(1);
        let of_key = self.keys.iter().enumerate().filter(|(_, key)| *key == past);
        let same = of_key.map(|(index, _)| self.place(index));
        if let Some(place) = same.min_by_key(|it| it.abs_diff(before)) {
            return Some(place.saturating_add(1));
        }
        let mut has_order = true;
        let (mut less, mut until) = (0, 0);
        for key in self.keys.iter() {
            match known.compare(key, past) {
                Some(Ordering::Less) if until == less => (less, until) = (less + 1, until + 1),
                Some(Ordering::Equal) => until += 1,
                Some(Ordering::Less | Ordering::Greater) => {}
                None => has_order = false,
            }
        }
        let is_before = less == 0 && self.first > 0;
        let is_beyond = until == self.items.len() && !self.is_last;
        if !has_order || is_before || is_beyond {
            return None;
        }
        Some(expected.clamp(self.place(less), self.place(until)))
    }

    /// The page that begins at a place.
    fn page(mut self, cx: &Context, slice: Slice, begins: usize) -> Paged<T> {
        let earlier = items_in(begins, &self.gaps).min(self.items.len());
        drop(self.items.drain(..earlier));
        let left_out = match self.gaps.len() {
            0 => cx.rows_left_out(),
            _ => self.gaps.iter().filter(|it| **it >= begins).count(),
        };
        let gaps = self.gaps.into_iter();
        let gaps: Vec<_> = gaps.filter_map(|it| it.checked_sub(begins)).collect();
        let begins = u32::try_from(begins).unwrap_or(u32::MAX);
        let slice = Slice {
            offset: self.first.saturating_add(begins),
            has_offset: false,
            ..slice
        };
        let following = Following {
            call: cx.next().without(PAST),
            offset: slice.offset,
            keys: self.keys,
            skipped: earlier,
            gaps: gaps.clone(),
        };
        let page = slice.cut(cx, self.items, gaps, left_out);
        page.followed_by(move |rows| following.after(rows))
    }
}

/// How many of the first rows are items.
fn items_in(rows: usize, gaps: &[usize]) -> usize {
    let gaps = gaps.iter().take_while(|it| **it < rows).count();
    rows.saturating_sub(gaps)
}

/// What comes after a page.
struct Following {
    call: Next,
    /// Where the page begins.
    offset: u32,
    keys: Keys,
    /// How many of them are of rows before the page.
    skipped: usize,
    gaps: Vec<usize>,
}

impl Following {
    /// The call for what comes after the first rows of the page.
    fn after(&self, rows: u32) -> Option<Next> {
        let offset = ("offset", self.offset.saturating_add(rows).into());
        let items = items_in(rows as usize, &self.gaps);
        // Of rows that cannot be read, many may come after it.
        let is_near = (rows as usize).saturating_sub(items) < BESIDE as usize;
        let last = self.skipped.saturating_add(items).checked_sub(1);
        let last = last.filter(|_| items > 0 && is_near);
        let key = last.and_then(|it| self.keys.get(it));
        Some(match key.filter(|it| !it.is_empty()) {
            Some(key) => self.call.with([offset, (PAST, key.into())]),
            None => self.call.with([offset]),
        })
    }
}
