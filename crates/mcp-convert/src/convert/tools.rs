//! Conversion of tool lists to providers' API formats, with schemas that the APIs accept.
//!
//! An API rejects the entire request if it rejects one tool, and MCP allows names and schemas that each API rejects. The conversion
//! changes such tools as little as possible and reports each change as a [`ToolLoss`]. References are replaced by their targets
//! where the API does not read them. This loses nothing and is not reported.
//!
//! ```
//! use mcp_convert::tools::{self, Provider};
//! use mcp_protocol::Tool;
//!
//! let tool: Tool = serde_json::from_value(serde_json::json!({
//!     "name": "files.list",
//!     "inputSchema": {"type": "object", "properties": {"filter[id]": {"type": "integer"}}},
//! }))?;
//! let converted = tools::convert(&[tool], Provider::Anthropic);
//! let sent = &converted.tools[0];
//! assert_eq!(sent.declaration["name"], "files_list");
//! // The call comes back by the names that were sent.
//! let arguments = serde_json::json!({"filter_id_": 7}).as_object().cloned().unwrap_or_default();
//! assert_eq!(sent.index, 0);
//! assert_eq!(sent.original_arguments(arguments)["filter[id]"], 7);
//! # Ok::<(), serde_json::Error>(())
//! ```

pub(super) mod gemini;
mod loss;
mod names;
mod root;
pub(super) mod rules;
pub(super) mod schema;

use std::collections::BTreeMap;

use mcp_protocol::{Object, Tool};
use serde_json::{Value, json};

use self::{loss::Losses, names::Names, schema::Pass};
pub use self::{loss::ToolLoss, rules::Provider};
/// The tools for one request.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the losses are what the model does not get"]
#[non_exhaustive]
pub struct ConvertedTools {
    /// The accepted tools, in their original order.
    pub tools: Vec<ProviderTool>,
    /// The parts missing from the tools or changed in them.
    pub losses: Vec<ToolLoss>,
}

/// A tool in a provider's format.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ProviderTool {
    /// The declaration: an entry of `tools`, or for Gemini of `functionDeclarations`.
    pub declaration: Value,
    /// The tool's name in the declaration and in calls from the model.
    pub name: String,
    /// The tool's index in the original list.
    pub index: usize,
    /// The renamed arguments. Maps each declared name to the tool's original name.
    pub renamed: BTreeMap<String, String>,
}

impl ProviderTool {
    /// Returns the arguments of a call under the tool's original names.
    #[must_use]
    pub fn original_arguments(&self, sent: Object) -> Object {
        let original = |name: String| self.renamed.get(&name).cloned().unwrap_or(name);
        sent.into_iter()
            .map(|(name, value)| (original(name), value))
            .collect()
    }
}

impl ConvertedTools {
    /// Returns the entries of `tools` in a request. For Gemini this is one entry with all declarations.
    #[must_use]
    pub fn into_request_tools(self, provider: Provider) -> Vec<Value> {
        let declarations = self.tools.into_iter().map(|it| it.declaration);
        if provider == Provider::Gemini {
            return vec![json!({"functionDeclarations": declarations.collect::<Vec<_>>()})];
        }
        declarations.collect()
    }
}

/// Converts tools to declarations for the provider.
pub fn convert(tools: &[Tool], provider: Provider) -> ConvertedTools {
    let rules = provider.rules();
    let mut names = Names::new(rules.name);
    let mut losses = Losses::default();
    let mut converted = Vec::with_capacity(tools.len().min(rules.max_tools));
    for (index, tool) in tools.iter().enumerate() {
        losses.tool = index;
        if converted.len() >= rules.max_tools {
            losses.lose("", loss::OVER_LIMIT, "");
            continue;
        }
        let name = names.unique(&tool.name);
        if name != tool.name {
            losses.lose("name", loss::NAME_CHANGED, &name);
        }
        let description = match tool.description.trim() {
            "" => tool.title.as_deref().unwrap_or("").trim(),
            described => described,
        };
        let (described, cut) = shortened(description, rules.max_description);
        if cut > 0 {
            losses.lose("description", loss::DESCRIPTION_CUT, &cut.to_string());
        }
        let mut pass = Pass {
            source: &tool.input_schema,
            rules,
            nodes: 0,
            nesting: 0,
            inside: Vec::new(),
            losses: &mut losses,
        };
        let (schema, renamed) = pass.root();
        let schema = if rules.open_api {
            pass.subset(schema)
        } else {
            Some(schema)
        };
        converted.push(ProviderTool {
            declaration: declaration(provider, &name, described, schema),
            name,
            index,
            renamed,
        });
    }
    ConvertedTools {
        tools: converted,
        losses: losses.all,
    }
}

fn declaration(
    provider: Provider,
    name: &str,
    description: Option<String>,
    schema: Option<Value>,
) -> Value {
    let (member, schema) = match provider {
        Provider::Bedrock => ("inputSchema", schema.map(|it| json!({"json": it}))),
        _ => (provider.rules().schema.trim_start_matches('/'), schema),
    };
    let mut function = Object::new();
    if provider == Provider::OpenAiResponses {
        function.insert("type".to_owned(), "function".into());
        // The API reads what does not say so as strict, and then refuses optional properties.
        function.insert("strict".to_owned(), false.into());
    }
    function.insert("name".to_owned(), name.into());
    function.extend(description.map(|it| ("description".to_owned(), it.into())));
    function.extend(schema.map(|it| (member.to_owned(), it)));
    match provider {
        Provider::OpenAiChat => json!({"type": "function", "function": function}),
        Provider::Bedrock => json!({"toolSpec": function}),
        _ => function.into(),
    }
}

/// The text in at most so many characters, and how many are not in it. None if there is nothing in it: an API refuses
/// an empty one.
fn shortened(text: &str, max: usize) -> (Option<String>, usize) {
    let chars = text.chars().count();
    if chars <= max {
        return (Some(text.to_owned()).filter(|it| !it.is_empty()), 0);
    }
    let kept: String = text.chars().take(max.saturating_sub(1)).collect();
    (Some(kept + "…").filter(|_| max > 0), chars - max + 1)
}
