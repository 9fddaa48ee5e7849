//! Reading what a peer sent as a tool result: everything is kept, and what is wrong with it is said.

mod block;
mod diagnostic;

use serde_json::Value;

pub use self::diagnostic::{Diagnostic, NotAToolResult, Problem};
use crate::{
    Object, render,
    result::CallToolResult,
    revision::{Rules, StructuredContent},
};

/// What to do about a result that is one, but not as the specification has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Keep what is odd and say so in [`Parsed::diagnostics`].
    #[default]
    Lenient,
    /// Refuse with the first diagnostic.
    Strict,
}

/// How to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// What to do about oddities.
    pub mode: Mode,
    /// The revision the peer speaks, if known: its absent blocks and its structured content are checked too.
    pub rules: Option<&'static Rules>,
    /// Accept `{"toolResult": …}` of 2024-10-07, whose value becomes a structured success.
    pub legacy_tool_result: bool,
}

/// A result as a peer sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The result, free of any revision.
    pub result: CallToolResult,
    /// What is odd about it, in the order of the input. Empty for every valid input.
    pub diagnostics: Vec<Diagnostic>,
    received: Received,
}

/// What the neutral model does not say: which members were there, in which order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Received {
    pub(crate) members: Vec<String>,
    pub(crate) result_type: Option<String>,
}

impl CallToolResult {
    /// Reads a `tools/call` result of any revision.
    ///
    /// Unknown blocks and members are kept; a malformed block is kept as [`crate::ContentBlock::Other`].
    ///
    /// # Errors
    /// The value is no object, none of `content`, `structuredContent` and `isError` is there, one of them is
    /// of the wrong kind, or it is an answer of another kind (`input_required`, a task).
    /// With [`Mode::Strict`] also the first oddity.
    pub fn parse(value: &Value, reading: Reading) -> Result<Parsed, NotAToolResult> {
        if reading.legacy_tool_result
            && let Some(Value::Object(object)) = Some(value)
            && let Some(legacy) = object.get("toolResult")
            && !object.contains_key("content")
        {
            return Ok(Parsed {
                result: Self::structured(legacy.clone()),
                diagnostics: Vec::new(),
                received: Received {
                    members: vec!["content".to_owned(), "structuredContent".to_owned()],
                    result_type: None,
                },
            });
        }
        let head = Head::read(value)?;
        let mut diagnostics = Vec::new();
        let mut result = Self {
            structured_content: head.structured.cloned(),
            is_error: head.is_error.unwrap_or(false),
            ..Self::default()
        };
        for (index, value) in head.content.unwrap_or_default().iter().enumerate() {
            let block = block::read(value, index, &mut diagnostics);
            if let Some(rules) = reading.rules
                && !render::has_block(&block, rules)
            {
                diagnostics.push(Diagnostic {
                    path: format!("content[{index}]"),
                    problem: Problem::BlockNotInRevision {
                        kind: block.kind().to_owned(),
                        revision: rules.name,
                    },
                });
            }
            result.content.push(block);
        }
        if let (Some(structured), Some(rules)) = (head.structured, reading.rules)
            && rules.structured_content == StructuredContent::Object
            && !structured.is_object()
        {
            diagnostics.push(Diagnostic::expected(
                "structuredContent",
                "an object",
                structured,
            ));
        }
        let mut received = Received::default();
        for (name, value) in head.object {
            received.members.push(name.clone());
            match (name.as_str(), value) {
                ("content" | "structuredContent" | "isError", _) => (),
                ("_meta", Value::Object(meta)) => result.meta = meta.clone(),
                ("resultType", Value::String(kind)) => received.result_type = Some(kind.clone()),
                ("_meta", _) => {
                    diagnostics.push(Diagnostic::expected(name, "an object", value));
                    result.extra.insert(name.clone(), value.clone());
                }
                ("resultType", _) => {
                    diagnostics.push(Diagnostic::expected(name, "a string", value));
                    result.extra.insert(name.clone(), value.clone());
                }
                _ => {
                    result.extra.insert(name.clone(), value.clone());
                }
            }
        }
        match (reading.mode, diagnostics.is_empty()) {
            (Mode::Strict, false) => Err(NotAToolResult::Malformed(diagnostics.swap_remove(0))),
            (Mode::Strict, true) | (Mode::Lenient, _) => Ok(Parsed {
                result,
                diagnostics,
                received,
            }),
        }
    }
}

impl Parsed {
    /// The JSON that was read, printed from the model: equal to the input, whatever it was.
    ///
    /// The members of the result keep their order; in a block the known members come first.
    #[must_use]
    pub fn to_value(&self) -> Value {
        render::as_received(&self.result, &self.received)
    }
}

/// The members of a result that decide whether it is one. Shared with [`crate::convert`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    pub(crate) object: &'a Object,
    pub(crate) content: Option<&'a [Value]>,
    pub(crate) structured: Option<&'a Value>,
    pub(crate) is_error: Option<bool>,
}

impl<'a> Head<'a> {
    pub(crate) fn read(value: &'a Value) -> Result<Self, NotAToolResult> {
        let object = value
            .as_object()
            .ok_or(NotAToolResult::NotAnObject(kind_of(value)))?;
        match object.get("resultType").and_then(Value::as_str) {
            None | Some("complete") => (),
            Some(other) => return Err(NotAToolResult::NotComplete(other.to_owned())),
        }
        let content = match object.get("content") {
            None => None,
            Some(Value::Array(content)) => Some(content.as_slice()),
            Some(other) => return Err(NotAToolResult::Content(kind_of(other))),
        };
        let is_error = match object.get("isError") {
            None => None,
            Some(Value::Bool(is_error)) => Some(*is_error),
            Some(other) => return Err(NotAToolResult::IsError(kind_of(other))),
        };
        let structured = object.get("structuredContent");
        if content.is_none() && structured.is_none() && is_error.is_none() {
            return Err(match object.get("task") {
                Some(Value::Object(_)) => NotAToolResult::NotComplete("task".to_owned()),
                Some(_) | None => NotAToolResult::NoMember,
            });
        }
        Ok(Self {
            object,
            content,
            structured,
            is_error,
        })
    }
}

/// The kind of a JSON value, with its article.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
