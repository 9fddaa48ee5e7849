//! The program as its users run it.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

use mcp_convert::settings::{Settings, Target};
use serde_json::{Value, json};

const TARGETS: &str = "anthropic openai-responses openai-chat gemini bedrock copilot codex langchain ai-sdk llama-index \
    openai-agents pydantic-ai rig strands text";
/// Those that pass results on to an API.
const FRAMEWORKS: &str = "langchain ai-sdk llama-index pydantic-ai strands";
/// Those whose vendors have a converter that is equaled.
const VENDORS: &str = "ai-sdk anthropic copilot langchain";

fn started(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-convert"));
    let command = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// The exit code, standard output and standard error.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = started(arguments);
    // A program that refuses its flags reads nothing.
    let _sent = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// The output of words as flags; the program succeeds.
fn output(flags: &str, input: &str) -> Vec<Value> {
    let (code, output, errors) = run(&flags.split(' ').collect::<Vec<_>>(), input);
    assert_eq!((code, errors.as_str()), (0, ""), "{flags}");
    lines(&output)
}

/// The message for a line that cannot be converted.
fn refused(flags: &str, input: &str) -> String {
    let (code, _, errors) = run(&flags.split(' ').collect::<Vec<_>>(), input);
    assert_eq!(code, 1, "{flags}");
    errors
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect()
}

const FAILED: &str = r#"{"content":[{"type":"text","text":"boom"}],"isError":true}"#;

#[test]
fn each_line_becomes_a_line() {
    let input = format!("{FAILED}\n\n{{\"content\":[]}}\n");
    let (_, output, _) = run(&["--to", "anthropic", "--call-id", "t1"], &input);
    let said = r#"{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"boom"}],"is_error":true}"#;
    assert_eq!(
        output,
        format!("{said}\n{{\"type\":\"tool_result\",\"tool_use_id\":\"t1\"}}\n")
    );
}

#[test]
fn a_line_is_answered_before_the_next_is_sent() {
    let mut child = started(&["--to", "openai-chat"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(input, "{FAILED}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains("Error: boom"), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn every_target_converts_and_is_checked() {
    let said = r#"{"content":[{"type":"text","text":"said"}]}"#;
    for target in TARGETS.split(' ') {
        let behind = match FRAMEWORKS.split(' ').any(|it| it == target) {
            true => " --for any",
            false => "",
        };
        let made = json!(output(&format!("--to {target}{behind}"), said)[0]).to_string();
        assert!(made.contains("said"), "{target}: {made}");
        let compat = format!("--to {target} --preset compat");
        let errors = refused(&format!("--to {target} --check --kind prompt"), &made);
        let why = "--check is for results and tools, not for a prompt";
        assert!(errors.contains(why), "{target}: {errors}");
        if VENDORS.split(' ').any(|it| it == target) {
            assert_eq!(
                output(&format!("--to {target} --check"), &made),
                [json!([])]
            );
            let output = json!(output(&compat, said)).to_string();
            assert!(output.contains("said"), "{target}: {output}");
        } else {
            assert_eq!(
                output(&format!("--to {target} --check"), &made),
                [json!([])]
            );
            let errors = refused(&compat, said);
            assert!(
                errors.contains("`preset` has no effect here: it is for results for ai-sdk"),
                "{errors}"
            );
        }
        let report = output(&format!("--to {target}{behind} --report"), FAILED);
        assert!(report[0]["losses"].is_array(), "{target}");
    }
}

#[test]
fn the_provider_behind_a_framework_decides_what_is_sent() {
    let audio = r#"{"content":[{"type":"audio","data":"aGVsbG8=","mimeType":"audio/wav"}]}"#;
    for target in [
        "langchain",
        "ai-sdk",
        "pydantic-ai",
        "llama-index",
        "mastra",
    ] {
        let errors = refused(&format!("--to {target}"), audio);
        assert!(errors.contains("name it with `for`"), "{errors}");
        let alone = output(&format!("--to {target} --for any --report"), audio);
        assert_eq!(alone[0]["losses"], json!([]), "{target}");
        let report = output(&format!("--to {target} --for anthropic --report"), audio);
        assert_eq!(report[0]["losses"][0]["code"], "block_noted", "{target}");
    }
    // What another converter made for the framework is judged by the provider's rules.
    let made = output("--to langchain --for any", audio)[0].to_string();
    assert_eq!(
        output("--to langchain --for any --check", &made),
        [json!([])]
    );
    assert_eq!(refused("--to langchain --check --for anthropic", &made), "");
}

#[test]
fn a_failure_is_told_where_the_output_has_no_place_for_it() {
    let text = json!({"type": "text", "text": "boom"});
    for (target, told) in [
        ("rig", json!({"content": [text], "failed": true})),
        (
            "pydantic-ai --for any",
            json!({"value": "boom", "failed": true}),
        ),
        ("text", json!({"text": "boom", "failed": true})),
    ] {
        assert_eq!(
            output(&format!("--to {target}"), FAILED),
            [told],
            "{target}"
        );
    }
}

#[test]
fn a_line_that_cannot_be_converted_is_named_and_keeps_its_place() {
    let input = format!("{FAILED}\nnot json\n[]\n{FAILED}\n");
    let (code, output, errors) = run(&["--to", "openai-chat"], &input);
    assert_eq!(code, 1);
    let output = lines(&output);
    assert_eq!(output.len(), 4);
    assert!(output[1]["error"].is_string() && output[2]["error"].is_string());
    assert_eq!(output[3]["content"], "Error: boom");
    let expected = "mcp-convert: line 3: expected an object, got an array";
    assert!(errors.lines().any(|it| it == expected), "{errors}");
}

#[test]
fn policies_and_limits_reach_the_conversion() {
    let input = json!({"content": [
        {"type": "text", "text": "for you", "annotations": {"audience": ["user"]}},
        {"type": "text", "text": "x".repeat(500)},
        {"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"},
    ]});
    let input = input.to_string();
    let report = &output(
        "--to text --audience respect --max-chars 100 --report",
        &input,
    )[0];
    assert_eq!(report["for_user"], json!([0]));
    assert!(report["output"]["text"].as_str().unwrap().chars().count() <= 200);
    let mut losses = report["losses"].as_array().unwrap().iter();
    assert!(losses.any(|it| it["code"] == "truncated"), "{report}");
    let errors = refused("--to text --lossless", &input);
    assert!(errors.contains("lost: "), "{errors}");
}

#[test]
fn tools_prompts_and_resources_are_converted_too() {
    let tools = r#"{"tools":[{"name":"a.b","inputSchema":{"type":"object","properties":{"u":{"type":"string","format":"uri"}}}}]}"#;
    let report = &output("--to gemini --kind tools --report", tools)[0];
    let declaration = &report["output"][0]["functionDeclarations"][0];
    assert_eq!(
        declaration["parameters"]["properties"]["u"]["type"],
        "string"
    );
    assert_eq!(report["losses"][0]["code"], "keyword_said");
    assert_eq!(
        report["names"],
        json!([{"name": "a.b", "tool": 0, "arguments": {}}])
    );
    let prompt = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}"#;
    let message = json!([{"role": "user", "content": [{"text": "Hi"}]}]);
    assert_eq!(output("--to bedrock --kind prompt", prompt), [message]);
    let resource = r#"{"contents":[{"uri":"file:///a","text":"x"}]}"#;
    let part = json!([{"type": "text", "text": "x"}]);
    assert_eq!(output("--to openai-chat --kind resource", resource), [part]);
    let errors = refused("--to rig --kind tools", tools);
    let why = "rig forwards tools to an API: use anthropic";
    assert!(errors.contains(why), "{errors}");
}

#[test]
fn the_output_of_another_converter_is_judged() {
    let block = r#"{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[]}"#;
    let (code, output, _) = run(&["--to", "anthropic", "--check"], block);
    let rule = "content cannot be empty if is_error is true";
    assert_eq!(
        (code, lines(&output)),
        (1, vec![json!([{"path": "content", "rule": rule}])])
    );
}

#[test]
fn wrong_flags_have_their_exit_code() {
    assert_eq!(run(&["--to", "nowhere"], "").0, 2);
    assert_eq!(run(&[], "").0, 2);
    assert_eq!(run(&["--to", "rig", "results.jsonl"], "").0, 2);
    let (code, help, _) = run(&["--help"], "");
    assert_eq!(code, 0);
    assert!(TARGETS.split(' ').all(|it| help.contains(it)), "{help}");
}

/// Each setting where it has no effect.
const WITHOUT_EFFECT: &str = "
    --to rig --for anthropic
    --to langchain --for anthropic --kind prompt
    --to langchain --for anthropic --preset compat
    --to anthropic --preset compat --max-chars 1
    --to anthropic --preset compat --max-bytes 1
    --to anthropic --preset compat --audience respect
    --to anthropic --preset compat --prefer content-only
    --to anthropic --preset compat --links images
    --to anthropic --kind tools --max-media-bytes 1
    --to anthropic --kind tools --preset compat
    --to anthropic --kind prompt --prefer content-only
    --to gemini --links images
    --to anthropic --cut head
    --to copilot --flavor go
    --to anthropic --preset compat --flavor go
    --to anthropic --family gemini2
    --to gemini --family openai
    --to anthropic --hears";

#[test]
fn settings_without_an_effect_are_rejected() {
    let result = r#"{"content":[]}"#;
    for flags in WITHOUT_EFFECT.trim().lines() {
        let errors = refused(flags.trim(), result);
        assert!(
            errors.contains("has no effect here: it is for"),
            "{flags}: {errors}"
        );
    }
    for flags in [
        "--to anthropic --links images",
        "--to anthropic --max-chars 30 --cut head",
        "--to langchain --for google --family gemini2",
        "--to ai-sdk --for openai-chat --hears",
        "--to copilot --preset compat --flavor go",
    ] {
        assert_eq!(output(flags, result).len(), 1, "{flags}");
    }
}

#[test]
fn requests_are_answered_each_by_its_own_settings() {
    let mut child = started(&["--requests"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |request: Value| -> Value {
        writeln!(input, "{request}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    let failed: Value = serde_json::from_str(FAILED).unwrap();
    for id in ["c1", "c2"] {
        let settings = json!({"to": "openai-chat", "callId": id});
        let value = ask(json!({"settings": settings, "value": failed}))["value"].take();
        let message = json!({"role": "tool", "tool_call_id": id, "content": "Error: boom"});
        assert_eq!(value["output"], message);
        assert_eq!(value["losses"][0]["code"], "error_flag_as_text");
        let check = ask(json!({"settings": settings, "value": message, "check": true}));
        assert_eq!(check, json!({"value": []}));
    }
    for (request, why) in [
        (
            json!({"settings": {}, "value": failed}),
            "missing field `to`",
        ),
        (
            json!({"settings": {"to": "anthropic"}}),
            "missing field `value`",
        ),
        (
            json!({"settings": {"to": "nowhere"}, "value": failed}),
            "nowhere",
        ),
        (
            json!({"settings": {"to": "langchain"}, "value": failed}),
            "name it with `for`",
        ),
        (
            json!({"settings": {"to": "anthropic"}, "value": []}),
            "expected an object",
        ),
    ] {
        let answer = ask(request);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(why), "{error}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(run(&["--requests", "--to", "anthropic"], "").0, 2);
}

#[test]
fn gemini_accepts_the_tools_that_are_made_for_it() {
    let tools = r#"{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}]}"#;
    for target in [
        "gemini",
        "anthropic",
        "openai-chat",
        "openai-responses",
        "bedrock",
    ] {
        let flags = format!("--to {target} --kind tools");
        let made = output(&flags, tools)[0].to_string();
        assert_eq!(output(&format!("{flags} --check"), &made), [json!([])]);
    }
}

#[test]
fn settings_are_json_with_the_names_of_the_flags() {
    let settings = json!({"to": "ai-sdk", "maxBytes": 10, "cut": "json-aware"});
    let settings: Settings = serde_json::from_value(settings).unwrap();
    assert_eq!(settings.target, Target::AiSdk);
    assert_eq!(settings.max_bytes, Some(10));
    let unknown = serde_json::from_value::<Settings>(json!({"to": "rig", "maxByte": 1}));
    assert!(unknown.unwrap_err().to_string().contains("maxByte"));
}
