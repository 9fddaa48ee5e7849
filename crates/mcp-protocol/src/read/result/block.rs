//! Reading one block. An optional field of the wrong type becomes an unknown field. If a required field has the wrong
//! type, the complete block is preserved as it is.

use serde_json::Value;

use super::diagnostic::{Diagnostic, Problem};
use crate::{
    ContentBlock, Object,
    content::{
        Annotations, BlockAttributes, EmbeddedResource, MediaContent, ResourceContents,
        ResourceLink, Role, TextContent,
    },
};

/// Reads a block by taking the value apart, without copies.
pub(super) fn read(value: Value, index: usize, diagnostics: &mut Vec<Diagnostic>) -> ContentBlock {
    let path = || format!("content[{index}]");
    let object = match value {
        Value::Object(object) => object,
        other => {
            diagnostics.push(Diagnostic::expected(path(), "an object", &other));
            return ContentBlock::Other(other);
        }
    };
    let Some(kind) = Kind::of(&object, &path, diagnostics) else {
        return ContentBlock::Other(Value::Object(object));
    };
    let mut members = Members::new(object, path, diagnostics);
    members.take("type");
    match kind {
        Kind::Text => ContentBlock::Text(TextContent {
            text: members.string("text").unwrap_or_default(),
            attributes: attributes(members),
        }),
        Kind::Image => ContentBlock::Image(media(members)),
        Kind::Audio => ContentBlock::Audio(media(members)),
        Kind::ResourceLink => resource_link(members),
        Kind::Resource => resource(members),
    }
}

/// The type of a block with all its required fields.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Image,
    Audio,
    ResourceLink,
    Resource,
}

impl Kind {
    fn of(
        object: &Object,
        path: &dyn Fn() -> String,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let mut strings =
            |names: &[&str]| has_strings(object, path, names, diagnostics).then_some(());
        strings(&["type"])?;
        match object.get("type")?.as_str()? {
            "text" => strings(&["text"]).map(|()| Self::Text),
            "image" => strings(&["data", "mimeType"]).map(|()| Self::Image),
            "audio" => strings(&["data", "mimeType"]).map(|()| Self::Audio),
            "resource_link" => strings(&["uri", "name"]).map(|()| Self::ResourceLink),
            "resource" => {
                let path = || format!("{}.resource", path());
                match object.get("resource") {
                    None => diagnostics.push(Diagnostic::missing(path())),
                    Some(Value::Object(resource)) => {
                        let has_uri = has_strings(resource, &path, &["uri"], diagnostics);
                        return has_uri.then_some(Self::Resource);
                    }
                    Some(other) => {
                        diagnostics.push(Diagnostic::expected(path(), "an object", other));
                    }
                }
                None
            }
            kind => {
                diagnostics.push(Diagnostic {
                    path: path(),
                    problem: Problem::UnknownBlock {
                        kind: kind.to_owned(),
                    },
                });
                None
            }
        }
    }
}

/// Returns whether all of these fields are strings, and reports each one that is not.
fn has_strings(
    object: &Object,
    path: &dyn Fn() -> String,
    names: &[&str],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let before = diagnostics.len();
    for name in names {
        let path = || format!("{}.{name}", path());
        match object.get(*name) {
            Some(Value::String(_)) => (),
            Some(other) => diagnostics.push(Diagnostic::expected(path(), "a string", other)),
            None => diagnostics.push(Diagnostic::missing(path())),
        }
    }
    diagnostics.len() == before
}

fn media<P: Fn() -> String>(mut members: Members<'_, P>) -> MediaContent {
    MediaContent {
        data: members.string("data").unwrap_or_default(),
        mime_type: members.string("mimeType").unwrap_or_default(),
        attributes: attributes(members),
    }
}

fn resource_link<P: Fn() -> String>(mut members: Members<'_, P>) -> ContentBlock {
    let mut link = ResourceLink {
        uri: members.string("uri").unwrap_or_default(),
        name: members.string("name").unwrap_or_default(),
        title: members.string("title"),
        description: members.string("description"),
        mime_type: members.string("mimeType"),
        ..ResourceLink::default()
    };
    let size = members.optional("size", "a whole number", Value::is_u64);
    link.size = size.and_then(|it| it.as_u64());
    link.icons = match members.optional("icons", "an array", Value::is_array) {
        Some(Value::Array(icons)) => Some(icons),
        Some(_) | None => None,
    };
    link.attributes = attributes(members);
    ContentBlock::ResourceLink(Box::new(link))
}

