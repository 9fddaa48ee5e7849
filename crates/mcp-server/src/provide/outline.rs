//! Outlines: listed tools without their schemas.

use std::{borrow::Cow, fmt};

use mcp_protocol::Tool;

/// A tool of a list, without its schema: its name, its description, and a function that creates the rest when it is
/// needed.
///
/// A server renders each variant of a tool once per revision, and composes the lists of all list variants from the
/// results.
///
/// ```
/// use mcp_protocol::{Tool, ToolAnnotations};
/// use mcp_server::LazyTool;
/// use serde_json::json;
///
/// let clock = || Tool::new("clock", "", json!({"type": "object"}), ToolAnnotations::PURE);
/// let outline = LazyTool::new("clock", 0, "The time in Berlin.", clock);
/// assert_eq!(outline.tool().description, "The time in Berlin.");
/// ```
pub struct LazyTool<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) variant: u64,
    pub(crate) description: Cow<'a, str>,
    tool: Box<dyn Fn() -> Tool + 'a>,
}

impl<'a> LazyTool<'a> {
    /// Creates the outline of a tool. Tools with the same name and variant may differ only in their descriptions. The
    /// description replaces the one of `tool`.
    #[must_use]
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        variant: u64,
        description: impl Into<Cow<'a, str>>,
        tool: impl Fn() -> Tool + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            variant,
            description: description.into(),
            tool: Box::new(tool),
        }
    }

    /// Returns the variant of the tool.
    #[must_use]
    pub const fn variant(&self) -> u64 {
        self.variant
    }

    /// Creates the tool.
    #[must_use]
    pub fn tool(&self) -> Tool {
        let mut tool = (self.tool)();
        tool.description = self.description.clone().into_owned();
        tool
    }
}

impl fmt::Debug for LazyTool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyTool")
            .field("name", &self.name)
            .field("variant", &self.variant)
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}
