//! Reader of the tool results compared by watches.

use qortal_tools::{Catalog, Entry, Object, ToolError};
use serde_json::Value;

/// Maximum number of rows read from a list per check, the newest ones. Rows beyond it are reported as left out.
pub(super) const MOST_ROWS: usize = 1_000;

/// Reader of the tool results of a catalog.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a Catalog);

/// The newest rows of a list.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Value>,
    /// The length of the list, if its tool reports it.
    pub(super) total: Option<u64>,
    /// Whether more rows exist.
    pub(super) is_cut: bool,
}

impl Reader<'_> {
    fn entry(&self, tool: &str) -> Result<&'static Entry, ToolError> {
        let no_tool = || ToolError::Declaration(format!("there is no tool {tool}"));
        self.0.entry(tool).ok_or_else(no_tool)
    }

    /// Returns the result of a tool.
    pub(super) async fn answer(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        let outcome = self.0.call(self.entry(tool)?, object(arguments)).await?;
        Ok(Value::Object(outcome.structure()))
    }

    /// Returns the result of a tool, or null if the chain does not have the requested item.
    pub(super) async fn known(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        match self.answer(tool, arguments).await {
            Err(ToolError::NotFound { .. }) => Ok(Value::Null),
            answer => answer,
        }
    }

    /// Returns the rows of a list, page by page, up to the first page that is `enough` and at most [`MOST_ROWS`].
    pub(super) async fn rows(
        &self,
        tool: &str,
        arguments: Value,
        enough: impl Fn(&[Value]) -> bool,
    ) -> Result<Rows, ToolError> {
        let mut found = Rows::default();
        let Some(pages) = self.0.pages(self.entry(tool)?, object(arguments)) else {
            return Err(ToolError::Declaration(format!("{tool} has no list")));
        };
        let mut pages = pages.by_next();
        while let Some(page) = pages.next().await {
            let page = page?;
            let is_enough = enough(&page.rows);
            found.total = page.total;
            found.rows.extend(page.rows);
            found.is_cut = !is_enough && !pages.place().is_end();
            if is_enough || found.rows.len() >= MOST_ROWS {
                break;
            }
        }
        Ok(found)
    }
}

/// Returns the arguments with one argument added or replaced.
pub(super) fn with(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    if let Some(members) = arguments.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
    arguments
}

fn object(arguments: Value) -> Object {
    match arguments {
        Value::Object(arguments) => arguments,
        _ => Object::new(),
    }
}
