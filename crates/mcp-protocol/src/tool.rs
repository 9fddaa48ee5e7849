//! Tools, independent of any revision.

use serde_json::Value;

use crate::{Icon, Object, TaskSupport};

/// A tool (`Tool` of all revisions).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// The name, unique and matching `[A-Za-z0-9_.-]{1,128}`. Some model providers accept only 64 characters, without
    /// dots.
    pub name: String,
    /// The display name.
    pub title: Option<String>,
    /// A description. Models decide by it whether to call the tool.
    pub description: String,
    /// A JSON Schema whose root has `type: object`.
    pub input_schema: Value,
    /// A JSON Schema of the structured content. It is wrapped as `{"result": …}` where a revision requires an object
    /// and the schema describes something else.
    pub output_schema: Option<Value>,
    /// Hints about the behavior of the tool.
    pub annotations: ToolAnnotations,
    /// The icons, from 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
    /// Whether calls may become tasks, from 2025-11-25 on.
    pub task_support: TaskSupport,
}

impl Tool {
    /// Creates a tool without optional fields.
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
            icons: Vec::new(),
            meta: Object::new(),
            task_support: TaskSupport::Forbidden,
        }
    }

    setters! {
        /// Sets the title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// Sets the JSON Schema of the structured content.
        with_output_schema(schema: Value) { output_schema = Some(schema) }
        /// Adds an icon.
        with_icon(icon: Icon) { icons.push(icon) }
        /// Sets `_meta`, replacing any previous value.
        with_meta(meta: Object) { meta = meta }
        /// Sets whether calls may become tasks.
        with_task_support(support: TaskSupport) { task_support = support }
    }
}

/// Hints about the behavior of a tool (`ToolAnnotations` of 2025-03-26 and later). They are not guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// Whether the tool changes nothing.
    pub read_only: bool,
    /// Whether the tool may destroy something. Meaningful only if it is not read-only.
    pub destructive: bool,
    /// Whether a second call with the same arguments has no further effect.
    pub idempotent: bool,
    /// Whether the tool reaches beyond this process.
    pub open_world: bool,
}

impl ToolAnnotations {
    /// The annotations of a tool that looks something up outside this process.
    pub const LOOKUP: Self = Self {
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: true,
    };

    /// The annotations of a tool that only computes from its arguments.
    pub const PURE: Self = Self {
        open_world: false,
        ..Self::LOOKUP
    };

    setters! { const
        /// Sets whether the tool changes nothing.
        with_read_only(read_only: bool) { read_only = read_only }
        /// Sets whether the tool may destroy something.
        with_destructive(destructive: bool) { destructive = destructive }
        /// Sets whether a second call with the same arguments has no further effect.
        with_idempotent(idempotent: bool) { idempotent = idempotent }
        /// Sets whether the tool reaches beyond this process.
        with_open_world(open_world: bool) { open_world = open_world }
    }
}

impl Default for ToolAnnotations {
    /// Returns the annotations that a client assumes if a tool has none: the worst case (`ToolAnnotations`, the
    /// defaults of its fields).
    fn default() -> Self {
        Self {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: true,
        }
    }
}
