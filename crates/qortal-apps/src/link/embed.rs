//! Links to cards, which programs show in place of the link in a chat message.

use super::{
    percent::{decoded, pairs},
    resource::ResourceLink,
    secret::without_keys,
};

/// A card (Qortal/Qortal-Hub c93f78a2, `parseQortalLink` in src/components/Embeds/embed-utils.ts).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embed {
    /// A poll, with a link of the one who shared it.
    Poll {
        /// The name of the poll.
        name: String,
        /// The link beside it, without keys.
        reference: Option<String>,
    },
    /// A picture, a video or another file.
    File(EmbeddedFile),
}

/// A file on a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// The resource with the file.
    pub resource: ResourceLink,
    /// The media type.
    pub mime_type: Option<String>,
    /// The name of the file.
    pub file_name: Option<String>,
    /// The encryption, if there is any.
    pub encryption: Option<Encryption>,
}

/// The readers of an encrypted file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// The members of a private group.
    Group,
    /// Those who have the link: the key is in it.
    Private,
}

impl Embed {
    /// Reads what follows `qortal://use-embed/`. The key of a private file is dropped.
    pub(super) fn read(rest: &str) -> Option<Self> {
        let (card, query) = rest.split_once('?')?;
        let pairs = pairs(query);
        let value = |name: &str| {
            let mut found = pairs.iter().filter(|(key, _)| key == name);
            found.next().map(|(_, value)| value.as_str())
        };
        let name = value("name").filter(|name| !name.is_empty())?;
        let card = card.split('/').next().unwrap_or_default();
        if card.eq_ignore_ascii_case("POLL") {
            // The Hub decodes the reference once more.
            let reference = value("ref").map(|link| without_keys(&decoded(link)).into_owned());
            return Some(Self::Poll {
                name: name.to_owned(),
                reference,
            });
        }
        let service = value("service").unwrap_or(card).to_ascii_uppercase();
        let has_key = pairs.iter().any(|(name, _)| name == "key");
        Some(Self::File(EmbeddedFile {
            resource: ResourceLink::new(&service, name, value("identifier")),
            mime_type: value("mimeType").map(decoded),
            file_name: value("fileName").map(decoded),
            encryption: match value("encryptionType") {
                Some("group") => Some(Encryption::Group),
                Some("private") => Some(Encryption::Private),
                _ => has_key.then_some(Encryption::Private),
            },
        }))
    }
}
