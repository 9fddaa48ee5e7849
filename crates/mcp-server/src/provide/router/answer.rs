//! Return types of tool handlers.

use std::fmt::Display;

use mcp_protocol::{CallToolResult, ContentBlock};
use serde_json::Value;
use tool_schema::{Output, OutputRecord, Property};

use super::error::failure;

/// The field of a result that holds notes on how to read it, including the values that were coerced.
const NOTES: &str = "notes";

/// A return type of a tool handler.
///
/// | return type | result |
/// | --- | --- |
/// | a [record](tool_schema::record), `tool_schema::Json` (feature `schemars`) | structured content and its text. The output schema is published. |
/// | `(record, Vec<ContentBlock>)` | the same, followed by images, links and other content blocks. A widely used host drops images next to structured content. For this host, return only content blocks. |
/// | [`CallToolResult`], and types convertible into it: a string, a [`ContentBlock`], several of them | this result. No output schema is published. |
/// | `Result` of any of these | the same, or a failure of the tool. The model receives the error if it is a string or a [`HandlerError`](crate::HandlerError) created from a message. Any other error is only logged. |
///
/// `K` distinguishes the implementations and is inferred.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "a tool returns a `record!`, `Json<T>`, a string, content blocks, `(record, Vec<ContentBlock>)`, `CallToolResult`, or a `Result` of one of these"
)]
pub trait IntoToolResult<K>: Send + Sized + 'static {
    /// Returns the fields of the structured content, or `None` if it declares none.
    fn output_properties() -> Option<Vec<Property>> {
        None
    }

    /// Returns the result, with notes on coerced values.
    fn into_result(self, notes: Vec<String>) -> CallToolResult;
}

/// Marker for the implementation of [`IntoToolResult`] for records.
#[derive(Debug)]
pub struct OfRecord;
/// Marker for the implementation of [`IntoToolResult`] for a record with content blocks.
#[derive(Debug)]
pub struct Beside;
/// Marker for the implementation of [`IntoToolResult`] for types convertible into a [`CallToolResult`].
#[derive(Debug)]
pub struct OfResult;
/// Marker for the implementation of [`IntoToolResult`] for a `Result`.
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
