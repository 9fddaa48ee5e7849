//! The declaration of a tool.

use std::future::Future;

use tool_schema::Params;

use crate::{
    ToolError,
    context::Context,
    declare::{file::File, outcome::Answer},
};

/// One tool: a type of its parameters that implements this is a complete tool; its family lists it.
pub(crate) trait Tool: Params + 'static {
    /// `snake_case`, at most 40 characters.
    const NAME: &'static str;
    /// For people.
    const TITLE: &'static str;
    /// For models: ASCII sentences, at most 200 characters.
    const DESCRIPTION: &'static str;
    /// Arguments, as JSON, of an example that the recorded chain answers.
    const EXAMPLE: &'static str = "{}";
    /// The words by which people look for it, beside its name, description and questions: phrases with commas between them.
    const KEYWORDS: &'static str;
    /// Whether it asks the node, rather than computing from its arguments alone.
    const USES_NODE: bool = true;
    /// Whether the node answers it only with the API key. The description says so too.
    const NEEDS_KEY: bool = false;
    /// The member of its answer that is a table: a long list of records with plain members. Clients can then ask
    /// for CSV; nothing else needs to be declared.
    const TABLE: Option<&'static str> = None;
    /// The resources with the facts of its answer in another form.
    const FILES: &'static [File] = &[];
    /// Whether its answer has several lists, of which each call has a part.
    const MANY_LISTS: bool = false;
    /// Whether its result may have an image. A widely used host shows its model the structure of an answer alone where
    /// there is one, so a result with an image has none, and the tool declares none.
    const IMAGES: bool = false;
    /// How many calls it counts as where calls have a rate.
    const CALLS: u32 = 1;
    /// The answer.
    type Output: Answer + 'static;

    /// Answers one call.
    fn call(self, cx: &Context) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}
