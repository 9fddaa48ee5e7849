//! A list that is read to its end, however long it is.

mod blocks;
mod sums;

use serde_json::Value;
use tool_schema::Object;

use self::sums::ListSums;
use super::{Catalog, cursor::CursorKind, walk::Place};
use crate::{
    context::SharedContext,
    declare::{Entry, START_AFTER, csv_header, csv_rows},
    error::ToolError,
};

/// The argument that says how many rows a page has, and that by which a list begins later.
const LIMIT: &str = "limit";
const OFFSET: &str = "offset";

/// All rows of a list, page by page: each is the call that the one before it names as `next`.
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
    /// Whether the number of rows on a page was not among them.
    chooses_limit: bool,
    place: Place,
    /// Whether the list is read by its blocks where it can be.
    by_blocks: bool,
    /// Whether the blocks before the place are known to be there still.
    is_checked: bool,
    /// The last block of the chain when that was needed first.
    tip: Option<u32>,
    /// Whether the end was seen.
    ended: bool,
    /// The sums of the rows that were read.
    sums: ListSums,
    /// Whether a page was read.
    has_begun: bool,
    /// The total of the first page. Later ones of some lists count what comes from there on.
    total: Option<u64>,
}

/// One page of a list.
#[derive(Debug)]
#[non_exhaustive]
pub struct PageOfRows {
    /// How many of the rows before this page are of the list, if they are not all: the others are of blocks that the chain replaced.
    pub keep: Option<u64>,
    /// Its rows.
    pub rows: Vec<Value>,
    /// How many the list has, if that is known.
    pub total: Option<u64>,
    /// What the tool says of them.
    pub notes: Vec<String>,
}

impl Catalog {
    /// The rows that a call would return if it had no limit, in its order. `None` for a tool that does not answer with a list.
    ///
    /// Unless `arguments` say how many rows a page has, it has as many as are allowed.
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
            is_checked: false,
            tip: None,
            ended: false,
            sums: ListSums::default(),
            has_begun: false,
            total: None,
        })
    }
}

impl Pages<'_> {
    /// The same list from where it was read up to, a [`place`](Self::place).
    #[must_use]
    pub fn starting_at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The same list, each page as the one before it says: for those who need the first pages only.
    #[must_use]
    pub fn by_next(self) -> Self {
        Self {
            by_blocks: false,
            ..self
        }
    }

    /// Where the list goes on. At the end of a list with its oldest rows first that is before rows that are added to it later.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// Returns what can happen to the rows of a list that changes while it is read, or that is read on later; `None` if each is there
    /// once.
    #[must_use]
    pub fn caveat(&self) -> Option<String> {
        let (cursor, _) = CursorKind::of(self.entry.name)?;
        if cursor == CursorKind::AfterRow && self.place.rows > 0 {
            return Some(
                "A row that comes before those already written, such as a new name, is found by a fresh run only."
                    .to_owned(),
            );
        }
        CursorKind::caveat(self.entry.name)
    }

    /// Returns the sums of the rows that were read, by coin and by month, as the tool's answers have them. None if the list has no sums, if
    /// reading began within a window of it, or if the chain replaced blocks meanwhile.
    #[must_use]
    pub fn sums(&self) -> Vec<Object> {
        self.sums.lines()
    }

    /// The header line of the rows as CSV (RFC 4180).
    #[must_use]
    pub fn csv_header(&self) -> String {
        csv_header(&self.columns)
    }

    /// Rows as lines of CSV. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe.
    #[must_use]
    pub fn csv(&self, rows: &[Value]) -> String {
        csv_rows(rows, &self.columns)
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    /// Fails as [`Catalog::call`] does. The place stays, and the page is read again by the next call.
    pub async fn next(&mut self) -> Option<Result<PageOfRows, ToolError>> {
        let (place, is_checked) = (self.place.clone(), self.is_checked);
        let page = self.page().await;
        if page.is_err() {
            (self.place, self.is_checked) = (place, is_checked);
        }
        page.transpose()
    }

    async fn page(&mut self) -> Result<Option<PageOfRows>, ToolError> {
        if self.ended {
            return Ok(None);
        }
        let mut keep = None;
        let is_torn = self.place.is_torn();
        if is_torn || !self.is_checked {
            if is_torn || !self.is_current().await? {
                keep = self.go_back().await?;
                self.sums.forget();
            }
            self.is_checked = true;
        }
        if self.by_blocks && self.place == Place::beginning(self.arguments.clone()) {
            self.place.walk = self.walk().await?;
            if self.place.walk.is_some() {
                self.place.next = None;
            }
        }
        loop {
            if self.place.next.is_none() && !self.open().await? {
                break;
            }
            let Some(arguments) = self.place.next.clone() else {
                break;
            };
            if let Some(page) = self.read(arguments).await? {
                return Ok(Some(PageOfRows { keep, ..page }));
            }
        }
        self.ended = true;
        Ok(keep.map(|_| PageOfRows {
            keep,
            rows: Vec::new(),
            total: None,
            notes: Vec::new(),
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

    /// The page of a call, and then the place after it; `None` if it is of a window that is too wide.
    async fn read(&mut self, arguments: Object) -> Result<Option<PageOfRows>, ToolError> {
        let mut structure = self.call(arguments.clone()).await?;
        let mut rows = self.rows_of(&mut structure);
        let mut next = next_of(&structure);
        let begins = arguments.get(OFFSET).is_none_or(|it| it == &Value::from(0));
        if next.is_some() && self.is_too_wide(&arguments).await? {
            self.narrow();
            return Ok(None);
        }
        match (begins, self.has_begun) {
            (true, _) => self.sums.add(&structure),
            (false, true) => {}
            (false, false) => self.sums.forget(),
        }
        self.has_begun = true;
        for mut further in self.further_pages(&arguments, next.as_ref()).await? {
            rows.extend(self.rows_of(&mut further));
            next = next_of(&further);
        }
        let is_by_blocks = self.place.walk.is_some();
        // Of a window whose blocks were replaced the place stays torn.
        let is_read = next.is_none() && is_by_blocks && self.is_current().await?;
        let total = structure.get("total").and_then(Value::as_u64);
        self.total = self.total.max(total.filter(|_| !is_by_blocks));
        self.place.add(rows.len());
        match next {
            Some(next) => self.place.next = Some(next),
            None if is_by_blocks => {
                self.place.next = None;
                if let Some(tip) = self.tip.filter(|_| is_read) {
                    self.close(tip);
                }
            }
            None => {
                self.ended = true;
                self.place.next = after_end(arguments, rows.len());
            }
        }
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

/// The arguments of the call that an answer names as the next one.
fn next_of(answer: &Object) -> Option<Object> {
    let next = answer.get("next").and_then(|it| it.get("arguments"));
    next.and_then(Value::as_object).cloned()
}

/// Where a list goes on that had its oldest rows first, when there are more.
fn after_end(mut arguments: Object, rows: usize) -> Option<Object> {
    if arguments.get("order")? != "oldest" {
        return None;
    }
    let offset = arguments.get(OFFSET).and_then(Value::as_u64).unwrap_or(0);
    arguments.remove(START_AFTER);
    arguments.insert(OFFSET.to_owned(), (offset + rows as u64).into());
    Some(arguments)
}
