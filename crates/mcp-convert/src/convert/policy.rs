//! The choices that all targets share.

use std::borrow::Cow;

use super::limits::Limits;

/// The choices that all targets share; [`super::compat()`] makes the vendor's.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Policy {
    pub(crate) prefer: Prefer,
    pub(crate) respects_audience: bool,
    pub(crate) unsupported: Unsupported,
    pub(crate) error_mark: ErrorMark,
    pub(crate) has_linked_images: bool,
    pub(crate) limits: Limits,
}

impl Policy {
    mcp_protocol::setters! {
        /// With a choice between the blocks and the structured value.
        with_prefer(prefer: Prefer) { prefer = prefer }
        /// Whether blocks whose `audience` is the user alone go to [`super::Converted::for_user`] instead of the model.
        with_audience(is_respected: bool) { respects_audience = is_respected }
        /// With a choice for blocks that the target cannot carry.
        with_unsupported(unsupported: Unsupported) { unsupported = unsupported }
        /// With another mark for failures.
        with_error_mark(error_mark: ErrorMark) { error_mark = error_mark }
        /// Whether links with `https` and a picture's type become pictures by address, where the target has them, and for LangChain those
        /// of other types files: the provider or the host then fetches what a tool's output names. Else they are the text
        /// `TITLE (NAME): URI` with the description below, as any link.
        with_linked_images(has_linked_images: bool) { has_linked_images = has_linked_images }
        /// With limits.
        with_limits(limits: Limits) { limits = limits }
    }
}

/// Whether a model gets the blocks, the structured value or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Prefer {
    /// Both; a text block that equals the structured value is sent once.
    #[default]
    Both,
    /// The blocks.
    ContentOnly,
    /// The structured value if there is one, else the blocks.
    StructuredOnly,
    /// The blocks if there are any, else the structured value.
    ContentUnlessEmpty,
}

/// What becomes of a block that the target cannot carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unsupported {
    /// A short note takes its place.
    #[default]
    Note,
    /// It is an error.
    Error,
    /// It is left out.
    Skip,
}

/// How a failure is marked where the target has no flag for it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorMark {
    /// These words before the text.
    Prefix(Cow<'static, str>),
    /// `{"error": TEXT}` instead of the text.
    Json,
    /// Not at all.
    None,
}

impl Default for ErrorMark {
    fn default() -> Self {
        Self::Prefix(Cow::Borrowed("Error: "))
    }
}
