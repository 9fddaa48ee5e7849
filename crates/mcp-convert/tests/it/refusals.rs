//! No provider refuses what is sent, and whatever is not sent is reported.

use mcp_convert::{
    Anthropic, Bedrock, Codex, Copilot, Gemini, OpenAiChat, OpenAiResponses,
    validate::{self, Rejection},
};
use serde_json::{Value, json};

use crate::{
    accepted::{all_options, check, generated, holds},
    cases::{model::groups, run::everywhere_with},
    corpus::inputs,
    random::Random,
    rounds,
};

const ROUNDS: u64 = 120;
/// A PNG file of 9,000 pixels.
const TALL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAACMo";

#[test]
fn nothing_that_is_generated_is_refused() {
    let mut checked = 0;
    let options = all_options();
    for seed in rounds(ROUNDS) {
        let mut random = Random(seed);
        let result = generated(&mut random);
        for options in &options {
            checked += check(&result, options, &format!("seed {seed}"));
        }
    }
    assert!(
        checked as u64 > 80 * rounds(ROUNDS).end,
        "only {checked} conversions"
    );
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

/// For each API outputs that it accepts, whose rule is empty, and what makes it refuse one. In `PNG` and `PDF` are files
/// of these types, `TALL` has too many pixels, `LARGE` too many bytes and `LONG` too many characters.
const RULES: &str = r#"
anthropic | | [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "PNG"}}]
anthropic | | [{"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "PDF"}}]
anthropic failed | | "text"
anthropic failed | all content must be text | [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "PNG"}}]
anthropic failed | content cannot be empty | []
anthropic failed | content cannot be empty | " "
anthropic | text must not be blank | [{"type": "text", "text": " \n"}]
anthropic | a type that the API reads | [{"type": "image", "source": {"type": "base64", "media_type": "image/bmp", "data": "aGVsbG8="}}]
anthropic | a type that the API reads | [{"type": "image", "source": {"type": "base64", "media_type": "image/jpg", "data": "aGVsbG8="}}]
anthropic | the bytes are image/png | [{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "PNG"}}]
anthropic | standard Base64 | [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVs bG8="}}]
anthropic | must not be empty | [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}]
anthropic | too many pixels | [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "TALL"}}]
anthropic | over the size limit | [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "LARGE"}}]
anthropic | text, an image or a document | [{"type": "audio"}]
anthropic | a string or an array | 1
responses | | "x"
responses | | [{"type": "input_file", "filename": "a", "file_data": "data:text/csv;base64,aGk="}]
responses | | [{"type": "input_image", "image_url": "https://x.test/i.png"}]
responses | the array must not be empty | []
responses | a type that the API reads | [{"type": "input_file", "filename": "a", "file_data": "data:application/zip;base64,aGk="}]
responses | a type that the API reads | [{"type": "input_file", "filename": "a", "file_data": "data:application/octet-stream;base64,aGk="}]
responses | a type that the API reads | [{"type": "input_image", "image_url": "data:image/svg+xml;base64,aGk="}]
responses | a Base64 data URL | [{"type": "input_image", "image_url": "data:image/svg+xml,<svg/>"}]
responses | a Base64 data URL | [{"type": "input_image", "image_url": "file:///a.png"}]
responses | at most 10485760 | "LONG"
responses | input_text, input_image or input_file | [{"type": "text", "text": "x"}]
chat | | ""
chat | | [{"type": "text", "text": "x"}]
chat | a text is required | [{"type": "image_url", "image_url": {"url": "x"}}]
chat | a string or an array is required | null
chat part | a type that the API reads | {"type": "file", "file": {"filename": "a.md", "file_data": "data:text/markdown;base64,aGk="}}
gemini | | {"response": {}, "parts": [{"inlineData": {"mimeType": "image/png", "data": "PNG"}}]}
gemini | an object is required | {"response": [1], "parts": [{"inlineData": {"mimeType": "image/png", "data": "PNG"}}]}
gemini 2 | is not supported for this model | {"response": {}, "parts": [{"inlineData": {"mimeType": "image/png", "data": "PNG"}}]}
gemini | a type that the API reads | {"response": {}, "parts": [{"inlineData": {"mimeType": "image/gif", "data": "aGk="}}]}
gemini | a type that the API reads | {"response": {}, "parts": [{"inlineData": {"mimeType": "audio/wav", "data": "aGk="}}]}
gemini | a type that the API reads | {"response": {}, "parts": [{"inlineData": {"mimeType": "image/heic", "data": "aGk="}}]}
bedrock part | a name has letters | {"document": {"format": "pdf", "name": "a.pdf", "source": {"bytes": "PDF"}}}
codex | | "x"
codex | | [{"type": "input_image", "image_url": "https://x.test/i.png"}]
codex | a string or an array | null
copilot | | [{"type": "terminal", "text": "$ ls"}]
copilot | standard Base64 | [{"type": "audio", "data": "a b", "mimeType": "audio/wav"}]
bedrock documents | | ["a", "b"]
bedrock documents | names of documents must be unique | ["a", "a"]
bedrock documents | a name has letters | ["a.pdf"]
bedrock documents | a name has letters | ["a  b"]
bedrock documents | 1 to 200 characters | ["LONG"]
bedrock documents | at most 5 documents | ["0", "1", "2", "3", "4", "5"]
bedrock | | [{"json": {}}]
bedrock failed | a failure is text alone | [{"image": {"format": "png", "source": {"bytes": "PNG"}}}]
bedrock of OpenAI | reads no pictures | [{"image": {"format": "png", "source": {"bytes": "PNG"}}}]
bedrock | png, jpeg, gif or webp | [{"image": {"format": "bmp", "source": {"bytes": "aGk="}}}]
bedrock | text must not be blank | [{"text": ""}]
bedrock | an object is required | [{"json": [1]}]
bedrock | content must not be empty | []
"#;

