//! Declarations of tools: what is generated is accepted, and what breaks a rule is not.

use mcp_protocol::{
    Object, Tool,
    convert::{
        tools::{self, Options, Provider},
        validate,
    },
};
use serde_json::{Value, json};

use crate::{
    random::Random,
    tools::{accepted, tool},
};

const ROUNDS: u64 = 500;

/// Words of JSON Schema, right and wrong, in each other.
fn schema(random: &mut Random, depth: usize) -> Value {
    const KEYWORDS: &[&str] = &[
        "type",
        "properties",
        "required",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "enum",
        "const",
        "$ref",
        "$defs",
        "format",
        "minimum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "additionalProperties",
        "description",
        "prefixItems",
        "nullable",
        "default",
        "patternProperties",
        "additionalItems",
        "definitions",
        "title",
        "if",
    ];
    const TYPES: &[&str] = &[
        "object", "array", "string", "number", "integer", "boolean", "null", "any",
    ];
    const REFS: &[&str] = &[
        "#",
        "#/$defs/A",
        "#/$defs/a~1b",
        "#/definitions/A",
        "#/properties/a",
        "https://x.test/s",
        "#/$defs",
    ];
    const NAMES: &[&str] = &["a", "b", "A", "filter[id]", "", "ä", "a/b"];
    if depth == 0 || random.below(12) == 0 {
        return random.json(1);
    }
    let mut object = Object::new();
    for _ in 0..random.below(6) {
        let keyword = random.of(KEYWORDS);
        let value = if random.below(10) == 0 {
            random.json(1)
        } else {
            match keyword {
                "type" if random.coin() => json!([random.of(TYPES), random.of(TYPES)]),
                "type" => json!(random.of(TYPES)),
                "properties" | "$defs" | "definitions" | "patternProperties" => (0..random
                    .below(4))
                    .map(|_| (random.of(NAMES).to_owned(), schema(random, depth - 1)))
                    .collect::<Object>()
                    .into(),
                "anyOf" | "oneOf" | "allOf" | "prefixItems" => (0..random.below(4))
                    .map(|_| schema(random, depth - 1))
                    .collect(),
                "items" if random.coin() => json!([schema(random, depth - 1)]),
                "required" => json!([random.of(NAMES), random.of(NAMES)]),
                "enum" => json!([random.json(0), random.of(NAMES), null]),
                "$ref" => json!(random.of(REFS)),
                "format" => json!(random.of(&["date-time", "uri", "int32", "double"])),
                "minimum" | "exclusiveMinimum" | "exclusiveMaximum" | "minLength" => {
                    json!(random.below(5))
                }
                _ => schema(random, depth - 1),
            }
        };
        object.insert(keyword.to_owned(), value);
    }
    Value::Object(object)
}

#[test]
fn no_generated_tool_is_refused() {
    for seed in 0..ROUNDS {
        check(&mut Random(seed), &format!("seed {seed}"));
    }
}

/// Converts a few tools for every provider; panics if one refuses them.
pub(crate) fn check(random: &mut Random, from: &str) {
    let list: Vec<Tool> = (0..3)
        .map(|_| {
            let name = random.text();
            tool(&name, schema(random, 4))
        })
        .collect();
    for &provider in Provider::ALL {
        let converted = tools::convert(&list, &Options::new(provider));
        accepted(&converted, provider, from);
    }
}

