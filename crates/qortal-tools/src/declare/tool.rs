//! The declaration of a tool.

use std::future::Future;

use tool_schema::Params;

use crate::{
    ToolError,
    context::Context,
    declare::{file::File, outcome::Answer},
};

/// A tool. A parameter type that implements this trait is a complete tool. Its family lists it.
pub(crate) trait Tool: Params + 'static {
    /// The name in `snake_case`, at most 40 characters.
    const NAME: &'static str;
    /// The title, for people.
    const TITLE: &'static str;
    /// The description, for models: ASCII sentences, at most 200 characters.
    const DESCRIPTION: &'static str;
    /// Example arguments, as JSON, that the recorded chain can answer.
    const EXAMPLE: &'static str = "{}";
    /// Search terms beyond its name, description and questions: phrases separated by commas.
    const KEYWORDS: &'static str;
    /// Whether it queries the node, rather than computing from its arguments alone.
    const USES_NODE: bool = true;
    /// Whether the node requires the API key for it. The description states this too.
    const NEEDS_KEY: bool = false;
    /// The field of its answer that is a table: a long list of records with scalar fields. Clients can then ask for CSV
    /// without any further declaration.
    const TABLE: Option<&'static str> = None;
    /// Resources with the facts of its answer in another form.
    const FILES: &'static [File] = &[];
    /// Whether its answer has several lists, of which each call returns a part.
    const MANY_LISTS: bool = false;
    /// Whether its result may contain an image. A widely used host passes only the structured content to its model if
    /// there is any. A result with an image therefore has none, and the tool declares none.
    const IMAGES: bool = false;
    /// Number of calls that it counts as against a rate limit.
    const CALLS: u32 = 1;
    /// The type of the answer.
    type Output: Answer + 'static;

    /// Runs the tool.
    fn call(self, cx: &Context) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}
