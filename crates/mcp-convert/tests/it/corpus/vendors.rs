//! The corpus, and where `compat` differs from the vendors on it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::cases::{model::Check, run::convert_from};

macro_rules! vendor {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../corpus/vendors/", $name, ".json")),
        )
    };
}

/// Written by `cargo xtask goldens`, in the order of the alphabet.
pub(crate) const VENDORS: &[(&str, &str)] = &[
    vendor!("ai-sdk"),
    vendor!("ai-sdk-6"),
    vendor!("anthropic-mcp1"),
    vendor!("anthropic-mcp2"),
    vendor!("anthropic-node"),
    vendor!("copilot-dotnet"),
    vendor!("copilot-go"),
    vendor!("copilot-node"),
    vendor!("copilot-python"),
    vendor!("copilot-rust"),
    vendor!("google-genai-mcp1"),
    vendor!("google-genai-mcp2"),
    vendor!("google-genai-node"),
    vendor!("langchain-mcp1"),
    vendor!("langchain-node"),
    vendor!("llama-index-mcp2"),
    vendor!("mastra"),
    vendor!("mastra-schema"),
    vendor!("openai-agents-mcp1"),
    vendor!("openai-agents-mcp2"),
    vendor!("openai-agents-node"),
    vendor!("openai-agents-structured-mcp1"),
    vendor!("openai-agents-structured-mcp2"),
    vendor!("openai-agents-structured-node"),
    vendor!("pydantic-ai-mcp2"),
    vendor!("rig"),
    vendor!("strands-mcp2"),
];

pub(crate) fn read(file: &str) -> Value {
    serde_json::from_str(file).unwrap()
}

/// The inputs by name: those of the corpus, and those of real servers.
pub(crate) fn inputs() -> Map<String, Value> {
    let file = read(include_str!("../../../corpus/inputs.json"));
    let own = file["inputs"].as_object().unwrap().iter();
    let mut inputs: Map<String, Value> = own
        .map(|(name, it)| (name.clone(), it["result"].clone()))
        .collect();
    let servers = read(include_str!("../../../corpus/servers.json"));
    for server in servers["servers"].as_array().unwrap() {
        let text = |name: &str| server[name].as_str().unwrap();
        for (name, result) in server["results"].as_object().unwrap() {
            let name = format!("{} {} {name}", text("package"), text("version"));
            inputs.insert(name, result.clone());
        }
    }
    inputs
}

/// What our preset answers, as the vendor's converter would: without what its caller adds.
fn ours(vendor: &Value, input: &Value) -> Result<Value, String> {
    let target = vendor["target"].as_str().unwrap();
    let mut options = vendor["options"].clone();
    options["preset"] = "compat".into();
    let check = Check::new(json!({"options": options}));
    let mut value = convert_from(&check, target, input).value?;
    for name in added(target) {
        value.as_object_mut().unwrap().remove(*name);
    }
    Ok(value)
}

/// The members that a preset adds to what the vendor's converter returns: its caller adds them.
pub(crate) fn added(target: &str) -> &'static [&'static str] {
    match target {
        "anthropic" => &["type", "tool_use_id"],
        "langchain" => &["tool_call_id", "name"],
        _ => &[],
    }
}

/// The inputs for which our preset and the vendor differ; an error of ours is the answer to one of theirs.
pub(crate) fn differences(vendor: &Value, inputs: &Map<String, Value>) -> BTreeMap<String, String> {
    let mut differences = BTreeMap::new();
    for (name, theirs) in vendor["outputs"].as_object().unwrap() {
        let ours = ours(vendor, &inputs[name]);
        let is_same = match (&ours, theirs.get("value")) {
            (Ok(ours), Some(theirs)) => same(ours, theirs),
            (Ok(_), None) | (Err(_), Some(_)) => false,
            (Err(_), None) => true,
        };
        if !is_same {
            let ours = ours.map_or_else(|error| format!("error: {error}"), |it| it.to_string());
            differences.insert(name.clone(), format!("theirs {theirs}\n      ours {ours}"));
        }
    }
    differences
}

/// Equal as JSON; texts that hold JSON are compared as such, because vendors lay it out in their own way.
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
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

fn is_same_json(a: &str, b: &str) -> bool {
    let parse = |it: &str| serde_json::from_str::<Value>(it).ok();
    match (parse(a), parse(b)) {
        (Some(a), Some(b)) => (a.is_object() || a.is_array()) && same(&a, &b),
        _ => false,
    }
}

/// The differences that are meant, each with its reason.
pub(crate) fn rows() -> Vec<Value> {
    let file = read(include_str!("../../../corpus/differences.json"));
    file["differences"].as_array().unwrap().clone()
}

/// For each vendor: the inputs that differ, with the reason that the data gives.
pub(crate) fn documented(vendor: &str) -> BTreeMap<String, String> {
    let mut documented = BTreeMap::new();
    for row in rows() {
        let of = |name: &str| row[name].as_array().unwrap().iter();
        if of("vendors").any(|it| it.as_str() == Some(vendor)) {
            for input in of("inputs") {
                let reason = row["reason"].as_str().unwrap().to_owned();
                documented.insert(input.as_str().unwrap().to_owned(), reason);
            }
        }
    }
    documented
}
