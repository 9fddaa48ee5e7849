//! Tools as a client sees them, independent of any revision.

use serde_json::Value;

use crate::{Icon, Object, TaskSupport};

/// A tool (`Tool` of all revisions).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tool {
    /// Unique, `[A-Za-z0-9_.-]{1,128}`; some model providers accept only 64 characters, without dots.
    pub name: String,
    /// The name shown to people.
    pub title: Option<String>,
    /// What a model reads to decide on a call.
    pub description: String,
    /// A JSON Schema whose root has `type: object`.
    pub input_schema: Value,
    /// A JSON Schema of the structured content; wrapped as `{"result": …}` where a revision requires an
    /// object and this describes something else.
    pub output_schema: Option<Value>,
    /// How the tool behaves.
    pub annotations: ToolAnnotations,
    /// From 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
    /// Whether its calls may become tasks, from 2025-11-25 on.
    pub task_support: TaskSupport,
}

impl Tool {
    /// A tool with nothing optional.
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
        /// With a title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// With a JSON Schema of the structured content.
        with_output_schema(schema: Value) { output_schema = Some(schema) }
        /// With one more icon.
        with_icon(icon: Icon) { icons.push(icon) }
        /// With `_meta`, which replaces any set before.
        with_meta(meta: Object) { meta = meta }
        /// Whether its calls may become tasks.
        with_task_support(support: TaskSupport) { task_support = support }
    }
}

/// How a tool behaves (`ToolAnnotations` of 2025-03-26 and later); hints, not guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something; meaningful only if it is not read-only.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
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

    setters! { const
        /// Whether it changes nothing.
        with_read_only(read_only: bool) { read_only = read_only }
        /// Whether it may destroy something.
        with_destructive(destructive: bool) { destructive = destructive }
        /// Whether a second call with the same arguments changes nothing more.
        with_idempotent(idempotent: bool) { idempotent = idempotent }
        /// Whether it reaches beyond this process.
        with_open_world(open_world: bool) { open_world = open_world }
    }
}

impl Default for ToolAnnotations {
    /// What a client assumes of a tool without annotations: the worst (`ToolAnnotations`, the defaults of its
    /// members).
    fn default() -> Self {
        Self {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: true,
        }
    }
}
