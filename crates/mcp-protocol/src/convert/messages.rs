//! Messages of prompts and contents of resources, as messages of a conversation and as parts of one.
//!
//! They are converted as results are: equal rules for types, sizes and Base64, equal losses. Indices in the losses
//! count the messages, or the contents.
//!
//! | you send to | form |
//! | --- | --- |
//! | Anthropic Messages | [`Form::Anthropic`] |
//! | OpenAI Responses, OpenAI Agents, Codex | [`Form::OpenAiResponses`] |
//! | OpenAI Chat Completions | [`Form::OpenAiChat`] |
//! | Gemini | [`Form::Gemini`] |
//! | Amazon Bedrock, Strands | [`Form::Bedrock`] |
//! | LangChain | [`Form::LangChain`] |
//! | Vercel AI SDK, Mastra | [`Form::AiSdk`] |
//! | Copilot SDK, Pydantic AI, rig, swiftide and others | [`Form::Text`] |

use super::{
    ai_sdk, anthropic,
    bedrock::{self, DocumentNames},
    block::{BlockRef, ResourceRef},
    carrier::{Carrier, Place, Types},
    converted::{ConvertError, Converted, dropped},
    gemini,
    json_ref::{Json, JsonRef},
    langchain, openai_chat, openai_responses,
    piece::{Piece, PieceOf, join},
    pieces::collect,
    policy::Policy,
    view::ResultView,
};
use crate::{
    GetPromptResult, PromptMessage,
    content::{ResourceContents, Role},
};

/// The shape of a message; the table of [the module](self) says which target has which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// `{"role", "content": [{"type": "text"}, {"type": "image"}, {"type": "document"}]}`.
    Anthropic,
    /// `{"role", "content": [{"type": "input_text"}, {"type": "input_image"}, {"type": "input_file"}]}`.
    OpenAiResponses,
    /// `{"role", "content": [{"type": "text"}, {"type": "image_url"}, {"type": "file"}]}`.
    OpenAiChat,
    /// `{"role", "parts": [{"text"}, {"inlineData"}]}`.
    Gemini,
    /// `{"role", "content": [{"text"}, {"image"}, {"document"}]}`.
    Bedrock,
    /// `{"role", "content": [{"type": "text"}, {"type": "image", "base64"}]}`.
    LangChain,
    /// `{"role", "content": [{"type": "text"}, {"type": "file", "data", "mediaType"}]}`.
    AiSdk,
    /// `{"role", "content": TEXT}`.
    Text,
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    User,
    Model,
}

/// The messages of a prompt. Those of one role that follow each other are one message, because an API refuses them
/// otherwise; what the model says is text alone, for the same reason.
///
/// ```
/// use mcp_protocol::{ContentBlock, GetPromptResult, convert::{Policy, messages::{self, Form}}};
///
/// let prompt = GetPromptResult::user([ContentBlock::text("Look:"), ContentBlock::image("aGVsbG8=", "image/png")]);
/// let converted = messages::prompt(&prompt, Form::Gemini, &Policy::default())?;
/// let message = converted.output[0].to_value();
/// assert_eq!(message["parts"][1]["inlineData"]["mimeType"], "image/png");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the policy makes a block that the form cannot carry an error.
pub fn prompt<'a>(
    prompt: &'a GetPromptResult,
    form: Form,
    policy: &Policy,
) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let mut out = Converted::new(Vec::new(), &ResultView::new(Vec::new()));
    out.meta = Some(&prompt.meta).filter(|it| !it.is_empty());
    let mut names = DocumentNames::default();
    let side = |it: &PromptMessage| match it.role {
        Role::Assistant => Side::Model,
        Role::User | Role::Other(_) => Side::User,
    };
    let (mut first, mut turns) = (0, Vec::<(Side, Vec<Json<'a>>)>::new());
    for run in prompt.messages.chunk_by(|a, b| side(a) == side(b)) {
        let blocks = run.iter().map(|it| BlockRef::of(&it.content));
        let view = ResultView::new(blocks.collect()).starting_at(first);
        first += run.len();
        let side = run.first().map_or(Side::User, side);
        let said = parts(&view, form, side, policy, &mut names)?;
        out.losses.extend(said.losses.iter().cloned());
        out.for_user.extend(said.for_user);
        out.block_meta.extend(said.block_meta);
        match turns.last_mut() {
            // What stood between them says nothing.
            Some((last, parts)) if *last == side => parts.extend(said.output),
            _ if said.output.is_empty() => (),
            _ => turns.push((side, said.output)),
        }
    }
    let message = |(side, parts)| JsonRef(message(form, side, parts));
    out.output = turns.into_iter().map(message).collect();
    Ok(out)
}

/// The contents of a resource, as parts of a user's message.
///
/// # Errors
/// Fails if the policy makes contents that the form cannot carry an error.
pub fn contents<'a>(
    contents: &'a [ResourceContents],
    form: Form,
    policy: &Policy,
) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let block = |contents: &'a ResourceContents| {
        BlockRef::from(ResourceRef::from(contents)).with_meta(contents.meta.as_ref())
    };
    let view = ResultView::new(contents.iter().map(block).collect());
    let names = &mut DocumentNames::default();
    let said = parts(&view, form, Side::User, policy, names)?;
    Ok(said.map(|parts| match form {
        Form::Text => vec![JsonRef(join(parts))],
        _ => parts.into_iter().map(JsonRef).collect(),
    }))
}

