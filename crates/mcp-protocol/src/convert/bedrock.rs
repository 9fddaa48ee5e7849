//! Amazon Bedrock Converse API: a `toolResult` block.
//!
//! Source: `ToolResultBlock` of the Converse API as rig-bedrock and Strands fill it. The API refuses blank texts,
//! `json` that is not an object, two documents of one name (maximhq/bifrost#7003), more than 20 pictures or 5
//! documents, pictures over 3.75 MB or 8,000 pixels and documents over 4.5 MB; models of Anthropic refuse anything
//! but text in a failure, and models of OpenAI pictures in any result (can1357/oh-my-pi#11681).

use std::{borrow::Cow, collections::BTreeSet};

use serde_json::json;

use super::{
    AsToolResult, Call, ConvertError, Converted, JsonRef, Media, Piece, PieceOf, ResultView,
    carrier::{Carrier, PICTURES, Place, Structure, Types},
    failure::NO_MESSAGE,
    pieces::collect,
};
use crate::loss::{Loss, Losses};

const NO_OUTPUT: &str = "(the tool returned no output)";
/// The API's limit on the name of a document.
const MAX_NAME: usize = 200;

pub(super) const CARRIER: Carrier = Carrier {
    structure: Structure::AsJson,
    images: Types::Of(PICTURES),
    files: Types::Keys(FORMATS),
    image_bytes: 3_750_000,
    file_bytes: 4_500_000,
    pixels: 8_000,
    max_images: 20,
    max_files: 5,
    text_chars: 20_000_000,
    place: Place::BesideFailures,
    ..Carrier::TEXT
};

/// Options of [`convert`]; the vendor has no converter to match.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// Which models are asked.
    pub family: Family,
    /// Whether names of documents end with the id of the call: the API refuses two of one name in a conversation.
    pub names_by_call: bool,
}

/// Models differ in what they accept in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Family {
    /// Those of Anthropic and Amazon: pictures and documents, but not in a failure.
    #[default]
    Anthropic,
    /// Those of OpenAI: text alone.
    OpenAi,
}

impl Options {
    setters! {
        /// For these models.
        with_family(family: Family) { choices.family = family }
        /// Whether names of documents end with the id of the call.
        with_names_by_call(names_by_call: bool) { choices.names_by_call = names_by_call }
    }
}

/// A result for the Converse API. [`Converted::follow_up`] has the pictures and documents that the models refuse in
/// it: send them in the same user message, after all results. If it is empty, there are none.
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
    let out = content(&view, call, options)?;
    let status = if view.is_error() { "error" } else { "success" };
    Ok(out.map(|blocks| {
        let result = JsonRef::object([
            ("toolUseId", call.id.into()),
            ("content", JsonRef::Array(blocks)),
            ("status", status.into()),
        ]);
        JsonRef::object([("toolResult", result)])
    }))
}

/// The content of a result.
pub(super) fn content<'a>(
    view: &ResultView<'a>,
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let carrier = Carrier {
        place: match options.choices.family {
            Family::Anthropic => CARRIER.place,
            Family::OpenAi => Place::Beside,
        },
        structure: if view.is_error() {
            Structure::AsText
        } else {
            Structure::AsJson
        },
        ..CARRIER
    };
    let (mut out, beside) = collect(view, &options.policy, &carrier)?;
    let mut names = Names {
        call: Some(call.id).filter(|_| options.choices.names_by_call),
        taken: BTreeSet::new(),
    };
    let mut blocks = Vec::new();
    for piece in std::mem::take(&mut out.output) {
        if !piece.is_blank() {
            let as_json = !view.is_error();
            blocks.extend(block(piece, as_json, &mut names, &mut out.losses));
        }
    }
    for piece in beside {
        let block = block(piece, false, &mut names, &mut out.losses);
        out.follow_up.extend(block);
    }
    if blocks.is_empty() {
        let note = if view.is_error() {
            NO_MESSAGE
        } else {
            NO_OUTPUT
        };
        blocks.push(JsonRef::object([("text", note.into())]));
    }
    Ok(out.map(|_| blocks))
}

