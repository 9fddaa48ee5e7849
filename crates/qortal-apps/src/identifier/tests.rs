//! Identifiers as official apps build them.

use super::{Item, Recipient};

#[test]
fn identifier_of_official_app_yields_its_kind() {
    for (service, identifier, kind) in [
        ("APP", "default", "Q-App"),
        ("WEBSITE", "", "website"),
        (
            "VIDEO",
            "qtube_vid_minting-explained_aB3dE5",
            "Q-Tube video",
        ),
        (
            "DOCUMENT",
            "qtube_vid_minting-explained_aB3dE5_metadata",
            "Q-Tube video",
        ),
        (
            "PLAYLIST",
            "qtube_playlist_basics_zZ9yY8",
            "Q-Tube playlist",
        ),
        (
            "DOCUMENT",
            "qtube_channel_description",
            "Q-Tube channel description",
        ),
        (
            "BLOG_COMMENT",
            "qc_v1_qtube_q.W~aB3dE5fG6hI7jK8_base_mN9oP0",
            "Q-Tube comment",
        ),
        (
            "BLOG_COMMENT",
            "qtube_superlike_q.W~aB3dE5fG6hI7jK8_mN9oP1",
            "Q-Tube super like",
        ),
        (
            "CHAIN_COMMENT",
            "qtube_like_qtube_vid_minting-explained_aB3dE5",
            "Q-Tube like",
        ),
        ("CHAIN_COMMENT", "q.W~aB3dE5fG6hI7jK8m", "Q-Tube like"),
        ("FILE", "qshare_file_router-setup_aB3dE5", "Q-Share file"),
        (
            "DOCUMENT",
            "qshare_file_router-setup_aB3dE5_metadata",
            "Q-Share file",
        ),
        (
            "BLOG_COMMENT",
            "qcomment_v1_qshare_x_base_y",
            "Q-Share comment",
        ),
        (
            "DOCUMENT",
            "q_support_issue_no-sound_aB3dE5_metadata",
            "Q-Support issue",
        ),
        (
            "BLOG_COMMENT",
            "qcomment_v1_q_support_x_base_y",
            "Q-Support comment",
        ),
        (
            "DOCUMENT",
            "q-fund_crowdfund_new-node_aB3dE5",
            "Q-Fund crowdfund",
        ),
        ("DOCUMENT", "q-fund_update_crowdfund_x", "Q-Fund update"),
        ("DOCUMENT", "q-fund-rw-x", "Q-Fund review"),
        ("FILE", "attachments_q-fund_a_b", "Q-Fund attachment"),
        (
            "BLOG_COMMENT",
            "qcomment_v1_q-fund_123456789012_base_a",
            "Q-Fund comment",
        ),
        ("BLOG", "q-blog-alice", "Q-Blog blog"),
        ("BLOG_POST", "q-blog-alice-post-A-day-Ab12Cd", "Q-Blog post"),
        (
            "BLOG_COMMENT",
            "qcomment_v1_qblog_post-Ab12Cd_x",
            "Q-Blog comment",
        ),
        ("VIDEO", "qvideo_qblog_x1", "Q-Blog video"),
        ("AUDIO", "qaudio_qblog_x1", "Q-Blog audio"),
        (
            "MAIL_PRIVATE",
            "_mail_qortal_qmail_Bob Test_Yhr6aY_mail_aB3dE5",
            "Q-Mail message",
        ),
        (
            "MAIL_PRIVATE",
            "qortal_qmail_thread_group3_abc",
            "Q-Mail thread",
        ),
        (
            "MAIL_PRIVATE",
            "qortal_qmail_thmsg_group3_abc_def",
            "Q-Mail thread message",
        ),
        ("STORE", "q-store-general-alices", "Q-Shop store"),
        (
            "DOCUMENT",
            "q-store-general-alices-datacontainer",
            "Q-Shop product list",
        ),
        ("PRODUCT", "q-store-product-alices-x", "Q-Shop product"),
        ("DOCUMENT", "q-store-catalogue-alices-x", "Q-Shop catalogue"),
        ("DOCUMENT_PRIVATE", "q-store-order-alices-x", "Q-Shop order"),
        (
            "DOCUMENT_PRIVATE",
            "q-store-status-order-alices-x",
            "Q-Shop order status",
        ),
        ("DOCUMENT", "q-store-review-alices-x", "Q-Shop review"),
        ("THUMBNAIL", "qortal_avatar", "avatar"),
        ("THUMBNAIL", "qortal_group_avatar_3", "avatar of group 3"),
        ("DOCUMENT", "grp-3-anc-aB3dE5fG", "announcement in group 3"),
        (
            "DOCUMENT",
            "cm-grp-3-anc-aB3dE5fG-x",
            "comment on an announcement in group 3",
        ),
        ("DOCUMENT", "grp-3-thread-aB3dE5fG", "thread in group 3"),
        (
            "DOCUMENT",
            "thmsg-grp-3-thread-aB3dE5fG-hI7jK8lM",
            "thread post in group 3",
        ),
        (
            "DOCUMENT_PRIVATE",
            "symmetric-qchat-group-3",
            "chat keys of group 3",
        ),
        (
            "DOCUMENT_PRIVATE",
            "admins-symmetric-qchat-group-3",
            "keys of the admins of group 3",
        ),
        (
            "DOCUMENT",
            "group-promotions-ui24-group-3-x",
            "promotion in group 3",
        ),
        (
            "DOCUMENT_PRIVATE",
            "ext_saved_settings",
            "Qortal Hub settings",
        ),
        (
            "IMAGE",
            "grp-q-manager_1_group_3_Ab12Cd",
            "chat picture in group 3",
        ),
        ("BLOG_POST", "Minter-board-card-Ab12Cd", "Q-Mintership card"),
        (
            "BLOG_POST",
            "comment-Minter-board-card-Ab12Cd-x",
            "Q-Mintership comment",
        ),
        (
            "DOCUMENT",
            "MhNiRYdzkaP9dz-kX47dT-XrFXaYetyErMdF-aB3dE5fG6hI7jK8",
            "Quitter post",
        ),
        (
            "DOCUMENT",
            "a.~!RYdzkaP9dz-kX47dT-00000000000000-aB3dE5fG6hI7jK8",
            "app entry",
        ),
        ("JSON", "idx-abc-def-x", "search index entry"),
    ] {
        let item = Item::read(service, Some(identifier));
        let item = item.map(|item| item.to_string());
        assert_eq!(item.as_deref(), Some(kind), "{service} {identifier}");
    }
}

