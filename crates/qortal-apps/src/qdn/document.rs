//! Documents of apps, which are JSON.

use serde_json::Value;

use super::{json, reader, sheet::Sheet};
use crate::{identifier::Item, link::ResourceLink};

/// A document as its app shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// The form that was read.
    pub form: Form,
    /// The title.
    pub title: Option<String>,
    /// The text: paragraphs as the app shows them, pictures as "[picture, 34 KB]", and facts such as "File: clip.mp4".
    pub text: String,
    /// The resources it refers to.
    pub links: Vec<ResourceLink>,
    /// Whether the text is not all of it.
    pub is_cut: bool,
}

macro_rules! forms {
    ($($(#[$doc:meta])+ $Form:ident = $label:literal, $read:path;)+) => {
        /// The forms of documents.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Form {
            $($(#[$doc])+ $Form,)+
            /// Any other: the text is the texts found in it.
            Unknown,
        }

        impl Form {
            /// Returns the form in words.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$Form => $label,)+
                    Self::Unknown => "unknown form",
                }
            }
        }

        /// The reader of each form, which fills a sheet if the document has this form. The strictest come first.
        const READERS: &[(Form, fn(&Value, &mut Sheet) -> Option<()>)] =
            &[$((Form::$Form, $read),)+];
    };
}

forms! {
    /// A post of a blog.
    BlogPost = "blog post", reader::blog::post;
    /// A blog.
    Blog = "blog", reader::blog::blog;
    /// A document about a video.
    Video = "video", reader::video::video;
    /// A list of videos.
    Playlist = "playlist", reader::video::playlist;
    /// A comment with a payment.
    SuperLike = "super like", reader::video::super_like;
    /// A like or dislike.
    Like = "like", reader::video::like;
    /// A mail or a post in a thread.
    Message = "message", reader::group::message;
    /// An announcement.
    Announcement = "announcement", reader::group::announcement;
    /// A thread.
    Thread = "thread", reader::group::thread;
    /// A crowdfund.
    Crowdfund = "crowdfund", reader::files::crowdfund;
    /// Shared files, or a request for help with files.
    Files = "files", reader::files::files;
    /// A shop.
    Store = "store", reader::shop::store;
    /// The products of a shop.
    Products = "product list", reader::shop::products;
    /// A product.
    Product = "product", reader::shop::product;
    /// A card of Q-Mintership.
    Card = "card", reader::social::card;
    /// A short post.
    Post = "post", reader::social::post;
}

impl Document {
    /// Reads a document. Returns `None` if the bytes are not a JSON object or array.
    pub(super) fn read(item: Option<&Item>, bytes: &[u8], is_complete: bool) -> Option<Self> {
        let value = json::parse(bytes, is_complete)?;
        for (form, read) in READERS {
            let mut sheet = Sheet::default();
            if read(&value, &mut sheet).is_some() && !sheet.is_empty() {
                return Some(Self::of(*form, sheet, is_complete));
            }
        }
        let mut sheet = Sheet::default();
        reader::unknown::texts(&value, &mut sheet);
        // Of an app whose forms are known, an object without a text is one all the same.
        let is_known = item.is_some();
        (is_known || !sheet.is_empty()).then(|| Self::of(Form::Unknown, sheet, is_complete))
    }

    fn of(form: Form, sheet: Sheet, is_complete: bool) -> Self {
        let is_cut = sheet.is_cut || !is_complete;
        let mut sheet = sheet;
        Self {
            form,
            title: sheet.title.take(),
            links: std::mem::take(&mut sheet.links),
            text: sheet.into_text(),
            is_cut,
        }
    }
}
