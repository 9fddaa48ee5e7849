//! No provider refuses the tools that it is sent, and what was changed for that is reported.

use mcp_convert::{
    tools::{self, ConvertedTools, Provider},
    validate,
};
use mcp_protocol::{Object, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::declarations::PROVIDERS;

pub(crate) fn tool(name: &str, schema: Value) -> Tool {
    Tool::new(name, "What it does.", schema, ToolAnnotations::default())
}

fn converted(tool: Tool, provider: Provider) -> ConvertedTools {
    let converted = tools::convert(&[tool], provider);
    accepted(&converted, provider, "");
    converted
}

/// No provider refuses them.
pub(crate) fn accepted(converted: &ConvertedTools, provider: Provider, from: &str) {
    let sent = converted.tools.iter().map(|it| it.declaration.clone());
    let sent: Vec<Value> = sent.collect();
    let refused = validate::tools(&sent, provider);
    assert!(
        refused.is_empty(),
        "{from} {provider:?}: {refused:?}\n{}",
        json!(sent)
    );
}

fn schema_of(converted: &ConvertedTools) -> &Value {
    let declaration = &converted.tools[0].declaration;
    let places = [
        "/input_schema",
        "/parameters",
        "/function/parameters",
        "/toolSpec/inputSchema/json",
    ];
    places
        .iter()
        .find_map(|it| declaration.pointer(it))
        .unwrap_or(&Value::Null)
}

/// The codes of the losses, and where they are.
fn losses(converted: &ConvertedTools) -> Vec<(&str, &str)> {
    let losses = converted.losses.iter();
    losses.map(|it| (it.code, it.path.as_str())).collect()
}

#[test]
fn what_every_provider_accepts_is_sent_as_it_is() {
    let schema = json!({
        "type": "object",
        "properties": {
            "address": {"type": "string", "description": "An address.", "pattern": "^Q", "maxLength": 34},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "kinds": {"type": "array", "items": {"type": "string", "enum": ["buy", "sell"]}},
        },
        "required": ["address"],
    });
    for provider in PROVIDERS {
        let converted = converted(tool("get_trades", schema.clone()), provider);
        assert_eq!(schema_of(&converted), &schema, "{provider:?}");
        assert_eq!(losses(&converted), [], "{provider:?}");
    }
}

#[test]
fn a_list_of_lists_counts_as_deep_whatever_is_said_of_their_items() {
    for inner in [
        json!({"type": "array"}),
        json!({"type": ["array", "null"]}),
        json!({"enum": [[1, 2]]}),
    ] {
        let mut schema = json!({"type": "array", "items": inner});
        for name in ["a", "b", "c", "d", "e"] {
            schema = json!({"type": "object", "properties": {name: schema}});
            for provider in PROVIDERS {
                _ = converted(tool("f", schema.clone()), provider);
            }
        }
    }
}

#[test]
fn names_are_those_that_calls_come_back_with() {
    let long = "a".repeat(70);
    let names = ["files.list", "files_list", "7 up", long.as_str(), "ä"];
    let list: Vec<Tool> = names.iter().map(|it| tool(it, json!({}))).collect();
    for provider in PROVIDERS {
        let converted = tools::convert(&list, provider);
        accepted(&converted, provider, "names");
        for (index, sent) in converted.tools.iter().enumerate() {
            assert_eq!(sent.index, index);
            let is_reported = converted.losses.iter().any(|it| it.tool == index);
            assert_eq!(sent.name != names[index], is_reported, "{provider:?}");
        }
        // Another tool before it changes no name that can be sent as it is.
        assert_eq!(
            converted.tools[1].name == "files_list",
            provider == Provider::Gemini
        );
    }
    let many = vec![tool("t", json!({})); 130];
    let converted = tools::convert(&many, Provider::OpenAiChat);
    accepted(&converted, Provider::OpenAiChat, "many");
    assert_eq!(converted.tools.len(), 128);
    assert_eq!(converted.losses.last().unwrap().code, "over_limit");
}

#[test]
fn properties_that_cannot_be_sent_have_another_name() {
    let schema = json!({
        "type": "object",
        "properties": {"filter[id]": {"type": "string"}, "filter_id_": {"type": "string"}, "$top": {"type": "integer"}},
        "required": ["filter[id]", "$top"],
    });
    for provider in [Provider::Anthropic, Provider::Gemini, Provider::Bedrock] {
        let converted = converted(tool("t", schema.clone()), provider);
        let sent = &converted.tools[0];
        let properties = schema_of(&converted)["properties"].as_object().unwrap();
        let arguments: Object = properties
            .keys()
            .map(|it| (it.clone(), it.as_str().into()))
            .collect();
        let back = sent.original_arguments(arguments);
        assert_eq!(back["filter_id_"], "filter_id_", "{provider:?}");
        assert_eq!(back["$top"], "_top");
        assert!(
            back["filter[id]"]
                .as_str()
                .unwrap()
                .starts_with("filter_id__")
        );
        assert_eq!(
            schema_of(&converted)["required"].as_array().unwrap().len(),
            2
        );
    }
    assert_eq!(
        losses(&converted(tool("t", schema), Provider::OpenAiChat)),
        []
    );
}

#[test]
fn alternatives_of_the_whole_become_properties() {
    let schema = json!({
        "type": "object",
        "anyOf": [
            {"properties": {"url": {"type": "string"}, "n": {"type": "integer"}}, "required": ["n", "url"]},
            {"$ref": "#/$defs/File"},
        ],
        "$defs": {"File": {"properties": {"file": {"type": "string"}, "n": {"type": "string"}}, "required": ["file", "n"]}},
        "not": {"required": ["both"]},
    });
    for provider in PROVIDERS {
        let converted = converted(tool("t", schema.clone()), provider);
        let sent = schema_of(&converted);
        let n = json!({"anyOf": [{"type": "integer"}, {"type": "string"}]});
        let properties = json!({"url": {"type": "string"}, "n": n, "file": {"type": "string"}});
        assert_eq!(sent["properties"], properties, "{provider:?}");
        assert_eq!(sent["required"], json!(["n"]));
        assert!(losses(&converted).contains(&("alternatives_merged", "inputSchema")));
        let drops_not = provider != Provider::Anthropic;
        assert_eq!(sent.get("not").is_none(), drops_not, "{provider:?}");
    }
}

#[test]
fn references_are_kept_or_replaced_and_end_where_they_repeat() {
    let schema = json!({
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/Node"}, "gone": {"$ref": "#/$defs/None", "type": "string"}},
        "$defs": {"Node": {"type": "object", "properties": {"name": {"type": "string"}, "child": {"$ref": "#/$defs/Node"}}}},
    });
    let kept = converted(tool("t", schema.clone()), Provider::Anthropic);
    assert_eq!(
        schema_of(&kept)["properties"]["tree"],
        json!({"$ref": "#/$defs/Node"})
    );
    assert_eq!(
        losses(&kept),
        [("reference_dropped", "inputSchema/properties/gone")]
    );
    let replaced = converted(tool("t", schema), Provider::Bedrock);
    let tree = &schema_of(&replaced)["properties"]["tree"];
    assert_eq!(tree["properties"]["name"], json!({"type": "string"}));
    assert_eq!(tree["properties"]["child"], json!({}));
    let cut = (
        "recursion_cut",
        "inputSchema/properties/tree/properties/child",
    );
    assert!(losses(&replaced).contains(&cut), "{:?}", losses(&replaced));
}

/// References that double at each step are as long as they are written, not as what they stand for.
#[test]
fn references_do_not_multiply_without_end() {
    let mut definitions = Object::new();
    for n in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        definitions.insert(
            format!("d{n}"),
            json!({"properties": {"a": next, "b": next}}),
        );
    }
    definitions.insert("d40".to_owned(), json!({"type": "string"}));
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    let converted = tools::convert(&[tool("t", schema)], Provider::Bedrock);
    assert!(converted.losses.iter().any(|it| it.code == "size_cut"));
    assert!(schema_of(&converted).to_string().len() < 1_000_000);
}

