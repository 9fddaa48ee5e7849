//! Readers of complete lists, whatever their length.

mod blocks;
mod sums;

use futures_util::future::try_join_all;
use serde_json::Value;
use tool_schema::Object;

use super::{Catalog, cursor::CursorKind, walk::Place};
use crate::{
    context::SharedContext,
    declare::{Entry, START_AFTER, count, csv_header, csv_rows},
    error::ToolError,
};

/// The parameters for the page size and for the place where a list begins.
const LIMIT: &str = "limit";
const OFFSET: &str = "offset";

/// Number of pages of one block that are read at once after its first page. Few blocks have more rows of a list.
const FURTHER_PAGES: u64 = 4;

/// All rows of a list, page by page. Each page comes from the call in the `next` field of the page before.
///
/// ```
/// # use qortal_client::{Node, NodeConfig};
/// # use qortal_testnode::{Scenario, TestNode};
/// use qortal_tools::{Catalog, Object, Selection};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let simulated = TestNode::start_lenient(Scenario::recorded()).await?;
/// # let node = Node::new(NodeConfig::new(simulated.url()))?;
/// let catalog = Catalog::new(node, &Selection::default())?;
/// let tool = catalog.entry("list_names").ok_or("no such tool")?;
/// let mut pages = catalog.pages(tool, Object::new()).ok_or("no list")?;
/// let mut names = 0;
/// while let Some(page) = pages.next().await {
///     names += page?.rows.len();
/// }
/// assert_eq!(names, 17);
/// # simulated.stop().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Pages<'a> {
    catalog: &'a Catalog,
    entry: &'static Entry,
    list: String,
    columns: Vec<String>,
    /// The arguments of the call.
    arguments: Object,
    /// Whether the caller left out the page size, so that this type chooses it.
    chooses_limit: bool,
    place: Place,
    /// Whether to read the list by its blocks where possible.
    by_blocks: bool,
    /// Whether the end was reached.
    ended: bool,
    /// The sums of the rows read so far. `None` if the list has none, or if they do not cover all rows read.
    sums: Option<Vec<Object>>,
    /// The total reported with the first page. Later totals of some lists count only the rows from their page on.
    total: Option<u64>,
}

/// One page of a list.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct PageOfRows {
    /// Number of preceding rows that still belong to the list, if some do not: those come from blocks that the chain
    /// replaced.
    pub keep: Option<u64>,
    /// The rows of the page.
    pub rows: Vec<Value>,
    /// Number of rows in the whole list, if known.
    pub total: Option<u64>,
    /// The tool's notes.
    pub notes: Vec<String>,
}

impl Catalog {
    /// Creates a reader of all rows that a call would return without a limit, in its order. Returns `None` for a tool
    /// that does not answer with a list.
    ///
    /// Unless `arguments` set the page size, each page has the maximum number of rows.
    #[must_use]
    pub fn pages(&self, entry: &'static Entry, mut arguments: Object) -> Option<Pages<'_>> {
        let (list, columns) = entry.rows(&arguments)?;
        let parameters = entry.parameters();
        let mut chooses_limit = false;
        if let Some(limit) = parameters.iter().find(|it| it.name == LIMIT)
            && let Some(most) = limit.schema.get("maximum")
        {
            chooses_limit = !arguments.contains_key(LIMIT);
            arguments.entry(LIMIT).or_insert_with(|| most.clone());
        }
        Some(Pages {
            catalog: self,
            entry,
            list,
            columns,
            chooses_limit,
            place: Place::beginning(arguments.clone()),
            arguments,
            by_blocks: true,
            ended: false,
            sums: Some(Vec::new()),
            total: None,
        })
    }
}

impl Pages<'_> {
    /// Continues the list from a [`place`](Self::place) up to which it was read.
    #[must_use]
    pub fn starting_at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// Follows each page to the next exactly as the tool names it, for callers that need only the first pages.
    #[must_use]
    pub fn by_next(self) -> Self {
        Self {
            by_blocks: false,
            ..self
        }
    }

    /// Returns the place where the list continues. At the end of a list with its oldest rows first, that is before any
    /// rows added later.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// Records the length of the caller's output after the rows read so far, which the place keeps.
    pub const fn written(&mut self, bytes: u64) {
        self.place.bytes = bytes;
    }

    /// Returns a warning about the rows of a list that changes while it is read or is continued later, or `None` if
    /// each row occurs exactly once.
    #[must_use]
    pub fn caveat(&self) -> Option<String> {
        let cursor = CursorKind::of(self.entry.name);
        if cursor == Some(CursorKind::AfterRow) && self.place.rows > 0 {
            return Some(
                "A row that comes before those already written, such as a new name, is found by a fresh run only."
                    .to_owned(),
            );
        }
        CursorKind::caveat(self.entry.name)
    }

    /// Returns the sums of the rows read, by coin and by month, in the form of the tool's answers. Returns `None` if
    /// the list has no sums, if reading began within a window of it, or if the chain replaced blocks meanwhile.
    #[must_use]
    pub fn sums(&self) -> Vec<Object> {
        let mut sums = self.sums.clone().unwrap_or_default();
        let text = |line: &Object, name| line.get(name).map(ToString::to_string);
        sums.sort_by_cached_key(|it| (text(it, "month"), text(it, "coin")));
        sums
    }

