//! cargo test: a converter must answer as a vendor's does. Here the converter is the program mcp-convert, or what MCP_CONVERT names.
//! It needs serde_json and nothing else.

use std::{
    env,
    fs,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

const VENDOR: &str = "copilot-rust";

/// Replace this by your converter.
fn convert(result: &Value) -> Result<Value, String> {
    let program = env::var("MCP_CONVERT").unwrap_or("mcp-convert".to_owned());
    let mut child = Command::new(program)
        .args(["--to", "copilot", "--preset", "compat", "--flavor", "rust"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    write!(child.stdin.take().unwrap(), "{result}").unwrap();
    let answer: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    match answer.get("error") {
        Some(error) if answer.as_object().unwrap().len() == 1 => Err(error.to_string()),
        _ => Ok(answer),
    }
}

#[test]
fn every_case_is_answered_as_the_vendor_answers_it() {
    let path = env::var("CORPUS").unwrap_or("../cases.jsonl".to_owned());
    let text = fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    let mut checked = 0;
    // The first line says what the vendors are.
    for line in text.lines().skip(1) {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["differs"].get(VENDOR).is_some() || case["outputs"].get(VENDOR).is_none() {
            continue;
        }
        checked += 1;
        let theirs = &case["outputs"][VENDOR];
        let ours = convert(&case["result"]);
        let is_equal = match (&ours, theirs.get("value")) {
            (Ok(ours), Some(theirs)) => same(ours, theirs),
            (Err(_), None) => true,
            _ => false,
        };
        if !is_equal {
            wrong.push(format!("{}: theirs {theirs}, ours {ours:?}", case["name"]));
        }
    }
    assert!(checked > 100, "only {checked} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Equal as JSON; texts that hold JSON are compared as such, because vendors lay it out in their own way.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (Value::String(a), Value::String(b)) if a != b => {
            let parse = |it: &str| serde_json::from_str::<Value>(it).ok().filter(|it| it.is_object() || it.is_array());
            parse(a).zip(parse(b)).is_some_and(|(a, b)| same(&a, &b))
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}
