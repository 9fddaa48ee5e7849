//! Options for projecting a result onto a revision that cannot represent all of it.

use std::borrow::Cow;

use serde_json::Value;

/// Options for [`super::project`]. The defaults suit a server.
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
        /// Sets the field name for wrapping. Where the revision requires an object, any other structured value becomes
        /// the only field of one. The default name is `result`, as in the official SDKs.
        with_wrapper_name(name: impl Into<Cow<'static, str>>) { non_object = NonObject::Wrap(name.into()) }
        /// Omits structured values other than objects where the revision requires an object. Their text remains.
        with_non_objects_omitted() { non_object = NonObject::Omit }
        /// Rejects structured values other than objects where the revision requires an object.
        with_non_objects_refused() { non_object = NonObject::Reject }
        /// Writes `isError` in every result, not only in failures.
        with_is_error_always() { has_every_is_error = true }
        /// Drops fields and blocks that no revision defines, and reports each as a loss. By default they are passed on.
        with_unknown_dropped() { drops_unknown = true }
        /// Sends audio as an embedded resource with this URI, in revisions without audio. By default, audio becomes a
        /// note with its type and size.
        with_embedded_audio(uri: impl Into<String>) { audio_uri = Some(uri.into()) }
        /// Sets the tool's output schema ([`crate::Tool::output_schema`]). If its root is not an object, `tools/list`
        /// shows it wrapped, and every value is wrapped too.
        with_output_schema(output_schema: Value) { output_schema = Some(output_schema) }
        /// Sets whether a structured value other than an object always gets its own text block, even if there is other
        /// text (SEP-2106, "MUST also emit").
        with_structured_text_always(strict_text: bool) { strict_text = strict_text }
    }
}

/// The treatment of a structured value other than an object, in 2025-06-18 and 2025-11-25.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NonObject {
    /// The value becomes the only field of an object, under this name.
    Wrap(Cow<'static, str>),
    /// The value is omitted. Its text remains.
    Omit,
    /// The value is an error.
    Reject,
}

impl Default for NonObject {
    /// Returns `Wrap("result")`, as in the official SDKs.
    fn default() -> Self {
        Self::Wrap(Cow::Borrowed("result"))
    }
}

/// An error projecting a result onto a revision. Either the structured value is not an object and
/// [`ProjectionOptions::with_non_objects_refused`] applies, or the revision has no `tool_result` blocks in sampling
/// messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", match found {
    Some(found) => format!("structuredContent of {revision} must be an object, got {found}"),
    None => format!("{revision} has no tool_result blocks"),
})]
pub struct ProjectionError {
    pub(super) revision: &'static str,
    /// The type of the value that is not an object.
    pub(super) found: Option<&'static str>,
}
