//! Lists in pages: the part that a client asks for, and the part it receives.

mod continued;

use std::{fmt, ops::Deref};

use qortal_client::Page;
use tool_schema::{Arguments, Bounded, JsonWriter, Member, Object, Output, Params};

use crate::{
    context::{Context, Next},
    declare::Qortal,
    support::untrusted::write_whole,
};

pub(crate) use continued::{By, Continued, Known, PAST, Start};

/// The member that says whether there is more.
pub(super) const TRUNCATED: &str = "truncated";

/// The parameters `limit`, which is `USUAL` unless given and at most `MOST`, and `offset`, at most `FARTHEST`.
///
/// Declared as `#[flatten]`, or as `#[flatten("Of either list.")]` where the limit is not one of rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paging<const USUAL: u32, const MOST: u32 = 100, const FARTHEST: u32 = 1_000_000>(
    Slice,
);

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32> Paging<USUAL, MOST, FARTHEST> {
    const LIMIT: Bounded<1, MOST> = Bounded::new(USUAL);
    const OFFSET: Bounded<0, FARTHEST> = Bounded::new(0);
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32> Params
    for Paging<USUAL, MOST, FARTHEST>
{
    fn members() -> Vec<Member> {
        let (limit, offset) = ("{}", "Skipped.");
        vec![
            Member::parameter::<_, Qortal>("limit", limit, Some(&Self::LIMIT)),
            Member::parameter::<_, Qortal>("offset", offset, Some(&Self::OFFSET)),
        ]
    }

    fn take(arguments: &mut Arguments<'_>) -> Option<Self> {
        let limit = arguments.take::<_, Qortal>("limit", Some(Self::LIMIT));
        let offset = arguments.take::<_, Qortal>("offset", Some(Self::OFFSET));
        Some(Self(Slice::new(limit?, offset?)))
    }
}

impl<const USUAL: u32, const MOST: u32, const FARTHEST: u32> Deref
    for Paging<USUAL, MOST, FARTHEST>
{
    type Target = Slice;

    fn deref(&self) -> &Slice {
        &self.0
    }
}

/// The part of a list that a client asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) limit: u32,
    pub(crate) offset: u32,
    /// Whether `offset` is a parameter.
    has_offset: bool,
}

impl Slice {
    /// The beginning of a list.
    pub(crate) const fn first(limit: u32) -> Self {
        Self {
            limit,
            offset: 0,
            has_offset: false,
        }
    }

    pub(crate) const fn new<const MOST: u32, const FARTHEST: u32>(
        limit: Bounded<1, MOST>,
        offset: Bounded<0, FARTHEST>,
    ) -> Self {
        Self {
            limit: limit.value(),
            offset: offset.value(),
            has_offset: true,
        }
    }

    /// The same with a limit that the node sets in this case, which is noted.
    pub(crate) fn at_most(self, cx: &Context, most: u32, case: &str) -> Self {
        if self.limit <= most {
            return self;
        }
        let limit = self.limit;
        if !cx.chooses_limit {
            cx.note(format!(
                "limit was sent as {limit} and lowered to {most}, the most it can be {case}."
            ));
        }
        cx.pin("limit", most.into());
        Self {
            limit: most,
            ..self
        }
    }

    /// The page to ask the node for: one more than is wanted, to know whether that is all.
    pub(crate) fn one_more(self, reverse: bool) -> Page {
        Page::first(self.limit.saturating_add(1))
            .with_offset(self.offset)
            .with_reverse(reverse)
    }

    /// The page of items that were asked for with [`Slice::one_more`]. A row that could not be read counts as one of
    /// them: the next page begins after the last row of this one, whether that could be read or not.
    pub(crate) fn of<T>(self, cx: &Context, items: Vec<T>) -> Paged<T> {
        let gaps = cx.gaps(items.len());
        let left_out = match gaps.len() {
            0 => cx.rows_left_out(),
            known => known,
        };
        self.cut(cx, items, gaps, left_out)
    }

    /// The same, where as many rows could not be read, those at these places among them.
    fn cut<T>(
        self,
        cx: &Context,
        mut items: Vec<T>,
        gaps: Vec<usize>,
        left_out: usize,
    ) -> Paged<T> {
        let limit = self.limit as usize;
        let is_more = items.len().saturating_add(left_out) > limit;
        let missing = gaps.iter().filter(|it| **it < limit).count();
        items.truncate(limit.saturating_sub(missing));
        let page = self.page(cx, items, self.limit, gaps);
        page.or_more(is_more)
    }

