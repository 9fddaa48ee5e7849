//! The choices that all targets share.

use super::limits::OutputLimits;

/// The choices that all targets share; [`crate::compat()`] makes the vendor's.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ConvertOptions {
    pub(crate) prefer: ContentPreference,
    pub(crate) respects_audience: bool,
    pub(crate) unsupported: UnsupportedPolicy,
    pub(crate) error_mark: ErrorMark,
    pub(crate) has_linked_images: bool,
    pub(crate) limits: OutputLimits,
}

impl ConvertOptions {
    mcp_protocol::setters! {
        /// With a choice between the blocks and the structured value.
        with_content_preference(prefer: ContentPreference) { prefer = prefer }
        /// Whether blocks whose `audience` is the user alone go to [`crate::Conversion::for_user`] instead of the model.
        with_audience(is_respected: bool) { respects_audience = is_respected }
        /// With a choice for blocks that the target cannot carry.
        with_unsupported(unsupported: UnsupportedPolicy) { unsupported = unsupported }
        /// With another mark for failures.
        with_error_mark(error_mark: ErrorMark) { error_mark = error_mark }
        /// Whether links with `https` and a picture's type become pictures by address, where the target has them, and for LangChain those
        /// of other types files: the provider or the host then fetches what a tool's output names. Else they are the text
        /// `TITLE (NAME): URI` with the description below, as any link.
        with_linked_images(has_linked_images: bool) { has_linked_images = has_linked_images }
        /// With limits.
        with_limits(limits: OutputLimits) { limits = limits }
    }
}

choices! {
    /// Whether a model gets the blocks, the structured value or both.
    ContentPreference {
        /// Both, what is the same once
        ///
        /// A text block that equals the structured value is sent once.
        Both,
        /// The blocks
        ContentOnly,
        /// The structured value, if there is one
        ///
        /// The blocks are sent if there is none.
        StructuredOnly,
        /// The blocks, if there are any
        ///
        /// The structured value is sent if there are none.
        ContentUnlessEmpty,
    }
    /// The treatment of a block that the target cannot carry.
    UnsupportedPolicy {
        /// A note takes its place
        Note,
        /// It is an error
        Error,
        /// It is left out
        Skip,
    }
    /// The mark of a failure where the target has no flag for it.
    ErrorMark {
        /// The word Error before the text
        Prefix,
        /// Not at all
        None,
    }
}
