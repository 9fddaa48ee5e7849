//! Whether an API accepts a tool result: what its documentation forbids, and what public threads show it to refuse.
//!
//! For tests of your own converter, and as a last look before a request is sent. The `rich` presets pass: whatever an
//! API refuses they send in another form, and report. A validator sees one result, so it cannot judge what depends
//! on the whole request (its size, names of documents in other results), nor whether bytes with the right beginning
//! are a whole picture.
//!
//! ```
//! use mcp_protocol::convert::validate;
//!
//! let block = serde_json::json!({"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": [
//!     {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
//! ]});
//! let refusals = validate::anthropic(&block);
//! assert_eq!(refusals[0].to_string(), "content[0]: all content must be text if is_error is true");
//! ```

mod anthropic;
mod bedrock;
mod gemini;
mod openai;
mod sdk;
mod tools;

use std::fmt;

use serde_json::Value;

pub use self::{
    anthropic::{anthropic, anthropic_part},
    bedrock::{bedrock, bedrock_part},
    gemini::{gemini, gemini_part},
    openai::{openai_chat, openai_chat_part, openai_responses},
    sdk::{ai_sdk, codex, copilot, langchain, llama_index, mastra, openai_agents, rig},
    tools::tools,
};
use super::{Media, MediaRef};

/// Something that an API refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Where it is, for example `content[1].source.data`; empty for the whole.
    pub path: String,
    /// What the API wants.
    pub rule: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.rule)
        } else {
            write!(f, "{}: {}", self.path, self.rule)
        }
    }
}

/// What has been found so far.
#[derive(Default)]
struct Found(Vec<Refusal>);

/// What an API wants of the bytes that it is sent.
#[derive(Clone, Copy)]
struct Wanted<'r> {
    types: &'r [&'r str],
    /// The most letters of Base64.
    letters: usize,
    /// The most pixels of the longer side.
    pixels: u32,
}

impl Found {
    fn add(&mut self, path: impl Into<String>, rule: impl Into<String>) {
        self.0.push(Refusal {
            path: path.into(),
            rule: rule.into(),
        });
    }

    /// Reports the rule unless it holds.
    fn check(&mut self, holds: bool, path: &str, rule: &str) {
        if !holds {
            self.add(path, rule);
        }
    }

    /// A member that is a string.
    fn text<'v>(&mut self, of: &'v Value, path: &str, name: &str) -> &'v str {
        let value = of.get(name).and_then(Value::as_str);
        self.check(value.is_some(), &at(path, name), "a string is required");
        value.unwrap_or("")
    }

    /// A member that is a text with something in it.
    fn words<'v>(&mut self, of: &'v Value, path: &str, name: &str) -> &'v str {
        let text = self.text(of, path, name);
        self.check(
            !text.trim().is_empty(),
            &at(path, name),
            "text must not be blank",
        );
        text
    }

    fn list<'v>(&mut self, of: &'v Value, path: &str, name: &str) -> &'v [Value] {
        let value = of.get(name).and_then(Value::as_array);
        self.check(value.is_some(), &at(path, name), "an array is required");
        value.map(Vec::as_slice).unwrap_or_default()
    }

    /// Bytes of a type that the API reads.
    fn bytes(&mut self, path: &str, mime_type: &str, data: &str, wanted: Wanted<'_>) {
        self.check(
            wanted.types.is_empty() || wanted.types.contains(&mime_type),
            path,
            "a type that the API reads is required",
        );
        let is_type = super::media::canonical(mime_type).is_some_and(|it| it == mime_type);
        self.check(is_type, path, "a registered MIME type is required");
        self.check(!data.is_empty(), path, "the data must not be empty");
        self.check(
            crate::encoding::is_valid(data),
            path,
            "standard Base64 with padding is required",
        );
        self.check(
            data.len() <= wanted.letters,
            path,
            "the data is over the size limit",
        );
        let Some(mut media) = Media::read(MediaRef::new(data, mime_type), None) else {
            return;
        };
        if let Some(found) = media.correct_type() {
            self.add(path, format!("the bytes are {found}"));
        }
        let is_large = media.is_of("image/")
            && wanted.pixels < u32::MAX
            && media.pixels().is_some_and(|it| it > wanted.pixels);
        self.check(!is_large, path, "the picture has too many pixels");
    }

    /// `data:MIME;base64,DATA`.
    fn data_url(&mut self, path: &str, url: &str, wanted: Wanted<'_>) {
        let parts = url.strip_prefix("data:").and_then(|it| it.split_once(','));
        let parts = parts.and_then(|(head, data)| Some((head.strip_suffix(";base64")?, data)));
        match parts {
            Some((mime_type, data)) => self.bytes(path, mime_type, data, wanted),
            None => self.add(path, "a Base64 data URL is required"),
        }
    }

    /// A picture by address, or as a data URL.
    fn picture_url(&mut self, path: &str, url: &str, wanted: Wanted<'_>) {
        if !url.starts_with("https://") {
            self.data_url(path, url, wanted);
        }
    }
}

/// The path of a member.
fn at(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
