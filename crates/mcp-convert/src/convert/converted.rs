//! What comes out of a conversion.

use mcp_protocol::{LossKind, Losses, Object, read::NotAToolResult};

use super::{json_ref::JsonRef, view::ResultView};
/// The call that a result answers, as the provider's API identifies it. Targets whose results name no call ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallRef<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
}

/// A result in a target's shape. As JSON it has the output, the losses, and of the rest what is not empty.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[must_use = "the losses are what the model does not get"]
#[non_exhaustive]
pub struct Conversion<'a, T = JsonRef<'a>> {
    /// What is sent to the target.
    pub output: T,
    /// The tool failed: for targets that are told so beside the output.
    #[serde(skip)]
    pub failed: bool,
    /// What is not in it, or in another form.
    pub losses: Losses,
    /// Parts for a user message after the tool's message, which cannot carry them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub follow_up: Vec<JsonRef<'a>>,
    /// The blocks that are for the user alone, by index; only with [`crate::ConvertOptions::with_audience`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub for_user: Vec<usize>,
    /// `_meta` of the result, which is for the host and never in the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<&'a Object>,
    /// `_meta` of the blocks, by index, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub block_meta: Vec<(usize, &'a Object)>,
}

impl<'a> CallRef<'a> {
    /// The call with the id that the provider gave it, of the tool with the name by which the provider knows it.
    #[must_use]
    pub const fn new(id: &'a str, name: &'a str) -> Self {
        Self { id, name }
    }
}

impl<'a, T> Conversion<'a, T> {
    /// Without losses so far.
    pub(super) fn new(output: T, view: &ResultView<'a>) -> Self {
        let metas = (0..view.len())
            .filter_map(|index| Some((view.first + index, view.block(index)?.meta?)));
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

    /// The output, if nothing was lost.
    ///
    /// # Errors
    /// Fails with the losses, if there are any.
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

/// Why a result cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input is not a tool result.
    #[error(transparent)]
    NotAToolResult(#[from] NotAToolResult),
    /// The result has no `content`, which the vendor's converter requires.
    #[error("content is missing")]
    NoContent,
    /// There is no API of this name.
    #[error("no API {0}: anthropic, openai-responses, openai-chat, gemini or bedrock is required")]
    NoApi(String),
    /// The API is Gemini, whose message names the tool.
    #[error("a message for gemini names its tool: pass the ID and the name of the call")]
    NoName,
    /// The target cannot carry a block, and [`crate::UnsupportedPolicy::Error`] or the vendor's converter makes that an error.
    #[error("content[{index}]: unsupported {what}")]
    Unsupported {
        /// Which block.
        index: usize,
        /// What it is, for example `image/svg+xml image`.
        what: String,
    },
}

pub(super) fn member_lost(losses: &mut Losses, index: Option<usize>, member: &str) {
    losses.push_field(format!("content[{}].{member}", index.unwrap_or(0)));
}

pub(super) fn dropped(losses: &mut Losses, index: usize, kind: &str) {
    losses.push(LossKind::BLOCK_DROPPED, index, kind.to_owned());
}