    /// Returns the header line of the rows as CSV (RFC 4180).
    #[must_use]
    pub fn csv_header(&self) -> String {
        csv_header(&self.columns)
    }

    /// Formats rows as lines of CSV. A value with the form of a spreadsheet formula gets an apostrophe as its prefix.
    #[must_use]
    pub fn csv(&self, rows: &[Value]) -> String {
        csv_rows(rows, &self.columns)
    }

    /// Reads the next page. Returns `None` after the last one.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Catalog::call`]. The place is kept, and the next call reads the page again.
    pub async fn next(&mut self) -> Option<Result<PageOfRows, ToolError>> {
        let place = self.place.clone();
        let page = self.page().await;
        if page.is_err() {
            self.place = place;
        }
        page.transpose()
    }

    async fn page(&mut self) -> Result<Option<PageOfRows>, ToolError> {
        let mut keep = None;
        while !self.ended {
            // After the last page of a window it is known whether its rows are correct.
            if self.place.next.is_none() && !self.is_current().await? {
                self.go_back().await?;
                keep = Some(self.place.rows);
                self.sums = None;
            }
            if self.by_blocks && self.place == Place::beginning(self.arguments.clone()) {
                self.begin_walk().await?;
            }
            if self.place.next.is_none() && !self.open().await? {
                self.ended = true;
            } else if let Some(page) = self.read().await? {
                return Ok(Some(PageOfRows { keep, ..page }));
            }
        }
        Ok(keep.map(|_| PageOfRows {
            keep,
            ..PageOfRows::default()
        }))
    }

    async fn call(&self, arguments: Object) -> Result<Object, ToolError> {
        let shared = SharedContext {
            whole_pages: true,
            chooses_limit: self.chooses_limit,
            ..self.catalog.shared.clone()
        };
        let outcome = self.entry.call(shared, arguments).await?;
        Ok(outcome.structure())
    }

    /// Takes the rows out of an answer.
    fn rows_of(&self, answer: &mut Object) -> Vec<Value> {
        match answer.remove(&self.list) {
            Some(Value::Array(rows)) => rows,
            _ => Vec::new(),
        }
    }

    /// Reads a page and moves the place after it. Returns `None` if the page is of a window that is too wide.
    async fn read(&mut self) -> Result<Option<PageOfRows>, ToolError> {
        let Some(arguments) = self.place.next.take() else {
            return Ok(None);
        };
        let mut structure = self.call(arguments.clone()).await?;
        let mut rows = self.rows_of(&mut structure);
        let mut next = next_of(&structure);
        let (offset, limit) = (offset_of(&arguments), self.limit());
        let begins = offset == 0;
        if let Some(walk) = self.place.walk.as_mut().filter(|_| begins)
            && !walk.fits(count(rows.len()), limit, next.is_some())
        {
            return Ok(None);
        }
        let is_by_small_windows = self
            .place
            .walk
            .as_ref()
            .is_some_and(|it| it.blocks.is_some());
        if let Some(first) = next
            .clone()
            .filter(|it| is_by_small_windows && offset_of(it) > offset)
        {
            let next_offset = offset_of(&first);
            let pages = (0..FURTHER_PAGES).map(|page| {
                let mut arguments = first.clone();
                arguments.remove(START_AFTER);
                let further = page * next_offset.saturating_sub(offset);
                arguments.insert(OFFSET.to_owned(), (next_offset + further).into());
                self.call(arguments)
            });
            for mut page in try_join_all(pages).await? {
                rows.extend(self.rows_of(&mut page));
                next = next_of(&page);
                if next.is_none() {
                    break;
                }
            }
        }
        self.sums = sums::added(self.sums.take(), &structure, begins);
        if self.place.walk.is_none() {
            let total = structure.get("total").and_then(Value::as_u64);
            self.total = self.total.max(total);
            self.ended = next.is_none();
        }
        let after_end = self.ended.then(|| after_end(arguments, rows.len()));
        self.place.next = next.or(after_end.flatten());
        self.place.rows = self.place.rows.saturating_add(rows.len() as u64);
        let notes = structure.get("notes").and_then(Value::as_array);
        let notes = notes.into_iter().flatten().filter_map(Value::as_str);
        Ok(Some(PageOfRows {
            keep: None,
            rows,
            total: self.total,
            notes: notes.map(str::to_owned).collect(),
        }))
    }
}

fn offset_of(arguments: &Object) -> u64 {
    let offset = arguments.get(OFFSET).and_then(Value::as_u64);
    offset.unwrap_or(0)
}

/// Returns the arguments of the call in the `next` field of an answer.
fn next_of(answer: &Object) -> Option<Object> {
    let next = answer.get("next").and_then(|it| it.get("arguments"));
    next.and_then(Value::as_object).cloned()
}

/// Returns the place after the end of a list with its oldest rows first, where later rows appear.
fn after_end(mut arguments: Object, rows: usize) -> Option<Object> {
    if arguments.get("order")? != "oldest" {
        return None;
    }
    let offset = offset_of(&arguments) + rows as u64;
    arguments.remove(START_AFTER);
    arguments.insert(OFFSET.to_owned(), offset.into());
    Some(arguments)
}
