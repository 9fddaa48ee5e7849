//! Messages of prompts and contents of resources, as messages of a conversation and as parts of one.
//!
//! They are converted as results are: equal rules for types, sizes and Base64, equal losses. Indices in the losses
//! count the messages, or the contents.
//!
//! | you send to | form |
//! | --- | --- |
//! | Anthropic Messages | [`MessageFormat::Anthropic`] |
//! | OpenAI Responses, OpenAI Agents, Codex | [`MessageFormat::OpenAiResponses`] |
//! | OpenAI Chat Completions | [`MessageFormat::OpenAiChat`] |
//! | Gemini | [`MessageFormat::Gemini`] |
//! | Amazon Bedrock, Strands | [`MessageFormat::Bedrock`] |
//! | LangChain | [`MessageFormat::LangChain`] |
//! | Vercel AI SDK, Mastra | [`MessageFormat::AiSdk`] |
//! | Copilot SDK, Pydantic AI, rig, swiftide and others | [`MessageFormat::Text`] |

use std::collections::BTreeSet;

use mcp_protocol::{
    GetPromptResult, PromptMessage,
    content::{ResourceContents, Role},
};

use super::{
    ai_sdk, anthropic, bedrock,
    block::{BlockRef, ResourceRef},
    carrier::{Carrier, Place, Types},
    converted::{Conversion, ConvertError, dropped},
    gemini,
    json_ref::{Json, JsonRef},
    langchain, openai,
    part::{Part, PartOf, join},
    parts::collect,
    policy::ConvertOptions,
    view::ResultView,
};
/// The shape of a message; the table of [the module](self) says which target has which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageFormat {
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

/// The messages of a prompt. Those of one role that follow each other are one message, because an API refuses them
/// otherwise; what the model says is text alone, for the same reason.
///
/// ```
/// use mcp_convert::{ConvertOptions, messages::{self, MessageFormat}};
/// use mcp_protocol::{ContentBlock, GetPromptResult};
///
/// let prompt = GetPromptResult::user([ContentBlock::text("Look:"), ContentBlock::image("aGVsbG8=", "image/png")]);
/// let converted = messages::prompt(&prompt, MessageFormat::Gemini, &ConvertOptions::default())?;
/// let message = converted.output[0].to_value();
/// assert_eq!(message["parts"][1]["inlineData"]["mimeType"], "image/png");
/// # Ok::<(), mcp_convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the policy makes a block that the form cannot carry an error.
pub fn prompt<'a>(
    prompt: &'a GetPromptResult,
    form: MessageFormat,
    policy: &ConvertOptions,
) -> Result<Conversion<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let mut out = Conversion::new(Vec::new(), &ResultView::new(Vec::new()));
    out.meta = Some(&prompt.meta).filter(|it| !it.is_empty());
    let mut names = BTreeSet::new();
    let of_model = |it: &PromptMessage| it.role == Role::Assistant;
    let (mut first, mut turns) = (0, Vec::<(bool, Vec<Json<'a>>)>::new());
    for run in prompt.messages.chunk_by(|a, b| of_model(a) == of_model(b)) {
        let blocks = run.iter().map(|it| BlockRef::of(&it.content));
        let view = ResultView::new(blocks.collect()).starting_at(first);
        first += run.len();
        let of_model = run.first().is_some_and(of_model);
        let said = parts(&view, form, of_model, policy, &mut names)?;
        out.losses.extend(said.losses.iter().cloned());
        out.for_user.extend(said.for_user);
        out.block_meta.extend(said.block_meta);
        match turns.last_mut() {
            // What stood between them says nothing.
            Some((last, parts)) if *last == of_model => parts.extend(said.output),
            _ if said.output.is_empty() => (),
            _ => turns.push((of_model, said.output)),
        }
    }
    let messages = turns.into_iter();
    out.output = messages
        .map(|(of_model, parts)| JsonRef(form.message(of_model, parts)))
        .collect();
    Ok(out)
}

/// The contents of a resource, as parts of a user's message.
///
/// # Errors
/// Fails if the policy makes contents that the form cannot carry an error.
pub fn contents<'a>(
    contents: &'a [ResourceContents],
    form: MessageFormat,
    policy: &ConvertOptions,
) -> Result<Conversion<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let block = |contents: &'a ResourceContents| {
        BlockRef::from(ResourceRef::from(contents)).with_meta(contents.meta.as_ref())
    };
    let view = ResultView::new(contents.iter().map(block).collect());
    let said = parts(&view, form, false, policy, &mut BTreeSet::new())?;
    Ok(said.map(|parts| match form {
        MessageFormat::Text => vec![JsonRef(join(parts))],
        _ => parts.into_iter().map(JsonRef).collect(),
    }))
}

impl MessageFormat {
    /// What a message of the model or of the user can carry.
    fn carrier(self, of_model: bool) -> Carrier {
        let of_user = match self {
            Self::Anthropic => anthropic::CARRIER,
            Self::OpenAiResponses => openai::RESPONSES,
            Self::OpenAiChat => openai::CHAT,
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
        if !of_model {
            return carrier;
        }
        let is_text = self.is_text(of_model);
        Carrier {
            forms: if is_text {
                Carrier::TEXT.forms
            } else {
                carrier.forms
            },
            text_chars: carrier.text_chars,
            ..Carrier::TEXT
        }
    }

    /// Whether its content is one text. What the model says is text; where its parts have a type, OpenAI has another one for them than
    /// for the user's.
    fn is_text(self, of_model: bool) -> bool {
        self == Self::Text || of_model && matches!(self, Self::OpenAiResponses | Self::OpenAiChat)
    }

    fn message(self, of_model: bool, parts: Vec<Json<'_>>) -> Json<'_> {
        let role = match (of_model, self) {
            (false, _) => "user",
            (true, Self::Gemini) => "model",
            (true, _) => "assistant",
        };
        let content = if self.is_text(of_model) {
            join(parts)
        } else {
            Json::Array(parts)
        };
        let is_gemini = self == Self::Gemini;
        let member = if is_gemini { "parts" } else { "content" };
        Json::object([("role", role.into()), (member, content)])
    }
}

/// What one side says, without what an API refuses: nothing.
fn parts<'a>(
    view: &ResultView<'a>,
    form: MessageFormat,
    of_model: bool,
    policy: &ConvertOptions,
    names: &mut BTreeSet<String>,
) -> Result<Conversion<'a, Vec<Json<'a>>>, ConvertError> {
    let carrier = form.carrier(of_model);
    let mut out = collect(view, policy, &carrier)?.out;
    let mut parts = std::mem::take(&mut out.output);
    if of_model {
        parts.iter_mut().for_each(trim_end);
    }
    for blank in parts.iter().filter(|it| it.is_blank()) {
        dropped(&mut out.losses, blank.index.unwrap_or(0), &blank.kind);
    }
    parts.retain(|it| !it.is_blank());
    let mut parts = carrier.parts(parts);
    if form == MessageFormat::Bedrock {
        bedrock::name_documents(&mut parts, names);
    }
    Ok(out.map(|_| parts))
}

/// Anthropic refuses an answer to be continued that ends in white space.
fn trim_end(part: &mut PartOf<'_>) {
    match &mut part.part {
        Part::Text(text) if text.ends_with(char::is_whitespace) => {
            *text = text.trim_end().to_owned().into();
        }
        _ => (),
    }
}
