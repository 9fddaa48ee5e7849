//! From the neutral model to the wire shape of one revision. Together with [`crate::revision`] the only
//! place that knows what a revision changes.

mod block;
mod features;
mod projection;
mod result;
mod schema;

use serde_json::Value;

pub(crate) use self::{
    block::has_block,
    result::{as_received, block_as_received},
};
pub use self::{
    features::{
        completion, get_prompt_result, input_required, prompt, read_resource_result, resource,
        resource_template,
    },
    projection::{AudioFallback, EmitIsError, NonObject, ProjectError, Projection, Unknown},
    result::{call_tool_result, call_tool_result_of, project, sampling_tool_result},
    schema::output_schema,
};
use crate::{
    Object,
    lifecycle::SERVER_INFO,
    revision::Rules,
    tool::{ServerInfo, Tool},
};

/// How long a client may keep a list or the answer to `server/discover`, and who may share it
/// (2026-07-28 `server/utilities/caching`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheHint {
    /// Milliseconds.
    pub ttl_ms: u64,
    /// The same answer goes to everyone.
    pub public: bool,
}

impl CacheHint {
    /// Not to be kept, nor shared.
    pub const NONE: Self = Self {
        ttl_ms: 0,
        public: false,
    };
}

/// One entry of `tools/list`.
#[must_use]
pub fn tool(tool: &Tool, rules: &Rules) -> Value {
    let mut object = Object::new();
    object.insert("name".to_owned(), tool.name.as_str().into());
    if rules.titles
        && let Some(title) = &tool.title
    {
        object.insert("title".to_owned(), title.as_str().into());
    }
    object.insert("description".to_owned(), tool.description.as_str().into());
    object.insert("inputSchema".to_owned(), tool.input_schema.clone());
    if let Some(schema) = &tool.output_schema
        && let Some(schema) = output_schema(schema, rules)
    {
        object.insert("outputSchema".to_owned(), schema.into_owned());
    }
    if rules.tool_annotations {
        object.insert("annotations".to_owned(), annotations(tool));
    }
    Value::Object(object)
}

fn annotations(tool: &Tool) -> Value {
    let mut object = Object::new();
    if let Some(title) = &tool.title {
        object.insert("title".to_owned(), title.as_str().into());
    }
    let hints = tool.annotations;
    object.insert("readOnlyHint".to_owned(), hints.read_only.into());
    object.insert("destructiveHint".to_owned(), hints.destructive.into());
    object.insert("idempotentHint".to_owned(), hints.idempotent.into());
    object.insert("openWorldHint".to_owned(), hints.open_world.into());
    Value::Object(object)
}

/// Adds what every result of the revision carries: `resultType` first, and who answered.
#[must_use]
pub fn finish_result(result: Object, server: &ServerInfo, rules: &Rules) -> Object {
    if !rules.result_type {
        return result;
    }
    let mut object = Object::new();
    object.insert("resultType".to_owned(), "complete".into());
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
pub fn cache_hint(result: &mut Object, hint: CacheHint, rules: &Rules) {
    if rules.cache_hints {
        result.insert("ttlMs".to_owned(), hint.ttl_ms.into());
        let scope = if hint.public { "public" } else { "private" };
        result.insert("cacheScope".to_owned(), scope.into());
    }
}

/// `serverInfo`: nested, with the members the revision knows.
#[must_use]
pub fn server_info(server: &ServerInfo, rules: &Rules) -> Value {
    let mut object = Object::new();
    let mut put = |key: &str, value: &str| {
        object.insert(key.to_owned(), value.into());
    };
    put("name", &server.name);
    if rules.titles
        && let Some(title) = &server.title
    {
        put("title", title);
    }
    put("version", &server.version);
    if rules.icons {
        if let Some(description) = &server.description {
            put("description", description);
        }
        if let Some(website_url) = &server.website_url {
            put("websiteUrl", website_url);
        }
    }
    Value::Object(object)
}
