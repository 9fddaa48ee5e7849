//! Does what a check says.

use std::error::Error;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mcp_convert::{
    AsResultView, CallRef, Conversion, ConvertError, ConvertedJson, convert_like_vendor,
};
use mcp_protocol::{
    CallToolResult, Loss, Losses, Revision, Tool, ToolAnnotations, content::ContentBlock,
    read::ToolResultReadOptions, render,
};
use serde_json::{Value, json};

use super::{
    model::Check,
    options::{Options, blocks},
};

/// What came out, all as JSON.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) value: Result<Value, String>,
    pub(crate) losses: Value,
    /// The same as `code` and `index`.
    pub(crate) codes: Value,
    pub(crate) diagnostics: Value,
    pub(crate) follow_up: Value,
    pub(crate) for_user: Value,
    pub(crate) meta: Value,
    pub(crate) block_meta: Value,
    /// The blocks that could not be read.
    pub(crate) other: Value,
}

impl Outcome {
    fn of<E: Into<Box<dyn Error>>>(value: Result<Value, E>) -> Self {
        Self {
            value: value.map_err(|error| in_full(error.into().as_ref())),
            losses: Value::Null,
            codes: Value::Null,
            diagnostics: Value::Null,
            follow_up: Value::Null,
            for_user: Value::Null,
            meta: Value::Null,
            block_meta: Value::Null,
            other: Value::Null,
        }
    }

    fn with_losses(self, losses: &Losses) -> Self {
        let texts = losses.iter().map(|it| Value::String(it.to_string()));
        let code = |it: &Loss| match it.index() {
            Some(index) => json!({"code": it.code(), "index": index}),
            None => json!({"code": it.code()}),
        };
        Self {
            losses: texts.collect(),
            codes: losses.iter().map(code).collect(),
            ..self
        }
    }
}

/// An error and its causes.
pub(crate) fn in_full(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", in_full(cause)),
        None => error.to_string(),
    }
}

/// Runs a check, once for each of its revisions.
pub(crate) fn run(check: &Check) -> Vec<(Option<&str>, Outcome)> {
    let Some(revisions) = check.value("revisions").and_then(Value::as_array) else {
        return once(check).into_iter().map(|it| (None, it)).collect();
    };
    let names = revisions.iter().map(|it| it.as_str().unwrap());
    let runs = names.map(|name| {
        let revision: Revision = name.parse().unwrap();
        let outcome = match check.name("do") {
            "output" => output(check, revision),
            "project" => project(check, revision),
            "sampling" => sample(check, revision),
            "schema" => schema(check, revision),
            other => panic!("no such check: {other}"),
        };
        (Some(name), outcome)
    });
    runs.collect()
}

fn once(check: &Check) -> Option<Outcome> {
    Some(match check.name("do") {
        "convert" => convert(check),
        "parse" => parse(check),
        "parse_text" => parse_text(check),
        // Another test of this crate; that it exists is checked beside.
        "test" => return None,
        other => panic!("no such check: {other}"),
    })
}

fn output(check: &Check, revision: Revision) -> Outcome {
    let options = Options(check);
    let from = check.value("output").unwrap();
    let text = |name: &str| from.get(name).and_then(Value::as_str);
    let mut result = if let Some(value) = from.get("value") {
        CallToolResult::structured(value.clone())
    } else if let Some(message) = text("failure") {
        CallToolResult::error(message)
    } else if let Some(content) = from.get("blocks") {
        CallToolResult::blocks(blocks(content))
    } else if let Some(bytes) = from.get("bytes") {
        let bytes: Vec<u8> = serde_json::from_value(bytes.clone()).unwrap();
        let block = ContentBlock::image_base64(STANDARD.encode(&bytes), text("mime_type").unwrap());
        CallToolResult::from(block)
    } else if let Some(name) = text("typed") {
        CallToolResult::structured(typed(name))
    } else if from.get("unit").is_some() {
        CallToolResult::default()
    } else {
        CallToolResult::text(text("text").unwrap())
    };
    if let (Some(words), true) = (text("text"), from.get("value").is_some()) {
        result.content = vec![ContentBlock::text(words)];
    }
    if let Some(structured) = from.get("structured") {
        result = result.with_structured_content(structured.clone());
    }
    if let Some(meta) = from.get("meta") {
        result = result.with_meta(meta.as_object().unwrap().clone());
    }
    projected(result, revision, &options)
}

