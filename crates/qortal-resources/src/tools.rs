//! The catalog as sets of MCP tools, resources, prompts and completions. Nothing else in this crate needs MCP.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use mcp_protocol::{
    CallToolResult, ContentBlock, Object, TaskSupport, Tool, ToolAnnotations, WrittenResult,
    content,
    ui::{View, ViewSupport},
};
use mcp_server::{
    BoxFuture, BuildError, CallContext, MemoryBudget, Scope, ToolReply, ToolSet, TraceParent,
};
use qortal_client::AnswerMemory;
use serde_json::{Value, json};

use crate::{
    Attachment, Body, Catalog, Entry, Outcome, OutputSchemas, Report, ResourceLink, Selection,
    Surface, catalog::CALL_TOOL,
};

mod prompts;
mod resources;
mod server;

pub use self::{
    prompts::Prompts,
    resources::Resources,
    server::{Live, limits, server},
};
static VIEWS: LazyLock<Vec<View>> = LazyLock::new(|| {
    let all = qortal_views::View::ALL.into_iter();
    all.map(|it| {
        View::new(it.uri, it.name, it.html)
            .with_title(it.title)
            .with_description(it.description)
            .with_border(true)
    })
    .collect()
});

impl Entry {
    /// The tool as an MCP client sees it on a surface.
    #[must_use]
    pub fn to_tool(&self, surface: Surface) -> Tool {
        let annotations = if self.uses_node {
            ToolAnnotations::LOOKUP
        } else {
            ToolAnnotations::PURE
        };
        let tool = Tool::new(
            self.name,
            self.description,
            self.input_schema_on(surface),
            annotations,
        )
        .with_title(self.title);
        if self.pictures {
            tool
        } else {
            tool.with_output_schema(self.output_schema_on(surface))
        }
    }
}

/// The answer of a tool: text and structure, or text and pictures.
fn reply(outcome: Outcome, shows_view: bool) -> ToolReply {
    let json = outcome.json();
    let links = outcome.links.iter().map(ResourceLink::to_block);
    let pictures = outcome.attachments.into_iter().filter(|_| !shows_view);
    let mut pictures = pictures.filter_map(picture).peekable();
    if pictures.peek().is_some() {
        let blocks = [ContentBlock::text(json)].into_iter();
        return CallToolResult::blocks(blocks.chain(pictures).chain(links).collect()).into();
    }
    let written = WrittenResult::new(json).expect("a writer writes an object of JSON");
    links.fold(written, WrittenResult::with_block).into()
}

/// Hosts show pictures; text is only linked.
fn picture(attachment: Attachment) -> Option<ContentBlock> {
    match attachment.body {
        Body::Base64(data) => Some(ContentBlock::image(data, attachment.mime_type)),
        Body::Text(_) => None,
    }
}

impl ResourceLink {
    fn to_block(&self) -> ContentBlock {
        content::ResourceLink::new(&self.uri, self.source.name)
            .with_title(self.source.title)
            .with_description(self.source.description)
            .with_mime_type(&self.mime_type)
            .into()
    }
}

impl Selection {
    /// A tool as it is listed.
    #[must_use]
    pub fn definition(&self, entry: &Entry) -> Tool {
        let mut tool = entry.to_tool(self.surface);
        tool.description = self.description(entry).into();
        match self.output_schemas() {
            OutputSchemas::Lean => (),
            OutputSchemas::Off => tool.output_schema = None,
        }
        match view_of(entry.name).filter(|_| self.views) {
            Some(view) => tool.with_view(view),
            None => tool,
        }
    }
}

/// Lists the [`Selection`] that is the value of a scope, or else the catalog's own.
impl ToolSet for Catalog {
    fn tools(&self, scope: &Scope) -> Vec<Tool> {
        let chosen = scope.value::<Selection>();
        let selection = chosen.as_ref().unwrap_or(self.selection());
        let listed = selection.listed();
        listed.map(|entry| selection.definition(entry)).collect()
    }

    fn callable(&self) -> Vec<Tool> {
        Self::entries()
            .map(|it| it.to_tool(Surface::Full))
            .collect()
    }

