//! How to project a result onto a revision that cannot carry all of it.

use std::borrow::Cow;

use serde_json::Value;

/// Choices for [`super::project`]. The default is what a server should do.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Projection {
    /// A structured value other than an object, where the revision requires an object.
    pub(crate) non_object: NonObject,
    /// When `isError` is written.
    pub(crate) is_error: EmitIsError,
    /// Members and blocks that no revision defines.
    pub(crate) unknown: Unknown,
    /// Audio, where the revision has none.
    pub(crate) audio: AudioFallback,
    /// The tool's output schema ([`crate::Tool::output_schema`]). Where its root is not an object, `tools/list`
    /// shows it wrapped, and so every value is wrapped too.
    pub(crate) output_schema: Option<Value>,
    /// Whether a structured value other than an object gets a text block of its own even if there is other text
    /// (SEP-2106, "MUST also emit").
    pub(crate) strict_text: bool,
}

impl Projection {
    setters! {
        /// With a choice for structured values other than objects.
        with_non_object(non_object: NonObject) { non_object = non_object }
        /// With a choice of when `isError` is written.
        with_is_error(is_error: EmitIsError) { is_error = is_error }
        /// With a choice for members and blocks that no revision defines.
        with_unknown(unknown: Unknown) { unknown = unknown }
        /// With a choice for audio, where the revision has none.
        with_audio(audio: AudioFallback) { audio = audio }
        /// With the tool's output schema.
        with_output_schema(output_schema: Value) { output_schema = Some(output_schema) }
        /// Whether a structured value other than an object gets a text block of its own even if there is other text.
        with_strict_text(strict_text: bool) { strict_text = strict_text }
    }
}

/// What becomes of a structured value other than an object, in 2025-06-18 and 2025-11-25.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonObject {
    /// It becomes the only member, of this name, of an object.
    Wrap(Cow<'static, str>),
    /// It is left out; its text remains.
    Omit,
    /// It is an error.
    Reject,
}

impl Default for NonObject {
    /// `{"result": …}`, as the official SDKs write it.
    fn default() -> Self {
        Self::Wrap(Cow::Borrowed("result"))
    }
}

/// When `isError` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EmitIsError {
    /// Only for failures.
    #[default]
    WhenTrue,
    /// In every result.
    Always,
}

/// What becomes of members and blocks that no revision defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unknown {
    /// They are passed on.
    #[default]
    Keep,
    /// They are left out, which is a loss.
    Drop,
}

/// What becomes of audio in 2024-11-05.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AudioFallback {
    /// A note with its type and size.
    #[default]
    Note,
    /// An embedded resource with the bytes.
    Embed {
        /// The resource's address.
        uri: String,
    },
}

/// Why a result cannot be projected onto a revision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// The structured value is not an object, and [`NonObject::Reject`] applies.
    #[error("structuredContent of {revision} must be an object, got {found}")]
    NonObjectStructured {
        /// The revision.
        revision: &'static str,
        /// The kind of the value.
        found: &'static str,
    },
    /// The revision has no `tool_result` blocks in sampling messages.
    #[error("{revision} has no tool_result blocks")]
    NoToolResultBlock {
        /// The revision.
        revision: &'static str,
    },
}