#[test]
fn identifier_of_no_official_app_is_none() {
    for (service, identifier) in [
        ("DOCUMENT", "report-2026"),
        ("DOCUMENT", "grp-x-anc-y"),
        ("DOCUMENT", "grp-3-other-y"),
        ("DOCUMENT", "grp-99999999999-anc-y"),
        ("DOCUMENT", "a-b-c-d"),
        ("VIDEO", "grp-q-manager_1_group_x_y"),
        ("IMAGE", "default"),
        ("CHAIN_COMMENT", "comment-2"),
        ("MAIL_PRIVATE", "x"),
    ] {
        assert_eq!(Item::read(service, Some(identifier)), None, "{identifier}");
    }
}

#[test]
fn identifier_yields_what_the_resource_belongs_to() {
    let described = "qtube_vid_a_b".to_owned();
    let video = Item::read("DOCUMENT", Some("qtube_vid_a_b_metadata")).unwrap();
    assert_eq!(
        (video.is_metadata, video.described),
        (true, Some(described))
    );
    let file = Item::read("VIDEO", Some("qtube_vid_a_b")).unwrap();
    assert_eq!((file.is_metadata, file.described), (false, None));
    let post = Item::read("DOCUMENT", Some("thmsg-grp-3-thread-aB3dE5fG-hI7jK8lM")).unwrap();
    assert_eq!(post.parent.as_deref(), Some("grp-3-thread-aB3dE5fG"));
    let thread = Item::read("DOCUMENT", Some("grp-3-thread-aB3dE5fG")).unwrap();
    assert_eq!((thread.group_id, thread.parent), (Some(3), None));
}

#[test]
fn recipient_of_mail_is_read_from_identifier() {
    let account = |name: &str, is_cut, end: &str| {
        Some(Recipient::Account {
            name: name.to_owned(),
            is_cut,
            address_end: end.to_owned(),
        })
    };
    for (identifier, recipient) in [
        (
            "_mail_qortal_qmail_Bob Test_Yhr6aY_mail_aB3dE5",
            account("Bob Test", false, "Yhr6aY"),
        ),
        (
            "qortal_qmail_a_b_c_Yhr6aY_mail_x",
            account("a_b_c", false, "Yhr6aY"),
        ),
        (
            "_mail_qortal_qmail_a-name-with-more-tha_Yhr6aY_mail_x",
            account("a-name-with-more-tha", true, "Yhr6aY"),
        ),
        (
            "_mail_qortal_qmail_our-word_mail_x",
            Some(Recipient::Alias("our-word".to_owned())),
        ),
        ("_mail_qortal_qmail_x", None),
    ] {
        let mail = Item::read("MAIL_PRIVATE", Some(identifier)).unwrap();
        assert_eq!(mail.recipient, recipient, "{identifier}");
    }
}
