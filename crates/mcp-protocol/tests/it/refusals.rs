//! No provider refuses what is sent, and whatever is not sent is reported.

use mcp_protocol::convert::{
    anthropic::Anthropic,
    bedrock::{self, Bedrock},
    codex::Codex,
    copilot::Copilot,
    gemini::{self, Gemini},
    openai_chat::OpenAiChat,
    openai_responses::OpenAiResponses,
    validate::{self, Refusal},
};
use serde_json::{Value, json};

use crate::{
    accepted::{all_options, check, generated},
    cases::{model::groups, run::everywhere_with},
    corpus::inputs,
    random::Random,
};

const ROUNDS: u64 = 250;

#[test]
fn nothing_that_is_generated_is_refused() {
    let mut checked = 0;
    let options = all_options();
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let result = generated(&mut random);
        for options in &options {
            checked += check(&result, options, &format!("seed {seed}"));
        }
    }
    assert!(checked > 10_000, "only {checked} conversions");
}

#[test]
fn nothing_in_the_cases_is_refused() {
    let mut checked = 0;
    let options = all_options();
    for group in groups() {
        for case in &group.cases {
            for input in case.checks.iter().filter_map(|it| it.value("input")) {
                for options in &options {
                    checked += check(input, options, &case.id);
                }
            }
        }
    }
    for (name, input) in inputs() {
        for options in &options {
            checked += check(&input, options, &name);
        }
    }
    assert!(checked > 10_000, "only {checked} conversions");
}

