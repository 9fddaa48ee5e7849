//! What to do where a revision cannot say what the neutral model says.

use std::borrow::Cow;

use serde_json::Value;

/// Choices for [`super::project`]. The default is what a server should do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Projection {
    /// A structured value that is no object, where the revision wants an object.
    pub non_object: NonObject,
    /// When `isError` is written.
    pub is_error: EmitIsError,
    /// Members and blocks that no revision names.
    pub unknown: Unknown,
    /// Audio, where the revision has none.
    pub audio: AudioFallback,
    /// The output schema that the tool advertises in the neutral form. Where its root is no object,
    /// `tools/list` shows it wrapped, and so every value is wrapped too.
    pub output_schema: Option<Value>,
    /// Say a structured value that is no object in a text block of its own even if there is other text
    /// (SEP-2106, "MUST also emit").
    pub strict_text: bool,
}

/// What becomes of a structured value that is no object, in 2025-06-18 and 2025-11-25.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NonObject {
    /// It becomes the only member, of this name, of an object.
    Wrap(Cow<'static, str>),
    /// It is left out; its text remains.
    Omit,
    /// It is an error.
    Reject,
}

impl Default for NonObject {
    /// `{"result": …}`, which is what the official SDKs write.
    fn default() -> Self {
        Self::Wrap(Cow::Borrowed("result"))
    }
}

/// When `isError` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmitIsError {
    /// Only for failures.
    #[default]
    WhenTrue,
    /// In every result.
    Always,
}

/// What becomes of members and blocks that no revision names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// They are passed on.
    #[default]
    Keep,
    /// They are left out, and said to be.
    Drop,
}

/// What becomes of audio in 2024-11-05.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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

/// Why a result has no form in a revision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// [`NonObject::Reject`] met such a value.
    #[error("structuredContent of {revision} must be an object, got {found}")]
    NonObjectStructured {
        /// The revision.
        revision: &'static str,
        /// The kind of the value.
        found: &'static str,
    },
    /// The revision has no sampling messages with tool results.
    #[error("{revision} has no tool_result blocks")]
    NoToolResultBlock {
        /// The revision.
        revision: &'static str,
    },
}