fn resource<P: Fn() -> String>(mut members: Members<'_, P>) -> ContentBlock {
    let object = members.object("resource").unwrap_or_default();
    let path = || (members.path)() + ".resource";
    let mut inner = Members::new(object, path, members.diagnostics);
    let mut resource = ResourceContents {
        uri: inner.string("uri").unwrap_or_default(),
        mime_type: inner.string("mimeType"),
        text: inner.string("text"),
        blob: inner.string("blob"),
        meta: inner.object("_meta"),
        ..ResourceContents::default()
    };
    if resource.text.is_none() && resource.blob.is_none() {
        inner.problem(Problem::NoContents);
    }
    resource.extra = inner.rest();
    ContentBlock::Resource(Box::new(EmbeddedResource {
        resource,
        attributes: attributes(members),
    }))
}

fn attributes<P: Fn() -> String>(mut members: Members<'_, P>) -> BlockAttributes {
    let annotations = members.object("annotations").map(|object| {
        let path = || (members.path)() + ".annotations";
        let mut members = Members::new(object, path, members.diagnostics);
        Annotations {
            audience: audience(&mut members),
            priority: match members.optional("priority", "a number", Value::is_number) {
                Some(Value::Number(priority)) => Some(priority),
                Some(_) | None => None,
            },
            last_modified: members.string("lastModified"),
            extra: members.rest(),
        }
    });
    BlockAttributes {
        annotations,
        meta: members.object("_meta"),
        extra: members.rest(),
    }
}

fn audience<P: Fn() -> String>(members: &mut Members<'_, P>) -> Option<Vec<Role>> {
    let roles = members.optional("audience", "an array of strings", |value| {
        let roles = value.as_array();
        roles.is_some_and(|it| it.iter().all(Value::is_string))
    })?;
    let roles = roles.as_array()?.iter().filter_map(Value::as_str);
    let roles: Vec<Role> = roles.map(Role::from).collect();
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

/// The fields of an object that have not been interpreted yet, in their order.
struct Members<'d, P> {
    members: Vec<(String, Value)>,
    path: P,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'d, P: Fn() -> String> Members<'d, P> {
    fn new(object: Object, path: P, diagnostics: &'d mut Vec<Diagnostic>) -> Self {
        Self {
            members: object.into_iter().collect(),
            path,
            diagnostics,
        }
    }

    fn path_of(&self, name: &str) -> String {
        format!("{}.{name}", (self.path)())
    }

    fn problem(&mut self, problem: Problem) {
        let path = (self.path)();
        self.diagnostics.push(Diagnostic { path, problem });
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.members.iter().position(|(it, _)| it == name)?;
        Some(self.members.remove(at).1)
    }

    fn string(&mut self, name: &str) -> Option<String> {
        match self.optional(name, "a string", Value::is_string) {
            Some(Value::String(text)) => Some(text),
            Some(_) | None => None,
        }
    }

    fn object(&mut self, name: &str) -> Option<Object> {
        match self.optional(name, "an object", Value::is_object) {
            Some(Value::Object(object)) => Some(object),
            Some(_) | None => None,
        }
    }

    /// Takes the field, if its value is valid.
    fn optional(
        &mut self,
        name: &str,
        expected: &'static str,
        is_expected: impl FnOnce(&Value) -> bool,
    ) -> Option<Value> {
        let at = self.members.iter().position(|(it, _)| it == name)?;
        let (_, value) = self.members.get(at)?;
        if is_expected(value) {
            return Some(self.members.remove(at).1);
        }
        let problem = Diagnostic::expected(self.path_of(name), expected, value);
        self.diagnostics.push(problem);
        None
    }

    /// Returns the fields that have not been interpreted.
    fn rest(self) -> Object {
        self.members.into_iter().collect()
    }
}