/// Each rule, by one word of a declaration that is accepted otherwise.
#[test]
fn each_rule_refuses_what_breaks_it() {
    let anthropic = |schema: Value| json!({"name": "t", "input_schema": schema});
    let chat = |schema: Value| json!({"type": "function", "function": {"name": "t", "parameters": schema}});
    let gemini = |schema: Value| json!({"name": "t", "parameters": {"type": "object", "properties": {"p": schema}}});
    let bedrock =
        |schema: Value| json!({"toolSpec": {"name": "t", "inputSchema": {"json": schema}}});
    let empty = json!({"type": "object", "properties": {}});
    let of = |schema: Value| json!({"type": "object", "properties": {"p": schema}});
    let with = |name: &str, value: Value| {
        let mut schema = of(json!({"type": "string"}));
        schema[name] = value;
        schema
    };
    let rows = [
        ("", Provider::Anthropic, anthropic(empty.clone())),
        (
            "no name",
            Provider::Anthropic,
            json!({"name": "a.b", "input_schema": empty}),
        ),
        (
            "must be object",
            Provider::Anthropic,
            anthropic(json!({"properties": {}})),
        ),
        (
            "not at the top level",
            Provider::Anthropic,
            anthropic(with("oneOf", json!([{}]))),
        ),
        (
            "no name of a property",
            Provider::Anthropic,
            anthropic(json!({"type": "object", "properties": {"a b": {}}})),
        ),
        (
            "draft 2020-12",
            Provider::Anthropic,
            anthropic(of(json!({"type": "any"}))),
        ),
        (
            "draft 2020-12",
            Provider::Anthropic,
            anthropic(of(json!({"items": [{}]}))),
        ),
        (
            "draft 2020-12",
            Provider::Anthropic,
            anthropic(of(json!({"exclusiveMinimum": true}))),
        ),
        (
            "draft 2020-12",
            Provider::Anthropic,
            anthropic(of(json!({"$ref": "#/$defs/A"}))),
        ),
        (
            "",
            Provider::OpenAiChat,
            chat(with("additionalProperties", json!(false))),
        ),
        (
            "not at the top level",
            Provider::OpenAiChat,
            chat(with("not", json!({}))),
        ),
        (
            "missing items",
            Provider::OpenAiChat,
            chat(of(json!({"type": "array"}))),
        ),
        (
            "properties are required",
            Provider::OpenAiChat,
            chat(json!({"type": "object"})),
        ),
        (
            "too long",
            Provider::OpenAiChat,
            json!({"function": {"name": "t", "description": "x".repeat(1025), "parameters": empty}}),
        ),
        (
            "",
            Provider::Gemini,
            gemini(json!({"type": "string", "format": "date-time"})),
        ),
        ("", Provider::Gemini, json!({"name": "t"})),
        (
            "unsupported format",
            Provider::Gemini,
            gemini(json!({"type": "string", "format": "uri"})),
        ),
        (
            "unknown",
            Provider::Gemini,
            gemini(json!({"type": "string", "additionalProperties": false})),
        ),
        (
            "unknown",
            Provider::Gemini,
            gemini(json!({"type": "string", "items": {"type": "string"}})),
        ),
        ("a type is required", Provider::Gemini, gemini(json!({}))),
        (
            "texts with",
            Provider::Gemini,
            gemini(json!({"type": "string", "enum": ["", "a"]})),
        ),
        (
            "only field",
            Provider::Gemini,
            gemini(json!({"anyOf": [{"type": "string"}], "description": "x"})),
        ),
        (
            "missing field",
            Provider::Gemini,
            gemini(json!({"type": "array"})),
        ),
        (
            "not defined",
            Provider::Gemini,
            gemini(json!({"type": "object", "required": ["a"]})),
        ),
        (
            "must not be empty",
            Provider::Gemini,
            json!({"name": "t", "parameters": empty}),
        ),
        ("", Provider::Bedrock, bedrock(of(json!({"oneOf": [{}]})))),
        (
            "not at the top level",
            Provider::Bedrock,
            bedrock(with("additionalProperties", json!(false))),
        ),
        (
            "must not be empty",
            Provider::Bedrock,
            json!({"toolSpec": {"name": "t", "description": "", "inputSchema": {"json": empty}}}),
        ),
    ];
    for (rule, provider, declaration) in rows {
        let found = validate::tools(std::slice::from_ref(&declaration), provider);
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        let is_found = found.iter().any(|it| it.contains(rule));
        assert_eq!(
            rule.is_empty(),
            found.is_empty(),
            "{declaration}: {found:?}"
        );
        assert!(rule.is_empty() || is_found, "{declaration}: {found:?}");
    }
    let twice = [anthropic(empty.clone()), anthropic(empty)];
    assert!(!validate::tools(&twice, Provider::Anthropic).is_empty());
}
