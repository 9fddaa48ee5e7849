//! The program as its users run it.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
};

use mcp_convert::settings::{Settings, Target};
use serde_json::{Value, json};

const TARGETS: &str = "anthropic openai-responses openai-chat gemini bedrock copilot codex langchain ai-sdk llama-index mastra \
    openai-agents pydantic-ai rig strands swiftide";
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
        let (_, made, _) = run(&["--to", target], said);
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
                errors.contains("the preset compat is for ai-sdk"),
                "{errors}"
            );
        }
        let report = output(&format!("--to {target} --report"), FAILED);
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
        let alone = output(&format!("--to {target} --report"), audio);
        assert_eq!(alone[0]["losses"], json!([]), "{target}");
        let report = output(&format!("--to {target} --for anthropic --report"), audio);
        assert_eq!(report[0]["losses"][0]["code"], "block_noted", "{target}");
    }
    for (flags, why) in [
        (
            "--to rig --for anthropic",
            "rig hands results on to no other API",
        ),
        (
            "--to langchain --for anthropic --kind prompt",
            "--for is for results of tools",
        ),
        (
            "--to langchain --for anthropic --preset compat",
            "--for is for results of tools",
        ),
    ] {
        let errors = refused(flags, audio);
        assert!(errors.contains(why), "{errors}");
    }
    // What another converter made for the framework is judged by the provider's rules.
    let made = output("--to langchain", audio)[0].to_string();
    assert_eq!(output("--to langchain --check", &made), [json!([])]);
    assert_eq!(refused("--to langchain --check --for anthropic", &made), "");
}

#[test]
fn a_failure_is_told_where_the_output_has_no_place_for_it() {
    let text = json!({"type": "text", "text": "boom"});
    for (target, told) in [
        ("rig", json!({"content": [text], "failed": true})),
        ("pydantic-ai", json!({"value": "boom", "failed": true})),
        ("swiftide", json!({"Fail": "boom"})),
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
        "--to swiftide --audience respect --max-chars 100 --report",
        &input,
    )[0];
    assert_eq!(report["for_user"], json!([0]));
    assert!(report["output"]["Text"].as_str().unwrap().chars().count() <= 200);
    let mut losses = report["losses"].as_array().unwrap().iter();
    assert!(losses.any(|it| it["code"] == "truncated"), "{report}");
    for (flags, why) in [
        (
            "--to swiftide --unsupported error",
            "content[2]: unsupported audio/wav audio",
        ),
        ("--to swiftide --lossless", "lost: "),
    ] {
        let errors = refused(flags, &input);
        assert!(errors.contains(why), "{errors}");
    }
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
    let why = "tools are declared to the API of a model, and rig hands them on";
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
fn wrong_flags_and_files_have_their_exit_codes() {
    assert_eq!(run(&["--to", "nowhere"], "").0, 2);
    assert_eq!(run(&[], "").0, 2);
    let (code, _, errors) = run(&["--to", "rig", "no-such-file.jsonl"], "");
    assert_eq!(code, 3);
    assert!(errors.contains("no-such-file.jsonl"), "{errors}");
    let (code, help, _) = run(&["--help"], "");
    assert_eq!(code, 0);
    assert!(TARGETS.split(' ').all(|it| help.contains(it)), "{help}");
}

#[test]
fn settings_are_json_with_the_names_of_the_flags() {
    let settings =
        json!({"to": "ai-sdk", "maxBytes": 10, "errorMark": "none", "cut": "json-aware"});
    let settings: Settings = serde_json::from_value(settings).unwrap();
    assert_eq!(settings.target, Target::AiSdk);
    assert_eq!(settings.max_bytes, Some(10));
    let unknown = serde_json::from_value::<Settings>(json!({"to": "rig", "maxByte": 1}));
    assert!(unknown.unwrap_err().to_string().contains("maxByte"));
}