/// The refusals of the five APIs, each by one line of an output that is accepted otherwise.
#[test]
fn each_rule_refuses_what_breaks_it() {
    let png = "iVBORw0KGgo=";
    let pdf = "JVBERi0xLjcK";
    let source =
        |kind: &str, data: &str| json!({"type": "base64", "media_type": kind, "data": data});
    let anthropic = |content: Value, is_error: bool| {
        let block = json!({"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": is_error});
        validate::result(&block, &Anthropic::default())
    };
    let responses = |output: Value| {
        let item = json!({"type": "function_call_output", "call_id": "c", "output": output});
        validate::result(&item, &OpenAiResponses::default())
    };
    let file = |url: &str| json!([{"type": "input_file", "filename": "a", "file_data": url}]);
    let picture = |url: &str| json!([{"type": "input_image", "image_url": url}]);
    let gemini = |response: Value, parts: Value, family| {
        let part = json!({"functionResponse": {"name": "f", "response": response, "parts": parts}});
        validate::result(&part, &Gemini::default().with_family(family))
    };
    let inline = |kind: &str, data: &str| json!([{"inlineData": {"mimeType": kind, "data": data}}]);
    let bedrock = |content: Value, status: &str, family| {
        let block = json!({"toolResult": {"toolUseId": "t", "content": content, "status": status}});
        validate::result(&block, &Bedrock::default().with_family(family))
    };
    let codex =
        |body: Value| validate::result(&json!({"body": body, "success": true}), &Codex::default());
    let copilot = |mut result: Value| {
        result["textResultForLlm"] = "".into();
        result["resultType"] = "success".into();
        validate::result(&result, &Copilot::default())
    };
    let document =
        |name: &str| json!({"document": {"format": "pdf", "name": name, "source": {"bytes": pdf}}});
    let image =
        |format: &str, data: &str| json!({"image": {"format": format, "source": {"bytes": data}}});
    let (claude, gpt) = (bedrock::Family::Anthropic, bedrock::Family::OpenAi);
    let (new, old) = (gemini::Family::Gemini3, gemini::Family::Gemini2);
    let large = "A".repeat(5 * 1024 * 1024 + 4);
    let tall = "iVBORw0KGgoAAAANSUhEUgAAAAIAACMo";
    let rows: Vec<(&str, Vec<Refusal>)> = vec![
        (
            "",
            anthropic(
                json!([{"type": "image", "source": source("image/png", png)}]),
                false,
            ),
        ),
        (
            "",
            anthropic(
                json!([{"type": "document", "source": source("application/pdf", pdf)}]),
                false,
            ),
        ),
        ("", anthropic(json!("text"), true)),
        (
            "all content must be text",
            anthropic(
                json!([{"type": "image", "source": source("image/png", png)}]),
                true,
            ),
        ),
        ("content cannot be empty", anthropic(json!([]), true)),
        ("content cannot be empty", anthropic(json!(" "), true)),
        (
            "text must not be blank",
            anthropic(json!([{"type": "text", "text": " \n"}]), false),
        ),
        (
            "a type that the API reads",
            anthropic(
                json!([{"type": "image", "source": source("image/bmp", "aGVsbG8=")}]),
                false,
            ),
        ),
        (
            "a type that the API reads",
            anthropic(
                json!([{"type": "image", "source": source("image/jpg", "aGVsbG8=")}]),
                false,
            ),
        ),
        (
            "the bytes are image/png",
            anthropic(
                json!([{"type": "image", "source": source("image/jpeg", png)}]),
                false,
            ),
        ),
        (
            "standard Base64",
            anthropic(
                json!([{"type": "image", "source": source("image/png", "aGVs bG8=")}]),
                false,
            ),
        ),
        (
            "must not be empty",
            anthropic(
                json!([{"type": "image", "source": source("image/png", "")}]),
                false,
            ),
        ),
        (
            "too many pixels",
            anthropic(
                json!([{"type": "image", "source": source("image/png", tall)}]),
                false,
            ),
        ),
        (
            "over the size limit",
            anthropic(
                json!([{"type": "image", "source": source("image/png", &large)}]),
                false,
            ),
        ),
        (
            "text, an image or a document",
            anthropic(json!([{"type": "audio"}]), false),
        ),
        ("a string or an array", anthropic(json!(1), false)),
        ("", responses(json!("x"))),
        ("", responses(file("data:text/csv;base64,aGk="))),
        ("", responses(picture("https://x.test/i.png"))),
        ("the array must not be empty", responses(json!([]))),
        (
            "a type that the API reads",
            responses(file("data:application/zip;base64,aGk=")),
        ),
        (
            "a type that the API reads",
            responses(file("data:application/octet-stream;base64,aGk=")),
        ),
        (
            "a type that the API reads",
            responses(picture("data:image/svg+xml;base64,aGk=")),
        ),
        (
            "a Base64 data URL",
            responses(picture("data:image/svg+xml,<svg/>")),
        ),
        ("a Base64 data URL", responses(picture("file:///a.png"))),
        ("at most 10485760", responses(json!("x".repeat(10_485_761)))),
        (
            "input_text, input_image or input_file",
            responses(json!([{"type": "text", "text": "x"}])),
        ),
        (
            "",
            validate::result(
                &json!({"role": "tool", "tool_call_id": "c", "content": ""}),
                &OpenAiChat::default(),
            ),
        ),
        (
            "",
            validate::result(
                &json!({"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "x"}]}),
                &OpenAiChat::default(),
            ),
        ),
        (
            "a text is required",
            validate::result(
                &json!({"role": "tool", "tool_call_id": "c", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}),
                &OpenAiChat::default(),
            ),
        ),
        (
            "a string or an array is required",
            validate::result(
                &json!({"role": "tool", "tool_call_id": "c", "content": null}),
                &OpenAiChat::default(),
            ),
        ),
        (
            "a type that the API reads",
            validate::part(
                &json!({"type": "file", "file": {"filename": "a.md", "file_data": "data:text/markdown;base64,aGk="}}),
                &OpenAiChat::default(),
            ),
        ),
        ("", gemini(json!({}), inline("image/png", png), new)),
        (
            "an object is required",
            gemini(json!([1]), inline("image/png", png), new),
        ),
        (
            "is not supported for this model",
            gemini(json!({}), inline("image/png", png), old),
        ),
        (
            "a type that the API reads",
            gemini(json!({}), inline("image/gif", "aGk="), new),
        ),
        (
            "a type that the API reads",
            gemini(json!({}), inline("audio/wav", "aGk="), new),
        ),
        (
            "a type that the API reads",
            gemini(json!({}), inline("image/heic", "aGk="), new),
        ),
        (
            "a name has letters",
            validate::part(&document("a.pdf"), &Bedrock::default()),
        ),
        ("", codex(json!("x"))),
        (
            "",
            codex(json!([{"type": "input_image", "image_url": "https://x.test/i.png"}])),
        ),
        ("a string or an array", codex(json!(null))),
        (
            "",
            copilot(json!({"contents": [{"type": "terminal", "text": "$ ls"}]})),
        ),
        (
            "standard Base64",
            copilot(
                json!({"contents": [{"type": "audio", "data": "a b", "mimeType": "audio/wav"}]}),
            ),
        ),
        (
            "",
            bedrock(
                json!([document("a"), document("b"), {"json": {}}]),
                "success",
                claude,
            ),
        ),
        (
            "names of documents must be unique",
            bedrock(json!([document("a"), document("a")]), "success", claude),
        ),
        (
            "a name has letters",
            bedrock(json!([document("a.pdf")]), "success", claude),
        ),
        (
            "a name has letters",
            bedrock(json!([document("a  b")]), "success", claude),
        ),
        (
            "1 to 200 characters",
            bedrock(json!([document(&"a".repeat(201))]), "success", claude),
        ),
        (
            "at most 5 documents",
            bedrock(
                (0..6).map(|it| document(&it.to_string())).collect(),
                "success",
                claude,
            ),
        ),
        (
            "at most 20 pictures",
            bedrock(
                (0..21).map(|_| image("png", png)).collect(),
                "success",
                claude,
            ),
        ),
        (
            "a failure is text alone",
            bedrock(json!([image("png", png)]), "error", claude),
        ),
        (
            "reads no pictures",
            bedrock(json!([image("png", png)]), "success", gpt),
        ),
        (
            "png, jpeg, gif or webp",
            bedrock(json!([image("bmp", "aGk=")]), "success", claude),
        ),
        (
            "text must not be blank",
            bedrock(json!([{"text": ""}]), "success", claude),
        ),
        (
            "an object is required",
            bedrock(json!([{"json": [1]}]), "success", claude),
        ),
        (
            "content must not be empty",
            bedrock(json!([]), "success", claude),
        ),
    ];
    for (number, (rule, found)) in rows.iter().enumerate() {
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        let holds = if rule.is_empty() {
            found.is_empty()
        } else {
            found.iter().any(|it| it.contains(rule))
        };
        assert!(holds, "row {number}: expected {rule:?}, got {found:?}");
    }
}

/// Sizes and numbers that only one provider has a limit for.
#[test]
fn what_is_over_a_limit_of_the_provider_is_a_note() {
    let image = |data: &str| json!({"type": "image", "data": data, "mimeType": "image/png"});
    let pdf = |name: usize| {
        json!({"type": "resource", "resource": {
            "uri": format!("file:///{name}.pdf"), "mimeType": "application/pdf", "blob": "JVBERi0xLjcK",
        }})
    };
    let large = "A".repeat(5 * 1024 * 1024 + 4);
    let rows = [
        (
            json!([image(&large)]),
            &["anthropic", "bedrock", "strands"][..],
        ),
        (
            json!([image("iVBORw0KGgoAAAANSUhEUgAAAAIAACMo")]),
            &["anthropic", "bedrock", "strands"],
        ),
        (
            (0..21).map(|_| image("iVBORw0KGgo=")).collect(),
            &["bedrock", "strands"],
        ),
        ((0..6).map(pdf).collect(), &["bedrock", "strands"]),
    ];
    for (content, targets) in rows {
        let result = json!({"content": content});
        let options = json!({"preset": "rich"}).as_object().unwrap().clone();
        check(&result, &options, "limits");
        let noted = everywhere_with(&result, Value::Object(options));
        let noted = noted.iter().filter(|(_, outcome)| {
            let value = outcome.value.as_ref().unwrap().to_string();
            value.contains("over the provider's limit")
                || value.contains("over the provider's size limit")
        });
        let noted: Vec<&str> = noted.map(|(target, _)| *target).collect();
        assert_eq!(noted, targets);
    }
}