/// Values that JSON files cannot hold.
fn typed(name: &str) -> Value {
    match name {
        "1e2_f64" => json!(1e2_f64),
        "nan" => json!({"rate": f64::NAN}),
        other => panic!("no such value: {other}"),
    }
}

fn project(check: &Check, revision: Revision) -> Outcome {
    let options = Options(check);
    match CallToolResult::read(check.input().clone(), ToolResultReadOptions::default()) {
        Ok(parsed) => {
            let result = match options.unwrap() {
                Some(schema) => parsed.result.unwrap_structured(schema),
                None => parsed.result,
            };
            projected(result, revision, &options)
        }
        Err(error) => Outcome::of(Err(error)),
    }
}

fn projected(result: CallToolResult, revision: Revision, options: &Options<'_>) -> Outcome {
    match render::project(result, revision.features(), &options.projection()) {
        Ok((it, losses)) => Outcome::of(Ok::<_, String>(it.into())).with_losses(&losses),
        Err(error) => Outcome::of(Err(error)),
    }
}

fn sample(check: &Check, revision: Revision) -> Outcome {
    let parsed =
        CallToolResult::read(check.input().clone(), ToolResultReadOptions::default()).unwrap();
    let projection = Options(check).projection();
    match render::sampling_tool_result(parsed.result, ID, revision.features(), &projection) {
        Ok((it, losses)) => Outcome::of(Ok::<_, String>(it.into())).with_losses(&losses),
        Err(error) => Outcome::of(Err(error)),
    }
}

fn schema(check: &Check, revision: Revision) -> Outcome {
    let annotations = ToolAnnotations::default();
    let tool = Tool::new("a", "a", json!({"type": "object"}), annotations)
        .with_output_schema(check.input().clone());
    let schema = render::tool(&tool, revision.features())["outputSchema"].take();
    Outcome::of(Ok::<_, String>(schema))
}

fn parse(check: &Check) -> Outcome {
    let mut reading = match check.text("mode") {
        None => ToolResultReadOptions::default(),
        Some("strict") => ToolResultReadOptions::default().strict(),
        Some(other) => panic!("mode: {other}"),
    };
    if let Some(name) = check.text("revision") {
        reading = reading.with_features(name.parse::<Revision>().unwrap().features());
    }
    let is_legacy = check.value("legacy_tool_result").is_some();
    if is_legacy {
        reading = reading.with_legacy_tool_result();
    }
    let parsed = match CallToolResult::read(check.input().clone(), reading) {
        Ok(parsed) => parsed,
        Err(error) => return Outcome::of(Err(error)),
    };
    let printed = parsed.to_value();
    if !is_legacy {
        assert_eq!(printed, *check.input(), "printing is the identity");
    }
    let is_other = |it: &ContentBlock| matches!(it, ContentBlock::Other(_));
    let blocks = parsed.result.content.iter().enumerate();
    let other = blocks
        .filter(|(_, it)| is_other(it))
        .map(|(index, _)| json!(index));
    let diagnostics = parsed
        .diagnostics
        .iter()
        .map(|it| Value::String(it.to_string()));
    Outcome {
        other: other.collect(),
        diagnostics: diagnostics.collect(),
        ..Outcome::of(Ok::<_, String>(printed))
    }
}

/// Reads and prints text; what comes out depends on the features of `serde_json`.
fn parse_text(check: &Check) -> Outcome {
    let value: Value = serde_json::from_str(check.input().as_str().unwrap()).unwrap();
    let parsed = CallToolResult::read(value.clone(), ToolResultReadOptions::default()).unwrap();
    let printed = parsed.to_value();
    assert_eq!(printed, value);
    // Known members come first in a block, so that a line is compared without its order if it must be.
    let texts: Vec<&str> = check
        .value("texts")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    let text = printed.to_string();
    assert!(texts.contains(&text.as_str()), "{text}");
    if keeps_digits() && keeps_order() {
        assert_eq!(text, texts[0]);
    }
    Outcome::of(Ok::<_, String>(Value::Null))
}

const ID: &str = "t1";
const NAME: &str = "f";

pub(crate) fn convert(check: &Check) -> Outcome {
    convert_from(check, check.name("target"), check.input())
}

/// The same from a typed result, if the input has one; what has not is left to the JSON.
pub(crate) fn convert_typed(check: &Check) -> Option<Outcome> {
    let parsed =
        CallToolResult::read(check.input().clone(), ToolResultReadOptions::default()).ok()?;
    check.input().get("content")?;
    Some(convert_from(check, check.name("target"), &parsed.result))
}

