//! Conversion options that all targets share.

use super::limits::OutputLimits;

/// Conversion options that all targets share. [`crate::convert_like_vendor`] applies the vendor's choices instead.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ConvertOptions {
    pub(crate) prefer: ContentPreference,
    pub(crate) respects_audience: bool,
    pub(crate) has_linked_images: bool,
    pub(crate) limits: OutputLimits,
}

impl ConvertOptions {
    mcp_protocol::setters! {
        /// Sets whether the model gets the content blocks, the structured value, or both.
        with_content_preference(prefer: ContentPreference) { prefer = prefer }
        /// Sets whether blocks with only the user as `audience` go to [`crate::Conversion::for_user`] instead of the model.
        with_audience_respected(is_respected: bool) { respects_audience = is_respected }
        /// Sets whether `https` links with an image type become images by URL, where the target supports them. For LangChain, links
        /// of other types become files.
        ///
        /// The provider or the host then fetches URLs from a tool's output. Otherwise links become the text `TITLE (NAME): URI`,
        /// followed by their description.
        with_linked_images(has_linked_images: bool) { has_linked_images = has_linked_images }
        /// Sets the limits on the output.
        with_limits(limits: OutputLimits) { limits = limits }
    }
}

choices! {
    /// Whether a model gets the blocks, the structured value or both.
    ContentPreference {
        /// Both, with duplicates sent once
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
}
