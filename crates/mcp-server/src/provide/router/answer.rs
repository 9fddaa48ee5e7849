//! What handlers of tools return.

use std::fmt::Display;

use mcp_protocol::{CallToolResult, ContentBlock};
use serde_json::Value;
use tool_schema::{Output, OutputRecord, Property};

use super::error::failure;

/// The member of an answer that holds sentences on how to read it, among them what was coerced.
const NOTES: &str = "notes";

/// What the handler of a tool may return.
///
/// | type | answer |
/// | --- | --- |
/// | a [record](tool_schema::record), `tool_schema::Json` (feature `schemars`) | structured content and its text; the output schema is published |
/// | `(record, Vec<ContentBlock>)` | the same, and then pictures, links and other blocks. A widely used host drops a picture beside structured content: for those return blocks alone |
/// | [`CallToolResult`], and what becomes one: a text, a [`ContentBlock`] or several | what it is; no output schema is published |
/// | `Result` of any of these | the same, or a failure of the tool. The model gets the error if it is a text or a [`HandlerError`](crate::HandlerError) made of one; any other error is logged and stays inside |
///
/// `K` tells these apart, and is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a tool can return",
    note = "a tool returns a `record!`, `Json<T>`, a text, content blocks, `(record, Vec<ContentBlock>)`, `CallToolResult`, or a `Result` of one of these"
)]
pub trait IntoToolResult<K>: Send + Sized + 'static {
    /// The members of its structured content; `None` if it has none that is declared.
    fn output_properties() -> Option<Vec<Property>> {
        None
    }

    /// The result, with sentences on what was coerced.
    fn into_result(self, notes: Vec<String>) -> CallToolResult;
}

/// What tells answers apart.
#[derive(Debug)]
pub struct OfRecord;
/// What tells answers apart.
#[derive(Debug)]
pub struct Beside;
/// What tells answers apart.
#[derive(Debug)]
pub struct OfResult;
/// What tells answers apart.
#[derive(Debug)]
pub struct Fallible<K>(K);

impl<R: OutputRecord + Send + 'static> IntoToolResult<OfRecord> for R {
    fn output_properties() -> Option<Vec<Property>> {
        let mut members = R::properties();
        if !members.iter().any(|it| it.name == NOTES) {
            let doc = "What to know when you read the answer.";
            <Option<Vec<String>> as Output>::add_properties(NOTES, doc, &mut members);
        }
        Some(members)
    }

    fn into_result(self, coerced: Vec<String>) -> CallToolResult {
        let (mut object, mut notes) = self.to_object();
        notes.extend(coerced);
        let sentences = notes.into_sentences();
        if !sentences.is_empty() {
            let notes = object
                .entry(NOTES)
                .or_insert_with(|| Value::Array(Vec::new()));
            // A record may use the name for something else.
            if let Value::Array(notes) = notes {
                notes.extend(sentences.into_iter().map(Value::String));
            }
        }
        CallToolResult::structured(Value::Object(object))
    }
}

impl<R: OutputRecord + Send + 'static> IntoToolResult<Beside> for (R, Vec<ContentBlock>) {
    fn output_properties() -> Option<Vec<Property>> {
        <R as IntoToolResult<OfRecord>>::output_properties()
    }

    fn into_result(self, notes: Vec<String>) -> CallToolResult {
        let (record, blocks) = self;
        let mut result = record.into_result(notes);
        result.content.extend(blocks);
        result
    }
}

impl<R: Into<CallToolResult> + Send + 'static> IntoToolResult<OfResult> for R {
    fn into_result(self, notes: Vec<String>) -> CallToolResult {
        let result = self.into();
        if notes.is_empty() {
            return result;
        }
        result.with_block(ContentBlock::text(notes.join(" ")))
    }
}

impl<K, A, E> IntoToolResult<Fallible<K>> for Result<A, E>
where
    K: 'static,
    A: IntoToolResult<K>,
    E: Display + Send + 'static,
{
    fn output_properties() -> Option<Vec<Property>> {
        A::output_properties()
    }

    fn into_result(self, notes: Vec<String>) -> CallToolResult {
        match self {
            Ok(answer) => answer.into_result(notes),
            Err(error) => failure(&error, CallToolResult::error),
        }
    }
}