pub(crate) fn convert_from(check: &Check, name: &str, result: &impl AsResultView) -> Outcome {
    let options = Options(check);
    // The ids are those that the vendors' documentation uses.
    let id = match name {
        "openai_responses" | "openai_chat" | "langchain" => "c1",
        "gemini" => "i1",
        _ => ID,
    };
    let call = CallRef::new(id, NAME);
    let converted: Result<Conversion<'_>, ConvertError> = if options.is_compat(name) {
        convert_like_vendor(result, call, &*options.vendor(name))
    } else {
        mcp_convert::convert(result, call, &*options.target(name), &options.policy())
    };
    match converted {
        Ok(converted) => {
            let value = converted.output.to_value();
            outcome_of(&converted, with_failure(name, value, converted.failed))
        }
        Err(error) => Outcome::of(Err(error)),
    }
}

/// The output of the targets that are told of a failure beside it, as their SDK has both.
fn with_failure(name: &str, value: Value, failed: bool) -> Value {
    match name {
        "pydantic_ai" => json!({"value": value, "failed": failed}),
        "text" => json!({"text": value, "failed": failed}),
        _ => value,
    }
}

fn outcome_of<T>(converted: &Conversion<'_, T>, value: Value) -> Outcome {
    Outcome {
        follow_up: converted
            .follow_up
            .iter()
            .map(ConvertedJson::to_value)
            .collect(),
        for_user: json!(converted.for_user),
        block_meta: converted
            .block_meta
            .iter()
            .map(|(at, it)| json!([at, it]))
            .collect(),
        meta: converted
            .meta
            .map_or(Value::Null, |it| Value::Object(it.clone())),
        ..Outcome::of(Ok::<_, String>(value)).with_losses(&converted.losses)
    }
}

/// The targets whose vendors have converters that this crate equals.
const VENDORS: [&str; 4] = ["copilot", "anthropic", "langchain", "ai_sdk"];

/// A result in the form of every target, with what it lost.
pub(crate) fn everywhere(result: &Value, preset: &str) -> Vec<(&'static str, Outcome)> {
    everywhere_with(result, json!({"preset": preset}))
}

/// The same with any options of a check.
pub(crate) fn everywhere_with(result: &Value, options: Value) -> Vec<(&'static str, Outcome)> {
    const TARGETS: [&str; 15] = [
        "copilot",
        "openai_responses",
        "openai_chat",
        "codex",
        "anthropic",
        "gemini",
        "bedrock",
        "langchain",
        "ai_sdk",
        "llama_index",
        "openai_agents",
        "pydantic_ai",
        "rig",
        "strands",
        "text",
    ];
    let check = Check::new(json!({"options": options}));
    let compat = Options(&check).is_compat("");
    let targets = TARGETS
        .into_iter()
        .filter(|it| !compat || VENDORS.contains(it));
    let outcomes = targets.map(|it| (it, convert_from(&check, it, result)));
    outcomes.collect()
}

/// The same, without failures, for results that all targets can carry.
pub(crate) fn rich_everywhere(result: &Value) -> Vec<(&'static str, Value)> {
    let outcomes = everywhere(result, "rich").into_iter();
    outcomes
        .map(|(target, outcome)| (target, outcome.value.unwrap()))
        .collect()
}

/// Whether `serde_json` keeps the order of members.
pub(crate) fn keeps_order() -> bool {
    json!({"b": 1, "a": 1}).to_string().starts_with("{\"b")
}

/// Whether `serde_json` keeps all digits of numbers.
pub(crate) fn keeps_digits() -> bool {
    let long = "123456789012345678901234567890";
    let printed = serde_json::from_str::<Value>(long).unwrap().to_string();
    printed == long
}

/// Equal as JSON. Where the order of members is not kept, texts that hold JSON are compared as such.
pub(crate) fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| alike(a, b)))
        }
        (Value::String(a), Value::String(b)) => a == b || (!keeps_order() && lines_alike(a, b)),
        _ => a == b,
    }
}

fn lines_alike(a: &str, b: &str) -> bool {
    let line = |it: &str| serde_json::from_str::<Value>(it).unwrap_or(Value::String(it.to_owned()));
    let (a, b): (Vec<Value>, Vec<Value>) =
        (a.lines().map(line).collect(), b.lines().map(line).collect());
    a == b
}
