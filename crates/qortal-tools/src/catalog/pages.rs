//! A list that is read to its end, however long it is.

use serde_json::Value;
use tool_schema::Object;

use super::Catalog;
use crate::{
    context::SharedContext,
    declare::{Entry, PAST, csv_header, csv_rows},
    error::ToolError,
};

/// The argument that says how many rows a page has, and that by which a list begins later.
const LIMIT: &str = "limit";
const OFFSET: &str = "offset";

/// All rows of a list, page by page: each is the call that the one before it names as `next`.
///
/// ```
/// # use qortal_client::{Config, Node};
/// # use qortal_testnode::{Scenario, TestNode};
/// use qortal_tools::{Catalog, Object, Selection};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let simulated = TestNode::start_lenient(Scenario::recorded()).await?;
/// # let node = Node::new(Config::new(simulated.url()))?;
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
    /// The arguments of the next page.
    next: Option<Object>,
    /// Whether the end was seen.
    ended: bool,
    /// The total of the first page. Later ones of some lists count what comes from there on.
    total: Option<u64>,
}

/// One page of a list.
#[derive(Debug)]
#[non_exhaustive]
pub struct PageOfRows {
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
        if let Some(limit) = parameters.iter().find(|it| it.name == LIMIT)
            && let Some(most) = limit.schema.get("maximum")
        {
            arguments.entry(LIMIT).or_insert_with(|| most.clone());
        }
        Some(Pages {
            catalog: self,
            entry,
            list,
            columns,
            next: Some(arguments),
            ended: false,
            total: None,
        })
    }
}

impl Pages<'_> {
    /// The same list from where it was read up to, a [`place`](Self::place).
    #[must_use]
    pub fn starting_at(self, place: Option<Object>) -> Self {
        Self {
            next: place,
            ..self
        }
    }

    /// The arguments of the page that comes next. At the end of a list with its oldest rows first it is that of rows that are added to
    /// it later; `None` at that of another.
    #[must_use]
    pub const fn place(&self) -> Option<&Object> {
        self.next.as_ref()
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
    /// Fails as [`Catalog::call`] does. The page is read again by the next call.
    pub async fn next(&mut self) -> Option<Result<PageOfRows, ToolError>> {
        if self.ended {
            return None;
        }
        let arguments = self.next.clone()?;
        let shared = SharedContext {
            whole_pages: true,
            ..self.catalog.shared.clone()
        };
        let outcome = match self.entry.call(shared, arguments.clone()).await {
            Ok(outcome) => outcome,
            Err(err) => return Some(Err(err)),
        };
        let mut structure = outcome.structure();
        let rows = match structure.remove(&self.list) {
            Some(Value::Array(rows)) => rows,
            _ => Vec::new(),
        };
        let next = structure.get("next").and_then(|it| it.get("arguments"));
        let next = next.and_then(Value::as_object);
        self.ended = next.is_none();
        self.next = match next {
            Some(next) => Some(next.clone()),
            None => after_end(arguments, rows.len()),
        };
        let notes = structure.get("notes").and_then(Value::as_array);
        let total = structure.get("total").and_then(Value::as_u64);
        self.total = self.total.max(total);
        Some(Ok(PageOfRows {
            rows,
            total: self.total,
            notes: notes
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
        }))
    }
}

/// Where a list goes on that had its oldest rows first, when there are more.
fn after_end(mut arguments: Object, rows: usize) -> Option<Object> {
    if arguments.get("order")? != "oldest" {
        return None;
    }
    let offset = arguments.get(OFFSET).and_then(Value::as_u64).unwrap_or(0);
    arguments.remove(PAST);
    arguments.insert(OFFSET.to_owned(), (offset + rows as u64).into());
    Some(arguments)
}
