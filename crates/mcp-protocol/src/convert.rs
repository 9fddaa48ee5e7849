//! Tool results in the shapes of hosts and SDKs.
//!
//! One function for each target, chosen by the caller and never detected. Each takes anything that can be viewed
//! as a result ([`AsToolResult`]: a JSON value, a [`crate::CallToolResult`], your own type), borrows what it can,
//! and returns what the target cannot carry as [`Losses`].
//!
//! | preset | means |
//! | --- | --- |
//! | `compat()` | equal to the vendor's own converter, with its gaps |
//! | `rich()` | loses nothing that the target can carry; never Base64 in text; failures always reach the model |
//!
//! A structured value of `null` is treated as absent, because it means nothing to a model.

pub mod ai_sdk;
pub mod anthropic;
pub mod bedrock;
mod block;
mod carrier;
pub mod codex;
pub mod copilot;
mod cut;
mod failure;
mod fit;
pub mod gemini;
mod json_ref;
pub mod langchain;
mod limits;
pub mod llama_index;
pub mod mastra;
mod media;
pub mod messages;
pub mod openai_agents;
pub mod openai_chat;
pub mod openai_responses;
mod options;
mod piece;
mod pieces;
mod policy;
pub mod pydantic_ai;
pub mod rig;
mod said;
pub mod sampling;
pub mod strands;
pub mod swiftide;
pub mod tools;
pub mod validate;
mod view;

use serde_json::Value;

pub use self::{
    block::{BlockRef, Body, LinkRef, MediaRef, ResourceRef},
    json_ref::JsonRef,
    limits::{Budget, Cut, Limits, Measure, OversizedStructure},
    media::Media,
    options::{HasVendor, Language, McpPackage, Options, Preset},
    piece::{Document, Piece, PieceOf},
    pieces::pieces,
    policy::{Audience, ErrorMark, Links, Policy, Prefer, Unsupported},
    view::{AsToolResult, ResultView},
};
use crate::{
    json::Object,
    loss::{Loss, Losses},
    parse::NotAToolResult,
};

/// The call that a result answers, as the provider's API identifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The id that the provider gave the call.
    pub id: &'a str,
    /// The tool's name as the provider knows it.
    pub name: &'a str,
}

/// A result in a target's shape.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the losses are what the model does not get"]
#[non_exhaustive]
pub struct Converted<'a, T> {
    /// What is sent to the target.
    pub output: T,
    /// What is not in it, or in another form.
    pub losses: Losses,
    /// The blocks that are for the user alone, by index; only with [`Audience::Respect`].
    pub for_user: Vec<usize>,
    /// Parts for a user message after the tool's message, which cannot carry them.
    pub follow_up: Vec<JsonRef<'a>>,
    /// `_meta` of the result, which is for the host and never in the output.
    pub meta: Option<&'a Object>,
    /// `_meta` of the blocks, by index, likewise.
    pub block_meta: Vec<(usize, &'a Object)>,
}

impl<'a> Call<'a> {
    /// The call with this id, of the tool with this name.
    #[must_use]
    pub const fn new(id: &'a str, name: &'a str) -> Self {
        Self { id, name }
    }
}

impl<'a, T> Converted<'a, T> {
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

    fn map<U>(self, map: impl FnOnce(T) -> U) -> Converted<'a, U> {
        Converted {
            output: map(self.output),
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
    /// The target cannot carry a block, and [`Unsupported::Error`] or a compat preset makes that an error.
    #[error("content[{index}]: unsupported {what}")]
    Unsupported {
        /// Which block.
        index: usize,
        /// What it is, for example `image/svg+xml image`.
        what: String,
    },
    /// The vendor's converter raises what a failed tool said.
    #[error("the tool failed: {0}")]
    Raised(String),
    /// The structured value is over its limit, and [`OversizedStructure::Error`] makes that an error.
    #[error("structuredContent: {bytes} bytes are over the limit")]
    StructuredTooLarge {
        /// Its size as compact JSON.
        bytes: usize,
    },
    /// The result cannot be projected onto the peer's revision.
    #[error(transparent)]
    Project(#[from] crate::render::ProjectError),
}

/// Text for a value that a tool's function returned to a host directly, without MCP: null is empty, text is
/// itself, anything else is its JSON. Objects that look like a result are objects.
#[must_use]
pub fn ordinary_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Starts an output without losses.
fn converted<'a, T>(output: T, view: &ResultView<'a>) -> Converted<'a, T> {
    Converted {
        output,
        losses: Losses::default(),
        for_user: Vec::new(),
        follow_up: Vec::new(),
        meta: view.meta(),
        block_meta: (0..view.len())
            .filter_map(|index| Some((view.first() + index, view.block(index)?.meta?)))
            .collect(),
    }
}

fn dropped(losses: &mut Losses, index: usize, kind: &str) {
    losses.push(Loss::BlockDropped {
        index,
        kind: kind.to_owned(),
    });
}
