//! How to project a result onto a revision that cannot carry all of it.

use std::borrow::Cow;

use serde_json::Value;

/// Choices for [`super::project`]. The default is what a server should do.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Projection {
    /// A structured value other than an object, where the revision requires an object.
    pub non_object: NonObject,
    /// When `isError` is written.
    pub is_error: EmitIsError,
    /// Members and blocks that no revision defines.
    pub unknown: Unknown,
    /// Audio, where the revision has none.
    pub audio: AudioFallback,
    /// The tool's output schema ([`crate::Tool::output_schema`]). Where its root is not an object, `tools/list`
    /// shows it wrapped, and so every value is wrapped too.
    pub output_schema: Option<Value>,
    /// Whether a structured value other than an object gets a text block of its own even if there is other text
    /// (SEP-2106, "MUST also emit").
    pub strict_text: bool,
}

impl Projection {
    /// With a choice for structured values other than objects.
    #[must_use]
    pub fn with_non_object(mut self, non_object: NonObject) -> Self {
        self.non_object = non_object;
        self
    }

    /// With a choice of when `isError` is written.
    #[must_use]
    pub fn with_is_error(mut self, is_error: EmitIsError) -> Self {
        self.is_error = is_error;
        self
    }

    /// With a choice for members and blocks that no revision defines.
    #[must_use]
    pub fn with_unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// With a choice for audio, where the revision has none.
    #[must_use]
    pub fn with_audio(mut self, audio: AudioFallback) -> Self {
        self.audio = audio;
        self
    }

    /// With the tool's output schema.
    #[must_use]
    pub fn with_output_schema(mut self, output_schema: Value) -> Self {
        self.output_schema = Some(output_schema);
        self
    }

    /// Whether a structured value other than an object gets a text block of its own even if there is other text.
    #[must_use]
    pub fn with_strict_text(mut self, strict_text: bool) -> Self {
        self.strict_text = strict_text;
        self
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
