//! Prompts, resources and completions in the form of a revision.

use serde_json::Value;

use super::{cache_hint, call_tool_result, icons, meta, result_of_other_type, title};
use crate::{
    CallToolResult, Completion, ContentBlock, Features, GetPromptResult, Object, Prompt,
    ReadResourceResult, Resource, ResourceTemplate, ServerRequest,
    completion::MAX_VALUES,
    content::Annotations,
    json::{put, put_some},
};

/// Renders one entry of `prompts/list`.
#[must_use]
pub fn prompt(prompt: &Prompt, rules: &Features) -> Value {
    let mut object = described(&prompt.name, prompt.title.as_deref(), rules);
    put_some(&mut object, "description", prompt.description.as_deref());
    if !prompt.arguments.is_empty() {
        let arguments = prompt.arguments.iter().map(|argument| {
            let mut object = described(&argument.name, argument.title.as_deref(), rules);
            put_some(&mut object, "description", argument.description.as_deref());
            put(&mut object, "required", argument.required);
            Value::Object(object)
        });
        put(&mut object, "arguments", arguments.collect::<Vec<_>>());
    }
    icons(&mut object, &prompt.icons, rules);
    meta(&mut object, &prompt.meta, rules);
    Value::Object(object)
}

/// Renders the result of `prompts/get`, without `resultType`. Blocks that the revision does not define are replaced as
/// in tool results.
#[must_use]
pub fn get_prompt_result(result: GetPromptResult, rules: &Features) -> Object {
    let mut object = Object::new();
    put_some(&mut object, "description", result.description);
    let messages = result.messages.into_iter().filter_map(|message| {
        let mut object = Object::new();
        put(&mut object, "role", message.role.name());
        put(&mut object, "content", block(message.content, rules)?);
        Some(Value::Object(object))
    });
    put(&mut object, "messages", messages.collect::<Vec<_>>());
    result_meta(&mut object, result.meta);
    object
}

/// Renders one entry of `resources/list`.
#[must_use]
pub fn resource(resource: &Resource, rules: &Features) -> Value {
    let mut object = Object::new();
    put(&mut object, "uri", resource.uri.as_str());
    object.extend(described(&resource.name, resource.title.as_deref(), rules));
    put_some(&mut object, "description", resource.description.as_deref());
    put_some(&mut object, "mimeType", resource.mime_type.as_deref());
    put_some(&mut object, "size", resource.size);
    annotations(&mut object, resource.annotations.as_ref(), rules);
    icons(&mut object, &resource.icons, rules);
    meta(&mut object, &resource.meta, rules);
    Value::Object(object)
}

/// Renders one entry of `resources/templates/list`.
#[must_use]
pub fn resource_template(template: &ResourceTemplate, rules: &Features) -> Value {
    let mut object = Object::new();
    put(&mut object, "uriTemplate", template.uri_template.as_str());
    object.extend(described(&template.name, template.title.as_deref(), rules));
    put_some(&mut object, "description", template.description.as_deref());
    put_some(&mut object, "mimeType", template.mime_type.as_deref());
    annotations(&mut object, template.annotations.as_ref(), rules);
    icons(&mut object, &template.icons, rules);
    meta(&mut object, &template.meta, rules);
    Value::Object(object)
}

/// Renders the result of `resources/read`, without `resultType`.
#[must_use]
pub fn read_resource_result(result: ReadResourceResult, rules: &Features) -> Object {
    let mut object = Object::new();
    let contents = result.contents.into_iter().filter_map(|resource| {
        let mut embedded = block(ContentBlock::resource(resource), rules)?;
        embedded.get_mut("resource").map(Value::take)
    });
    put(&mut object, "contents", contents.collect::<Vec<_>>());
    cache_hint(&mut object, result.cache, rules);
    result_meta(&mut object, result.meta);
    object
}

/// Renders the result of `completion/complete`, without `resultType`.
#[must_use]
pub fn completion(completion: Completion) -> Object {
    let found = completion.values.len();
    let total = completion.total;
    let is_cut = found > MAX_VALUES;
    let has_more = is_cut || total.is_some_and(|it| usize::try_from(it).is_ok_and(|it| it > found));
    let values: Vec<Value> = completion
        .values
        .into_iter()
        .take(MAX_VALUES)
        .map(Value::from)
        .collect();
    let mut inner = Object::new();
    put(&mut inner, "values", values);
    put_some(
        &mut inner,
        "total",
        total.or(is_cut.then_some(found as u64)),
    );
    put(&mut inner, "hasMore", has_more);
    let mut object = Object::new();
    put(&mut object, "completion", inner);
    object
}

/// Renders a result that requires input, without the server's identity (2026-07-28 `basic/patterns/mrtr`).
#[must_use]
pub fn input_required_result(
    requests: &[(String, ServerRequest)],
    state: Option<String>,
    rules: &Features,
) -> Object {
    let mut object = Object::new();
    put(
        &mut object,
        "inputRequests",
        render_input_requests(requests, rules),
    );
    put_some(&mut object, "requestState", state);
    result_of_other_type("input_required", object, rules)
}

/// Renders requests to the client, by their keys.
#[must_use]
pub fn render_input_requests(requests: &[(String, ServerRequest)], rules: &Features) -> Object {
    let mut asked = Object::new();
    for (key, request) in requests {
        let mut inner = Object::new();
        put(&mut inner, "method", request.method());
        put(&mut inner, "params", request.params(rules));
        put(&mut asked, key, inner);
    }
    asked
}

fn described(name: &str, title: Option<&str>, rules: &Features) -> Object {
    let mut object = Object::new();
    put(&mut object, "name", name);
    self::title(&mut object, title, rules);
    object
}

fn annotations(object: &mut Object, annotations: Option<&Annotations>, rules: &Features) {
    let Some(annotations) = annotations else {
        return;
    };
    let carrier = ContentBlock::text("").with_annotations(annotations.clone());
    let mut rendered = block(carrier, rules);
    if let Some(annotations) = rendered.as_mut().and_then(|it| it.get_mut("annotations")) {
        put(object, "annotations", annotations.take());
    }
}

fn result_meta(object: &mut Object, meta: Object) {
    if !meta.is_empty() {
        put(object, "_meta", meta);
    }
}

/// Renders a block as in a tool result.
fn block(block: ContentBlock, rules: &Features) -> Option<Value> {
    let mut result = call_tool_result(CallToolResult::blocks(vec![block]), rules);
    result.get_mut("content")?.get_mut(0).map(Value::take)
}
