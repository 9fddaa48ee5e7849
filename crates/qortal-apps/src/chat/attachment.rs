//! Pictures, files, videos and polls in a message.

use serde_json::Value;

use crate::{
    embed::{Embed, EmbedKind},
    link::ResourceLink,
};

/// Attachments that are read of one message. The apps write one.
pub(super) const MOST_ATTACHMENTS: usize = 20;

/// A resource shown in or below a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachment {
    /// The kind of the attachment.
    pub kind: AttachmentKind,
    /// The name of the file or poll.
    pub name: Option<String>,
    /// The size of the file in bytes.
    pub size: Option<u64>,
    /// The QDN resource.
    pub resource: Option<Resource>,
    /// Whether the sender removed it from the message.
    pub is_deleted: bool,
    /// Whether the resource is encrypted.
    pub is_encrypted: bool,
}

/// The kind of an attachment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttachmentKind {
    /// A picture.
    Picture,
    /// An animated picture.
    Gif,
    /// A file.
    File,
    /// A video.
    Video,
    /// A poll.
    Poll,
    /// A kind unknown to the official apps.
    Other,
}

/// The address of a QDN resource.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Resource {
    /// The service, such as `IMAGE`.
    pub service: String,
    /// The name of the publisher.
    pub name: String,
    /// The identifier.
    pub identifier: String,
}

/// A list of an envelope: the name of the list, the flag for removal, and the names of the file's name and size
/// (Qortal/qortal-ui `plugins/plugins/core/components/ChatPage.js`, commit 94835b51; Qortal/Qortal-Hub
/// `src/components/Chat/ChatGroup.tsx`, commit c93f78a2, which writes `images` alone).
struct List {
    field: &'static str,
    deleted: &'static str,
    file_name: &'static str,
    file_size: &'static str,
    kind: AttachmentKind,
}

const LISTS: [List; 4] = [
    List {
        field: "images",
        deleted: "isImageDeleted",
        file_name: "",
        file_size: "",
        kind: AttachmentKind::Picture,
    },
    List {
        field: "gifs",
        deleted: "isGifDeleted",
        file_name: "",
        file_size: "",
        kind: AttachmentKind::Gif,
    },
    List {
        field: "attachments",
        deleted: "isAttachmentDeleted",
        file_name: "attachmentName",
        file_size: "attachmentSize",
        kind: AttachmentKind::File,
    },
    List {
        field: "files",
        deleted: "isFileDeleted",
        file_name: "appFileName",
        file_size: "appFileSize",
        kind: AttachmentKind::File,
    },
];

/// Reads the lists of an envelope. An entry without a resource is a placeholder, such as `"images":[""]`.
pub(super) fn of_envelope(envelope: &Value) -> Vec<Attachment> {
    let mut found = Vec::new();
    for list in LISTS {
        let entries = { envelope.get(list.field) }.and_then(Value::as_array);
        let is_deleted = envelope.get(list.deleted) == Some(&Value::Bool(true));
        for entry in entries.into_iter().flatten() {
            if let Some(resource) = Resource::read(entry) {
                found.push(Attachment {
                    kind: list.kind,
                    name: text(entry, list.file_name),
                    size: { entry.get(list.file_size) }.and_then(Value::as_u64),
                    is_deleted,
                    is_encrypted: is_of_private_group(&resource.identifier),
                    resource: Some(resource),
                });
            }
        }
    }
    found.truncate(MOST_ATTACHMENTS);
    found
}

impl Resource {
    /// Returns the link for Qortal Hub.
    #[must_use]
    pub fn link(&self) -> String {
        ResourceLink::new(&self.service, &self.name, Some(&self.identifier)).to_string()
    }

    fn read(entry: &Value) -> Option<Self> {
        Some(Self {
            service: text(entry, "service")?,
            name: text(entry, "name")?,
            identifier: text(entry, "identifier")?,
        })
    }
}

impl From<Embed> for Attachment {
    fn from(embed: Embed) -> Self {
        let kind = match embed.kind {
            EmbedKind::Poll => AttachmentKind::Poll,
            EmbedKind::Image => AttachmentKind::Picture,
            EmbedKind::Video => AttachmentKind::Video,
            EmbedKind::Attachment => AttachmentKind::File,
            EmbedKind::Other => AttachmentKind::Other,
        };
        let is_encrypted = embed.encryption.is_some();
        let resource = { embed.service.zip(embed.identifier) }.map(|(service, identifier)| {
            let name = embed.name.clone();
            Resource {
                service,
                name,
                identifier,
            }
        });
        let name = match &resource {
            Some(_) => embed.file_name,
            None => Some(embed.name),
        };
        Self {
            kind,
            name,
            size: None,
            resource,
            is_deleted: false,
            is_encrypted,
        }
    }
}

/// Returns whether a picture was published for the members of a private group only (Qortal/Qortal-Hub `src/utils/chat.ts`,
/// `buildImageEmbedLink`, commit c93f78a2).
fn is_of_private_group(identifier: &str) -> bool {
    identifier.starts_with("grp-q-manager_0")
}

fn text(entry: &Value, field: &str) -> Option<String> {
    let text = entry.get(field)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}
