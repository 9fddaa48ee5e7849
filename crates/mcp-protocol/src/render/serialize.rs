//! Serialization of received values, to log, store or compare them. The form is that of the latest revision, which has
//! all fields, so the values can be read again.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{
    completion, get_prompt_result, prompt, read_resource_result, resource, resource_template,
    server_info, tool,
};
use crate::{
    CallToolResult, Completion, ContentBlock, ErrorObject, Features, GetPromptResult, Icon, Object,
    Prompt, ReadResourceResult, RequestId, Resource, ResourceTemplate, Revision, ServerInfo,
    SkillEntry, SkillFileEntry, Tool,
    content::ResourceContents,
    json::{put, put_some},
    read::{ListItem, Page},
};

const RULES: &Features = Revision::V2026_07_28.features();

macro_rules! serialize {
    ($($Ty:ty: |$it:ident| $value:expr;)+) => { $(
        impl Serialize for $Ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $it = self;
                $value.serialize(serializer)
            }
        }
    )+ };
}

serialize! {
    CallToolResult: |it| call_tool_result(it);
    Completion: |it| completion(it.clone());
    ContentBlock: |it| it.to_value();
    ErrorObject: |it| it.to_value();
    GetPromptResult: |it| get_prompt_result(it.clone(), RULES);
    Icon: |it| it.to_value();
    Prompt: |it| prompt(it, RULES);
    ReadResourceResult: |it| read_resource_result(it.clone(), RULES);
    RequestId: |it| it.to_value();
    Resource: |it| resource(it, RULES);
    ResourceContents: |it| {
        let block = ContentBlock::resource(it.clone()).to_value();
        block.get("resource").cloned().unwrap_or_default()
    };
    ResourceTemplate: |it| resource_template(it, RULES);
    ServerInfo: |it| server_info(it, RULES);
    SkillEntry: |it| json!({"uri": it.uri, "frontmatter": it.frontmatter, "resources": it.files});
    SkillFileEntry: |it| {
        let mut object = Object::new();
        put(&mut object, "uri", it.uri.as_str());
        put_some(&mut object, "digest", it.digest.as_deref());
        put_some(&mut object, "size", it.size);
        object
    };
    Tool: |it| tool(it, RULES);
}

/// Serializes the result as it was received, without wrapping or additions.
fn call_tool_result(result: &CallToolResult) -> Object {
    let mut object = Object::new();
    let content: Value = result.content.iter().map(ContentBlock::to_value).collect();
    put(&mut object, "content", content);
    put_some(
        &mut object,
        "structuredContent",
        result.structured_content.clone(),
    );
    put(&mut object, "isError", result.is_error);
    if !result.meta.is_empty() {
        put(&mut object, "_meta", result.meta.clone());
    }
    object.extend(result.extra.clone());
    object
}

/// Serializes the page as it was received, without unreadable entries.
impl<T: ListItem + Serialize> Serialize for Page<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::new();
        put(&mut object, T::MEMBER, json!(self.items));
        put_some(&mut object, "nextCursor", self.next_cursor.as_deref());
        super::cache_hint(&mut object, self.cache, RULES);
        if !self.meta.is_empty() {
            put(&mut object, "_meta", self.meta.clone());
        }
        object.serialize(serializer)
    }
}
