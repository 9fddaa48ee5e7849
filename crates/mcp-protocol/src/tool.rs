//! Tools and servers as they describe themselves, free of any revision.

use serde_json::Value;

/// A tool as a client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Unique, `[A-Za-z0-9_.-]{1,64}`.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// For models.
    pub description: String,
    /// A JSON Schema whose root has `type: object`.
    pub input_schema: Value,
    /// A JSON Schema of the structured content; wrapped as `{"result": …}` where a revision wants an
    /// object and this is none.
    pub output_schema: Option<Value>,
    /// How the tool behaves.
    pub annotations: ToolAnnotations,
}

impl Tool {
    /// A tool without a title and an output schema.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
        annotations: ToolAnnotations,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema,
            output_schema: None,
            annotations,
        }
    }
}

/// How a tool behaves (2025-03-26 `ToolAnnotations`); hints, not guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something; only meaningful when not read-only.
    pub destructive: bool,
    /// Calling it twice is the same as calling it once.
    pub idempotent: bool,
    /// It reaches beyond this process.
    pub open_world: bool,
}

impl ToolAnnotations {
    /// A tool that looks something up outside this process.
    pub const LOOKUP: Self = Self {
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: true,
    };

    /// A tool that computes from its arguments alone.
    pub const PURE: Self = Self {
        open_world: false,
        ..Self::LOOKUP
    };
}

/// Who is serving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInfo {
    /// The program's name.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// For people.
    pub title: Option<String>,
    /// What it serves.
    pub description: Option<String>,
    /// Where to read more.
    pub website_url: Option<String>,
}

impl ServerInfo {
    /// A server with nothing but its name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            title: None,
            description: None,
            website_url: None,
        }
    }
}
