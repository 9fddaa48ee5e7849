//! The error for an invalid server declaration, and the checks that return it.

use std::{collections::HashSet, error::Error};

use mcp_protocol::{Prompt, Resource, ResourceTemplate, Tool, ui::View};
use serde_json::Value;

/// Maximum length of a tool name (2025-11-25 `server/tools`, "Tool Names"). Some model providers accept only 64
/// characters.
const NAME_CHARACTERS: usize = 128;

/// An error building a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A tool name has characters or a length that clients reject.
    #[error("the tool name {0:?} is not 1 to 128 letters, digits, underscores, hyphens and dots")]
    ToolName(String),
    /// Two tools have the same name.
    #[error("the tool {0:?} is given more than once")]
    DuplicateTool(String),
    /// The root of an input schema is not `type: object`, or the root of an output schema is not a JSON object.
    #[error("the {schema} schema of the tool {tool:?} does not have an object at its root")]
    SchemaRoot {
        /// The name of the tool.
        tool: String,
        /// `input` or `output`.
        schema: &'static str,
    },
    /// A tool's schema is not valid JSON Schema.
    #[error("the {schema} schema of the tool {tool:?} is not valid")]
    InvalidSchema {
        /// The name of the tool.
        tool: String,
        /// `input` or `output`.
        schema: &'static str,
        /// The error of the schema.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A tool's parameter types declare the same name twice, for example because of `#[flatten]`.
    #[error("the parameter {parameter:?} of the tool {tool:?} is declared more than once")]
    DuplicateParameter {
        /// The name of the tool.
        tool: String,
        /// The name of the parameter.
        parameter: String,
    },
    /// Two prompts have the same name.
    #[error("the prompt {0:?} is given more than once")]
    DuplicatePrompt(String),
    /// Two resources have the same URI, or two templates are equal.
    #[error("the resource {0:?} is given more than once")]
    DuplicateResource(String),
    /// A URI template is not of RFC 6570, level 1 or 2, or its variables are not the parameters of its handler.
    #[error(
        "the template {0:?} has variables other than {{name}} and {{+name}}, or variables that are not parameters of its handler"
    )]
    UriTemplate(String),
    /// The URI of a view does not begin with `ui://`.
    #[error("the view URI {0:?} does not begin with ui://")]
    ViewUri(String),
    /// Hosts would reject a skill.
    #[error("invalid skill {uri}: {why}")]
    Skill {
        /// The URI of its `SKILL.md`.
        uri: String,
        /// The problem with the skill.
        why: String,
    },
    /// A required scope cannot be part of a challenge (RFC 6749 §3.3).
    #[error("the required scope {0:?} is empty, or has characters other than visible ASCII")]
    AccessScope(String),
    /// Two notifiers are not clones of each other. The changes reported by one of them would be lost.
    #[error("two change notifiers are given, use clones of one")]
    SeveralNotifiers,
    /// A custom method has the name of a method of the protocol, or two custom methods have the same name.
    #[error("the method {0:?} is built in or is given more than once")]
    Method(String),
}

pub(crate) fn check_tools(tools: &[Tool]) -> Result<(), BuildError> {
    unique(tools.iter().map(|it| &*it.name), BuildError::DuplicateTool)?;
    tools.iter().try_for_each(check_tool)
}

fn check_tool(tool: &Tool) -> Result<(), BuildError> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let length = 1..=NAME_CHARACTERS;
    if !length.contains(&tool.name.len()) || !tool.name.bytes().all(is_allowed) {
        return Err(BuildError::ToolName(tool.name.clone()));
    }
    let wrong_root = |schema| {
        Err(BuildError::SchemaRoot {
            tool: tool.name.clone(),
            schema,
        })
    };
    if tool.input_schema.get("type").and_then(Value::as_str) != Some("object") {
        return wrong_root("input");
    }
    match &tool.output_schema {
        Some(schema) if !schema.is_object() => wrong_root("output"),
        Some(_) | None => Ok(()),
    }
}

pub(crate) fn check_prompts(prompts: &[Prompt]) -> Result<(), BuildError> {
    let names = prompts.iter().map(|it| &*it.name);
    unique(names, BuildError::DuplicatePrompt)
}

pub(crate) fn check_resources(
    resources: &[Resource],
    templates: &[ResourceTemplate],
) -> Result<(), BuildError> {
    let uris = resources.iter().map(|it| &*it.uri);
    let templates = templates.iter().map(|it| &*it.uri_template);
    unique(uris, BuildError::DuplicateResource)?;
    unique(templates, BuildError::DuplicateResource)
}

pub(crate) fn check_views(views: &[View]) -> Result<(), BuildError> {
    let mut earlier: Vec<&View> = Vec::new();
    for view in views {
        let uri = view.uri().to_owned();
        if !uri.starts_with("ui://") {
            return Err(BuildError::ViewUri(uri));
        }
        if earlier.iter().any(|it| it.serves_uri(&uri)) {
            return Err(BuildError::DuplicateResource(uri));
        }
        earlier.push(view);
    }
    Ok(())
}

/// Returns an error for the first name that occurs more than once.
pub(crate) fn unique<'a>(
    names: impl Iterator<Item = &'a str>,
    error: fn(String) -> BuildError,
) -> Result<(), BuildError> {
    duplicate(names).map_or(Ok(()), |it| Err(error(it)))
}

/// Returns the first name that occurs more than once.
pub(crate) fn duplicate<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut seen = HashSet::new();
    let found = names.find(|it| !seen.insert(*it))?;
    Some(found.to_owned())
}
