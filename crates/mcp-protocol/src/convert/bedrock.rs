//! Amazon Bedrock Converse API: a `toolResult` block.
//!
//! Source: `ToolResultBlock` of the Converse API as rig-bedrock fills it. The API refuses blank texts, and `json`
//! that is not an object.

use std::borrow::Cow;

use serde_json::json;

use super::{
    AsToolResult, Call, ConvertError, Converted, JsonRef, Piece, ResourceRef,
    pieces::{Structure, collect, file_name},
};
use crate::loss::Loss;

const NO_OUTPUT: &str = "(the tool returned no output)";
const NO_MESSAGE: &str = "the tool reported an error without a message";

/// Options of [`convert`]; the vendor has no converter to match.
pub type Options = super::Options<Choices>;

/// The choices of this target: none yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {}

/// A result for the Converse API.
///
/// ```
/// use mcp_protocol::convert::{Call, bedrock};
///
/// let result = serde_json::json!({"content": [], "structuredContent": {"height": 468}});
/// let call = Call::new("t1", "lookup");
/// let converted = bedrock::convert(&result, call, &bedrock::Options::rich())?;
/// let block = converted.output.to_value();
/// assert_eq!(block["toolResult"]["content"][0]["json"]["height"], 468);
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let policy = &options.policy;
    let mut out = collect(&view, policy, Structure::AsJson)?;
    let mut blocks = Vec::new();
    for piece in std::mem::take(&mut out.output) {
        let block = match &piece.piece {
            Piece::Structured(value) if value.is_object() => {
                Some(("json", JsonRef::Value(Cow::Borrowed(*value))))
            }
            Piece::Structured(value) => {
                out.losses.push(Loss::Wrapped {
                    key: "result".to_owned(),
                });
                let wrapped = json!({"result": value});
                Some(("json", JsonRef::Value(Cow::Owned(wrapped))))
            }
            Piece::Image(media) => {
                image_format(media.mime_type).map(|it| ("image", media_block(it, None, media.data)))
            }
            Piece::File(file) => document_format(file.mime_type).map(|format| {
                piece.address_lost(&mut out.losses);
                let data = file.blob.unwrap_or("");
                let kind = if VIDEOS.contains(&format) {
                    "video"
                } else {
                    "document"
                };
                let name = (kind == "document").then(|| document_name(file));
                (kind, media_block(format, name, data))
            }),
            _ => None,
        };
        let block = match block {
            Some(block) => Some(block),
            None => {
                let text = match piece.to_text(false, &mut out.losses) {
                    Some(text) => Some(text),
                    None => piece.unsupported(policy, "not shown", &mut out.losses)?,
                };
                let is_blank =
                    |it: &JsonRef<'_>| matches!(it, JsonRef::Text(text) if text.trim().is_empty());
                text.filter(|it| !is_blank(it)).map(|it| ("text", it))
            }
        };
        blocks.extend(block.map(|it| JsonRef::object([it])));
    }
    if blocks.is_empty() {
        let note = if view.is_error() {
            NO_MESSAGE
        } else {
            NO_OUTPUT
        };
        blocks.push(JsonRef::object([("text", note.into())]));
    }
    let status = if view.is_error() { "error" } else { "success" };
    Ok(out.map(|_| {
        let result = JsonRef::object([
            ("toolUseId", call.id.into()),
            ("content", JsonRef::Array(blocks)),
            ("status", status.into()),
        ]);
        JsonRef::object([("toolResult", result)])
    }))
}

fn media_block<'a>(format: &'static str, name: Option<String>, data: &'a str) -> JsonRef<'a> {
    let source = JsonRef::object([("bytes", data.into())]);
    let mut members = vec![("format", JsonRef::text(format))];
    members.extend(name.map(|it| ("name", JsonRef::text(it))));
    members.push(("source", source));
    JsonRef::Object(members)
}

fn image_format(mime_type: Option<&str>) -> Option<&'static str> {
    match mime_type? {
        "image/png" => Some("png"),
        "image/jpeg" => Some("jpeg"),
        "image/gif" => Some("gif"),
        "image/webp" => Some("webp"),
        _ => None,
    }
}

const VIDEOS: [&str; 4] = ["mp4", "mov", "mkv", "webm"];

fn document_format(mime_type: Option<&str>) -> Option<&'static str> {
    match mime_type? {
        "application/pdf" => Some("pdf"),
        "text/csv" => Some("csv"),
        "application/msword" => Some("doc"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => Some("docx"),
        "application/vnd.ms-excel" => Some("xls"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => Some("xlsx"),
        "text/html" => Some("html"),
        "text/plain" => Some("txt"),
        "text/markdown" => Some("md"),
        "video/mp4" => Some("mp4"),
        "video/quicktime" => Some("mov"),
        "video/x-matroska" => Some("mkv"),
        "video/webm" => Some("webm"),
        _ => None,
    }
}

/// The API allows letters, digits, single blanks, hyphens, parentheses and brackets.
fn document_name(file: &ResourceRef<'_>) -> String {
    let name = file.uri.and_then(file_name).unwrap_or("document");
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut clean = String::new();
    for letter in stem.chars() {
        let is_allowed = letter.is_ascii_alphanumeric() || "-()[]".contains(letter);
        if is_allowed {
            clean.push(letter);
        } else if !clean.is_empty() && !clean.ends_with(' ') {
            clean.push(' ');
        }
    }
    let clean = clean.trim_end();
    if clean.is_empty() {
        "document".to_owned()
    } else {
        clean.to_owned()
    }
}
