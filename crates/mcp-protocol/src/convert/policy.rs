//! The choices that all targets share.

use std::borrow::Cow;

use super::limits::Limits;

/// The choices that the rich presets share; a compat preset makes the vendor's.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Policy {
    /// Whether a model gets the blocks, the structured value or both.
    pub prefer: Prefer,
    /// Whether blocks for the user alone are held back.
    pub audience: Audience,
    /// What becomes of a block that the target cannot carry.
    pub unsupported: Unsupported,
    /// How a failure is marked where the target has no flag for it.
    pub error_mark: ErrorMark,
    /// What becomes of links to pictures.
    pub links: Links,
    /// How much a model gets.
    pub limits: Limits,
}

impl Policy {
    /// With a choice between the blocks and the structured value.
    #[must_use]
    pub fn with_prefer(mut self, prefer: Prefer) -> Self {
        self.prefer = prefer;
        self
    }

    /// With a choice for blocks that are for the user alone.
    #[must_use]
    pub fn with_audience(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    /// With a choice for blocks that the target cannot carry.
    #[must_use]
    pub fn with_unsupported(mut self, unsupported: Unsupported) -> Self {
        self.unsupported = unsupported;
        self
    }

    /// With another mark for failures.
    #[must_use]
    pub fn with_error_mark(mut self, error_mark: ErrorMark) -> Self {
        self.error_mark = error_mark;
        self
    }

    /// With a choice for links to pictures.
    #[must_use]
    pub fn with_links(mut self, links: Links) -> Self {
        self.links = links;
        self
    }

    /// With limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
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

/// Whether blocks for the user alone are held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Audience {
    /// Everything goes to the model.
    #[default]
    Ignore,
    /// Blocks whose `audience` is the user alone go to [`super::Converted::for_user`].
    Respect,
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

/// What becomes of links to pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Links {
    /// `NAME: URI`, as of any link.
    #[default]
    Text,
    /// Those with `https` and a picture's type become pictures by address, where the target has them: the
    /// provider then fetches what a tool's output names.
    Images,
}
