//! Rendering: from the neutral model to the wire form of one revision. Only this module and [`crate::Features`] depend
//! on the differences between revisions.

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
    answer::{PreserializedResult, call_tool_result_json, preserialized_result_json},
    features::{
        completion, get_prompt_result, input_required_result, prompt, read_resource_result,
        render_input_requests, resource, resource_template,
    },
    projection::{ProjectionError, ProjectionOptions},
    result::{call_tool_result, project, sampling_tool_result},
    task::{create_task_result, task, task_json_for_store, task_with_result},
};
use crate::{
    CacheHint, Features, Icon, Object, ServerInfo, TaskSupport, Tool,
    json::{put, put_some},
    lifecycle::SERVER_INFO,
    revision::TaskForm,
    ui,
};

/// Renders one entry of `tools/list`.
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

/// Adds `_meta` to a list entry. Results have `_meta` in every revision, and views keep theirs in every list.
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

/// Renders a result of another type than `complete`, as the revision or an extension defines it, without the server's
/// identity.
#[must_use]
pub fn result_of_other_type(result_type: &str, members: Object, rules: &Features) -> Object {
    let mut object = Object::new();
    if rules.result_type {
        put(&mut object, "resultType", result_type);
    }
    object.extend(members);
    object
}

/// Adds the fields that every result of the revision has: `resultType` first (`complete` unless the result has
/// another), and the server's identity without its icons.
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
        let server = Identity::without_icons(server, rules);
        meta.insert(SERVER_INFO.to_owned(), json!(server));
    }
    object
}

/// Adds `ttlMs` and `cacheScope`, in revisions that define them.
pub fn cache_hint(result: &mut Object, hint: CacheHint, rules: &Features) {
    if rules.cache_hints {
        put(result, "ttlMs", hint.ttl_ms);
        let scope = if hint.public { "public" } else { "private" };
        put(result, "cacheScope", scope);
    }
}

/// Renders `serverInfo` with the fields that the revision defines.
#[must_use]
pub fn server_info(server: &ServerInfo, rules: &Features) -> Value {
    json!(Identity::new(server, rules))
}
