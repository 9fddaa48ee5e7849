//! A borrowed view of a result. Every target reads from it, whatever the type of the result.

use mcp_protocol::{
    CallToolResult, Object,
    read::{NotAToolResult, ToolResultRef},
};
use serde_json::Value;

use super::block::BlockRef;
/// A type with a view as a tool result.
///
/// Implemented for [`Value`] and [`CallToolResult`]. For a type of another crate, wrap it and list its blocks:
///
/// ```
/// use mcp_convert::{AsResultView, BlockRef, ResultView};
/// use mcp_protocol::read::NotAToolResult;
///
/// struct Theirs { lines: Vec<String>, failed: bool }
/// struct Ours<'a>(&'a Theirs);
///
/// impl AsResultView for Ours<'_> {
///     fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
///         let blocks = self.0.lines.iter().map(|line| BlockRef::text(line)).collect();
///         Ok(ResultView::new(blocks).with_is_error(self.0.failed))
///     }
/// }
/// ```
pub trait AsResultView {
    /// Returns a view of the result.
    ///
    /// # Errors
    /// Returns an error if the value is not a tool result.
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult>;

    /// Returns the value as JSON, or `None` if it is not JSON. One vendor's converter accepts values that are not tool results.
    fn as_raw_json(&self) -> Option<&Value> {
        None
    }
}

/// A borrowed view of a result. Creating one allocates only the list of its blocks.
#[derive(Debug, Clone)]
pub struct ResultView<'a> {
    pub(crate) blocks: Vec<BlockRef<'a>>,
    structured: Option<&'a Value>,
    /// Whether the tool failed.
    pub(crate) is_error: bool,
    /// `_meta` of the result.
    pub(crate) meta: Option<&'a Object>,
    /// Whether the member `content` was there.
    pub(crate) has_content: bool,
    /// The index of the first block among those of the whole.
    pub(crate) first: usize,
}

impl<'a> ResultView<'a> {
    /// Creates a successful result with these blocks.
    #[must_use]
    pub fn new(blocks: Vec<BlockRef<'a>>) -> Self {
        Self {
            blocks,
            structured: None,
            is_error: false,
            meta: None,
            has_content: true,
            first: 0,
        }
    }

    mcp_protocol::setters! {
        /// Sets the structured value.
        with_structured(structured: Option<&'a Value>) { structured = structured }
        /// Sets `isError`.
        with_is_error(is_error: bool) { is_error = is_error }
        /// Sets `_meta`.
        with_meta(meta: Option<&'a Object>) { meta = meta }
    }

    /// The structured value, unless it is `null`, which means nothing to a model.
    pub(crate) fn non_null_structured(&self) -> Option<&'a Value> {
        self.structured.filter(|it| !it.is_null())
    }
}

impl AsResultView for Value {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        let head = ToolResultRef::read(self)?;
        let blocks = head.content.unwrap_or_default().iter();
        let mut view = ResultView::new(blocks.map(BlockRef::read).collect());
        view.has_content = head.content.is_some();
        view.structured = head.structured;
        view.is_error = head.is_error == Some(true);
        view.meta = head.object.get("_meta").and_then(Value::as_object);
        Ok(view)
    }

    fn as_raw_json(&self) -> Option<&Value> {
        Some(self)
    }
}

impl AsResultView for CallToolResult {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        let mut view = ResultView::new(self.content.iter().map(BlockRef::of).collect());
        view.structured = self.structured_content.as_ref();
        view.is_error = self.is_error;
        view.meta = Some(&self.meta).filter(|it| !it.is_empty());
        Ok(view)
    }
}
