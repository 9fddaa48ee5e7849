//! JSON templates of parts. [`Form::fill`] writes a template from a part, and [`Form::read`] reads JSON that other programs wrote.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    documents::unique,
    json_ref::Json,
    media::What,
    part::{Part, PartOf},
    phrases,
    validate::found::at,
};

/// The `_meta` member of a text block of Codex whose text only the provider can decrypt.
const ENCRYPTED: &str = "codex/encryptedContent";
/// The `_meta` member of a picture with the level of detail to read it in.
const DETAIL: &str = "codex/imageDetail";

/// The forms of a target, each with what it is for; the first that a part can fill is sent.
pub(super) type Forms = &'static [(Kind, Form)];

/// What a form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Texts, and what is sent as text.
    Text,
    /// The structured value.
    Json,
    Image,
    Audio,
    File,
    /// Pictures, sounds and files.
    Media,
    /// Resources of text.
    Document,
    Link,
}

/// JSON with places in it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    Is(&'static str),
    Object(&'static [(&'static str, Self)]),
    Text,
    /// A text that is not blank.
    Words,
    /// A text that only the provider can decrypt.
    Encrypted,
    /// Any value.
    Json,
    /// A value that is an object.
    JsonObject,
    Type,
    /// The target's name for the MIME type.
    Key(&'static str),
    /// LlamaIndex's name for a type of sound.
    SoundFormat,
    Data,
    DataUrl,
    /// The address of a link.
    Url,
    /// The address of a link to a picture.
    PictureUrl,
    /// The name of a file, or some name where it has none.
    FileName,
    /// The same for Bedrock, which accepts no name twice.
    DocumentName,
    /// The name of a file, if it has one.
    Name,
    /// The address of a resource, if it is to be sent.
    Address,
    /// The MIME type of a link, if it has one.
    LinkType,
    /// The level of detail that Codex reads a picture in.
    Detail,
}

/// A visitor of places: it gets the form, the value that is there, its path, and whether it is an object's first member.
type Visit<'v, 'f> = dyn FnMut(&Form, Option<&'v Value>, &str, bool) + 'f;

/// Forms as the JSON that they are: strings stand for themselves, words for places, `[KEYS]` for names of types.
macro_rules! forms {
    ($($kind:ident $form:tt)+) => {
        &[$(($crate::convert::shape::Kind::$kind, forms!(@ $form))),+]
    };
    (@ { $($name:literal: $value:tt),+ }) => {
        $crate::convert::shape::Form::Object(&[$(($name, forms!(@ $value))),+])
    };
    (@ [$keys:ident]) => { $crate::convert::shape::Form::Key($keys) };
    (@ $text:literal) => { $crate::convert::shape::Form::Is($text) };
    (@ $place:ident) => { $crate::convert::shape::Form::$place };
}
pub(super) use forms;

impl Kind {
    pub(super) fn is_of(self, part: &Part<'_>) -> bool {
        match part {
            Part::Text(_) => self == Self::Text,
            // Where there is no form for JSON its text is sent.
            Part::Structured(_) => matches!(self, Self::Json | Self::Text),
            Part::Media(What::Image, _) => matches!(self, Self::Image | Self::Media),
            Part::Media(What::Audio, _) => matches!(self, Self::Audio | Self::Media),
            Part::Media(What::File, _) => matches!(self, Self::File | Self::Media),
            Part::Document(_) => self == Self::Document,
            Part::Link(_) => self == Self::Link,
            Part::Other(_) => self == Self::Json,
        }
    }
}

/// The part of a part, whose texts and data it takes; `None` if there is no form for it.
/// The flags are those of the carrier, the names those of the documents before it.
pub(super) fn part<'a>(
    forms: Forms,
    mut part: PartOf<'a>,
    (as_json, addresses): (bool, bool),
    names: &mut BTreeSet<String>,
) -> Option<Json<'a>> {
    forms.iter().find_map(|(kind, form)| {
        let is_its = kind.is_of(&part.part) && (as_json || *kind != Kind::Json);
        is_its.then(|| form.fill(&mut part, addresses, names))?
    })
}

impl Form {
    /// Whether a part may be without it.
    pub(super) fn is_optional(self) -> bool {
        matches!(
            self,
            Self::Name | Self::Address | Self::LinkType | Self::Detail
        )
    }

