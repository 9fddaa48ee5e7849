//! Violations in a result, found with the row of its target.

use std::fmt;

use mcp_protocol::content::decoded_len;
use serde_json::Value;

use crate::{
    convert::{
        carrier::{Carrier, Envelope},
        documents::{MAX_DOCUMENT_NAME, is_of_document_name},
        media::{Media, What, canonical},
        phrases,
        shape::{self, Form, Kind},
    },
    encoding,
};

/// A rejected value and the violated rule.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Rejection {
    /// The path of the value, such as `content[1].source.data`. Empty for the entire value.
    pub path: String,
    /// The requirement of the API.
    pub rule: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.rule)
        } else {
            write!(f, "{}: {}", self.path, self.rule)
        }
    }
}

/// What has been found so far.
#[derive(Debug, Default)]
pub struct Found(Vec<Rejection>);

/// What the places of a part say of its bytes.
#[derive(Default)]
struct Bytes<'v> {
    mime_type: Option<&'v str>,
    /// Where the Base64 is, and itself.
    data: Option<(String, &'v str)>,
}

impl Found {
    pub(super) fn into_refusals(self) -> Vec<Rejection> {
        self.0
    }

    pub(crate) fn add(&mut self, path: impl Into<String>, rule: impl Into<String>) {
        self.0.push(Rejection {
            path: path.into(),
            rule: rule.into(),
        });
    }

    /// Reports the rule unless it holds.
    pub(crate) fn check(&mut self, holds: bool, path: &str, rule: &str) {
        if !holds {
            self.add(path, rule);
        }
    }

    /// A member that is this string.
    pub(crate) fn is(&mut self, of: &Value, name: &str, expected: &str) {
        let is_it = of.get(name).and_then(Value::as_str) == Some(expected);
        self.check(is_it, name, &format!("{expected} is required"));
    }

