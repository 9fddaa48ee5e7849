//! From the neutral model to the wire shape of one revision. Together with [`crate::Features`] the only
//! place that knows what a revision changes.

mod answer;
mod block;
mod features;
mod projection;
mod result;
mod schema;
mod serialize;
mod task;

use serde_json::{Value, json};

pub(crate) use self::block::has_block;
use self::{answer::Identity, schema::output_schema};
pub use self::{
    answer::{PreserializedResult, call_tool_result_json, written_result_json},
    features::{
        completion, get_prompt_result, input_required_result, prompt, read_resource_result,
        render_input_requests, resource, resource_template,
    },
    projection::{Projection, ProjectionError},
    result::{call_tool_result, project, sampling_tool_result},
    task::{create_task_result, stored_task_json, task, task_with_result},
};
use crate::{
    CacheHint, Features, Icon, Object, ServerInfo, TaskSupport, Tool,
    json::{put, put_some},
    lifecycle::SERVER_INFO,
    revision::TaskForm,
    ui,
};

/// One entry of `tools/list`.
#[must_use]
pub fn tool(tool: &Tool, rules: &Features) -> Value {
    let mut object = Object::new();
    put(&mut object, "name", tool.name.as_str());
    title(&mut object, tool.title.as_deref(), rules);
    put(&mut object, "description", tool.description.as_str());
    put(&mut object, "inputSchema", tool.input_schema.clone());
    let schema = tool.output_schema.as_ref();
    if let Some(schema) = schema.and_then(|it| output_schema(it, rules)) {
        put(&mut object, "outputSchema", schema.into_owned());
    }
    if rules.tool_annotations {
        put(&mut object, "annotations", annotations(tool));
    }
    icons(&mut object, &tool.icons, rules);
    if rules.tasks == TaskForm::Core && tool.task_support != TaskSupport::Forbidden {
        let support = json!({"taskSupport": tool.task_support.name()});
        put(&mut object, "execution", support);
    }
    meta(&mut object, &tool.meta, rules);
    Value::Object(object)
}

fn title(object: &mut Object, title: Option<&str>, rules: &Features) {
    put_some(object, "title", title.filter(|_| rules.titles));
}

fn icons(object: &mut Object, icons: &[Icon], rules: &Features) {
    if rules.icons && !icons.is_empty() {
        let icons: Vec<Value> = icons.iter().map(Icon::to_value).collect();
        put(object, "icons", icons);
    }
}

/// `_meta` of what is listed; results have theirs in every revision, and views in every list.
fn meta(object: &mut Object, meta: &Object, rules: &Features) {
    let mut meta = meta.clone();
    if !rules.meta {
        meta.retain(|name, _| ui::is_member(name));
    }
    if !meta.is_empty() {
        put(object, "_meta", meta);
    }
}

fn annotations(tool: &Tool) -> Value {
    let mut object = Object::new();
    put_some(&mut object, "title", tool.title.as_deref());
    let hints = tool.annotations;
    put(&mut object, "readOnlyHint", hints.read_only);
    put(&mut object, "destructiveHint", hints.destructive);
    put(&mut object, "idempotentHint", hints.idempotent);
    put(&mut object, "openWorldHint", hints.open_world);
    Value::Object(object)
}

/// A result of another type than `complete`, as the revision or an extension defines it, complete but for the server's identity.
#[must_use]
pub fn result_of_other_type(result_type: &str, members: Object, rules: &Features) -> Object {
    let mut object = Object::new();
    if rules.result_type {
        put(&mut object, "resultType", result_type);
    }
    object.extend(members);
    object
}

/// Adds the members that every result of the revision carries: `resultType` first, `complete` unless the result has another, and
/// the server's identity.
#[must_use]
pub fn add_common_fields(result: Object, server: &ServerInfo, rules: &Features) -> Object {
    if !rules.result_type {
        return result;
    }
    let mut object = Object::new();
    put(&mut object, "resultType", "complete");
    object.extend(result);
    let meta = object
        .entry("_meta")
        .or_insert_with(|| Value::Object(Object::new()));
    if let Value::Object(meta) = meta {
        meta.insert(SERVER_INFO.to_owned(), server_info(server, rules));
    }
    object
}

/// Adds `ttlMs` and `cacheScope` where the revision has them.
pub fn cache_hint(result: &mut Object, hint: CacheHint, rules: &Features) {
    if rules.cache_hints {
        put(result, "ttlMs", hint.ttl_ms);
        let scope = if hint.public { "public" } else { "private" };
        put(result, "cacheScope", scope);
    }
}

/// `serverInfo`, with the members that the revision knows.
#[must_use]
pub fn server_info(server: &ServerInfo, rules: &Features) -> Value {
    json!(Identity::new(server, rules))
}
