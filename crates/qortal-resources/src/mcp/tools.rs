//! The tools of a catalog for MCP clients.

use std::{borrow::Cow, sync::Arc};

use mcp_protocol::{
    CallToolResult, ContentBlock, Object, TaskSupport, Tool, ToolAnnotations, content,
    render::PreserializedResult, ui::ViewSupport,
};
use mcp_server::{
    BoxFuture, BuildError, CallContext, LazyTool, ListVariant, ToolReply, ToolSet, TraceParent,
};
use qortal_tools::{
    Attachment, Body, CALL_TOOL, CallOptions, Catalog, Entry, Outcome, OutputSchemas, Report,
    ResourceLink, Selection, Surface,
};
use serde_json::json;

use super::views::view_of;
use crate::Source;

/// The tools of a catalog.
///
/// Lists the tools of the [`Selection`] in a scope's value, or else of the catalog's selection.
#[derive(Debug, Clone)]
pub struct Tools(Arc<Catalog>);

impl Tools {
    /// Creates the set of a catalog's tools.
    #[must_use]
    pub const fn new(catalog: Arc<Catalog>) -> Self {
        Self(catalog)
    }
}

/// Returns a tool as clients see it in the selection's list.
#[must_use]
pub fn definition(selection: &Selection, entry: &Entry) -> Tool {
    let mut tool = undescribed(selection, entry);
    tool.description = selection.description(entry).into();
    tool
}

/// Returns a tool with the catalog's description.
fn undescribed(selection: &Selection, entry: &Entry) -> Tool {
    let mut tool = on_surface(entry, selection.surface);
    match selection.output_schemas() {
        OutputSchemas::Off => tool.output_schema = None,
        // A tool that may return an image has no output schema.
        OutputSchemas::Full if !entry.images => {
            tool.output_schema = Some(entry.described_output_schema_on(selection.surface));
        }
        _ => (),
    }
    match view_of(entry.name).filter(|_| selection.views) {
        Some(view) => tool.with_view(view),
        None => tool,
    }
}

/// Returns a key for the parts of a selection that affect its tools, apart from the description.
fn variant(selection: &Selection) -> u64 {
    let surface = selection.surface as u64;
    let schemas = selection.output_schemas() as u64;
    surface << 3 | schemas << 1 | u64::from(selection.views)
}

/// Returns a tool with the schemas of a surface.
fn on_surface(entry: &Entry, surface: Surface) -> Tool {
    let annotations = if entry.uses_node {
        ToolAnnotations::LOOKUP
    } else {
        ToolAnnotations::PURE
    };
    let input = entry.input_schema_on(surface);
    let tool = Tool::new(entry.name, entry.description, input, annotations).with_title(entry.title);
    if entry.images {
        tool
    } else {
        tool.with_output_schema(entry.output_schema_on(surface))
    }
}

/// Converts the result of a tool to text and structured content, or text and images. `text_only` leaves out the structured content, which
/// repeats the text.
fn reply(outcome: Outcome, shows_view: bool, text_only: bool) -> ToolReply {
    let json = outcome.json();
    let links: Vec<_> = outcome.links.iter().filter_map(link).collect();
    let images = outcome.attachments.into_iter().filter(|_| !shows_view);
    let mut images = images.filter_map(image).peekable();
    if text_only || images.peek().is_some() {
        let blocks = [ContentBlock::text(json)].into_iter();
        return CallToolResult::blocks(blocks.chain(images).chain(links).collect()).into();
    }
    let written = PreserializedResult::new(json).expect("a writer writes an object of JSON");
    links
        .into_iter()
        .fold(written, PreserializedResult::with_block)
        .into()
}

/// Converts an image. Text attachments are only linked.
fn image(attachment: Attachment) -> Option<ContentBlock> {
    match attachment.body {
        Body::Base64(data) => Some(ContentBlock::image_base64(data, attachment.mime_type)),
        Body::Text(_) => None,
    }
}