    /// Takes the part's text and data: what may be missing stands before them in a form, or the carrier has refused the part.
    fn fill<'a>(
        &self,
        part: &mut PartOf<'a>,
        addresses: bool,
        names: &mut BTreeSet<String>,
    ) -> Option<Json<'a>> {
        Some(match (self, &mut part.part) {
            (Self::Is(text), _) => (*text).into(),
            (Self::Object(members), _) => {
                let mut filled = Vec::with_capacity(members.len());
                for (name, form) in *members {
                    match form.fill(part, addresses, names) {
                        Some(value) => filled.push((*name, value)),
                        None if form.is_optional() => (),
                        None => return None,
                    }
                }
                Json::Object(filled)
            }
            (Self::Text | Self::Words, Part::Structured(value)) => {
                Json::Encoded(std::mem::take(value))
            }
            (Self::Text, Part::Text(text)) => std::mem::take(text).into(),
            (Self::Words, Part::Text(text) | Part::Document(text)) if !text.trim().is_empty() => {
                std::mem::take(text).into()
            }
            (Self::Encrypted, Part::Text(text)) => {
                let flag = part.meta.and_then(|it| it.get(ENCRYPTED)?.as_bool());
                let is_encrypted = flag == Some(true) && part.kind == "text";
                is_encrypted.then(|| std::mem::take(text).into())?
            }
            (Self::Json | Self::JsonObject, Part::Structured(value) | Part::Other(value)) => {
                Json::Value(std::mem::take(value))
            }
            (Self::Url, Part::Link(link)) => link.uri.into(),
            (Self::PictureUrl, Part::Link(link)) => link.is_picture().then(|| link.uri.into())?,
            (Self::LinkType, Part::Link(link)) => link.mime_type?.into(),
            (Self::Detail, _) => {
                let detail = part.meta.and_then(|it| it.get(DETAIL)?.as_str());
                let is_level = |it: &&str| matches!(*it, "auto" | "low" | "high" | "original");
                detail.filter(is_level).unwrap_or("high").into()
            }
            (form, Part::Media(_, media)) => match *form {
                Self::Type => media.type_or_bytes().into(),
                Self::Key(keys) => phrases::named(keys).find(|(it, _)| media.is(it))?.1.into(),
                Self::SoundFormat => match media.type_or_bytes().rsplit('/').next() {
                    // As the package calls it by its bytes.
                    Some("mpeg") | None => "mp3".into(),
                    Some(format) => format.to_owned().into(),
                },
                Self::Data => std::mem::take(&mut media.data).into(),
                Self::DataUrl => Json::DataUrl {
                    mime_type: media.type_or_bytes(),
                    data: std::mem::take(&mut media.data),
                },
                Self::FileName => media.name_or_some().into(),
                Self::DocumentName => unique(&media.name().unwrap_or_default(), names).into(),
                Self::Name => media.name()?.into(),
                Self::Address if addresses => media.uri.filter(|it| !it.is_empty())?.into(),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Visits each place of the form with what the value has there, the path to it, and whether it is an object's first member.
    pub(super) fn read<'v>(
        &self,
        value: Option<&'v Value>,
        (path, is_first): (&str, bool),
        visit: &mut Visit<'v, '_>,
    ) {
        match (self, value) {
            (Self::Object(members), Some(value)) => {
                for (place, (name, form)) in members.iter().enumerate() {
                    form.read(value.get(*name), (&at(path, name), place == 0), visit);
                }
            }
            _ => visit(self, value, path, is_first),
        }
    }

    /// Whether the strings of the form are in the value, and its first member; if it is whole, all that a part has to have.
    fn is_meant(&self, value: &Value, whole: bool) -> bool {
        let mut is_meant = true;
        self.read(Some(value), ("", true), &mut |form, value, _, is_first| {
            is_meant &= match (form, value) {
                (Self::Is(text), Some(value)) => value.as_str() == Some(text),
                (_, Some(_)) => true,
                (form, None) if whole => form.is_optional(),
                (form, None) => !is_first && !matches!(form, Self::Is(_) | Self::Object(_)),
            };
        });
        is_meant
    }
}

/// The form that a given part has: one with all its members, else one with its strings.
pub(super) fn meant(forms: Forms, part: &Value) -> Option<&'static (Kind, Form)> {
    let meant = |whole| forms.iter().find(|(_, form)| form.is_meant(part, whole));
    meant(true).or_else(|| meant(false))
}
