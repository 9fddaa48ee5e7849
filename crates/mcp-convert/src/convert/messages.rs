//! Conversion of prompt messages and resource contents to messages and message parts.
//!
//! The conversion follows the rules for results: the same types, sizes, Base64 encoding and losses. Indices in the losses count the
//! messages or contents.
//!
//! The OpenAI Agents SDK and Codex receive messages in the form of OpenAI Responses, and Strands in the form of Bedrock. Hosts
//! without a message form receive text.

use std::collections::BTreeSet;

use mcp_protocol::{
    GetPromptResult, PromptMessage,
    content::{ResourceContents, Role},
};

use super::{
    block::{BlockRef, ResourceContentsRef},
    carrier::{Carrier, Place, Types},
    converted::{Conversion, dropped},
    json_ref::{ConvertedJson, Json},
    part::{Part, PartOf, join},
    parts::collect,
    policy::ConvertOptions,
    shape::Form,
    target::Target,
    tools::Provider,
    view::ResultView,
};
/// Converts the messages of a prompt.
///
/// Consecutive messages of one role are merged because APIs reject them. Assistant messages keep only text for the same reason.
///
/// ```
/// use mcp_convert::{ConvertOptions, Gemini, messages};
/// use mcp_protocol::{ContentBlock, GetPromptResult};
///
/// let prompt = GetPromptResult::user_messages([ContentBlock::text("Look:"), ContentBlock::image_base64("aGVsbG8=", "image/png")]);
/// let converted = messages::prompt(&prompt, &Gemini::default(), &ConvertOptions::default());
/// let message = converted.output[0].to_value();
/// assert_eq!(message["parts"][1]["inlineData"]["mimeType"], "image/png");
/// ```
pub fn prompt<'a>(
    prompt: &'a GetPromptResult,
    target: &(impl Target + ?Sized),
    policy: &ConvertOptions,
) -> Conversion<'a, Vec<ConvertedJson<'a>>> {
    let mut out = Conversion::new(Vec::new(), &ResultView::new(Vec::new()));
    out.meta = Some(&prompt.meta).filter(|it| !it.is_empty());
    let mut names = BTreeSet::new();
    let of_model = |it: &PromptMessage| it.role == Role::Assistant;
    let (mut first, mut turns) = (0, Vec::<(bool, Vec<Json<'a>>)>::new());
    for run in prompt.messages.chunk_by(|a, b| of_model(a) == of_model(b)) {
        let blocks = run.iter().map(|it| BlockRef::of(&it.content));
        let mut view = ResultView::new(blocks.collect());
        view.first = first;
        first += run.len();
        let of_model = run.first().is_some_and(of_model);
        let said = parts(&view, of_model, &row(target, of_model), policy, &mut names);
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
        .map(|(of_model, parts)| ConvertedJson(message(of_model, parts, &row(target, of_model))))
        .collect();
    out
}

/// Converts the contents of a resource to parts of a user message.
pub fn contents<'a>(
    contents: &'a [ResourceContents],
    target: &(impl Target + ?Sized),
    policy: &ConvertOptions,
) -> Conversion<'a, Vec<ConvertedJson<'a>>> {
    let block = |contents: &'a ResourceContents| {
        BlockRef::from(ResourceContentsRef::from(contents)).with_meta(contents.meta.as_ref())
    };
    let view = ResultView::new(contents.iter().map(block).collect());
    let row = row(target, false);
    let said = parts(&view, false, &row, policy, &mut BTreeSet::new());
    said.map(|parts| match is_text(&row) {
        true => vec![ConvertedJson(join(parts))],
        false => parts.into_iter().map(ConvertedJson).collect(),
    })
}

/// The parts that a message of the model or of the user can carry. The model writes text; where its parts have a type, OpenAI has
/// another one for them than for the user's.
fn row(target: &(impl Target + ?Sized), of_model: bool) -> Carrier {
    let row = target.carrier(false);
    let row = row.of_prompts.copied().unwrap_or(row).of_message();
    if of_model {
        let is_typed = matches!(
            row.api,
            Some(Provider::OpenAiResponses | Provider::OpenAiChat)
        );
        let text = Carrier::TEXT;
        return Carrier {
            api: row.api,
            forms: if is_typed { text.forms } else { row.forms },
            text_chars: row.text_chars,
            ..text
        };
    }
    Carrier {
        place: Place::Inside,
        only_beside: Types::Of(&[]),
        as_json: false,
        no_output: None,
        marks_failures: false,
        drops_blank: false,
        ..row
    }
}

/// Whether the content of a message is one text.
fn is_text(row: &Carrier) -> bool {
    matches!(row.forms, [(_, Form::Text)])
}

fn message<'a>(of_model: bool, parts: Vec<Json<'a>>, row: &Carrier) -> Json<'a> {
    let is_gemini = row.api == Some(Provider::Gemini);
    let role = match of_model {
        false => "user",
        true if is_gemini => "model",
        true => "assistant",
    };
    let content = if is_text(row) {
        join(parts)
    } else {
        Json::Array(parts)
    };
    let member = if is_gemini { "parts" } else { "content" };
    Json::object([("role", role.into()), (member, content)])
}

/// What one side says, without what an API refuses: nothing.
fn parts<'a>(
    view: &ResultView<'a>,
    of_model: bool,
    row: &Carrier,
    policy: &ConvertOptions,
    names: &mut BTreeSet<String>,
) -> Conversion<'a, Vec<Json<'a>>> {
    let mut out = collect(view, policy, row).out;
    let mut parts = std::mem::take(&mut out.output);
    if of_model {
        parts.iter_mut().for_each(trim_end);
    }
    for blank in parts.iter().filter(|it| it.is_blank()) {
        dropped(&mut out.losses, blank.index.unwrap_or(0), &blank.kind);
    }
    parts.retain(|it| !it.is_blank());
    let parts = row.parts_after(parts, names);
    out.map(|_| parts)
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
