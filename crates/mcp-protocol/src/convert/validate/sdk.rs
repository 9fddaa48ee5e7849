//! The shapes of SDKs, which pass on what they get: bytes that any provider could read.

use serde_json::Value;

use super::{Found, Refusal, Wanted, at, openai};

const ANY: Wanted<'static> = Wanted {
    types: &[],
    letters: usize::MAX,
    pixels: u32::MAX,
};

/// What is wrong with a `ToolResultObject` of the Copilot SDK.
#[must_use]
pub fn copilot(result: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    found.text(result, "", "textResultForLlm");
    let kind = found.text(result, "", "resultType");
    found.check(
        matches!(kind, "success" | "failure"),
        "resultType",
        "success or failure is required",
    );
    for name in ["binaryResultsForLlm", "contents"] {
        let list = result.get(name).and_then(Value::as_array);
        for (index, entry) in list.into_iter().flatten().enumerate() {
            if entry.get("data").is_some() {
                let path = format!("{name}[{index}]");
                data(&mut found, &path, entry, ("mimeType", "data"));
            }
        }
    }
    found.0
}

/// What is wrong with the output of a tool in the AI SDK.
#[must_use]
pub fn ai_sdk(output: &Value) -> Vec<Refusal> {
    model_output(output, |found, path, part| {
        if part.get("type").and_then(Value::as_str) != Some("file") {
            return found.add(path, "a text or a file is required");
        }
        let mime_type = found.text(part, path, "mediaType");
        let inner = part.get("data").unwrap_or(&Value::Null);
        let data = found.text(inner, &at(path, "data"), "data");
        found.bytes(path, mime_type, data, ANY);
    })
}

/// What is wrong with what `toModelOutput` of a Mastra tool returns.
#[must_use]
pub fn mastra(output: &Value) -> Vec<Refusal> {
    model_output(output, |found, path, part| {
        if part.get("type").and_then(Value::as_str) != Some("media") {
            return found.add(path, "text or media are required");
        }
        data(found, path, part, ("mediaType", "data"));
    })
}

/// `media` judges the parts that are no text.
fn model_output(output: &Value, media: fn(&mut Found, &str, &Value)) -> Vec<Refusal> {
    let mut found = Found::default();
    match found.text(output, "", "type") {
        "json" | "error-json" => found.check(
            output.get("value").is_some(),
            "value",
            "a value is required",
        ),
        "text" | "error-text" => {
            found.text(output, "", "value");
        }
        "content" => {
            for (index, part) in found.list(output, "", "value").iter().enumerate() {
                let path = format!("value[{index}]");
                if part.get("type").and_then(Value::as_str) == Some("text") {
                    found.text(part, &path, "text");
                } else {
                    media(&mut found, &path, part);
                }
            }
        }
        _ => found.add("type", "json, text, content or an error is required"),
    }
    found.0
}

/// What is wrong with `blocks` of a LlamaIndex `ToolOutput`.
#[must_use]
pub fn llama_index(output: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    for (index, block) in found.list(output, "", "blocks").iter().enumerate() {
        let path = format!("blocks[{index}]");
        match block.get("block_type").and_then(Value::as_str) {
            Some("text") => {
                found.text(block, &path, "text");
            }
            Some("image") => data(&mut found, &path, block, ("image_mimetype", "image")),
            Some("document") => data(&mut found, &path, block, ("document_mimetype", "data")),
            Some("audio") => {
                found.words(block, &path, "format");
                let data = found.words(block, &path, "audio");
                let rule = "standard Base64 with padding is required";
                found.check(crate::encoding::is_valid(data), &path, rule);
            }
            _ => found.add(path, "text, an image, audio or a document is required"),
        }
    }
    found.0
}

/// What is wrong with a `ToolMessage` of LangChain.
#[must_use]
pub fn langchain(message: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    found.words(message, "", "tool_call_id");
    for (index, block) in found.list(message, "", "content").iter().enumerate() {
        let path = format!("content[{index}]");
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                found.text(block, &path, "text");
            }
            Some("image" | "audio" | "file") if block.get("base64").is_some() => {
                data(&mut found, &path, block, ("mime_type", "base64"));
            }
            Some("image" | "file") => {
                let url = found.text(block, &path, "url");
                found.check(
                    url.starts_with("https://"),
                    &path,
                    "an https URL is required",
                );
            }
            _ => found.add(path, "text, an image, audio or a file is required"),
        }
    }
    found.0
}

/// What is wrong with the output of a tool in the OpenAI Agents SDK.
#[must_use]
pub fn openai_agents(output: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    match output {
        Value::String(_) => (),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                openai::check_agents_item(&mut found, &format!("[{index}]"), item);
            }
        }
        item => openai::check_agents_item(&mut found, "", item),
    }
    found.0
}

/// What is wrong with a payload of Codex.
#[must_use]
pub fn codex(payload: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    let items = payload.get("body").and_then(Value::as_array);
    for (index, item) in items.into_iter().flatten().enumerate() {
        let path = format!("body[{index}]");
        match item.get("type").and_then(Value::as_str) {
            Some("input_audio") => {
                let url = found.text(item, &path, "audio_url");
                let types = &["audio/wav", "audio/mpeg"];
                found.data_url(&path, url, Wanted { types, ..ANY });
            }
            Some("encrypted_content") => {
                found.text(item, &path, "encrypted_content");
            }
            _ => openai::check_item(&mut found, &path, item),
        }
    }
    found.0
}

/// What is wrong with the contents of a rig `ToolOutput`.
#[must_use]
pub fn rig(content: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    let items = content.as_array().map(Vec::as_slice).unwrap_or_default();
    found.check(!items.is_empty(), "", "one content at least is required");
    for (index, item) in items.iter().enumerate() {
        let path = format!("[{index}]");
        match item.get("type").and_then(Value::as_str) {
            Some("text") => {
                found.text(item, &path, "text");
            }
            Some("json") => found.check(item.get("value").is_some(), &path, "a value is required"),
            Some("image") => {
                let name = found.text(item, &path, "media_type");
                let inner = item.get("data").unwrap_or(&Value::Null);
                let data = found.text(inner, &at(&path, "data"), "value");
                let mime_type = if name == "svg" { "svg+xml" } else { name };
                found.bytes(&path, &format!("image/{mime_type}"), data, ANY);
            }
            _ => found.add(path, "text, an image or json is required"),
        }
    }
    found.0
}

fn data(found: &mut Found, path: &str, of: &Value, names: (&str, &str)) {
    let mime_type = found.text(of, path, names.0);
    let data = found.text(of, path, names.1);
    found.bytes(path, mime_type, data, ANY);
}
