//! Identifiers that begin in a way of their app.

use super::Kind;

/// A form of identifiers.
pub(super) struct Form {
    pub(super) kind: Kind,
    /// The services; any if there are none.
    services: &'static [&'static str],
    prefix: &'static str,
    /// A part behind the prefix that it must have; empty if there is none.
    part: &'static str,
}

impl Form {
    pub(super) fn fits(&self, service: &str, identifier: &str) -> bool {
        let is_service = self.services.is_empty() || self.services.contains(&service);
        let rest = identifier.strip_prefix(self.prefix);
        is_service && rest.is_some_and(|rest| rest.contains(self.part))
    }
}

const fn form(kind: Kind, services: &'static [&'static str], prefix: &'static str) -> Form {
    with(kind, services, prefix, "")
}

const fn with(
    kind: Kind,
    services: &'static [&'static str],
    prefix: &'static str,
    part: &'static str,
) -> Form {
    Form {
        kind,
        services,
        prefix,
        part,
    }
}

const DOCUMENT: &[&str] = &["DOCUMENT"];
const COMMENT: &[&str] = &["BLOG_COMMENT", "COMMENT"];
const PRIVATE: &[&str] = &["DOCUMENT_PRIVATE"];

/// All forms. Of two that fit, the first counts.
pub(super) static FORMS: &[Form] = &[
    // Qortal/q-tube 68c3ea7, src/constants/Identifiers.ts.
    form(Kind::Video, &["VIDEO", "DOCUMENT"], "qtube_vid_"),
    form(Kind::Playlist, &["PLAYLIST", "DOCUMENT"], "qtube_playlist_"),
    form(Kind::Channel, DOCUMENT, "qtube_channel_description"),
    form(Kind::VideoComment, COMMENT, "qc_v1_qtube_"),
    form(Kind::VideoComment, COMMENT, "qcomment_v1_qtube_"),
    form(Kind::SuperLike, COMMENT, "qtube_superlike_"),
    form(Kind::Like, &["CHAIN_COMMENT"], "qtube_like_"),
    // Qortal/q-share 0b25333, src/constants/Identifiers.ts.
    form(Kind::Share, &["FILE", "DOCUMENT"], "qshare_file_"),
    form(Kind::ShareComment, COMMENT, "qcomment_v1_qshare_"),
    // Qortal/q-support f4ede96, src/constants/Identifiers.ts.
    form(Kind::Issue, &["FILE", "DOCUMENT"], "q_support_issue_"),
    form(Kind::IssueComment, COMMENT, "qcomment_v1_q_support_"),
    // Qortal/q-fund-v2 5927bf8, src/constants/index.ts.
    form(Kind::Crowdfund, DOCUMENT, "q-fund_crowdfund_"),
    form(Kind::CrowdfundUpdate, DOCUMENT, "q-fund_update_crowdfund_"),
    form(Kind::CrowdfundReview, &[], "q-fund-rw"),
    form(Kind::CrowdfundFile, &[], "attachments_q-fund_"),
    form(Kind::CrowdfundComment, COMMENT, "qcomment_v1_q-fund_"),
    // Qortal/q-blog 3695fce, src/wrappers/GlobalWrapper.tsx and src/pages/CreatePost/CreatePostMinimal.tsx.
    with(Kind::BlogPost, &["BLOG_POST"], "q-blog-", "-post-"),
    form(Kind::Blog, &["BLOG"], "q-blog-"),
    form(Kind::BlogComment, COMMENT, "qcomment_v1_qblog_"),
    form(Kind::BlogVideo, &["VIDEO"], "qvideo_qblog_"),
    form(Kind::BlogAudio, &["AUDIO"], "qaudio_qblog_"),
    // Qortal/q-mail ddf3aa9, src/pages/Mail/NewThread.tsx; mails are in `mail`.
    form(Kind::MailThread, &[], "qortal_qmail_thread_group"),
    form(Kind::MailThreadMessage, &[], "qortal_qmail_thmsg_"),
    form(Kind::MailFile, &[], "attachments_qmail_"),
    // Qortal/q-shop 0738e27, src/constants/identifiers.ts.
    with(
        Kind::StoreData,
        DOCUMENT,
        "q-store-general-",
        "-datacontainer",
    ),
    form(Kind::Store, &["STORE"], "q-store-general-"),
    form(Kind::Product, &["PRODUCT"], "q-store-product-"),
    form(Kind::Catalogue, DOCUMENT, "q-store-catalogue-"),
    form(Kind::Order, PRIVATE, "q-store-order-"),
    form(Kind::OrderStatus, PRIVATE, "q-store-status-order-"),
    form(Kind::StoreReview, DOCUMENT, "q-store-review-"),
    // Qortal/Qortal-Hub c93f78a2; what belongs to a group is in `group`.
    form(Kind::Avatar, &["THUMBNAIL"], "qortal_avatar"),
    form(Kind::Settings, PRIVATE, "ext_saved_settings"),
    // Qortal/Q-Mintership-Alpha f86d396, assets/js/MinterBoard.js and AdminBoard.js.
    form(Kind::MinterCard, &["BLOG_POST"], "Minter-board-card-"),
    form(Kind::AdminCard, &["BLOG_POST"], "QM-AR-card-"),
    form(Kind::AdminCard, &["MAIL_PRIVATE"], "card-MAC-"),
    form(Kind::MintershipMessage, &[], "mintership-forum-message-"),
    form(Kind::CardComment, &[], "comment-Minter-board-card-"),
    form(Kind::CardComment, &[], "comment-QM-AR-card-"),
    form(Kind::CardComment, &[], "comment-card-MAC-"),
    // Qortal/qapp-core db97c28, src/utils/encryption.ts.
    form(Kind::QuitterPost, DOCUMENT, "MhNiRYdzkaP9dz-kX47dT-"),
    form(Kind::SearchIndex, &["JSON"], "idx-"),
];
