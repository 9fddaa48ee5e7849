//! The lists of a server that may change.

use std::ops::BitOr;

/// Kinds of lists, combined with `|`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ListKinds(u8);

impl ListKinds {
    /// No list.
    pub const NONE: Self = Self(0);
    /// `tools/list`.
    pub const TOOLS: Self = Self(1);
    /// `prompts/list`.
    pub const PROMPTS: Self = Self(1 << 1);
    /// `resources/list` and `resources/templates/list`.
    pub const RESOURCES: Self = Self(1 << 2);
    /// Every list.
    pub const ALL: Self = Self(Self::TOOLS.0 | Self::PROMPTS.0 | Self::RESOURCES.0);

    /// Returns whether all of `other` are among these.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for ListKinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
