//! openai-agents for Python: a failure is not marked, and blocks without a form are JSON text, Base64 included.

use std::borrow::Cow;

use serde_json::Value;

use super::converted;
use crate::{
    convert::{
        block::{BlockRef, Body},
        converted::{Call, ConvertError, Converted, dropped},
        json_ref::JsonRef,
        openai_agents::{McpPackage, OpenAiAgents},
        pieces::annotations_lost,
        said::is_in_texts,
        target::Compat,
        view::ResultView,
    },
    json::Object,
    loss::{Loss, Losses},
    parse::NotAToolResult,
};

impl Compat for OpenAiAgents {
    fn compat<'a>(
        &self,
        view: Result<ResultView<'a>, NotAToolResult>,
        _: Option<&'a Value>,
        _: Call<'a>,
    ) -> Result<Converted<'a>, ConvertError> {
        let view = view?;
        let mut losses = Losses::default();
        if view.is_error() {
            losses.push(Loss::ErrorFlagDropped);
        }
        let is_alone = self.use_structured_content && !view.is_error();
        let alone = view.structured().filter(|it| is_alone && is_truthy(it));
        if let Some(value) = alone {
            let is_said = is_in_texts(&view);
            for (index, block) in view.blocks().enumerate() {
                if !(is_said && matches!(block.body, Body::Text(_))) {
                    dropped(&mut losses, index, block.kind());
                }
            }
            let output = Converted::new(JsonRef::JsonText(Cow::Borrowed(value)), &view);
            return Ok(Converted { losses, ..output });
        }
        let items = view.blocks().enumerate().map(|(index, block)| {
            annotations_lost(&mut losses, index, &block);
            match &block.body {
                Body::Text(text) => JsonRef::text_block(text.clone().into()),
                Body::Image(media) => {
                    let url = JsonRef::data_url(media.mime_type.unwrap_or(""), media.data);
                    JsonRef::object([("type", "image".into()), ("image_url", url)])
                }
                _ => JsonRef::text_block(JsonRef::JsonText(Cow::Owned(dump(&block, self.mcp)))),
            }
        });
        let items = JsonRef::one_or_many(items.collect());
        Ok(converted(items, losses, &view))
    }
}

/// As Python sees it.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64() != Some(0.0),
        Value::String(value) => !value.is_empty(),
        Value::Array(value) => !value.is_empty(),
        Value::Object(value) => !value.is_empty(),
    }
}

/// A block as the vendor's model of it prints: every known member is there, absent ones as null.
fn dump(block: &BlockRef<'_>, mcp: McpPackage) -> Value {
    let is_newer = mcp == McpPackage::V2;
    let newer = |members: &[&'static str], member| {
        let newer = is_newer.then_some(member);
        members.iter().copied().chain(newer).collect::<Vec<_>>()
    };
    let members = match block.kind() {
        "audio" => "type data mimeType annotations meta",
        "resource" => "type resource annotations meta",
        "resource_link" => "name title uri description mimeType size icons annotations meta type",
        _ => "",
    };
    let members: Vec<_> = members.split_whitespace().collect();
    let mut printed = filled(&block.to_json(), &members);
    if let Some(annotations) = printed.get_mut("annotations").filter(|it| it.is_object()) {
        let members = newer(&["audience", "priority"], "lastModified");
        let mut members = filled(annotations, &members);
        // The model has a floating-point number.
        if let Some(priority) = members.get("priority").and_then(Value::as_f64) {
            members.insert("priority".to_owned(), priority.into());
        }
        *annotations = Value::Object(members);
    }
    if let Some(Value::Array(icons)) = printed.get_mut("icons") {
        let members = newer(&["src", "mimeType", "sizes"], "theme");
        for icon in icons {
            *icon = Value::Object(filled(icon, &members));
        }
    }
    if let Some(resource) = printed.get_mut("resource") {
        *resource = Value::Object(filled(resource, &["uri", "mimeType", "meta"]));
    }
    named(&Value::Object(printed), mcp)
}

fn filled(value: &Value, members: &[&str]) -> Object {
    let mut object = Object::new();
    for name in members {
        let of_the_wire = if *name == "meta" { "_meta" } else { name };
        let value = value.get(of_the_wire).cloned().unwrap_or_default();
        object.insert((*name).to_owned(), value);
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        if name != "_meta" && !object.contains_key(name) {
            object.insert(name.clone(), value.clone());
        }
    }
    object
}

/// A block with the names that its attributes have in Python.
fn named(block: &Value, mcp: McpPackage) -> Value {
    let members = block.as_object().into_iter().flatten();
    let members = members.map(|(name, value)| {
        let name = match (mcp, name.as_str()) {
            (_, "_meta") => "meta",
            (McpPackage::V2, "mimeType") => "mime_type",
            (McpPackage::V2, "lastModified") => "last_modified",
            (McpPackage::V1 | McpPackage::V2, name) => name,
        };
        let value = match (name, value) {
            ("resource" | "annotations", Value::Object(_)) => named(value, mcp),
            ("icons", Value::Array(icons)) => icons.iter().map(|it| named(it, mcp)).collect(),
            _ => value.clone(),
        };
        (name.to_owned(), value)
    });
    members.collect()
}