pub(super) fn block<'a>(
    piece: PieceOf<'a>,
    as_json: bool,
    names: &mut Names<'_>,
    losses: &mut Losses,
) -> Option<JsonRef<'a>> {
    let member = match &piece.piece {
        Piece::Structured(value) if as_json && value.is_object() => {
            ("json", JsonRef::Value(Cow::Borrowed(*value)))
        }
        Piece::Structured(value) if as_json => {
            losses.push(Loss::Wrapped {
                key: "result".to_owned(),
            });
            let wrapped = json!({"result": value});
            ("json", JsonRef::Value(Cow::Owned(wrapped)))
        }
        Piece::Image(media) => {
            let format = media.mime_type.as_deref()?.strip_prefix("image/")?;
            let format = PICTURES
                .iter()
                .filter_map(|it| it.strip_prefix("image/"))
                .find(|it| *it == format)?;
            ("image", media_block(format, None, media))
        }
        Piece::File(media) => {
            let (_, format) = FORMATS.iter().find(|(it, _)| media.is(it))?;
            if VIDEOS.contains(format) {
                ("video", media_block(format, None, media))
            } else {
                let name = names.unique(media);
                ("document", media_block(format, Some(name), media))
            }
        }
        _ => ("text", piece.into_text()?),
    };
    Some(JsonRef::object([member]))
}

fn media_block<'a>(format: &'static str, name: Option<String>, media: &Media<'a>) -> JsonRef<'a> {
    let source = JsonRef::object([("bytes", media.data.clone().into())]);
    let mut members = vec![("format", JsonRef::text(format))];
    members.extend(name.map(|it| ("name", JsonRef::text(it))));
    members.push(("source", source));
    JsonRef::Object(members)
}

pub(super) const VIDEOS: [&str; 4] = ["mp4", "mov", "mkv", "webm"];

pub(super) const FORMATS: &[(&str, &str)] = &[
    ("application/pdf", "pdf"),
    ("text/csv", "csv"),
    ("application/msword", "doc"),
    (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "docx",
    ),
    ("application/vnd.ms-excel", "xls"),
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx",
    ),
    ("text/html", "html"),
    ("text/plain", "txt"),
    ("text/markdown", "md"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/x-matroska", "mkv"),
    ("video/webm", "webm"),
];

/// The names of the documents so far.
#[derive(Default)]
pub(super) struct Names<'c> {
    call: Option<&'c str>,
    taken: BTreeSet<String>,
}

impl Names<'_> {
    /// A name with the id of the call if it is to have one, and a number if there is a document of that name already.
    fn unique(&mut self, media: &Media<'_>) -> String {
        let name = media.name();
        let name = name.as_deref().unwrap_or("document");
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let call = self.call.map(clean_name).filter(|it| !it.is_empty());
        let call = call.map(|it| format!(" {it}")).unwrap_or_default();
        let mut number = 1;
        loop {
            let suffix = match number {
                1 => call.clone(),
                _ => format!("{call} ({number})"),
            };
            let room = MAX_NAME.saturating_sub(suffix.len());
            let stem = clean_name(stem);
            let stem = if stem.is_empty() { "document" } else { &stem };
            let stem = stem.get(..room).unwrap_or(stem).trim_end();
            let unique = format!("{stem}{suffix}");
            if self.taken.insert(unique.clone()) {
                return unique;
            }
            number += 1;
        }
    }
}

/// The API allows letters, digits, single blanks, hyphens, parentheses and brackets.
fn clean_name(name: &str) -> String {
    let mut clean = String::new();
    for letter in name.chars().take(MAX_NAME / 2) {
        let is_allowed = letter.is_ascii_alphanumeric() || "-()[]".contains(letter);
        if is_allowed {
            clean.push(letter);
        } else if !clean.is_empty() && !clean.ends_with(' ') {
            clean.push(' ');
        }
    }
    clean.truncate(clean.trim_end().len());
    clean
}