    /// What asks the node may take long, so that it may become a task. No schema is irregular: the tests of this crate keep them to
    /// objects and to keywords that all hosts understand.
    fn irregular(&self) -> Vec<Tool> {
        let schema = json!({"type": "object"});
        let asking = Self::entries().filter(|it| it.uses_node);
        let tools =
            asking.map(|it| Tool::new(it.name, "", schema.clone(), ToolAnnotations::LOOKUP));
        tools
            .map(|it| it.with_task_support(TaskSupport::Optional))
            .collect()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let entry = self.entry(name)?;
        let called = called(entry, &arguments).and_then(|it| self.entry(it));
        cx.count_as(called.unwrap_or(entry).calls);
        Some(Box::pin(async move {
            let selection = cx.scope().value::<Selection>();
            let selection = selection.unwrap_or_else(|| Arc::clone(self.selection()));
            // Hosts show both, where there are both.
            let shows_views =
                selection.views && matches!(cx.view_support(), ViewSupport::Supported);
            let shows_view = shows_views && view_of(entry.name).is_some();
            let report: &Report<'_> = &|it| cx.progress(it.done, Some(it.total), Some(&it.message));
            let report = cx.wants_progress().then_some(report);
            let trace = cx.extensions().get::<TraceParent>();
            let trace = trace.map(ToString::to_string);
            let listed = Arc::clone(&selection);
            match self
                .call_listing(selection, entry, arguments, report, trace)
                .await
            {
                Ok(mut outcome) => {
                    listed.reach(&mut outcome, entry.name);
                    reply(outcome, shows_view)
                }
                Err(err) => {
                    let said = err.to_string();
                    let reached = match listed.reachable(&said) {
                        Cow::Owned(reached) => Some(reached),
                        Cow::Borrowed(_) => None,
                    };
                    CallToolResult::error(reached.unwrap_or(said)).into()
                }
            }
        }))
    }

    /// The tests of this crate check more.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// The views that listed tools are linked to if [`Selection::views`](crate::Selection::views) is set. Give each to the server, with
/// [`Builder::view`](mcp_server::Builder::view).
#[must_use]
pub fn views() -> &'static [View] {
    &VIEWS
}

/// The view of a tool.
fn view_of(tool: &str) -> Option<&'static View> {
    let name = qortal_views::View::of_tool(tool)?.name;
    VIEWS.iter().find(|it| it.name == name)
}

impl Selection {
    /// An answer of `called` with notes that say how tools are reached, whose `next` calls are ready to send.
    pub(crate) fn reach(&self, outcome: &mut Outcome, called: &str) {
        outcome.map_notes(|note| self.reachable(note));
        let is_hidden = |tool: &str| tool != called && self.hides(tool);
        if outcome.next_tools().any(is_hidden) {
            outcome.replace_members(|members| reach_next(members, &is_hidden));
        }
    }
}

/// What answers of the node draw from: the same budget as the messages of clients. Their values take about as much again.
#[must_use]
pub fn answer_memory(budget: &MemoryBudget) -> AnswerMemory {
    let budget = budget.clone();
    AnswerMemory::new(move || {
        let mut reserved = budget.reserve();
        Box::new(move |bytes| reserved.grow_to(bytes.saturating_mul(2)))
    })
}

/// The tool that a call of `call_tool` calls.
fn called<'a>(entry: &Entry, arguments: &'a Object) -> Option<&'a str> {
    let name = arguments.get("name").filter(|_| entry.name == CALL_TOOL);
    name?.as_str()
}

/// An object in which each `next` that calls a hidden tool calls it through `call_tool`.
fn reach_next(object: Object, is_hidden: &impl Fn(&str) -> bool) -> Object {
    let members = object.into_iter().map(|(name, value)| {
        let tool = value.get("tool").and_then(Value::as_str);
        let value = match tool {
            Some(tool) if name == "next" && is_hidden(tool) => {
                let call = json!({"name": tool, "arguments": value.get("arguments")});
                json!({"tool": CALL_TOOL, "arguments": call})
            }
            _ => reach_in(value, is_hidden),
        };
        (name, value)
    });
    members.collect()
}

fn reach_in(value: Value, is_hidden: &impl Fn(&str) -> bool) -> Value {
    match value {
        Value::Object(object) => reach_next(object, is_hidden).into(),
        Value::Array(items) => items
            .into_iter()
            .map(|it| reach_in(it, is_hidden))
            .collect(),
        plain => plain,
    }
}