    /// A member that is a string.
    pub(crate) fn text<'v>(&mut self, of: &'v Value, path: &str, name: &str) -> &'v str {
        let value = of.get(name).and_then(Value::as_str);
        self.check(value.is_some(), &at(path, name), "a string is required");
        value.unwrap_or("")
    }

    /// A member that is a text with something in it.
    pub(crate) fn words(&mut self, of: &Value, path: &str, name: &str) {
        let text = self.text(of, path, name);
        let rule = "text must not be blank";
        self.check(!text.trim().is_empty(), &at(path, name), rule);
    }

    /// A text that may be as long as the target reads.
    pub(crate) fn length(&mut self, path: &str, text: &str, carrier: &Carrier) {
        let most = carrier.string_chars;
        let is_long = text.len() > most && text.chars().count() > most;
        let rule = format!("at most {most} characters are allowed");
        self.check(!is_long, path, &rule);
    }

    pub(crate) fn list<'v>(&mut self, of: &'v Value, path: &str, name: &str) -> &'v [Value] {
        let value = of.get(name).and_then(Value::as_array);
        self.check(value.is_some(), &at(path, name), "an array is required");
        value.map(Vec::as_slice).unwrap_or_default()
    }

    /// A member that is a text or a list of parts.
    pub(crate) fn text_or_parts(&mut self, of: &Value, name: &str, carrier: &Carrier) {
        match of.get(name) {
            Some(Value::String(text)) => self.length(name, text, carrier),
            Some(Value::Array(parts)) => self.parts(parts, name, carrier),
            Some(_) | None => self.add(name, "a string or an array is required"),
        }
    }

    /// A member that is a list of parts.
    pub(crate) fn list_of_parts(&mut self, of: &Value, name: &str, carrier: &Carrier) {
        let parts = self.list(of, "", name);
        self.parts(parts, name, carrier);
    }

    /// A result that is its parts and what [`Around`] says.
    pub(crate) fn whole(&mut self, result: &Value, carrier: &Carrier) {
        let is_one_or_many = matches!(carrier.around, Envelope::OneOrMany);
        let (name, parts) = match carrier.around {
            Envelope::Object(name, _) => (name, result.get(name)),
            Envelope::OneOrMany | Envelope::List => ("", Some(result)),
        };
        let Some(Value::Array(parts)) = parts else {
            if is_one_or_many {
                return self.part(result, "", carrier);
            }
            return self.add(name, "an array is required");
        };
        // One JSON value may be a list of nothing.
        let may_be = carrier.no_output.is_none() || is_one_or_many || !parts.is_empty();
        self.check(may_be, name, "one part at least is required");
        self.parts(parts, name, carrier);
    }

    /// Parts, each of which has to be one that the target has.
    pub(crate) fn parts(&mut self, parts: &[Value], path: &str, carrier: &Carrier) {
        for (index, part) in parts.iter().enumerate() {
            self.part(part, &format!("{path}[{index}]"), carrier);
        }
    }

    pub(crate) fn part(&mut self, part: &Value, path: &str, carrier: &Carrier) {
        let Some((kind, form)) = shape::meant(carrier.forms, part) else {
            self.add(path, carrier.wants);
            return;
        };
        let mut bytes = Bytes::default();
        form.read(
            Some(part),
            (path, true),
            &mut |form, value, path, _| match value {
                Some(value) => self.place(value, path, (*kind, form), carrier, &mut bytes),
                None => self.check(form.is_optional(), path, "is required"),
            },
        );
        if let Some((path, data)) = bytes.data {
            self.bytes(&path, bytes.mime_type, data, *kind, carrier);
        }
    }

    /// What stands in a place of a form.
    fn place<'v>(
        &mut self,
        value: &'v Value,
        path: &str,
        (kind, form): (Kind, &Form),
        carrier: &Carrier,
        bytes: &mut Bytes<'v>,
    ) {
        let text = value.as_str().unwrap_or("");
        match form {
            Form::Is(_) | Form::Json => return,
            Form::JsonObject => {
                self.check(value.is_object(), path, "an object is required");
                return;
            }
            _ => self.check(value.is_string(), path, "a string is required"),
        }
        match form {
            Form::Words | Form::FileName | Form::SoundFormat => {
                self.check(!text.trim().is_empty(), path, "text must not be blank");
            }
            Form::DocumentName => self.document_name(path, text),
            Form::Text => self.length(path, text, carrier),
            Form::Type => bytes.mime_type = Some(text),
            Form::Key(keys) => {
                let key = phrases::named(keys).find(|(_, it)| *it == text);
                let names: Vec<&str> = phrases::named(keys).map(|(_, it)| it).collect();
                let (last, others) = names.split_last().unwrap_or((&"", &[]));
                let rule = format!("{} or {last} is required", others.join(", "));
                self.check(key.is_some(), path, &rule);
                bytes.mime_type = Some(key.map_or("", |(it, _)| it));
            }
            Form::Data => bytes.data = Some((parent(path).to_owned(), text)),
            Form::DataUrl if kind == Kind::Image && text.starts_with("https://") => (),
            Form::DataUrl => {
                let parts = text.strip_prefix("data:").and_then(|it| it.split_once(','));
                let parts = parts.and_then(|(it, data)| Some((it.strip_suffix(";base64")?, data)));
                self.check(parts.is_some(), path, "a Base64 data URL is required");
                if let Some((mime_type, data)) = parts {
                    bytes.mime_type = Some(mime_type);
                    bytes.data = Some((path.to_owned(), data));
                }
            }
            Form::Url | Form::PictureUrl => {
                let is_https = text.starts_with("https://");
                self.check(is_https, path, "an https URL is required");
            }
            _ => (),
        }
    }

    fn document_name(&mut self, path: &str, name: &str) {
        let is_short = (1..=MAX_DOCUMENT_NAME).contains(&name.chars().count());
        let rule = format!("a name of 1 to {MAX_DOCUMENT_NAME} characters is required");
        self.check(is_short, path, &rule);
        let mut letters = name.chars();
        let is_name =
            letters.all(|it| it == ' ' || is_of_document_name(it)) && !name.contains("  ");
        let rule =
            "a name has letters, digits, hyphens, parentheses, brackets and no two blanks in a row";
        self.check(is_name, path, rule);
    }

    /// Bytes of a type and a size that the target reads.
    fn bytes(
        &mut self,
        path: &str,
        mime_type: Option<&str>,
        data: &str,
        kind: Kind,
        carrier: &Carrier,
    ) {
        let what = match kind {
            Kind::Image => What::Image,
            Kind::Audio => What::Audio,
            Kind::Media => mime_type.map_or(What::File, What::of),
            _ => What::File,
        };
        let (is_read, most) = carrier.reads(what, mime_type);
        self.check(!data.is_empty(), path, "the data must not be empty");
        let rule = "standard Base64 with padding is required";
        self.check(encoding::is_valid(data), path, rule);
        let is_small = decoded_len(data) <= most;
        self.check(is_small, path, "the data is over the size limit");
        let Some(mime_type) = mime_type else { return };
        let is_read = is_read || carrier.also_read.contains(&mime_type);
        self.check(is_read, path, "a type that the API reads is required");
        let is_type = canonical(mime_type).is_some_and(|it| it == mime_type);
        self.check(is_type, path, "a registered MIME type is required");
        let Some(mut media) = Media::read(data, Some(mime_type), None) else {
            return;
        };
        if let Some(found) = media.correct_type() {
            self.add(path, format!("the bytes are {found}"));
        }
        let is_image = media.mime_type.as_deref().map(What::of) == Some(What::Image);
        let is_large = is_image && carrier.is_too_large(&media);
        self.check(!is_large, path, "the picture has too many pixels");
    }
}

/// The path of a member.
pub(crate) fn at(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// The path of what a member is in.
fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}