    /// The page of a list that came whole, because the node cannot page it. Its offsets count what could be read.
    pub(crate) fn of_all<T>(self, cx: &Context, items: Vec<T>) -> Paged<T, u32> {
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let mut rest: Vec<T> = items.into_iter().skip(self.offset as usize).collect();
        let is_more = rest.len() > self.limit as usize;
        rest.truncate(self.limit as usize);
        let rows = u32::try_from(rest.len()).unwrap_or(u32::MAX);
        let page = self.page(cx, rest, rows, Vec::new());
        page.or_more(is_more).with_total(total)
    }

    fn page<T>(self, cx: &Context, items: Vec<T>, rows: u32, gaps: Vec<usize>) -> Paged<T> {
        let page = Paged {
            items,
            total: (),
            remainder: Remainder {
                rows,
                gaps,
                ..Remainder::default()
            },
        };
        if self.has_offset {
            page.beginning_at(cx, "offset", self.offset, false)
        } else {
            page
        }
    }
}

/// The call for what comes after the first rows of a page, if there is one.
type After = Box<dyn Fn(u32) -> Option<Next> + Send + Sync>;

/// Whether something was left out of an answer, and how to get it: the members `truncated` and `next`. It comes after
/// the list, or the lists, that it is about.
///
/// The doc comment of a member of this type is that of `truncated`.
#[derive(Default)]
pub(crate) struct Remainder {
    pub(crate) truncated: bool,
    /// Whether there is more after the page.
    is_more: bool,
    /// How many rows of the node the page is.
    rows: u32,
    /// The places among them that have no item here, ascending.
    gaps: Vec<usize>,
    /// `None` if the page cannot be cut.
    after: Option<After>,
}

impl Remainder {
    /// That of a page of so many rows.
    pub(crate) fn new(
        is_more: bool,
        rows: u32,
        after: impl Fn(u32) -> Option<Next> + Send + Sync + 'static,
    ) -> Self {
        Self {
            truncated: is_more,
            is_more,
            rows,
            gaps: Vec::new(),
            after: Some(Box::new(after)),
        }
    }

    /// That of two lists whose pages begin at the same place.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            truncated: self.truncated || other.truncated,
            is_more: self.is_more || other.is_more,
            rows: self.rows.max(other.rows),
            gaps: Vec::new(),
            after: self.after.or(other.after),
        }
    }

    /// How many rows the first `shown` items are, with the gaps before and right after them.
    fn rows_up_to(&self, shown: usize) -> u32 {
        let gaps = self.gaps.iter();
        let rows = gaps.fold(shown, |rows, gap| rows + usize::from(*gap <= rows));
        u32::try_from(rows).unwrap_or(u32::MAX)
    }
}

impl fmt::Debug for Remainder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remainder")
            .field("truncated", &self.truncated)
            .finish_non_exhaustive()
    }
}

impl Output<Qortal> for Remainder {
    fn schema() -> Object {
        <bool as Output<Qortal>>::schema()
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.boolean(self.truncated);
    }

    fn put(&self, _: &str, json: &mut JsonWriter) {
        let cut = json.pages.cut.take();
        Output::<Qortal>::put(&(self.truncated || cut.is_some()), TRUNCATED, json);
        let rows = match cut {
            Some(shown) => self.rows_up_to(shown),
            None if self.is_more => self.rows,
            None => 0,
        };
        // Nothing comes after a page on which nothing could be read.
        let after = self.after.as_ref().filter(|_| rows > 0);
        let next = after.and_then(|after| after(rows));
        Output::<Qortal>::put(&next, "next", json);
    }

    fn describe(_: &str, doc: &'static str, members: &mut Vec<Member>) {
        <bool as Output<Qortal>>::describe(TRUNCATED, doc, members);
        let next = "The call that returns more.";
        <Option<Next> as Output<Qortal>>::describe("next", next, members);
    }
}

/// The rows of a page whose [`Remainder`] is another member, also that of other lists.
#[derive(Debug)]
pub(crate) struct Rows<T>(pub(crate) Vec<T>);

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T: Output<Qortal>> Output<Qortal> for Rows<T> {
    fn schema() -> Object {
        Vec::<T>::schema()
    }

    fn nested() -> Vec<Member> {
        Vec::<T>::nested()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        write_rows(&self.0, usize::MAX, member, json);
    }
}

/// Writes the items of a page that an answer has room for; each page has one at least.
fn write_rows<T: Output<Qortal>>(
    items: &[T],
    most_bytes: usize,
    member: &str,
    json: &mut JsonWriter,
) {
    let mut shown = 0;
    json.array(|json| {
        // In full, so that a page has the same rows whatever their detail.
        let mut bytes = 0_usize;
        for item in items.iter().take(json.pages.most) {
            let before = json.bytes();
            json.item();
            let first = json.bytes_in_full();
            item.write(member, json);
            bytes = bytes.saturating_add(json.bytes_in_full() - first);
            if bytes > most_bytes && shown > 0 {
                json.forget_after(before);
                return;
            }
            shown += 1;
        }
    });
    json.pages.wrote(shown, items.len());
}