#[test]
fn gemini_gets_the_part_of_a_schema_that_it_reads() {
    let rows = [
        (
            json!({"type": ["string", "null"], "format": "uri"}),
            json!({"type": "string", "nullable": true, "description": "(format: uri)"}),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 0, "enum": [1, 2]}),
            json!({"type": "integer", "minimum": 1, "description": "(one of: 1, 2)"}),
        ),
        (
            json!({"const": "a"}),
            json!({"type": "string", "enum": ["a"]}),
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "array"}], "description": "D"}),
            json!({"anyOf": [{"type": "string", "description": "D"},
            {"type": "array", "description": "D", "items": {"type": "string"}}]}),
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a", "b"],
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}], "additionalProperties": false}),
            json!({"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}),
        ),
        (
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "number"}}},
            {"properties": {"b": {"type": "number"}}, "required": ["b"]}]}),
            json!({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["b"]}),
        ),
        (json!(true), json!({"type": "string"})),
        (
            json!({"type": "string", "enum": ["", "a"]}),
            json!({"type": "string", "description": "(one of: \"\", \"a\")"}),
        ),
    ];
    for (property, sent) in rows {
        let schema = json!({"type": "object", "properties": {"p": property}});
        let converted = converted(tool("t", schema), Provider::Gemini);
        assert_eq!(schema_of(&converted)["properties"]["p"], sent, "{property}");
    }
    let none = converted(tool("t", json!({"type": "object"})), Provider::Gemini);
    assert_eq!(schema_of(&none), &Value::Null);
    let mut deep = json!({"type": "string"});
    for _ in 0..4 {
        deep = json!({"type": "object", "properties": {"of": {"type": "array", "items": deep}}});
    }
    let deep = converted(tool("t", deep), Provider::Gemini);
    assert_eq!(losses(&deep).first().unwrap().0, "depth_cut");
}

#[test]
fn descriptions_that_are_refused_are_cut_or_left_out() {
    let mut untold = tool("t", json!({}));
    untold.description = " ".to_owned();
    untold.title = Some("Title".to_owned());
    let sent = converted(untold.clone(), Provider::Bedrock);
    assert_eq!(
        sent.tools[0].declaration["toolSpec"]["description"],
        "Title"
    );
    untold.title = None;
    let sent = converted(untold.clone(), Provider::Bedrock);
    assert_eq!(
        sent.tools[0].declaration["toolSpec"].get("description"),
        None
    );
    untold.description = "é".repeat(2_000);
    let sent = converted(untold, Provider::OpenAiChat);
    assert_eq!(losses(&sent), [("description_cut", "description")]);
    let loss = serde_json::to_value(&sent.losses[0]).unwrap();
    let text = "tools[0] description: 977 characters cut";
    assert_eq!(
        loss,
        json!({"code": "description_cut", "tool": 0, "path": "description", "text": text})
    );
}
