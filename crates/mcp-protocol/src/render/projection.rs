//! How to project a result onto a revision that cannot carry all of it.

use std::borrow::Cow;

use serde_json::Value;

/// Choices for [`super::project`]. The default is what a server should do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectionOptions {
    pub(super) non_object: NonObject,
    pub(super) has_every_is_error: bool,
    pub(super) drops_unknown: bool,
    pub(super) audio_uri: Option<String>,
    pub(super) output_schema: Option<Value>,
    pub(super) strict_text: bool,
}

impl ProjectionOptions {
    setters! {
        /// With this name of the only member of the object that a structured value other than an object becomes, where the revision
        /// requires an object; else it is `result`, as the official SDKs write it.
        with_wrapper_name(name: impl Into<Cow<'static, str>>) { non_object = NonObject::Wrap(name.into()) }
        /// With such a value left out; its text remains.
        with_non_objects_omitted() { non_object = NonObject::Omit }
        /// With such a value an error.
        with_non_objects_refused() { non_object = NonObject::Reject }
        /// With `isError` in every result, not only in failures.
        with_is_error_always() { has_every_is_error = true }
        /// With members and blocks left out that no revision defines, which is a loss; else they are passed on.
        with_unknown_dropped() { drops_unknown = true }
        /// With audio, where the revision has none, as an embedded resource with this address; else it is a note with its type and size.
        with_embedded_audio(uri: impl Into<String>) { audio_uri = Some(uri.into()) }
        /// With the tool's output schema ([`crate::Tool::output_schema`]). Where its root is not an object, `tools/list` shows it wrapped,
        /// and so every value is wrapped too.
        with_output_schema(output_schema: Value) { output_schema = Some(output_schema) }
        /// Whether a structured value other than an object gets a text block of its own even if there is other text
        /// (SEP-2106, "MUST also emit").
        with_strict_text(strict_text: bool) { strict_text = strict_text }
    }
}

/// What becomes of a structured value other than an object, in 2025-06-18 and 2025-11-25.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NonObject {
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

/// Why a result cannot be projected onto a revision: its structured value is not an object, and
/// [`ProjectionOptions::with_non_objects_refused`] applies; or the revision has no `tool_result` blocks in sampling messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", match found {
    Some(found) => format!("structuredContent of {revision} must be an object, got {found}"),
    None => format!("{revision} has no tool_result blocks"),
})]
pub struct ProjectionError {
    pub(super) revision: &'static str,
    /// The kind of the value that is no object.
    pub(super) found: Option<&'static str>,
}