/// Characters of a text that goes on in another answer.
#[derive(Debug)]
pub(crate) struct Characters(pub(crate) String);

impl Output<Qortal> for Characters {
    fn schema() -> Object {
        <String as Output<Qortal>>::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        let characters = self.0.chars().count();
        let mut ends = self.0.char_indices().map(|(end, _)| end);
        let end = ends.nth(json.pages.most).unwrap_or(self.0.len());
        write_whole(self.0.get(..end).unwrap_or_default(), member, json);
        json.pages
            .wrote(characters.min(json.pages.most), characters);
    }
}

/// A part of a list: its items, `total` if the length of the list is known, and the [`Remainder`].
#[derive(Debug)]
pub(crate) struct Paged<T, N = ()> {
    pub(crate) items: Vec<T>,
    pub(crate) total: N,
    pub(crate) remainder: Remainder,
}

impl<T, N> Paged<T, N> {
    /// The same page of something else.
    pub(crate) fn map<U>(self, into: impl FnMut(T) -> U) -> Paged<U, N> {
        Paged {
            items: self.items.into_iter().map(into).collect(),
            total: self.total,
            remainder: self.remainder,
        }
    }

    /// The same page of something else, without the items that map to nothing.
    pub(crate) fn filter_map<U>(self, mut into: impl FnMut(T) -> Option<U>) -> Paged<U, N> {
        let (mut items, mut gaps) = (Vec::new(), Vec::new());
        let mut remainder = self.remainder;
        let mut known = remainder.gaps.into_iter().peekable();
        for item in self.items {
            while let Some(gap) = known.next_if_eq(&(items.len() + gaps.len())) {
                gaps.push(gap);
            }
            match into(item) {
                Some(item) => items.push(item),
                None => gaps.push(items.len() + gaps.len()),
            }
        }
        gaps.extend(known);
        remainder.gaps = gaps;
        Paged {
            items,
            total: self.total,
            remainder,
        }
    }

    /// The same page with the number of all items.
    pub(crate) fn with_total<M>(self, total: M) -> Paged<T, M> {
        Paged {
            items: self.items,
            total,
            remainder: self.remainder,
        }
    }

    /// The same page of a list that goes on, if that is known otherwise.
    pub(crate) fn or_more(mut self, is_more: bool) -> Self {
        self.remainder.truncated |= is_more;
        self.remainder.is_more |= is_more;
        self
    }

    /// The same page with the call for what comes after its first rows.
    pub(super) fn followed_by(
        mut self,
        after: impl Fn(u32) -> Option<Next> + Send + Sync + 'static,
    ) -> Self {
        self.remainder.after = Some(Box::new(after));
        self
    }

    /// The first items of the page; the rest comes with the next one.
    pub(crate) fn shortened_to(mut self, shown: usize) -> Self {
        if shown < self.items.len() {
            self.items.truncate(shown);
            self.remainder.rows = self.remainder.rows_up_to(shown);
            return self.or_more(true);
        }
        self
    }

    /// The same page of a list that begins where a parameter says, and goes up or down from there.
    pub(crate) fn beginning_at(
        self,
        cx: &Context,
        parameter: &'static str,
        first: u32,
        down: bool,
    ) -> Self {
        let call = cx.next();
        self.followed_by(move |rows| {
            let from = if down {
                first.saturating_sub(rows)
            } else {
                first.saturating_add(rows)
            };
            Some(call.with([(parameter, from.into())]))
        })
    }
}

impl<T> Paged<T, u32> {
    /// The same page where the number of all items is known only sometimes.
    pub(crate) fn with_known_total(self) -> Paged<T, Option<u32>> {
        let total = Some(self.total);
        self.with_total(total)
    }
}

impl<T: Output<Qortal>, N: Output<Qortal>> Output<Qortal> for Paged<T, N> {
    fn schema() -> Object {
        Vec::<T>::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        write_rows(&self.items, json.pages.bytes, member, json);
    }

    fn put(&self, name: &str, json: &mut JsonWriter) {
        json.name(name);
        self.write(name, json);
        self.total.put("total", json);
        self.remainder.put("", json);
    }

    fn describe(name: &str, doc: &'static str, members: &mut Vec<Member>) {
        Vec::<T>::describe(name, doc, members);
        N::describe("total", "How many there are in all.", members);
        Remainder::describe("", "Whether there are more.", members);
    }
}

/// A total that is not known: no member.
impl Output<Qortal> for () {
    fn schema() -> Object {
        Object::new()
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        json.null();
    }

    fn put(&self, _: &str, _: &mut JsonWriter) {}

    fn describe(_: &str, _: &'static str, _: &mut Vec<Member>) {}
}
