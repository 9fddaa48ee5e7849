//! Tool results, content blocks, resources, prompts and completions as servers send them.

use serde_json::{Value, json};

use super::{
    members::{FromMembers, FromWire, Members, without_null},
    result::read_block,
    unreadable::DecodeError,
};
use crate::{
    Completion, ContentBlock, ErrorObject, GetPromptResult, Icon, Prompt, PromptArgument,
    PromptMessage, ReadResourceResult, RequestId, Resource, ResourceTemplate, ServerInfo,
    SkillEntry, SkillFileEntry, Theme,
    content::{Annotations, ResourceContents, Role},
};

impl FromWire for Icon {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("icons", value)?;
        Ok(Self {
            src: members.required_string("src")?,
            mime_type: members.string("mimeType"),
            sizes: members.list("sizes"),
            theme: match members.string("theme").as_deref() {
                Some("light") => Some(Theme::Light),
                Some("dark") => Some(Theme::Dark),
                Some(_) | None => None,
            },
        })
    }
}

impl FromMembers for Resource {
    fn from_members(mut members: Members<'_>) -> Result<Self, DecodeError> {
        let uri = members.required_string("uri")?;
        Ok(Self {
            name: members.string("name").unwrap_or_else(|| uri.clone()),
            uri,
            title: members.string("title"),
            description: members.string("description"),
            mime_type: members.string("mimeType"),
            size: members.whole("size"),
            annotations: members.read("annotations"),
            icons: members.list("icons"),
            meta: members.object("_meta"),
        })
    }
}

impl FromMembers for ResourceTemplate {
    fn from_members(mut members: Members<'_>) -> Result<Self, DecodeError> {
        let uri_template = members.required_string("uriTemplate")?;
        Ok(Self {
            name: members
                .string("name")
                .unwrap_or_else(|| uri_template.clone()),
            uri_template,
            title: members.string("title"),
            description: members.string("description"),
            mime_type: members.string("mimeType"),
            annotations: members.read("annotations"),
            icons: members.list("icons"),
            meta: members.object("_meta"),
        })
    }
}

impl FromMembers for SkillEntry {
    fn from_members(mut members: Members<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            uri: members.required_string("uri")?,
            frontmatter: members.object("frontmatter"),
            files: members.list("resources"),
        })
    }
}

impl FromWire for SkillFileEntry {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("resources", value)?;
        Ok(Self {
            uri: members.required_string("uri")?,
            digest: members.string("digest"),
            size: members.whole("size"),
        })
    }
}

impl FromWire for ReadResourceResult {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("result", value)?;
        let contents = members.required_list("contents")?.into_iter();
        Ok(Self {
            contents: contents.flat_map(FromWire::from_wire).collect(),
            cache: members.cache_hint(),
            meta: members.object("_meta"),
        })
    }
}

impl FromMembers for Prompt {
    fn from_members(mut members: Members<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            name: members.required_string("name")?,
            title: members.string("title"),
            description: members.string("description"),
            arguments: members.list("arguments"),
            icons: members.list("icons"),
            meta: members.object("_meta"),
        })
    }
}

impl FromWire for PromptArgument {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("arguments", value)?;
        Ok(Self {
            name: members.required_string("name")?,
            title: members.string("title"),
            description: members.string("description"),
            required: members.bool("required").unwrap_or(false),
        })
    }
}

impl FromWire for GetPromptResult {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("result", value)?;
        let messages = members.required_list("messages")?.into_iter();
        Ok(Self {
            description: members.string("description"),
            messages: messages.flat_map(FromWire::from_wire).collect(),
            meta: members.object("_meta"),
        })
    }
}

impl FromWire for PromptMessage {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("messages", value)?;
        let role = Role::from(members.required_string("role")?.as_str());
        match members.take("content") {
            Some(content) => Ok(Self::new(role, ContentBlock::from_wire(content)?)),
            None => Err(DecodeError::new("content", "a block", None)),
        }
    }
}

/// Reads the result of `completion/complete`.
impl FromWire for Completion {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("result", value)?;
        let found = members.take("completion").unwrap_or_default();
        let mut members = Members::of("completion", found)?;
        Ok(Self {
            values: members.list("values"),
            total: members.whole("total"),
        })
    }
}

/// Reads any value as a block. A block that no revision defines is [`ContentBlock::Other`].
impl FromWire for ContentBlock {
    fn from_wire(mut value: Value) -> Result<Self, DecodeError> {
        without_null(&mut value);
        Ok(read_block(value))
    }
}

impl FromWire for Annotations {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let found = DecodeError::new("annotations", "an object", Some(&value));
        let block = read_block(json!({"type": "text", "text": "", "annotations": value}));
        match block {
            ContentBlock::Text(text) => text.attributes.annotations.ok_or(found),
            _ => Err(found),
        }
    }
}

impl FromWire for ResourceContents {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("contents", value)?;
        Ok(Self {
            uri: members.required_string("uri")?,
            mime_type: members.string("mimeType"),
            text: members.string("text"),
            blob: members.string("blob"),
            meta: members
                .take("_meta")
                .and_then(|it| serde_json::from_value(it).ok()),
            extra: {
                let mut extra = members.rest();
                extra.retain(|_, it| !it.is_null());
                extra
            },
        })
    }
}

impl FromWire for ErrorObject {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let error = value.is_object().then(|| Self::read(&value));
        error.ok_or_else(|| DecodeError::new("error", "an object", Some(&value)))
    }
}

impl FromWire for RequestId {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let id = Self::read(&value);
        id.ok_or_else(|| DecodeError::new("id", "a string or an integer", Some(&value)))
    }
}

impl FromWire for ServerInfo {
    fn from_wire(value: Value) -> Result<Self, DecodeError> {
        let mut members = Members::of("serverInfo", value)?;
        Ok(Self {
            name: members.required_string("name")?,
            version: members.string("version").unwrap_or_default(),
            title: members.string("title"),
            description: members.string("description"),
            website_url: members.string("websiteUrl"),
            icons: members.list("icons"),
        })
    }
}
