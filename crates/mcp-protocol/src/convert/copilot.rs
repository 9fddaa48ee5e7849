//! GitHub Copilot SDK: `ToolResultObject`.
//!
//! Source: `convert_mcp_call_tool_result` and its siblings in github/copilot-sdk (Rust crate
//! 1.0.29-preview.4; Node, Python and Go at cc0438d6), for .NET `ConvertFromInvocationResult` of the SDK and
//! `McpClientTool` of the C# SDK, and the RPC schema's `contents`.

use serde_json::Value;

use super::{
    media::canonical,
    piece::link_text,
    target::{Carrier, Context, Found, Json, Linked, Piece, PieceOf, Row, Types, forms, join},
};

const NO_CONTENT: &str = "tool reported an error without content";

/// It asks models of several providers, so that what one of them refuses is for the SDK to decide.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Image {"data": Data, "mimeType": Type, "type": "image"}
        File {"data": Data, "mimeType": Type, "type": "resource", "description": Address}
        Audio {"type": "audio", "data": Data, "mimeType": Type}
    },
    wants: "an image, a resource or audio is required",
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    links: Linked::All,
    addresses: true,
    announces_sounds: true,
    ..Carrier::TEXT
};

/// The Copilot SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Copilot {
    /// Whose converter [`super::compat()`] equals.
    pub(crate) flavor: CopilotFlavor,
}

/// The vendor's converters differ in pictures whose type is missing or empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CopilotFlavor {
    /// Both are skipped.
    #[default]
    Rust,
    /// Skipped if missing, kept if empty.
    Node,
    /// Both are kept, with an empty type.
    Python,
    /// As Python; a result with an element that has no type is refused.
    Go,
    /// By the C# client of MCP, whose parts the SDK reads: pictures, sounds and files are kept, and what has a link, a
    /// structured value or a failure is the JSON of the whole.
    DotNet,
}

impl Copilot {
    setters! {
        /// With the converter of another language.
        with_flavor(flavor: CopilotFlavor) { flavor = flavor }
    }
}

impl Row for Copilot {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, mut pieces: Vec<PieceOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let (mut texts, mut binaries, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        let failed = of.view.is_error();
        let says_nothing = failed && pieces.iter().all(PieceOf::is_blank);
        if says_nothing {
            pieces = vec![PieceOf::text(None, NO_CONTENT)];
        }
        for piece in pieces {
            match &piece.piece {
                Piece::Link(link) => {
                    // The text is a convenience; `contents` has the whole link.
                    texts.push(link_text(link).into());
                    // With a limit the text has to be enough: what is in `contents` would be said twice.
                    if of.policy.limits.text.is_none() {
                        contents.push(whole_link(&piece, of.view.block_json(piece.index)));
                    } else if link.has_more || link.mime_type.is_some() {
                        piece.said_as_text(of.losses);
                    }
                }
                Piece::Image(_) | Piece::File(_) => {
                    binaries.extend(of.carrier.part(piece));
                }
                Piece::Audio(_) => contents.extend(of.carrier.part(piece)),
                _ => texts.extend(piece.into_text()),
            }
        }
        let mut members = result(join(texts), failed, binaries);
        if !contents.is_empty() {
            members.push(("contents", Json::Array(contents)));
        }
        if says_nothing {
            members.push(("error", NO_CONTENT.into()));
        }
        Json::Object(members)
    }

    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        found.text(result, "", "textResultForLlm");
        let kind = found.text(result, "", "resultType");
        let is_kind = matches!(kind, "success" | "failure");
        found.check(is_kind, "resultType", "success or failure is required");
        for name in ["binaryResultsForLlm", "contents"] {
            // What has no data is for the SDK to judge.
            let entries = result.get(name).and_then(Value::as_array);
            for (index, entry) in entries.into_iter().flatten().enumerate() {
                if entry.get("data").is_some() {
                    found.part(entry, &format!("{name}[{index}]"), carrier);
                }
            }
        }
    }
}

pub(super) fn result<'a>(
    text: Json<'a>,
    failed: bool,
    binaries: Vec<Json<'a>>,
) -> Vec<(&'a str, Json<'a>)> {
    let kind = if failed { "failure" } else { "success" };
    let mut members = vec![("textResultForLlm", text), ("resultType", kind.into())];
    if !binaries.is_empty() {
        members.push(("binaryResultsForLlm", Json::Array(binaries)));
    }
    members
}

/// A link with its details, but without `_meta` and annotations.
fn whole_link<'a>(piece: &PieceOf<'a>, block: Option<Value>) -> Json<'a> {
    let Piece::Link(link) = &piece.piece else {
        return Json::Null;
    };
    let mut members = vec![
        ("type", Json::text("resource_link")),
        ("uri", link.uri.into()),
    ];
    members.extend(link.name.map(|it| ("name", it.into())));
    let mime_type = link.mime_type.and_then(canonical);
    members.extend(mime_type.map(|it| ("mimeType", it.into())));
    if let Some(Value::Object(mut details)) = block {
        for name in ["title", "description", "size", "icons"] {
            let value = details.remove(name);
            members.extend(value.map(|it| (name, Json::Value(std::borrow::Cow::Owned(it)))));
        }
    }
    Json::Object(members)
}
