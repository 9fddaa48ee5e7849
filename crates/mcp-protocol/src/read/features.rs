//! Tools, resources, prompts and completions as servers list and send them.

use serde_json::Value;

use super::{
    FromWire, Unreadable,
    members::{FromMembers, Members},
};
use crate::{
    completion::Completion,
    content::{ContentBlock, Role},
    icon::{Icon, Theme},
    prompt::{GetPromptResult, Prompt, PromptArgument, PromptMessage},
    resource::{ReadResourceResult, Resource, ResourceTemplate},
    tool::{Tool, ToolAnnotations},
};

impl FromMembers for Tool {
    fn from_members(mut members: Members<'_>) -> Result<Self, Unreadable> {
        let name = members.required_string("name")?;
        let input_schema = match members.take("inputSchema") {
            Some(schema @ Value::Object(_)) => schema,
            other => return Err(Unreadable::new("inputSchema", "an object", other.as_ref())),
        };
        let annotations = members.take("annotations");
        // Before 2025-06-18 this is its only title.
        let title = annotations
            .as_ref()
            .and_then(|it| it.get("title")?.as_str());
        let title = title.map(str::to_owned);
        Ok(Self {
            name,
            title: members.string("title").or(title),
            description: members.string("description").unwrap_or_default(),
            input_schema,
            output_schema: members.take("outputSchema").filter(Value::is_object),
            annotations: match annotations {
                Some(hints) => ToolAnnotations::from_wire(hints).unwrap_or_default(),
                None => ToolAnnotations::default(),
            },
            icons: members.list("icons"),
            meta: members.object("_meta"),
        })
    }
}

impl FromWire for ToolAnnotations {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("annotations", value)?;
        let worst = Self::default();
        Ok(Self {
            read_only: members.bool("readOnlyHint").unwrap_or(worst.read_only),
            destructive: members.bool("destructiveHint").unwrap_or(worst.destructive),
            idempotent: members.bool("idempotentHint").unwrap_or(worst.idempotent),
            open_world: members.bool("openWorldHint").unwrap_or(worst.open_world),
        })
    }
}

impl FromWire for Icon {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
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
    fn from_members(mut members: Members<'_>) -> Result<Self, Unreadable> {
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
    fn from_members(mut members: Members<'_>) -> Result<Self, Unreadable> {
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

impl FromWire for ReadResourceResult {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
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
    fn from_members(mut members: Members<'_>) -> Result<Self, Unreadable> {
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
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
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
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
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
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("messages", value)?;
        let role = Role::new(&members.required_string("role")?);
        match members.take("content") {
            Some(content) => Ok(Self::new(role, ContentBlock::from_wire(content)?)),
            None => Err(Unreadable::new("content", "a block", None)),
        }
    }
}

/// What `completion/complete` returns.
impl FromWire for Completion {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        let found = members.take("completion").unwrap_or_default();
        let mut members = Members::of("completion", found)?;
        Ok(Self {
            values: members.list("values"),
            total: members.whole("total"),
        })
    }
}
