//! Messages of prompts and contents of resources are converted as results are.

use mcp_convert::{
    Conversion, ConvertOptions, ConvertedJson, OpenAiChat, messages,
    settings::{Settings, Target},
    validate::{self, Rejection},
};
use mcp_protocol::{
    ContentBlock, GetPromptResult, PromptMessage,
    content::{ResourceContents, Role},
};
use serde_json::{Value, json};

use crate::{random::Random, rounds};

const ROUNDS: u64 = 300;
const FORMS: [Target; 8] = [
    Target::Anthropic,
    Target::OpenaiResponses,
    Target::OpenaiChat,
    Target::Gemini,
    Target::Bedrock,
    Target::Langchain,
    Target::AiSdk,
    Target::Text,
];

fn target(form: Target) -> Box<dyn mcp_convert::Target> {
    Settings::for_target(form).target()
}

fn values(converted: &Conversion<'_, Vec<ConvertedJson<'_>>>) -> Value {
    converted
        .output
        .iter()
        .map(ConvertedJson::to_value)
        .collect()
}

fn prompt(form: Target) -> (Value, Vec<String>) {
    let message = PromptMessage::new;
    let pdf = ResourceContents::blob_base64("file:///a.pdf", "aGVsbG8=")
        .with_mime_type("application/pdf");
    let prompt = GetPromptResult::new(vec![
        message(Role::User, ContentBlock::text("Look:")),
        message(
            Role::User,
            ContentBlock::image_base64("aGVsbG8=", "image/jpg"),
        ),
        message(Role::Assistant, ContentBlock::text("I see. ")),
        message(
            Role::Assistant,
            ContentBlock::image_base64("aGVsbG8=", "image/png"),
        ),
        message(Role::User, ContentBlock::resource(pdf)),
        message(Role::User, ContentBlock::text(" ")),
    ]);
    let converted = messages::prompt(&prompt, &*target(form), &ConvertOptions::default());
    let losses = converted.losses.iter().map(ToString::to_string);
    (values(&converted), losses.collect())
}

#[test]
fn a_prompt_becomes_messages_by_turns() {
    let note = "[image/png image, 5 bytes, not shown]";
    let (anthropic, losses) = prompt(Target::Anthropic);
    assert_eq!(
        anthropic,
        json!([
            {"role": "user", "content": [
                {"type": "text", "text": "Look:"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "aGVsbG8="}},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "I see."}, {"type": "text", "text": note}]},
            {"role": "user", "content": [
                {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "aGVsbG8="}},
            ]},
        ])
    );
    assert_eq!(
        losses,
        [
            "content[3]: a note replaces the image block",
            "content[4].resource.uri is left out",
            "content[5]: the text block is left out",
        ]
    );
    let model = format!("I see.\n{note}");
    let data = "data:image/jpeg;base64,aGVsbG8=";
    let rows = [
        (
            Target::OpenaiResponses,
            json!({"type": "input_image", "image_url": data}),
            json!({"role": "assistant", "content": model}),
        ),
        (
            Target::OpenaiChat,
            json!({"type": "image_url", "image_url": {"url": data}}),
            json!({"role": "assistant", "content": model}),
        ),
        (
            Target::Gemini,
            json!({"inlineData": {"mimeType": "image/jpeg", "data": "aGVsbG8="}}),
            json!({"role": "model", "parts": [{"text": "I see."}, {"text": note}]}),
        ),
        (
            Target::Bedrock,
            json!({"image": {"format": "jpeg", "source": {"bytes": "aGVsbG8="}}}),
            json!({"role": "assistant", "content": [{"text": "I see."}, {"text": note}]}),
        ),
        (
            Target::Langchain,
            json!({"type": "image", "base64": "aGVsbG8=", "mime_type": "image/jpeg"}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "I see."}, {"type": "text", "text": note}]}),
        ),
        (
            Target::AiSdk,
            json!({"type": "file", "data": "aGVsbG8=", "mediaType": "image/jpeg"}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "I see."}, {"type": "text", "text": note}]}),
        ),
    ];
    for (form, picture, answer) in rows {
        let (messages, _) = prompt(form);
        let parts = if form == Target::Gemini {
            "parts"
        } else {
            "content"
        };
        assert_eq!(messages[0][parts][1], picture, "{form:?}");
        assert_eq!(messages[1], answer, "{form:?}");
        assert_eq!(messages.as_array().unwrap().len(), 3, "{form:?}");
    }
    let (text, _) = prompt(Target::Text);
    let said = "Look:\n[image/jpeg image, 5 bytes, not shown]";
    assert_eq!(text[0], json!({"role": "user", "content": said}));
}

#[test]
fn contents_become_parts() {
    let contents = [
        ResourceContents::text("file:///a.md", "# A").with_mime_type("text/markdown"),
        ResourceContents::blob_base64("file:///a.png", "iVBORw0KGgo=").with_mime_type("image/jpeg"),
        ResourceContents::blob_base64("file:///a.zip", "aGVsbG8=")
            .with_mime_type("application/zip"),
    ];
    let converted = messages::contents(
        &contents,
        &OpenAiChat::default(),
        &ConvertOptions::default(),
    );
    assert_eq!(
        values(&converted),
        json!([
            {"type": "text", "text": "# A"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
            {"type": "text", "text": "[application/zip file a.zip, 5 bytes, not shown]"},
        ])
    );
    assert!(
        converted
            .losses
            .iter()
            .any(|it| it.code() == "type_corrected")
    );
}

fn refused(form: Target, part: &Value) -> Vec<Rejection> {
    match form {
        Target::AiSdk | Target::Text => Vec::new(),
        _ => validate::message_part(part, &*target(form)),
    }
}

#[test]
fn no_generated_message_is_refused() {
    let seeds = rounds(ROUNDS);
    let most = seeds.end;
    let checked = seeds.map(|seed| check(&mut Random(seed), &format!("seed {seed}")));
    let checked: usize = checked.sum();
    assert!(checked as u64 > 10 * most, "only {checked} parts");
}

/// Converts a prompt for every form, and returns of how many parts; panics if one is refused.
pub(crate) fn check(random: &mut Random, from: &str) -> usize {
    let mut checked = 0;
    let roles = [
        Role::User,
        Role::Assistant,
        Role::Other("system".to_owned()),
    ];
    let messages = (0..6).map(|_| PromptMessage::new(random.of(&roles), random.block()));
    let prompt = GetPromptResult::new(messages.collect());
    for form in FORMS {
        let converted = messages::prompt(&prompt, &*target(form), &ConvertOptions::default());
        let mut last = Value::Null;
        for message in &converted.output {
            let message = message.to_value();
            // The roles take turns, and each says something.
            assert_ne!(message["role"], last, "{from}");
            last = message["role"].clone();
            let parts = message.get("content").or(message.get("parts")).unwrap();
            let parts = match parts {
                Value::Array(parts) => parts.clone(),
                Value::String(text) => {
                    assert!(!text.trim().is_empty(), "{from}");
                    continue;
                }
                other => panic!("{from}: {other}"),
            };
            assert!(!parts.is_empty(), "{from}");
            for part in &parts {
                let found = refused(form, part);
                assert!(found.is_empty(), "{from} {form:?}: {found:?}\n{part}");
                checked += 1;
            }
        }
    }
    checked
}