impl Form {
    /// What a message of this side can carry.
    fn carrier(self, side: Side) -> Carrier {
        let of_user = match self {
            Self::Anthropic => anthropic::CARRIER,
            Self::OpenAiResponses => openai_responses::CARRIER,
            Self::OpenAiChat => openai_chat::CARRIER,
            Self::Gemini => gemini::CARRIER,
            Self::Bedrock => bedrock::CARRIER,
            Self::LangChain => langchain::CARRIER,
            Self::AiSdk => ai_sdk::CARRIER,
            Self::Text => Carrier::TEXT,
        };
        let carrier = Carrier {
            place: Place::Inside,
            only_beside: Types::Of(&[]),
            as_json: false,
            no_output: None,
            marks_failures: false,
            drops_blank: false,
            ..of_user.of_message()
        };
        match side {
            Side::User => carrier,
            Side::Model => Carrier {
                text_chars: carrier.text_chars,
                ..Carrier::TEXT
            },
        }
    }
}

/// What one side says, without what an API refuses: nothing.
fn parts<'a>(
    view: &ResultView<'a>,
    form: Form,
    side: Side,
    policy: &Policy,
    names: &mut DocumentNames<'_>,
) -> Result<Converted<'a, Vec<Json<'a>>>, ConvertError> {
    let carrier = form.carrier(side);
    let (mut out, _) = collect(view, policy, &carrier)?;
    let mut pieces = std::mem::take(&mut out.output);
    if side == Side::Model {
        pieces.iter_mut().for_each(trim_end);
    }
    for blank in pieces.iter().filter(|it| it.is_blank()) {
        dropped(&mut out.losses, blank.index.unwrap_or(0), &blank.kind);
    }
    pieces.retain(|it| !it.is_blank());
    let mut parts = carrier.parts(pieces);
    if form == Form::Bedrock {
        names.give(&mut parts);
    }
    Ok(out.map(|_| parts))
}

/// Anthropic refuses an answer to be continued that ends in white space.
fn trim_end(piece: &mut PieceOf<'_>) {
    if let Piece::Text(text) = &mut piece.piece {
        if text.ends_with(char::is_whitespace) {
            *text = text.trim_end().to_owned().into();
        }
    }
}

fn message(form: Form, side: Side, parts: Vec<Json<'_>>) -> Json<'_> {
    let role = match (side, form) {
        (Side::User, _) => "user",
        (Side::Model, Form::Gemini) => "model",
        (Side::Model, _) => "assistant",
    };
    let content = match (side, form) {
        // What the model says is text; where its parts have a type, it is another one than the user's.
        (_, Form::Text) | (Side::Model, Form::OpenAiResponses | Form::OpenAiChat) => join(parts),
        (Side::Model, Form::Gemini | Form::Bedrock) => {
            let text = parts.into_iter().map(|it| Json::object([("text", it)]));
            Json::Array(text.collect())
        }
        (Side::Model, Form::Anthropic | Form::LangChain | Form::AiSdk) => {
            Json::Array(parts.into_iter().map(Json::text_block).collect())
        }
        (Side::User, _) => Json::Array(parts),
    };
    let is_gemini = form == Form::Gemini;
    let member = if is_gemini { "parts" } else { "content" };
    Json::object([("role", role.into()), (member, content)])
}