/// What is refused of an output whose contents are these.
fn refused(of: &str, contents: Value) -> Vec<Rejection> {
    let failed = of.ends_with("failed");
    let bedrock = |contents: Value, is_other| {
        let status = if failed { "error" } else { "success" };
        let result = json!({"toolUseId": "t", "content": contents, "status": status});
        let target = Bedrock::default().with_openai_model(is_other);
        validate::result(&json!({"toolResult": result}), &target)
    };
    let document = |name: &Value| json!({"document": {"format": "pdf", "name": name, "source": {"bytes": "JVBERi0xLjcK"}}});
    let gemini = |mut contents: Value, is_other| {
        contents["name"] = "f".into();
        let target = Gemini::default().with_gemini_2(is_other);
        validate::result(&json!({"functionResponse": contents}), &target)
    };
    match of {
        "anthropic" | "anthropic failed" => {
            let block = json!({"type": "tool_result", "tool_use_id": "t", "content": contents, "is_error": failed});
            validate::result(&block, &Anthropic::default())
        }
        "responses" => {
            let item = json!({"type": "function_call_output", "call_id": "c", "output": contents});
            validate::result(&item, &OpenAiResponses::default())
        }
        "chat" => {
            let message = json!({"role": "tool", "tool_call_id": "c", "content": contents});
            validate::result(&message, &OpenAiChat::default())
        }
        "chat part" => validate::message_part(&contents, &OpenAiChat::default()),
        "gemini" => gemini(contents, false),
        "gemini 2" => gemini(contents, true),
        "codex" => validate::result(
            &json!({"body": contents, "success": true}),
            &Codex::default(),
        ),
        "copilot" => {
            let result =
                json!({"textResultForLlm": "", "resultType": "success", "contents": contents});
            validate::result(&result, &Copilot::default())
        }
        "bedrock part" => validate::message_part(&contents, &Bedrock::default()),
        "bedrock documents" => {
            let documents = contents.as_array().unwrap().iter().map(document);
            bedrock(documents.collect(), false)
        }
        "bedrock of OpenAI" => bedrock(contents, true),
        "bedrock" | "bedrock failed" => bedrock(contents, false),
        other => panic!("no such output: {other}"),
    }
}

#[test]
fn each_rule_refuses_what_breaks_it() {
    let (large, long) = ("A".repeat(5 * 1024 * 1024 + 4), "x".repeat(10_485_761));
    let words = [
        ("PNG", "iVBORw0KGgo="),
        ("PDF", "JVBERi0xLjcK"),
        ("TALL", TALL),
        ("LARGE", &large),
        ("LONG", &long),
    ];
    for row in RULES.trim().lines() {
        let [of, rule, contents] = row.splitn(3, '|').collect::<Vec<_>>()[..] else {
            panic!("no row: {row}");
        };
        let replaced = |text: String, (word, data): &(&str, &str)| text.replace(word, data);
        let contents = words.iter().fold(contents.to_owned(), replaced);
        holds(
            row,
            rule.trim(),
            &refused(of.trim(), serde_json::from_str(&contents).unwrap()),
        );
    }
    let picture = json!({"image": {"format": "png", "source": {"bytes": "iVBORw0KGgo="}}});
    let pictures = json!(vec![picture; 21]);
    holds(
        "21 pictures",
        "at most 20 pictures",
        &refused("bedrock", pictures),
    );
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
    let providers = ["anthropic", "bedrock", "strands"];
    let rows = [
        (json!([image(&large)]), &providers[..]),
        (json!([image(TALL)]), &providers),
        (json!(vec![image("iVBORw0KGgo="); 21]), &providers[1..]),
        ((0..6).map(pdf).collect(), &providers[1..]),
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
