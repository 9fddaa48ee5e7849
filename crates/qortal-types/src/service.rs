//! The services of QDN, the Qortal Data Network.

use std::str::FromStr;

use crate::{UnknownValue, open_enum};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// What the Core demands of the data of a service.
#[derive(Debug, Clone, Copy)]
struct Facts {
    id: u32,
    max_bytes: Option<u64>,
    files: Files,
    reader: Reader,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Files {
    Single,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Anyone,
    Invited,
}

const fn facts(id: u32, max_bytes: Option<u64>, files: Files, reader: Reader) -> Facts {
    Facts {
        id,
        max_bytes,
        files,
        reader,
    }
}

open_enum! {
    /// A QDN service, the kind of data that a resource holds, with the limits of the Core's class `Service`.
    Service: Facts, "QDN service", "A service that this crate does not know.";
    AutoUpdate = "AUTO_UPDATE", facts(1, None, Files::Any, Reader::Anyone);
    ArbitraryData = "ARBITRARY_DATA", facts(100, None, Files::Any, Reader::Anyone);
    QchatAttachment = "QCHAT_ATTACHMENT", facts(120, Some(MIB), Files::Single, Reader::Anyone);
    QchatAttachmentPrivate = "QCHAT_ATTACHMENT_PRIVATE", facts(121, Some(MIB), Files::Single, Reader::Invited);
    Attachment = "ATTACHMENT", facts(130, Some(50 * MIB), Files::Single, Reader::Anyone);
    AttachmentPrivate = "ATTACHMENT_PRIVATE", facts(131, Some(50 * MIB), Files::Single, Reader::Invited);
    File = "FILE", facts(140, None, Files::Single, Reader::Anyone);
    FilePrivate = "FILE_PRIVATE", facts(141, None, Files::Single, Reader::Invited);
    Files = "FILES", facts(150, None, Files::Any, Reader::Anyone);
    ChainData = "CHAIN_DATA", facts(160, Some(239), Files::Single, Reader::Anyone);
    Website = "WEBSITE", facts(200, None, Files::Any, Reader::Anyone);
    GitRepository = "GIT_REPOSITORY", facts(300, None, Files::Any, Reader::Anyone);
    Image = "IMAGE", facts(400, Some(10 * MIB), Files::Single, Reader::Anyone);
    ImagePrivate = "IMAGE_PRIVATE", facts(401, Some(10 * MIB), Files::Single, Reader::Invited);
    Thumbnail = "THUMBNAIL", facts(410, Some(500 * KIB), Files::Single, Reader::Anyone);
    QchatImage = "QCHAT_IMAGE", facts(420, Some(500 * KIB), Files::Single, Reader::Anyone);
    Video = "VIDEO", facts(500, None, Files::Single, Reader::Anyone);
    VideoPrivate = "VIDEO_PRIVATE", facts(501, None, Files::Single, Reader::Invited);
    Audio = "AUDIO", facts(600, None, Files::Single, Reader::Anyone);
    AudioPrivate = "AUDIO_PRIVATE", facts(601, None, Files::Single, Reader::Invited);
    QchatAudio = "QCHAT_AUDIO", facts(610, Some(10 * MIB), Files::Single, Reader::Anyone);
    QchatVoice = "QCHAT_VOICE", facts(620, Some(10 * MIB), Files::Single, Reader::Anyone);
    Voice = "VOICE", facts(630, Some(10 * MIB), Files::Single, Reader::Anyone);
    VoicePrivate = "VOICE_PRIVATE", facts(631, Some(10 * MIB), Files::Single, Reader::Invited);
    Podcast = "PODCAST", facts(640, None, Files::Single, Reader::Anyone);
    Blog = "BLOG", facts(700, None, Files::Any, Reader::Anyone);
    BlogPost = "BLOG_POST", facts(777, None, Files::Single, Reader::Anyone);
    BlogComment = "BLOG_COMMENT", facts(778, Some(500 * KIB), Files::Single, Reader::Anyone);
    Document = "DOCUMENT", facts(800, None, Files::Single, Reader::Anyone);
    DocumentPrivate = "DOCUMENT_PRIVATE", facts(801, None, Files::Single, Reader::Invited);
    List = "LIST", facts(900, None, Files::Single, Reader::Anyone);
    Playlist = "PLAYLIST", facts(910, None, Files::Single, Reader::Anyone);
    App = "APP", facts(1000, Some(50 * MIB), Files::Any, Reader::Anyone);
    Metadata = "METADATA", facts(1100, None, Files::Single, Reader::Anyone);
    Json = "JSON", facts(1110, Some(25 * KIB), Files::Single, Reader::Anyone);
    GifRepository = "GIF_REPOSITORY", facts(1200, Some(25 * MIB), Files::Any, Reader::Anyone);
    Store = "STORE", facts(1300, None, Files::Single, Reader::Anyone);
    Product = "PRODUCT", facts(1310, None, Files::Single, Reader::Anyone);
    Offer = "OFFER", facts(1330, None, Files::Single, Reader::Anyone);
    Coupon = "COUPON", facts(1340, None, Files::Single, Reader::Anyone);
    Code = "CODE", facts(1400, None, Files::Single, Reader::Anyone);
    Plugin = "PLUGIN", facts(1410, None, Files::Single, Reader::Anyone);
    Extension = "EXTENSION", facts(1420, None, Files::Single, Reader::Anyone);
    Game = "GAME", facts(1500, None, Files::Any, Reader::Anyone);
    Item = "ITEM", facts(1510, None, Files::Single, Reader::Anyone);
    Nft = "NFT", facts(1600, None, Files::Single, Reader::Anyone);
    Database = "DATABASE", facts(1700, None, Files::Any, Reader::Anyone);
    Snapshot = "SNAPSHOT", facts(1710, None, Files::Any, Reader::Anyone);
    Comment = "COMMENT", facts(1800, Some(500 * KIB), Files::Single, Reader::Anyone);
    ChainComment = "CHAIN_COMMENT", facts(1810, Some(239), Files::Single, Reader::Anyone);
    Mail = "MAIL", facts(1900, Some(MIB), Files::Single, Reader::Anyone);
    MailPrivate = "MAIL_PRIVATE", facts(1901, Some(5 * MIB), Files::Single, Reader::Invited);
    Message = "MESSAGE", facts(1910, Some(MIB), Files::Single, Reader::Anyone);
    MessagePrivate = "MESSAGE_PRIVATE", facts(1911, Some(MIB), Files::Single, Reader::Invited);
}

impl Service {
    /// Returns the known service with this number. ARBITRARY transactions carry the number.
    #[must_use]
    pub fn from_id(id: u32) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|service| service.id() == Some(id))
            .cloned()
    }

    /// Returns the number of the service, or `None` for an unknown service.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.facts().map(|facts| facts.id)
    }

    /// Returns the maximum size of a resource in bytes, or `None` if the service has no limit of its own or is unknown.
    #[must_use]
    pub fn max_bytes(&self) -> Option<u64> {
        self.facts().and_then(|facts| facts.max_bytes)
    }

    /// Returns `true` if a resource is always a single file. Returns `false` for an unknown service.
    #[must_use]
    pub fn is_single_file(&self) -> bool {
        self.facts()
            .is_some_and(|facts| facts.files == Files::Single)
    }

    /// Returns `true` if the data is encrypted for selected readers. Returns `false` for an unknown service.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.facts()
            .is_some_and(|facts| facts.reader == Reader::Invited)
    }
}

impl FromStr for Service {
    type Err = UnknownValue;

    /// Accepts the known names in any case.
    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        Self::known(&text.to_ascii_uppercase())
            .ok_or_else(|| UnknownValue::new("QDN service", text, Self::names()))
    }
}

#[cfg(test)]
mod tests;
