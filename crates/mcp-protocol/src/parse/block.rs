//! Reading one block. A member of the wrong kind goes to the unknown ones if it may be absent; if it may
//! not, the block is kept as a whole.

use serde_json::Value;

use super::diagnostic::{Diagnostic, Problem};
use crate::{
    content::{
        Annotations, Attributes, ContentBlock, Embedded, Media, ResourceContents, ResourceLink,
        Role, Text,
    },
    json::Object,
};

pub(super) fn read(value: &Value, index: usize, diagnostics: &mut Vec<Diagnostic>) -> ContentBlock {
    let path = format!("content[{index}]");
    let Some(object) = value.as_object() else {
        diagnostics.push(Diagnostic::expected(path, "an object", value));
        return ContentBlock::Other(value.clone());
    };
    let mut members = Members::new(object, path, diagnostics);
    let block = match members.required("type").as_deref() {
        None => None,
        Some("text") => text(&mut members),
        Some("image") => media(&mut members).map(ContentBlock::Image),
        Some("audio") => media(&mut members).map(ContentBlock::Audio),
        Some("resource_link") => resource_link(&mut members),
        Some("resource") => resource(&mut members),
        Some(kind) => {
            let kind = kind.to_owned();
            members.problem(Problem::UnknownBlock { kind });
            None
        }
    };
    block.unwrap_or_else(|| ContentBlock::Other(value.clone()))
}

fn text(members: &mut Members<'_, '_>) -> Option<ContentBlock> {
    let text = members.required("text")?;
    let attributes = attributes(members);
    Some(ContentBlock::Text(Text { text, attributes }))
}

fn media(members: &mut Members<'_, '_>) -> Option<Media> {
    // Both are looked at, so that both are named if both are wrong.
    let (data, mime_type) = (members.required("data"), members.required("mimeType"));
    Some(Media {
        data: data?,
        mime_type: mime_type?,
        attributes: attributes(members),
    })
}

fn resource_link(members: &mut Members<'_, '_>) -> Option<ContentBlock> {
    let (uri, name) = (members.required("uri"), members.required("name"));
    let mut link = ResourceLink {
        uri: uri?,
        name: name?,
        title: members.string("title"),
        description: members.string("description"),
        mime_type: members.string("mimeType"),
        ..ResourceLink::default()
    };
    link.size = members.optional("size", "a whole number", Value::as_u64);
    link.icons = members.optional("icons", "an array", |it| it.as_array().cloned());
    link.attributes = attributes(members);
    Some(ContentBlock::ResourceLink(Box::new(link)))
}

fn resource(members: &mut Members<'_, '_>) -> Option<ContentBlock> {
    let Some(value) = members.object.get("resource") else {
        let path = members.path_of("resource");
        members.diagnostics.push(Diagnostic::missing(path));
        return None;
    };
    let path = members.path_of("resource");
    let Some(object) = value.as_object() else {
        members
            .diagnostics
            .push(Diagnostic::expected(path, "an object", value));
        return None;
    };
    members.taken.push("resource");
    let mut inner = Members::new(object, path, members.diagnostics);
    let mut resource = ResourceContents {
        uri: inner.required("uri")?,
        mime_type: inner.string("mimeType"),
        text: inner.string("text"),
        blob: inner.string("blob"),
        ..ResourceContents::default()
    };
    resource.meta = inner.optional("_meta", "an object", |it| it.as_object().cloned());
    if resource.text.is_none() && resource.blob.is_none() {
        inner.problem(Problem::NoContents);
    }
    resource.extra = inner.rest();
    let attributes = attributes(members);
    Some(ContentBlock::Resource(Box::new(Embedded {
        resource,
        attributes,
    })))
}

fn attributes(members: &mut Members<'_, '_>) -> Attributes {
    let path = members.path_of("annotations");
    let annotations = members.optional("annotations", "an object", |it| it.as_object());
    let annotations = annotations.map(|object| {
        let mut members = Members::new(object, path, members.diagnostics);
        Annotations {
            audience: audience(&mut members),
            priority: members.optional("priority", "a number", |it| it.as_number().cloned()),
            last_modified: members.string("lastModified"),
            extra: members.rest(),
        }
    });
    Attributes {
        annotations,
        meta: members.optional("_meta", "an object", |it| it.as_object().cloned()),
        extra: members.rest(),
    }
}

fn audience(members: &mut Members<'_, '_>) -> Option<Vec<Role>> {
    let roles = members.optional("audience", "an array of strings", |value| {
        let roles = value.as_array()?.iter();
        roles
            .map(|it| it.as_str().map(Role::new))
            .collect::<Option<Vec<_>>>()
    })?;
    for role in &roles {
        if let Role::Other(name) = role {
            let path = members.path_of("audience");
            members.diagnostics.push(Diagnostic {
                path,
                problem: Problem::UnknownRole(name.clone()),
            });
        }
    }
    Some(roles)
}

/// The members of one object, and which of them have been understood.
struct Members<'a, 'd> {
    object: &'a Object,
    path: String,
    taken: Vec<&'static str>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a, 'd> Members<'a, 'd> {
    fn new(object: &'a Object, path: String, diagnostics: &'d mut Vec<Diagnostic>) -> Self {
        Self {
            object,
            path,
            taken: Vec::new(),
            diagnostics,
        }
    }

    fn path_of(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }

    fn problem(&mut self, problem: Problem) {
        let path = self.path.clone();
        self.diagnostics.push(Diagnostic { path, problem });
    }

    fn required(&mut self, name: &'static str) -> Option<String> {
        if !self.object.contains_key(name) {
            let path = self.path_of(name);
            self.diagnostics.push(Diagnostic::missing(path));
        }
        self.string(name)
    }

    fn string(&mut self, name: &'static str) -> Option<String> {
        self.optional(name, "a string", |it| it.as_str().map(str::to_owned))
    }

    fn optional<T>(
        &mut self,
        name: &'static str,
        expected: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.object.get(name)?;
        let read = read(value);
        if read.is_some() {
            self.taken.push(name);
        } else {
            let path = self.path_of(name);
            self.diagnostics
                .push(Diagnostic::expected(path, expected, value));
        }
        read
    }

    /// What has not been understood.
    fn rest(&self) -> Object {
        let rest = self
            .object
            .iter()
            .filter(|(name, _)| !self.taken.contains(&name.as_str()));
        rest.map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }
}
