//! What calls need to know of tools.

use std::{collections::HashMap, sync::Arc};

use mcp_protocol::{TaskSupport, Tool};
use serde_json::Value;

use crate::HeaderParameter;

/// What calls need to know of tools, whatever the scope.
#[derive(Debug)]
pub(crate) struct ToolFacts {
    /// Output schemas of the tools whose structured content some revisions wrap.
    wrapped_schemas: HashMap<String, Value>,
    /// The tools with parameters that are repeated in headers.
    header_parameters: HashMap<String, Arc<[HeaderParameter]>>,
    /// The tools whose calls may become tasks.
    task_support: HashMap<String, TaskSupport>,
    /// Whether any tool is called as a task alone.
    requires_tasks: bool,
    /// The tools with an output schema.
    #[cfg(feature = "draft")]
    with_output_schema: std::collections::HashSet<String>,
}

impl ToolFacts {
    pub(crate) fn new(tools: &[Tool]) -> Self {
        let wrapped = tools.iter().filter_map(|tool| {
            let schema = tool.output_schema.as_ref()?;
            let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
            (!is_object).then(|| (tool.name.clone(), schema.clone()))
        });
        let declared = tools.iter().filter_map(|tool| {
            let (parameters, refused) = HeaderParameter::declared(&tool.input_schema);
            // The author of the tool sees it.
            for parameter in refused {
                tracing::error!(
                    tool = tool.name,
                    parameter,
                    "clients will refuse this header"
                );
            }
            (!parameters.is_empty()).then(|| (tool.name.clone(), parameters.into()))
        });
        let support = tools.iter().map(|it| (it.name.clone(), it.task_support));
        let may_be_tasks = support.filter(|(_, it)| *it != TaskSupport::Forbidden);
        Self {
            requires_tasks: tools
                .iter()
                .any(|it| it.task_support == TaskSupport::Required),
            #[cfg(feature = "draft")]
            with_output_schema: {
                let declared = tools.iter().filter(|it| it.output_schema.is_some());
                declared.map(|it| it.name.clone()).collect()
            },
            task_support: may_be_tasks.collect(),
            wrapped_schemas: wrapped.collect(),
            header_parameters: declared.collect(),
        }
    }

    /// The output schema by which the tool's structured content is wrapped, unless it is an object.
    pub(crate) fn wrapped_schema(&self, tool: &str) -> Option<&Value> {
        self.wrapped_schemas.get(tool)
    }

    /// Whether calls of the tool may become tasks, as far as that matters for one that does not ask to.
    pub(crate) fn task_support(&self, tool: &str, is_asked: bool) -> TaskSupport {
        if !is_asked && !self.requires_tasks {
            // Looking for a name is not free.
            return TaskSupport::Forbidden;
        }
        self.task_support.get(tool).copied().unwrap_or_default()
    }

    #[cfg(feature = "draft")]
    pub(crate) fn has_output_schema(&self, tool: &str) -> bool {
        self.with_output_schema.contains(tool)
    }

    pub(crate) fn has_header_parameters(&self) -> bool {
        !self.header_parameters.is_empty()
    }

    pub(crate) fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.header_parameters.get(tool).cloned()
    }
}
