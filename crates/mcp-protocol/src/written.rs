//! The result of a tool call whose structured content is JSON text already.

use serde::de::Error as _;
use serde_json::value::RawValue;

use crate::{content::ContentBlock, result::CallToolResult};

/// A success whose structured content is an object that was written as JSON: the first block is the same text.
///
/// [`crate::render::written_result_json`] copies the text to where it belongs. To have the values, make a
/// [`CallToolResult`] of it.
///
/// ```
/// use mcp_protocol::{CallToolResult, WrittenResult};
/// use serde_json::json;
///
/// let result = WrittenResult::new(r#"{"height":468}"#.to_owned())?;
/// assert_eq!(CallToolResult::from(result), CallToolResult::structured(json!({"height": 468})));
/// assert!(WrittenResult::new("[468]".to_owned()).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WrittenResult {
    pub(crate) json: Box<RawValue>,
    pub(crate) blocks: Vec<ContentBlock>,
}

impl WrittenResult {
    /// A result of this text alone.
    ///
    /// # Errors
    /// If the text is not JSON, or not an object.
    pub fn new(json: String) -> Result<Self, serde_json::Error> {
        let json = RawValue::from_string(json)?;
        match json.get().starts_with('{') {
            true => Ok(Self {
                json,
                blocks: Vec::new(),
            }),
            false => Err(serde_json::Error::custom("it is not an object")),
        }
    }

    setters! {
        /// With one more block after the text.
        with_block(block: ContentBlock) { blocks.push(block) }
    }
}

/// Values that are nested deeper than a parser goes are in the text alone.
impl From<WrittenResult> for CallToolResult {
    fn from(written: WrittenResult) -> Self {
        let structured_content = serde_json::from_str(written.json.get()).ok();
        let text = String::from(Box::<str>::from(written.json));
        let mut content = vec![ContentBlock::text(text)];
        content.extend(written.blocks);
        Self {
            content,
            structured_content,
            ..Self::default()
        }
    }
}
