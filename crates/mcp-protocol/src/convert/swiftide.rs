//! swiftide: a tool's output, which is one text or one failure.
//!
//! Source: `ToolOutput` and the MCP toolbox of swiftide at a76ff4e5.

use std::borrow::Cow;

use super::{
    AsToolResult, Body, ConvertError, Converted, JsonRef, PieceOf, Policy, Preset, ResultView,
    carrier::Carrier,
    converted, dropped,
    failure::NO_MESSAGE,
    piece::join,
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::loss::{Loss, Losses};

/// Options of [`convert`]; the compat preset equals swiftide's toolbox: text blocks alone, and the structured value
/// if there is no content.
pub type Options = super::Options;

/// What a swiftide tool returns.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a call succeeds or fails")]
pub enum ToolOutput<'a> {
    /// `ToolOutput::Text`.
    Text(Cow<'a, str>),
    /// `ToolOutput::Fail`.
    Fail(Cow<'a, str>),
}

/// A result for swiftide, or for any host that wants one text.
///
/// ```
/// use mcp_protocol::convert::swiftide::{self, ToolOutput};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let converted = swiftide::convert(&result, &swiftide::Options::rich())?;
/// assert_eq!(converted.output, ToolOutput::Fail("boom".into()));
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, ToolOutput<'a>>, ConvertError> {
    let view = result.view()?;
    let out = match options.preset {
        Preset::Compat => compat(&view),
        Preset::Rich => rich(&view, &options.policy)?,
    };
    let failed = view.is_error();
    Ok(out.map(|texts| {
        let text = match join(texts) {
            JsonRef::Text(text) => text,
            JsonRef::JsonText(value) => Cow::Owned(value.to_string()),
            // Nothing else was put in.
            _ => Cow::Borrowed(""),
        };
        if failed {
            ToolOutput::Fail(text)
        } else {
            ToolOutput::Text(text)
        }
    }))
}

fn compat<'a>(view: &ResultView<'a>) -> Converted<'a, Vec<JsonRef<'a>>> {
    let mut losses = Losses::default();
    let mut texts = Vec::new();
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => texts.push(JsonRef::Text(text.clone())),
            _ => dropped(&mut losses, index, block.kind()),
        }
    }
    match view.non_null_structured() {
        Some(value) if view.is_empty() => texts.push(JsonRef::JsonText(Cow::Borrowed(value))),
        Some(_) if !is_in_texts(view) => losses.push(Loss::StructuredDropped),
        Some(_) | None => (),
    }
    Converted {
        losses,
        ..converted(texts, view)
    }
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &Carrier::TEXT)?;
    let mut pieces = std::mem::take(&mut out.output);
    if view.is_error() && pieces.iter().all(PieceOf::is_blank) {
        pieces = vec![PieceOf::text(None, NO_MESSAGE)];
    }
    let texts = pieces.into_iter().filter_map(PieceOf::into_text).collect();
    Ok(out.map(|_| texts))
}
