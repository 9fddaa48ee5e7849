//! The compat presets against what the vendors' own converters answer.
//!
//! `tests/data/golden` was made by running those converters on `corpus.json`; its README says which.

use std::collections::BTreeSet;

use mcp_protocol::{
    CallToolResult, Revision,
    convert::{
        Call, ConvertError, ai_sdk, anthropic, copilot, gemini, langchain, openai_agents, rig,
    },
    parse::Reading,
};
use serde_json::{Map, Value, json};

use crate::cases::run::keeps_order;

const CALL: Call<'static> = Call::new("t1", "f");

fn read(file: &str) -> Value {
    serde_json::from_str(file).unwrap()
}

fn corpus(kind: &str) -> Map<String, Value> {
    let corpus = read(include_str!("../data/golden/corpus.json"));
    corpus[kind].as_object().unwrap().clone()
}

fn python(of: &str) -> Value {
    read(include_str!("../data/golden/out_py.json"))[of].clone()
}

fn javascript(of: &str) -> Value {
    read(include_str!("../data/golden/out_js.json"))[of].clone()
}

/// The inputs for which `convert` and the vendor differ. A vendor's exception is a text, and an error of ours
/// is the answer to it.
fn differences(
    kind: &str,
    vendor: &Value,
    convert: impl Fn(&Value) -> Result<Value, ConvertError>,
) -> BTreeSet<String> {
    let mut differences = BTreeSet::new();
    for (name, input) in corpus(kind) {
        let theirs = &vendor[&name];
        let is_exception = theirs
            .as_str()
            .is_some_and(|it| it == "None" || it.starts_with("EXC ") || it.starts_with("PARSE "));
        let is_same = match convert(&input) {
            Ok(ours) => !is_exception && same(&ours, theirs),
            Err(_) => is_exception,
        };
        if !is_same {
            differences.insert(name);
        }
    }
    differences
}

/// Equal as JSON; texts that hold JSON are compared as such, because Python's has blanks in it.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (Value::String(a), Value::String(b)) => a == b || is_same_json(a, b),
        _ => a == b,
    }
}

fn is_same_json(a: &str, b: &str) -> bool {
    let parse = |it: &str| {
        serde_json::from_str::<Value>(it)
            .ok()
            .filter(Value::is_object)
    };
    parse(a).is_some_and(|a| parse(b) == Some(a))
}

fn names(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|it| (*it).to_owned()).collect()
}

fn copilot_as(flavor: copilot::Flavor, input: &Value) -> Result<Value, ConvertError> {
    let options = copilot::Options::compat().with_flavor(flavor);
    Ok(copilot::convert(input, &options)?
        .output
        .into_json()
        .to_value())
}

#[test]
fn copilot_is_the_rust_helper() {
    let vendor = read(include_str!("../data/golden/out_rs_copilot.json"));
    let ours = |it: &Value| copilot_as(copilot::Flavor::Rust, it);
    assert_eq!(differences("typed", &vendor, ours), names(&[]));
    // Where `isError` is no boolean, the helper sees a success; this crate refuses to guess.
    assert_eq!(
        differences("raw", &vendor, ours),
        names(&["iserror_string", "iserror_1"])
    );
}

#[test]
fn copilot_is_the_node_and_python_helper() {
    let ours = |it: &Value| copilot_as(copilot::Flavor::Node, it);
    assert_eq!(
        differences("typed", &javascript("copilot_node"), ours),
        names(&[])
    );
    let mut vendor = python("copilot_py");
    // Python writes an empty description that its own next step drops.
    for result in vendor.as_object_mut().unwrap().values_mut() {
        let binaries = result
            .get_mut("binaryResultsForLlm")
            .and_then(Value::as_array_mut);
        for binary in binaries.into_iter().flatten() {
            let binary = binary.as_object_mut().unwrap();
            if binary.get("description") == Some(&json!("")) {
                binary.remove("description");
            }
        }
    }
    let ours = |it: &Value| copilot_as(copilot::Flavor::Python, it);
    assert_eq!(differences("typed", &vendor, ours), names(&[]));
    assert_eq!(
        differences("raw", &vendor, ours),
        // Python raises for an element that is no object.
        names(&["block_notobject", "iserror_string", "iserror_1"])
    );
}

#[test]
fn ai_sdk_is_the_vendors() {
    let ours = |it: &Value| {
        Ok(ai_sdk::convert(it, &ai_sdk::Options::compat())?
            .output
            .to_value())
    };
    let vendor = javascript("vercel");
    assert_eq!(differences("typed", &vendor, ours), names(&[]));
    assert_eq!(
        differences("raw", &vendor, ours),
        names(&["iserror_string", "iserror_1"])
    );
}

