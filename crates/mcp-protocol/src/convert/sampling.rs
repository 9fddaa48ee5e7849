//! MCP sampling: a `tool_result` block of a message to the client's model.
//!
//! Source: `ToolResultContent` in `schema.ts` of 2025-11-25 and 2026-07-28.

use super::ConvertError;
use crate::{
    json::Object,
    loss::Projected,
    render::{self, Projection},
    result::CallToolResult,
    revision::Rules,
};

/// A result as a server hands it back to the model it samples.
///
/// ```
/// use mcp_protocol::{CallToolResult, Revision, convert::sampling, render::Projection};
///
/// let result = CallToolResult::text("hi");
/// let rules = Revision::V2025_11_25.rules();
/// let block = sampling::convert(result, "t1", rules, &Projection::default())?.value;
/// assert_eq!(block["toolUseId"], "t1");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the revision has no such block, or if the projection makes a loss an error.
pub fn convert(
    result: CallToolResult,
    tool_use_id: &str,
    rules: &Rules,
    projection: &Projection,
) -> Result<Projected<Object>, ConvertError> {
    Ok(render::sampling_tool_result(
        result,
        tool_use_id,
        rules,
        projection,
    )?)
}
