//! The output of a conversion.

use mcp_protocol::{LossKind, Losses, Object, read::NotAToolResult};

use super::{json_ref::ConvertedJson, view::ResultView};
/// The call of a result, as identified by the provider's API. Targets without a call ID in their results ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallRef<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
}

/// A result in a target's format. Serialized as JSON, it has the output, the losses, and all other fields that are not empty.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[must_use = "the losses are what the model does not get"]
#[non_exhaustive]
pub struct Conversion<'a, T = ConvertedJson<'a>> {
    /// The output to send to the target.
    pub output: T,
    /// Whether the tool failed, for targets that report failures separately from the output.
    #[serde(skip)]
    pub failed: bool,
    /// The content missing from the output or changed in it.
    pub losses: Losses,
    /// Parts for a user message after the tool's message, which cannot carry them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub follow_up: Vec<ConvertedJson<'a>>,
    /// The indices of blocks meant only for the user. Filled only with [`crate::ConvertOptions::with_audience_respected`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub for_user: Vec<usize>,
    /// `_meta` of the result. It is meant for the host and is never part of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<&'a Object>,
    /// `_meta` of the blocks, by index. It is meant for the host and is never part of the output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub block_meta: Vec<(usize, &'a Object)>,
}

impl<'a> CallRef<'a> {
    /// Creates a call from the ID that the provider assigned and the name of the tool as the provider knows it.
    #[must_use]
    pub const fn new(id: &'a str, name: &'a str) -> Self {
        Self { id, name }
    }
}

impl<'a, T> Conversion<'a, T> {
    /// Without losses so far.
    pub(super) fn new(output: T, view: &ResultView<'a>) -> Self {
        let blocks = view.blocks.iter().enumerate();
        let metas = blocks.filter_map(|(place, it)| Some((view.first + place, it.meta?)));
        Self {
            output,
            failed: view.is_error,
            losses: Losses::default(),
            for_user: Vec::new(),
            follow_up: Vec::new(),
            meta: view.meta,
            block_meta: metas.collect(),
        }
    }

    /// Returns the output if nothing was lost.
    ///
    /// # Errors
    /// Returns the losses, if there are any.
    pub fn lossless(self) -> Result<T, Losses> {
        if self.losses.is_empty() {
            Ok(self.output)
        } else {
            Err(self.losses)
        }
    }

    pub(crate) fn map<U>(self, map: impl FnOnce(T) -> U) -> Conversion<'a, U> {
        Conversion {
            output: map(self.output),
            failed: self.failed,
            losses: self.losses,
            for_user: self.for_user,
            follow_up: self.follow_up,
            meta: self.meta,
            block_meta: self.block_meta,
        }
    }
}

/// An error converting a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input is not a tool result.
    #[error(transparent)]
    NotAToolResult(#[from] NotAToolResult),
    /// The result has no `content`, which the vendor's converter requires.
    #[error("content is missing")]
    NoContent,
    /// The API name is unknown.
    #[error("no API {0}: anthropic, openai-responses, openai-chat, gemini or bedrock is required")]
    NoApi(String),
    /// The tool's name is missing. Messages for Gemini require it.
    #[error("a message for gemini names its tool: pass the ID and the name of the call")]
    NoName,
    /// The vendor's converter rejects a block.
    #[error("content[{index}]: unsupported {what}")]
    Unsupported {
        /// The index of the block.
        index: usize,
        /// A description of the content, such as `image/svg+xml image`.
        what: String,
    },
}

pub(super) fn member_lost(losses: &mut Losses, index: Option<usize>, member: &str) {
    losses.push_field(format!("content[{}].{member}", index.unwrap_or(0)));
}

pub(super) fn dropped(losses: &mut Losses, index: usize, kind: &str) {
    losses.push(LossKind::BLOCK_DROPPED, index, kind.to_owned());
}