#[test]
fn anthropic_is_the_vendors() {
    let options = anthropic::Options::compat();
    let ours = |it: &Value| {
        let mut value = anthropic::convert(it, CALL, &options)?.output.to_value();
        let block = value.as_object_mut().unwrap();
        block.remove("type");
        block.remove("tool_use_id");
        Ok(value)
    };
    let vendor = python("anthropic_py");
    assert_eq!(differences("typed", &vendor, ours), names(&[]));
    // Before the converter, the `mcp` package refuses lists in structuredContent and results without content,
    // and reads any truth as a boolean.
    assert_eq!(
        differences("raw", &vendor, ours),
        names(&["content_missing", "iserror_1", "iserror_string", "sc_array"])
    );
}

#[test]
fn langchain_is_the_vendors() {
    let ours = |it: &Value| {
        let output = langchain::convert(it, CALL, &langchain::Options::compat())?.output;
        let mut value = output.to_value();
        let message = value.as_object_mut().unwrap();
        message.remove("tool_call_id");
        message.remove("name");
        Ok(value)
    };
    let vendor = python("langchain");
    assert_eq!(differences("typed", &vendor, ours), names(&[]));
    assert_eq!(
        differences("raw", &vendor, ours),
        // As for anthropic; and a link needs no name for what is made of it here.
        names(&[
            "content_missing",
            "iserror_1",
            "iserror_string",
            "link_noname",
            "sc_array"
        ])
    );
}

#[test]
fn gemini_is_the_vendors() {
    let ours = |it: &Value| {
        let part = gemini::convert(it, CALL, &gemini::Options::compat())?.output;
        Ok(part.to_value()["functionResponse"].clone())
    };
    let vendor = python("genai_py_from_mcp_response");
    // The package raises an AttributeError for every address in a block: a fault, and not one to copy.
    let with_address = [
        "link",
        "link_full",
        "link_image",
        "mixed",
        "res_blob_empty",
        "res_blob_emptymime",
        "res_blob_nomime",
        "res_blob_pdf",
        "res_blob_png",
        "res_blob_text",
        "res_text",
        "res_text_empty",
        "res_text_html",
        "res_text_json",
    ];
    assert_eq!(differences("typed", &vendor, ours), names(&with_address));
}

#[test]
fn openai_agents_matches_the_vendor() {
    for (of, use_structured_content) in [
        ("openai_agents_py", false),
        ("openai_agents_py_structured", true),
    ] {
        let options =
            openai_agents::Options::compat().with_use_structured_content(use_structured_content);
        let ours = |it: &Value| Ok(openai_agents::convert(it, &options)?.output.to_value());
        assert_eq!(differences("typed", &python(of), ours), names(&[]), "{of}");
    }
}

#[test]
fn rig_is_the_vendors() {
    let ours = |it: &Value| {
        let output = rig::convert(it, &rig::Options::compat())?.output;
        Ok(serde_json::to_value(output).unwrap())
    };
    let vendor = read(include_str!("../data/golden/out_rs_rig.json"));
    // rig compares a text with the JSON it would print itself: in a build that sorts members, it too would
    // take this text for another.
    let unsorted: &[&str] = if keeps_order() { &[] } else { &["sc_dup"] };
    assert_eq!(differences("typed", &vendor, ours), names(unsorted));
    assert_eq!(
        differences("raw", &vendor, ours),
        // rmcp refuses a picture without a type and a link without a name, and drops the blob of a resource
        // that has text as well.
        names(&["image_nomime", "link_noname", "resource_both"])
    );
}

#[test]
fn valid_results_are_printed_as_they_were_read() {
    let inputs = corpus("typed");
    assert_eq!(inputs.len(), 39);
    for (name, input) in inputs {
        let reading = Reading::strict().with_rules(Revision::V2025_11_25.rules());
        let parsed = CallToolResult::parse(&input, reading).unwrap();
        assert_eq!(parsed.to_value(), input, "{name}");
    }
}

#[test]
fn odd_results_are_printed_as_they_were_read_or_refused() {
    let mut refused = BTreeSet::new();
    for (name, input) in corpus("raw") {
        match CallToolResult::parse(&input, Reading::default()) {
            Ok(parsed) => assert_eq!(parsed.to_value(), input, "{name}"),
            Err(_) => {
                refused.insert(name);
            }
        }
    }
    assert_eq!(
        refused,
        names(&[
            "content_null",
            "content_string",
            "iserror_1",
            "iserror_string",
            "not_object",
            "toolResult",
        ])
    );
}