/// Creates a link to a resource, with its title and description.
fn link(link: &ResourceLink) -> Option<ContentBlock> {
    let source = Source::all().find(|it| it.template == link.template)?;
    let block = content::ResourceLink::new(&link.uri, source.name)
        .with_title(source.title)
        .with_description(source.description)
        .with_mime_type(&link.mime_type);
    Some(block.into())
}

impl ToolSet for Tools {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        let chosen = scope.data::<Selection>();
        let selection = chosen.as_ref().unwrap_or(self.0.selection());
        let listed = selection.listed();
        listed.map(|entry| definition(selection, entry)).collect()
    }

    fn outlines<'a>(&'a self, scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        let chosen = scope.data::<Selection>();
        let selection = chosen.unwrap_or_else(|| Arc::clone(self.0.selection()));
        let variant = variant(&selection);
        let outlines = selection
            .described()
            .into_iter()
            .map(|(entry, description)| {
                let selection = Arc::clone(&selection);
                let tool = move || undescribed(&selection, entry);
                LazyTool::new(entry.name, variant, description, tool)
            });
        Some(outlines.collect())
    }

    fn tools_in_any_variant(&self) -> Vec<Tool> {
        Catalog::entries()
            .map(|it| on_surface(it, Surface::Extended))
            .collect()
    }

    /// Returns the tools that query the node. Their calls may take long, so they may become tasks. None has a special schema: the tests of
    /// `qortal-tools` limit schemas to objects and to keywords that all hosts understand.
    fn tools_with_special_calls(&self) -> Vec<Tool> {
        let schema = json!({"type": "object"});
        let asking = Catalog::entries().filter(|it| it.uses_node);
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
        let catalog = &self.0;
        let entry = catalog.entry(name)?;
        let called = called(entry, &arguments).and_then(|it| catalog.entry(it));
        cx.set_rate_weight(called.unwrap_or(entry).calls);
        Some(Box::pin(async move {
            let selection = cx.list_variant().data::<Selection>();
            let selection = selection.unwrap_or_else(|| Arc::clone(catalog.selection()));
            // Given both a view and an image, hosts show both.
            let supports_views = matches!(cx.view_support(), ViewSupport::Supported);
            let shows_view = supports_views && selection.views && view_of(entry.name).is_some();
            // Some hosts pass both copies of an answer to their models. Only views need the structured one.
            let text_only = !supports_views && has_text_only(&selection);
            let report: &Report<'_> = &|it| cx.progress(it.done, Some(it.total), Some(&it.message));
            let report = cx.wants_progress().then_some(report);
            let trace = cx.extensions().get::<TraceParent>();
            let trace = trace.map(ToString::to_string);
            let mut options = CallOptions::default();
            options.selection = Some(Arc::clone(&selection));
            options.report = report;
            options.trace_parent = trace;
            match catalog.call_with(entry, arguments, options).await {
                Ok(mut outcome) => {
                    selection.reach(&mut outcome, entry.name);
                    reply(outcome, shows_view, text_only)
                }
                Err(err) => {
                    let said = err.to_string();
                    let reached = match selection.reachable(&said) {
                        Cow::Owned(reached) => Some(reached),
                        Cow::Borrowed(_) => None,
                    };
                    CallToolResult::error(reached.unwrap_or(said)).into()
                }
            }
        }))
    }

    /// Returns `Ok`, since the tests of `qortal-tools` check more.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

/// Returns whether results repeat nothing as structured content. Lists without output schemas promise none. Clients of the Python server
/// always get it.
fn has_text_only(selection: &Selection) -> bool {
    selection.output_schemas() == OutputSchemas::Off && selection.surface != Surface::Python
}

/// Returns the name of the tool that a call of `call_tool` runs.
fn called<'a>(entry: &Entry, arguments: &'a Object) -> Option<&'a str> {
    let name = arguments.get("name").filter(|_| entry.name == CALL_TOOL);
    name?.as_str()
}
