//! The content of a resource in the form shown by its app.

use qortal_apps::{
    embed::without_keys,
    identifier::{Item, Kind},
    qdn::{Content as Read, Document, Encrypted, Form, raw},
    text::{has_tags, html},
};
use qortal_types::{Address, PublicKey};

use super::content::Content;

/// The note on a document in an unknown form.
pub(crate) const UNKNOWN_FORM: &str = "The document has a form that is not known: the text is the texts found in it. get_qdn_resource with detail=full adds it as JSON.";

/// The visible content of a resource.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// The kind of document, if its content reveals it.
    pub(crate) form: Option<&'static str>,
    pub(crate) title: Option<String>,
    pub(crate) text: Option<String>,
    /// The document as JSON without secrets.
    pub(crate) raw: Option<String>,
    pub(crate) is_deleted: bool,
    /// Whether the form is unknown. The text then consists of the texts found in it.
    pub(crate) is_unknown: bool,
    pub(crate) encrypted: Option<Encrypted>,
}

impl Shown {
    /// Reads the content. JSON that belongs to no official app is shown unchanged if it fits.
    pub(crate) fn of(item: Option<&Item>, content: &Content, fits: usize) -> Self {
        let text = content.text();
        // The files of apps and websites are programs and pages, which are shown unchanged.
        let is_document = |item: &&Item| !matches!(item.kind, Kind::App | Kind::Website);
        let item = item.filter(is_document);
        match Read::read(item, &content.bytes, content.is_complete) {
            Read::Deleted => Self {
                is_deleted: true,
                ..Self::default()
            },
            Read::Encrypted(encrypted) => Self {
                encrypted: Some(encrypted),
                ..Self::default()
            },
            Read::Document(document) if text.is_some() => {
                Self::of_document(item, content, document, fits)
            }
            Read::Document(_) | Read::Other => Self {
                text: text.map(|text| match item {
                    Some(_) if has_tags(text) => html(text).text,
                    _ => without_keys(text).into_owned(),
                }),
                ..Self::default()
            },
        }
    }

    fn of_document(
        item: Option<&Item>,
        content: &Content,
        document: Document,
        fits: usize,
    ) -> Self {
        let raw = raw(&content.bytes, content.is_complete);
        let is_unknown = document.form == Form::Unknown;
        let text = content.text().filter(|text| {
            is_unknown && item.is_none() && content.is_complete && text.chars().count() <= fits
        });
        let as_json = text
            .zip(raw.as_ref())
            .map(|(text, raw)| match raw.is_plain {
                true => text.to_owned(),
                false => raw.json.clone(),
            });
        Self {
            form: (!is_unknown).then(|| document.form.label()),
            title: document.title,
            is_unknown: is_unknown && as_json.is_none(),
            text: Some(as_json.unwrap_or(document.text)),
            raw: raw.map(|raw| raw.json),
            ..Self::default()
        }
    }

    /// Returns the kind as text: the app's, or else the document's.
    pub(crate) fn kind(&self, item: Option<&Item>) -> Option<String> {
        let kind = item.map(Item::to_string);
        kind.or_else(|| self.form.map(str::to_owned))
    }

    /// Returns the account that encrypted it.
    pub(crate) fn sender(&self) -> Option<Address> {
        let Some(Encrypted::ForReaders { sender, .. }) = self.encrypted else {
            return None;
        };
        sender.map(|key| PublicKey::from_bytes(key).address())
    }

    /// Returns the number of accounts that can read it.
    pub(crate) fn readers(&self) -> Option<u32> {
        match self.encrypted {
            Some(Encrypted::ForReaders { readers, .. }) => readers,
            Some(Encrypted::ForOne) => Some(1),
            Some(Encrypted::ForGroup { .. }) | None => None,
        }
    }

    /// Returns a sentence about its encryption.
    pub(crate) fn encryption(&self, item: Option<&Item>) -> String {
        let group = item.and_then(|item| item.group_id);
        let readers = match (&self.encrypted, group) {
            (Some(Encrypted::ForReaders { .. }), _) => match self.readers() {
                Some(1) => " for one account".to_owned(),
                Some(readers) => format!(" for {readers} accounts, the sender among them"),
                None => String::new(),
            },
            (Some(Encrypted::ForOne), _) => " for one account".to_owned(),
            (Some(Encrypted::ForGroup { .. }), Some(group)) => {
                format!(" for the members of group {group}")
            }
            (Some(Encrypted::ForGroup { .. }), None) => " for the members of a group".to_owned(),
            (None, _) => String::new(),
        };
        format!("It is encrypted{readers}, and cannot be read here.")
    }
}
