//! Paging: the part of a list that a client asks for, and the part it receives.

use std::ops::Deref;

use qortal_client::Page;
use tool_schema::{Arguments, Bounded, JsonWriter, Member, Object, Output, Params};

use crate::{
    context::{Context, Next},
    declare::{Qortal, table::wants_csv},
};

/// Bytes of JSON of the items of one answer. A host shows its model some 50 KB of an answer, or nothing of a longer one;
/// with its notes, a list of this size has less than 40 KB.
const LIST_BYTES: usize = 38_000;

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
        let (limit, offset) = ("{}", "Rows to skip.");
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
        cx.note(format!(
            "limit was sent as {limit} and lowered to {most}, the most it can be {case}."
        ));
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
        let truncated = items.len().saturating_add(left_out) > self.limit as usize;
        self.cut(cx, items, gaps, truncated)
    }

    /// The page of items of which it is known whether there are more.
    pub(crate) fn of_known<T>(self, cx: &Context, items: Vec<T>, truncated: bool) -> Paged<T> {
        let gaps = cx.gaps(items.len());
        self.cut(cx, items, gaps, truncated)
    }

    /// The page of a list that was read from its beginning to one item beyond the page, because the node cannot page it,
    /// or not right. Its offsets count what could be read.
    pub(crate) fn of_beginning<T>(self, cx: &Context, items: Vec<T>) -> Paged<T> {
        let wanted = self.offset.saturating_add(self.limit) as usize;
        let truncated = items.len().saturating_add(cx.rows_left_out()) > wanted;
        let items: Vec<T> = items.into_iter().skip(self.offset as usize).collect();
        let shown = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let limit = self.limit.min(shown);
        let mut page = Self { limit, ..self }.cut(cx, items, Vec::new(), truncated);
        // Nothing comes after a page on which nothing could be read.
        page.remainder.next.take_if(|_| limit == 0);
        page
    }

    fn cut<T>(
        self,
        cx: &Context,
        mut items: Vec<T>,
        gaps: Vec<usize>,
        truncated: bool,
    ) -> Paged<T> {
        let limit = self.limit as usize;
        let missing = gaps.iter().filter(|it| **it < limit).count();
        items.truncate(limit.saturating_sub(missing));
        let next = || cx.next_from(self.offset.saturating_add(self.limit));
        Paged {
            gaps,
            items,
            total: (),
            remainder: Remainder {
                truncated,
                next: truncated.then(next),
            },
            resume: (self.has_offset && !wants_csv(&cx.arguments)).then(|| Resume {
                call: cx.next_from(self.offset),
                parameter: "offset",
                first: self.offset,
                down: false,
            }),
        }
    }

    /// The page of a list that came whole, because the node cannot page it.
    pub(crate) fn of_all<T>(self, cx: &Context, items: Vec<T>) -> Paged<T, u32> {
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let rest: Vec<T> = items.into_iter().skip(self.offset as usize).collect();
        let truncated = rest.len() > self.limit as usize;
        self.cut(cx, rest, Vec::new(), truncated).with_total(total)
    }

    /// As much of a page as has `most` bytes, and its first item whatever it has; the rest comes with the next page.
    pub(crate) fn within<T, N>(
        self,
        cx: &Context,
        page: Paged<T, N>,
        most: usize,
        bytes: impl Fn(&T) -> usize,
    ) -> Paged<T, N> {
        let mut sum = 0_usize;
        let fitting = page.items.iter().take_while(|it| {
            sum = sum.saturating_add(bytes(it));
            sum <= most
        });
        let kept = fitting.count().max(1);
        if kept >= page.items.len() {
            return page;
        }
        let rows = rows_up_to(kept, &page.gaps);
        let limit = u32::try_from(rows).unwrap_or(u32::MAX);
        let shorter = Self { limit, ..self };
        let mut items = page.items;
        items.truncate(kept);
        shorter
            .cut(cx, items, page.gaps, true)
            .with_total(page.total)
    }
}

/// Whether something was left out of an answer, and how to get it: the members `truncated` and `next`.
///
/// The doc comment of a member of this type is that of `truncated`.
#[derive(Debug, Default)]
pub(crate) struct Remainder {
    pub(crate) truncated: bool,
    pub(crate) next: Option<Next>,
}

impl Remainder {
    /// That of two lists whose pages begin at the same place.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            truncated: self.truncated || other.truncated,
            next: self.next.or(other.next),
        }
    }
}

fn put_remainder(truncated: bool, next: Option<&Next>, json: &mut JsonWriter) {
    Output::<Qortal>::put(&truncated, "truncated", json);
    if let Some(next) = next {
        Output::<Qortal>::put(next, "next", json);
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
        put_remainder(self.truncated, self.next.as_ref(), json);
    }

    fn describe(_: &str, doc: &'static str, members: &mut Vec<Member>) {
        <bool as Output<Qortal>>::describe("truncated", doc, members);
        let next = "The call that returns more.";
        <Option<Next> as Output<Qortal>>::describe("next", next, members);
    }
}

