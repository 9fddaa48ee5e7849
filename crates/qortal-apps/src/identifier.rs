//! Identifiers of QDN resources, by which official apps find what is theirs.

mod form;
mod group;
mod hashed;
mod mail;

use std::fmt;

use self::form::FORMS;
pub use self::mail::Recipient;

#[cfg(test)]
mod tests;

/// The end of the identifier of a document that describes a resource of the same name without it.
const METADATA: &str = "_metadata";

/// A resource of an official app, as its service and identifier show it.
///
/// [`Display`](fmt::Display) writes it for people: "Q-Tube video", "thread post in group 3".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The kind of resource.
    pub kind: Kind,
    /// Whether the resource is a document about the one in [`described`](Self::described).
    pub is_metadata: bool,
    /// The identifier of the described resource.
    pub described: Option<String>,
    /// The number of its group.
    pub group_id: Option<u32>,
    /// The identifier of its parent: the thread of a post, the announcement of a comment.
    pub parent: Option<String>,
    /// The recipient of a mail.
    pub recipient: Option<Recipient>,
}

impl Item {
    /// Reads an identifier. Returns `None` if no official app is known to use it.
    ///
    /// ```
    /// let item = qortal_apps::identifier::Item::read("DOCUMENT", Some("grp-3-thread-aB3dE5fG"));
    /// assert_eq!(item.unwrap().to_string(), "thread in group 3");
    /// ```
    #[must_use]
    pub fn read(service: &str, identifier: Option<&str>) -> Option<Self> {
        let Some(identifier) = identifier.filter(|it| !it.is_empty() && *it != "default") else {
            return match service {
                "APP" => Some(Self::of(Kind::App)),
                "WEBSITE" => Some(Self::of(Kind::Website)),
                _ => None,
            };
        };
        let item = group::read(service, identifier)
            .or_else(|| mail::read(service, identifier))
            .or_else(|| Self::of_forms(service, identifier))
            .or_else(|| hashed::read(service, identifier).map(Self::of))?;
        let described = identifier.strip_suffix(METADATA);
        let described = described.filter(|_| service == "DOCUMENT");
        Some(Self {
            is_metadata: described.is_some(),
            described: described.map(str::to_owned),
            ..item
        })
    }

    fn of(kind: Kind) -> Self {
        Self {
            kind,
            is_metadata: false,
            described: None,
            group_id: None,
            parent: None,
            recipient: None,
        }
    }

    fn of_forms(service: &str, identifier: &str) -> Option<Self> {
        let mut forms = FORMS.iter();
        let form = forms.find(|form| form.fits(service, identifier))?;
        Some(Self::of(form.kind))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = self.kind.label();
        match (self.group_id, self.kind) {
            (Some(group_id), Kind::GroupAvatar | Kind::GroupKeys | Kind::AdminKeys) => {
                write!(f, "{label} of group {group_id}")
            }
            (Some(group_id), _) => write!(f, "{label} in group {group_id}"),
            (None, _) => f.write_str(label),
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $Kind:ident = $label:literal,)+) => {
        /// The kinds of resources of the official apps.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])+ $Kind,)+
        }

        impl Kind {
            /// Returns the kind in words, without the group it belongs to.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$Kind => $label,)+
                }
            }
        }
    };
}

kinds! {
    /// An app.
    App = "Q-App",
    /// A website.
    Website = "website",
    /// A video, or the document about it.
    Video = "Q-Tube video",
    /// A list of videos.
    Playlist = "Q-Tube playlist",
    /// The text about a channel.
    Channel = "Q-Tube channel description",
    /// A comment on a video.
    VideoComment = "Q-Tube comment",
    /// A comment with a payment.
    SuperLike = "Q-Tube super like",
    /// A like or dislike.
    Like = "Q-Tube like",
    /// A shared file, or the document about it.
    Share = "Q-Share file",
    /// A comment on a shared file.
    ShareComment = "Q-Share comment",
    /// A request for help with an app.
    Issue = "Q-Support issue",
    /// A comment on such a request.
    IssueComment = "Q-Support comment",
    /// A crowdfund.
    Crowdfund = "Q-Fund crowdfund",
    /// News of a crowdfund.
    CrowdfundUpdate = "Q-Fund update",
    /// A review of a crowdfund.
    CrowdfundReview = "Q-Fund review",
    /// A comment on a crowdfund.
    CrowdfundComment = "Q-Fund comment",
    /// A file of a crowdfund.
    CrowdfundFile = "Q-Fund attachment",
    /// A blog.
    Blog = "Q-Blog blog",
    /// A post of a blog.
    BlogPost = "Q-Blog post",
    /// A comment on a post.
    BlogComment = "Q-Blog comment",
    /// A video in a post.
    BlogVideo = "Q-Blog video",
    /// Sound in a post.
    BlogAudio = "Q-Blog audio",
    /// A mail.
    Mail = "Q-Mail message",
    /// A thread of mails in a group.
    MailThread = "Q-Mail thread",
    /// A message in such a thread.
    MailThreadMessage = "Q-Mail thread message",
    /// A file of a mail.
    MailFile = "Q-Mail attachment",
    /// A shop.
    Store = "Q-Shop store",
    /// The products of a shop.
    Catalogue = "Q-Shop catalogue",
    /// The list of all products of a shop.
    StoreData = "Q-Shop product list",
    /// A product.
    Product = "Q-Shop product",
    /// An order.
    Order = "Q-Shop order",
    /// The state of an order.
    OrderStatus = "Q-Shop order status",
    /// A review of a shop.
    StoreReview = "Q-Shop review",
    /// The picture of a name.
    Avatar = "avatar",
    /// The picture of a group.
    GroupAvatar = "avatar",
    /// An announcement.
    Announcement = "announcement",
    /// A comment on an announcement.
    AnnouncementComment = "comment on an announcement",
    /// A thread of a group's forum.
    Thread = "thread",
    /// A post in a thread.
    ThreadPost = "thread post",
    /// The keys of a private group's chat.
    GroupKeys = "chat keys",
    /// The keys of a group's admins.
    AdminKeys = "keys of the admins",
    /// An advertisement for a group.
    Promotion = "promotion",
    /// The settings of Qortal Hub.
    Settings = "Qortal Hub settings",
    /// A picture in a chat message.
    ChatPicture = "chat picture",
    /// A file of a group, published by Q-Manager.
    ManagedFile = "Q-Manager file",
    /// The application of a minter.
    MinterCard = "Q-Mintership card",
    /// The proposal to add or remove a minting admin.
    AdminCard = "Q-Mintership admin card",
    /// A message in the forum of Q-Mintership.
    MintershipMessage = "Q-Mintership forum message",
    /// A comment on a card.
    CardComment = "Q-Mintership comment",
    /// A post of Quitter.
    QuitterPost = "Quitter post",
    /// An entry of an app with hashed identifiers.
    HashedEntry = "app entry",
    /// An entry of a search index.
    SearchIndex = "search index entry",
}
