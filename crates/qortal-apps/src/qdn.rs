//! The contents of QDN resources, as the apps that published them show them.

mod category;
mod document;
mod encrypted;
mod json;
mod raw;
mod reader;
mod sheet;

pub(crate) use self::raw::is_secret;
pub use self::{
    category::category,
    document::{Document, Form},
    encrypted::Encrypted,
    raw::{Raw, raw},
    sheet::bytes_in_words,
};
use crate::identifier::{Item, Kind};

/// The content of a resource that apps have deleted: nothing on QDN can be, so they publish it anew (Qortal/qapp-core db97c28,
/// `deleteResource` in src/hooks/useResources.tsx).
const TOMBSTONE: &[u8] = b"D";

/// The size that a node reports of such a resource. It is that of the ciphertext the node stores, so that all content of 1 to 15
/// bytes has it (Qortal/qortal bb6b1bf7, `encrypt` in class `ArbitraryDataWriter`).
const TOMBSTONE_SIZE: u64 = 32;

/// Whether a node's list shows a resource as deleted: one with the size of a tombstone in which its app stores JSON, of which
/// even the shortest is longer.
#[must_use]
pub fn is_deleted(item: Option<&Item>, size: Option<u64>) -> bool {
    size == Some(TOMBSTONE_SIZE) && item.is_some_and(|item| is_json(item.kind))
}

/// Whether an app stores JSON, rather than text or a file, in resources of a kind.
const fn is_json(kind: Kind) -> bool {
    match kind {
        Kind::Playlist
        | Kind::SuperLike
        | Kind::Issue
        | Kind::Crowdfund
        | Kind::CrowdfundUpdate
        | Kind::CrowdfundReview
        | Kind::Blog
        | Kind::BlogPost
        | Kind::Mail
        | Kind::MailThread
        | Kind::MailThreadMessage
        | Kind::Store
        | Kind::Catalogue
        | Kind::StoreData
        | Kind::Product
        | Kind::Order
        | Kind::OrderStatus
        | Kind::StoreReview
        | Kind::Announcement
        | Kind::AnnouncementComment
        | Kind::Thread
        | Kind::ThreadPost
        | Kind::GroupKeys
        | Kind::AdminKeys
        | Kind::Settings
        | Kind::MinterCard
        | Kind::AdminCard
        | Kind::MintershipMessage
        | Kind::CardComment
        | Kind::QuitterPost
        | Kind::HashedEntry
        | Kind::SearchIndex => true,
        // Videos and shared files are files, unless they are the documents about them; what is one byte of either is deleted.
        Kind::Video | Kind::Share => true,
        Kind::App
        | Kind::Website
        | Kind::Channel
        | Kind::VideoComment
        | Kind::Like
        | Kind::ShareComment
        | Kind::IssueComment
        | Kind::CrowdfundComment
        | Kind::CrowdfundFile
        | Kind::BlogComment
        | Kind::BlogVideo
        | Kind::BlogAudio
        | Kind::MailFile
        | Kind::Avatar
        | Kind::GroupAvatar
        | Kind::Promotion
        | Kind::ChatPicture
        | Kind::ManagedFile => false,
    }
}

/// The content of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The publisher deleted it.
    Deleted,
    /// It is encrypted.
    Encrypted(Encrypted),
    /// A document of an app.
    Document(Document),
    /// Anything else: text, or bytes.
    Other,
}

impl Content {
    /// Reads the bytes of a resource, or the beginning of them. Pictures inside JSON make documents long, so a document that is
    /// cut off is read up to there.
    #[must_use]
    pub fn read(item: Option<&Item>, bytes: &[u8], is_complete: bool) -> Self {
        if bytes == TOMBSTONE && is_complete {
            return Self::Deleted;
        }
        if let Some(encrypted) = Encrypted::read(bytes, is_complete) {
            return Self::Encrypted(encrypted);
        }
        match Document::read(item, bytes, is_complete) {
            Some(document) => Self::Document(document),
            None => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests;