/// The call for the rest of a page, wherever that is cut.
#[derive(Debug)]
pub(crate) struct Resume {
    /// The call for this page.
    call: Next,
    /// The parameter that says where a page begins.
    parameter: &'static str,
    /// Where this one does.
    first: u32,
    /// Whether it goes down from there.
    down: bool,
}

/// How many rows of the node the first `shown` items of a page are, with the gaps before and right after them.
fn rows_up_to(shown: usize, gaps: &[usize]) -> usize {
    gaps.iter().fold(shown, |rows, gap| match *gap <= rows {
        true => rows.saturating_add(1),
        false => rows,
    })
}

impl Resume {
    fn after(&self, shown: usize, gaps: &[usize]) -> Next {
        let rows = u32::try_from(rows_up_to(shown, gaps)).unwrap_or(u32::MAX);
        let from = match self.down {
            true => self.first.saturating_sub(rows),
            false => self.first.saturating_add(rows),
        };
        let call = Next {
            tool: self.call.tool,
            arguments: self.call.arguments.clone(),
        };
        call.with(self.parameter, from.into())
    }
}

/// A part of a list: its items, `total` if the length of the list is known, and the [`Remainder`].
#[derive(Debug)]
pub(crate) struct Paged<T, N = ()> {
    pub(crate) items: Vec<T>,
    pub(crate) total: N,
    pub(crate) remainder: Remainder,
    /// `None` if the page cannot be cut.
    pub(crate) resume: Option<Resume>,
    /// The places among the rows of the page that have no item here, ascending.
    gaps: Vec<usize>,
}

impl<T, N> Paged<T, N> {
    /// The same page of something else.
    pub(crate) fn map<U>(self, into: impl FnMut(T) -> U) -> Paged<U, N> {
        Paged {
            items: self.items.into_iter().map(into).collect(),
            total: self.total,
            remainder: self.remainder,
            resume: self.resume,
            gaps: self.gaps,
        }
    }

    /// The same page of something else, without the items that map to nothing.
    pub(crate) fn filter_map<U>(self, mut into: impl FnMut(T) -> Option<U>) -> Paged<U, N> {
        let (mut items, mut gaps) = (Vec::new(), Vec::new());
        let mut known = self.gaps.into_iter().peekable();
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
        Paged {
            items,
            total: self.total,
            remainder: self.remainder,
            resume: self.resume,
            gaps,
        }
    }

    /// The same page with the number of all items.
    pub(crate) fn with_total<M>(self, total: M) -> Paged<T, M> {
        Paged {
            items: self.items,
            total,
            remainder: self.remainder,
            resume: self.resume,
            gaps: self.gaps,
        }
    }

    /// The same page of a list that begins where another parameter than `offset` says, and goes up or down from there.
    pub(crate) fn beginning_at(
        mut self,
        cx: &Context,
        parameter: &'static str,
        first: u32,
        down: bool,
    ) -> Self {
        let resume = || Resume {
            call: cx.next_with([]),
            parameter,
            first,
            down,
        };
        let shown = self.items.len();
        let next = || resume().after(shown, &self.gaps);
        self.remainder.next = self.remainder.truncated.then(next);
        self.resume = (!wants_csv(&cx.arguments)).then(resume);
        self
    }
}

impl<T> Paged<T> {
    /// A page whose rest is not a matter of its offset.
    pub(crate) const fn uncut(items: Vec<T>, remainder: Remainder) -> Self {
        Self {
            items,
            total: (),
            remainder,
            resume: None,
            gaps: Vec::new(),
        }
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
        self.items.write(member, json);
    }

    fn put(&self, name: &str, json: &mut JsonWriter) {
        json.name(name);
        let Some(resume) = &self.resume else {
            self.items.write(name, json);
            self.total.put("total", json);
            self.remainder.put("", json);
            return;
        };
        let mut shown = 0;
        json.array(|json| {
            // In full, so that a page has the same rows whatever their detail.
            let mut bytes = 0_usize;
            for item in &self.items {
                let before = json.bytes();
                json.item();
                let first = json.bytes_in_full();
                item.write(name, json);
                bytes = bytes.saturating_add(json.bytes_in_full() - first);
                if bytes > LIST_BYTES && shown > 0 {
                    json.forget_after(before);
                    return;
                }
                shown += 1;
            }
        });
        self.total.put("total", json);
        match shown < self.items.len() {
            true => put_remainder(true, Some(&resume.after(shown, &self.gaps)), json),
            false => self.remainder.put("", json),
        }
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
