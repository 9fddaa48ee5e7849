//! Declarations of tools: what is generated is accepted, and what breaks a rule is not.

use mcp_convert::{
    tools::{self, Provider},
    validate,
};
use mcp_protocol::{Object, Tool};
use serde_json::{Value, json};

use crate::{
    accepted::holds,
    random::Random,
    rounds,
    tools::{accepted, tool},
};

const ROUNDS: u64 = 500;

/// Words of JSON Schema, right and wrong, in each other.
fn schema(random: &mut Random, depth: usize) -> Value {
    const KEYWORDS: &str = "type properties required items anyOf oneOf allOf not enum const $ref $defs format minimum \
        exclusiveMinimum exclusiveMaximum minLength additionalProperties description prefixItems nullable default \
        patternProperties additionalItems definitions title if";
    const TYPES: &str = "object array string number integer boolean null any";
    const REFS: &str =
        "# #/$defs/A #/$defs/a~1b #/definitions/A #/properties/a https://x.test/s #/$defs";
    const NAMES: &[&str] = &["a", "b", "A", "filter[id]", "", "ä", "a/b"];
    if depth == 0 || random.below(12) == 0 {
        return random.json(1);
    }
    let mut object = Object::new();
    for _ in 0..random.below(6) {
        let keyword = random.word(KEYWORDS);
        let value = if random.below(10) == 0 {
            random.json(1)
        } else {
            match keyword {
                "type" if random.coin() => json!([random.word(TYPES), random.word(TYPES)]),
                "type" => json!(random.word(TYPES)),
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
                "$ref" => json!(random.word(REFS)),
                "format" => json!(random.word("date-time uri int32 double")),
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
    for seed in rounds(ROUNDS) {
        check(&mut Random(seed), &format!("seed {seed}"));
    }
}

pub(crate) const PROVIDERS: [Provider; 5] = [
    Provider::Anthropic,
    Provider::OpenAiResponses,
    Provider::OpenAiChat,
    Provider::Gemini,
    Provider::Bedrock,
];

/// Converts a few tools for every provider; panics if one refuses them.
pub(crate) fn check(random: &mut Random, from: &str) {
    let list: Vec<Tool> = (0..3)
        .map(|_| {
            let name = random.text();
            tool(&name, schema(random, 4))
        })
        .collect();
    for provider in PROVIDERS {
        let converted = tools::convert(&list, provider);
        accepted(&converted, provider, from);
    }
}

/// As for results: the schemas of tools, for Gemini that of a property, or declarations.
const RULES: &str = r##"
anthropic schema | | {"type": "object", "properties": {}}
anthropic | no name | {"name": "a.b", "input_schema": {"type": "object", "properties": {}}}
anthropic schema | must be object | {"properties": {}}
anthropic schema | not at the top level | {"type": "object", "properties": {}, "oneOf": [{}]}
anthropic schema | no name of a property | {"type": "object", "properties": {"a b": {}}}
anthropic schema | draft 2020-12 | {"type": "object", "properties": {"p": {"type": "any"}}}
anthropic schema | draft 2020-12 | {"type": "object", "properties": {"p": {"items": [{}]}}}
anthropic schema | draft 2020-12 | {"type": "object", "properties": {"p": {"exclusiveMinimum": true}}}
anthropic schema | draft 2020-12 | {"type": "object", "properties": {"p": {"$ref": "#/$defs/A"}}}
chat schema | | {"type": "object", "properties": {}, "additionalProperties": false}
chat schema | not at the top level | {"type": "object", "properties": {}, "not": {}}
chat schema | missing items | {"type": "object", "properties": {"p": {"type": "array"}}}
chat schema | properties are required | {"type": "object"}
chat | too long | {"function": {"name": "t", "description": "LONG", "parameters": {"type": "object", "properties": {}}}}
gemini schema | | {"type": "string", "format": "date-time"}
gemini | | {"name": "t"}
gemini schema | unsupported format | {"type": "string", "format": "uri"}
gemini schema | unknown | {"type": "string", "additionalProperties": false}
gemini schema | unknown | {"type": "string", "items": {"type": "string"}}
gemini schema | a type is required | {}
gemini schema | texts with | {"type": "string", "enum": ["", "a"]}
gemini schema | only field | {"anyOf": [{"type": "string"}], "description": "x"}
gemini schema | missing field | {"type": "array"}
gemini schema | not defined | {"type": "object", "required": ["a"]}
gemini | must not be empty | {"name": "t", "parameters": {"type": "object", "properties": {}}}
bedrock schema | | {"type": "object", "properties": {"p": {"oneOf": [{}]}}}
bedrock schema | not at the top level | {"type": "object", "properties": {}, "additionalProperties": false}
bedrock | must not be empty | {"toolSpec": {"name": "t", "description": "", "inputSchema": {"json": {"type": "object", "properties": {}}}}}
"##;

#[test]
fn each_rule_refuses_what_breaks_it() {
    for row in RULES.trim().lines() {
        let [of, rule, declared] = row.splitn(3, '|').collect::<Vec<_>>()[..] else {
            panic!("no row: {row}");
        };
        let declared = declared.replace("LONG", &"x".repeat(1025));
        let declared: Value = serde_json::from_str(&declared).unwrap();
        let (provider, declaration) = match of.trim() {
            "anthropic schema" => (
                Provider::Anthropic,
                json!({"name": "t", "input_schema": declared}),
            ),
            "anthropic" => (Provider::Anthropic, declared),
            "chat schema" => (
                Provider::OpenAiChat,
                json!({"function": {"name": "t", "parameters": declared}}),
            ),
            "chat" => (Provider::OpenAiChat, declared),
            "gemini schema" => {
                let schema = json!({"type": "object", "properties": {"p": declared}});
                (Provider::Gemini, json!({"name": "t", "parameters": schema}))
            }
            "gemini" => (Provider::Gemini, declared),
            "bedrock schema" => (
                Provider::Bedrock,
                json!({"toolSpec": {"name": "t", "inputSchema": {"json": declared}}}),
            ),
            "bedrock" => (Provider::Bedrock, declared),
            other => panic!("no such declaration: {other}"),
        };
        holds(row, rule.trim(), &validate::tools(&[declaration], provider));
    }
    let tool = json!({"name": "t", "input_schema": {"type": "object", "properties": {}}});
    let twice = [tool.clone(), tool];
    assert!(!validate::tools(&twice, Provider::Anthropic).is_empty());
}
