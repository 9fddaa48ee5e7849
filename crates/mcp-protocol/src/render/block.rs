//! Content blocks in the form of a revision, or as they were received.

use serde_json::Value;

use super::projection::ProjectionOptions;
use crate::{
    ContentBlock, Features, Object,
    content::{
        Annotations, BlockAttributes, EmbeddedResource, MediaContent, ResourceLink, Role,
        decoded_len,
    },
    json::{put, put_some},
    loss::{LossKind, Losses, in_bytes},
    ui,
};

/// Returns whether the revision defines blocks of this type, or no revision does.
pub(crate) fn has_block(block: &ContentBlock, rules: &Features) -> bool {
    match block {
        ContentBlock::Audio(_) => rules.audio,
        ContentBlock::ResourceLink(_) => rules.resource_links,
        ContentBlock::Text(_)
        | ContentBlock::Image(_)
        | ContentBlock::Resource(_)
        | ContentBlock::Other(_) => true,
    }
}

impl ContentBlock {
    /// Returns the block as JSON with all its fields, regardless of the revision.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut losses = Losses::default();
        let projection = ProjectionOptions::default();
        let mut printer = Printer {
            rules: None,
            projection: &projection,
            losses: &mut losses,
        };
        // Without rules, nothing is left out.
        printer.block(0, self.clone()).unwrap_or_default()
    }
}

/// A printer of blocks. Without rules it prints all fields.
pub(crate) struct Printer<'a> {
    pub(crate) rules: Option<&'a Features>,
    pub(crate) projection: &'a ProjectionOptions,
    pub(crate) losses: &'a mut Losses,
}

impl Printer<'_> {
    pub(crate) fn block(&mut self, index: usize, block: ContentBlock) -> Option<Value> {
        let mut object = Object::new();
        let kind = block.kind().to_owned();
        let available = self.rules.is_none_or(|rules| has_block(&block, rules));
        let attributes = match block {
            ContentBlock::Other(value) => return self.other(index, kind, value),
            ContentBlock::Text(text) => {
                put(&mut object, "type", kind);
                put(&mut object, "text", text.text);
                text.attributes
            }
            ContentBlock::Audio(media) if !available => self.audio(index, &mut object, media),
            ContentBlock::ResourceLink(link) if !available => {
                self.losses.push(LossKind::BLOCK_AS_TEXT, index, kind);
                put(&mut object, "type", "text");
                put(&mut object, "text", format!("{}: {}", link.name, link.uri));
                link.attributes
            }
            ContentBlock::Image(media) | ContentBlock::Audio(media) => {
                put(&mut object, "type", kind);
                put(&mut object, "data", media.data);
                put(&mut object, "mimeType", media.mime_type);
                media.attributes
            }
            ContentBlock::ResourceLink(link) => {
                put(&mut object, "type", kind);
                self.link(index, &mut object, *link)
            }
            ContentBlock::Resource(embedded) => {
                put(&mut object, "type", kind);
                let EmbeddedResource {
                    resource,
                    attributes,
                } = *embedded;
                let mut inner = Object::new();
                put(&mut inner, "uri", resource.uri);
                put_some(&mut inner, "mimeType", resource.mime_type);
                put_some(&mut inner, "text", resource.text);
                put_some(&mut inner, "blob", resource.blob);
                let path = || format!("content[{index}].resource");
                self.meta(path, &mut inner, resource.meta);
                self.extra(path, &mut inner, resource.extra);
                put(&mut object, "resource", inner);
                attributes
            }
        };
        self.attributes(index, &mut object, attributes);
        Some(Value::Object(object))
    }

    fn other(&mut self, index: usize, kind: String, value: Value) -> Option<Value> {
        if !self.projection.drops_unknown {
            return Some(value);
        }
        self.losses.push(LossKind::BLOCK_DROPPED, index, kind);
        None
    }

    fn audio(&mut self, index: usize, object: &mut Object, media: MediaContent) -> BlockAttributes {
        match &self.projection.audio_uri {
            None => {
                let revision = self.rules.map_or("", |it| it.name);
                let bytes = in_bytes(decoded_len(&media.data));
                let mime_type = &media.mime_type;
                put(object, "type", "text");
                let note = format!("[{mime_type} audio, {bytes}: not available in {revision}]");
                put(object, "text", note);
                self.losses.push(LossKind::BLOCK_NOTED, index, "audio");
            }
            Some(uri) => {
                let mut resource = Object::new();
                put(&mut resource, "uri", uri.as_str());
                put(&mut resource, "mimeType", media.mime_type);
                put(&mut resource, "blob", media.data);
                put(object, "type", "resource");
                put(object, "resource", resource);
            }
        }
        media.attributes
    }

    fn link(&mut self, index: usize, object: &mut Object, link: ResourceLink) -> BlockAttributes {
        put(object, "uri", link.uri);
        put(object, "name", link.name);
        put_some(object, "title", link.title);
        put_some(object, "description", link.description);
        put_some(object, "mimeType", link.mime_type);
        put_some(object, "size", link.size);
        if let Some(icons) = link.icons {
            if self.rules.is_none_or(|it| it.icons) {
                put(object, "icons", icons);
            } else {
                self.dropped(|| format!("content[{index}].icons"));
            }
        }
        link.attributes
    }

    fn attributes(&mut self, index: usize, object: &mut Object, attributes: BlockAttributes) {
        let path = || format!("content[{index}]");
        if let Some(annotations) = attributes.annotations {
            let annotations = self.annotations(index, annotations);
            put(object, "annotations", annotations);
        }
        self.meta(path, object, attributes.meta);
        self.extra(path, object, attributes.extra);
    }

    fn annotations(&mut self, index: usize, annotations: Annotations) -> Object {
        let mut object = Object::new();
        if let Some(audience) = &annotations.audience {
            let names: Vec<Value> = audience.iter().map(|it| Role::name(it).into()).collect();
            put(&mut object, "audience", names);
        }
        if let Some(priority) = annotations.priority {
            put(&mut object, "priority", Value::Number(priority));
        }
        if let Some(last_modified) = annotations.last_modified {
            if self.rules.is_none_or(|it| it.last_modified) {
                put(&mut object, "lastModified", last_modified);
            } else {
                self.dropped(|| format!("content[{index}].annotations.lastModified"));
            }
        }
        self.extra(
            || format!("content[{index}].annotations"),
            &mut object,
            annotations.extra,
        );
        object
    }

    fn meta(&mut self, path: impl Fn() -> String, object: &mut Object, meta: Option<Object>) {
        let Some(mut meta) = meta else { return };
        if self.rules.is_some_and(|it| !it.meta) {
            let members = meta.len();
            meta.retain(|name, _| ui::is_member(name));
            if meta.len() < members || members == 0 {
                self.dropped(|| format!("{}._meta", path()));
            }
            if meta.is_empty() {
                return;
            }
        }
        put(object, "_meta", meta);
    }

    pub(super) fn extra(&mut self, path: impl Fn() -> String, object: &mut Object, extra: Object) {
        if !self.projection.drops_unknown {
            object.extend(extra);
            return;
        }
        for name in extra.keys() {
            let path = path();
            let dot = if path.is_empty() { "" } else { "." };
            self.dropped(|| format!("{path}{dot}{name}"));
        }
    }

    fn dropped(&mut self, path: impl FnOnce() -> String) {
        self.losses.push_field(path());
    }
}
