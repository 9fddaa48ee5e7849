//! Links of the form `qortal://use-embed/…`, which the apps show as a card in place of the link
//! (Qortal/Qortal-Hub `src/qortal/get.ts`, `createAndCopyEmbedLink`, and `src/components/Embeds/embed-utils.ts`,
//! `parseQortalLink`, commit c93f78a2).

use std::{borrow::Cow, ops::Range};

use percent_encoding::percent_decode_str;

use crate::text;

/// The beginning of the links.
const PREFIX: &str = "qortal://use-embed/";
/// Replaces a secret in shown text.
pub const REDACTED: &str = "…";

/// A card shown in place of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Embed {
    /// The kind of card.
    pub kind: EmbedKind,
    /// The poll's name, or the name of the publisher.
    pub name: String,
    /// The resource's service.
    pub service: Option<String>,
    /// The resource's identifier.
    pub identifier: Option<String>,
    /// The name of the file.
    pub file_name: Option<String>,
    /// The media type.
    pub mime_type: Option<String>,
    /// The encryption of the resource: `group` or `private`.
    pub encryption: Option<String>,
    /// The target of the card.
    pub reference: Option<String>,
}

/// The kind of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EmbedKind {
    /// A poll, by name.
    Poll,
    /// A picture.
    Image,
    /// A video.
    Video,
    /// A file.
    Attachment,
    /// A kind unknown to the official apps.
    Other,
}

impl Embed {
    /// Reads a link. Returns `None` if it is not an embed link or does not name anything.
    ///
    /// A shared `key` of the resource is not read: it is a secret.
    #[must_use]
    pub fn read(link: &str) -> Option<Self> {
        let (kind, query) = link.strip_prefix(PREFIX)?.split_once('?')?;
        let value = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let (_, value) = pairs.find(|(found, _)| parameter(found) == name)?;
            Some(decoded(value)).filter(|it| !it.is_empty())
        };
        let kind = kind.split('/').next().unwrap_or_default();
        Some(Self {
            kind: EmbedKind::of(kind),
            name: value("name")?,
            service: value("service"),
            identifier: value("identifier"),
            file_name: value("fileName"),
            mime_type: value("mimeType"),
            encryption: value("encryptionType"),
            reference: value("ref"),
        })
    }
}

impl EmbedKind {
    fn of(name: &str) -> Self {
        match name.to_ascii_uppercase().as_str() {
            "POLL" => Self::Poll,
            "IMAGE" => Self::Image,
            "VIDEO" => Self::Video,
            "ATTACHMENT" => Self::Attachment,
            _ => Self::Other,
        }
    }
}

/// Returns the embed links in a text and their places, in order.
pub fn embeds(text: &str) -> impl Iterator<Item = (Range<usize>, Embed)> {
    text::links(text).filter_map(|place| {
        let embed = Embed::read(text.get(place.clone())?)?;
        Some((place, embed))
    })
}

/// Returns the text with the shared keys in its embed links replaced by `…`.
#[must_use]
pub fn without_keys(text: &str) -> Cow<'_, str> {
    let mut clean = String::new();
    let mut written = 0;
    for place in text::links(text) {
        let link = text.get(place.clone()).unwrap_or_default();
        let Some((_, query)) = { link.strip_prefix(PREFIX) }.and_then(|it| it.split_once('?'))
        else {
            continue;
        };
        let mut start = place.end - query.len();
        for pair in query.split_inclusive('&') {
            if let Some((name, value)) = pair.split_once('=')
                && (parameter(name) == "key" || has_key(value))
            {
                let value_start = start + name.len() + 1;
                clean.push_str(text.get(written..value_start).unwrap_or_default());
                clean.push_str(REDACTED);
                written = value_start + value.trim_end_matches('&').len();
            }
            start += pair.len();
        }
    }
    if written == 0 {
        return text.into();
    }
    clean.push_str(text.get(written..).unwrap_or_default());
    clean.into()
}

/// Whether a value is a link with a key, as the reference of a card can be. It is replaced as a whole.
fn has_key(value: &str) -> bool {
    let link = decoded(value);
    link.contains(PREFIX) && link.contains("key=")
}

/// Returns the name of a parameter. In an HTML document, `&amp;` separates parameters.
fn parameter(name: &str) -> String {
    decoded(name.strip_prefix("amp;").unwrap_or(name).trim())
}

fn decoded(value: &str) -> String {
    percent_decode_str(value).decode_utf8_lossy().into_owned()
}
