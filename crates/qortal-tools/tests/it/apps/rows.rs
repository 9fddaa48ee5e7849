//! Rows of a search, and what programs show of them.

/// The identifier, and what its row shows besides.
pub(super) const ROWS: &[(&str, &str)] = &[
    (
        "qtube_vid_Minting-explained_aB3dE5_metadata",
        r#"{"kind":"Q-Tube video","title":"Minting explained","description":"How to begin. Step by step.","fields":{"category":"Education","code":"aB3dE","subcategory":"401"},"fileLink":"qortal://VIDEO/Alice%20Test?identifier=qtube_vid_Minting-explained_aB3dE5","fileSize":73400320}"#,
    ),
    (
        "qtube_playlist_Basics_zZ9yY8",
        r#"{"kind":"Q-Tube playlist","title":"Basics","description":"All first steps","fields":{"c":"aB3dE, fG6hI","category":"Education","subcategory":"401"}}"#,
    ),
    (
        "q-blog-Alice-post-A-day-with-my-node-Ab12Cd",
        r#"{"kind":"Q-Blog post","title":"A day with my node","description":"Morning The node minted all night."}"#,
    ),
    (
        "qc_v1_qtube_q.W~aB3dE5fG6hI7jK8_base_mN9oP0",
        r#"{"kind":"Q-Tube comment"}"#,
    ),
    (
        "qtube_superlike_q.W~aB3dE5fG6hI7jK8_mN9oP1",
        r#"{"kind":"Q-Tube super like","fields":{"FOR096":"Alice Test_qtube_sl","nm":"Alice Test","sig":"2w91WGQVJxj441CwpGjdCAYUcjbGkjEZnPw7XzR5k7tsKqkLPqd9ZTqtewm2h8htz5gLGYwFFn7ZP7Qer44SU2ut"}}"#,
    ),
    (
        "q-store-general-alices",
        r#"{"kind":"Q-Shop store","title":"Alice's shop","description":"Honey and wax","fields":{"coins":"QORTtrue,ARRRfalse"}}"#,
    ),
    (
        "qshare_file_Router-setup_aB3dE5_metadata",
        r#"{"kind":"Q-Share file","title":"Router setup","description":"How I set it up","fields":{"category":"2","subcategory":"21"}}"#,
    ),
    (
        "symmetric-qchat-group-3",
        r#"{"kind":"chat keys of group 3","isEncrypted":true}"#,
    ),
    (
        "_mail_qortal_qmail_Bob Test_Yhr6aY_mail_aB3dE5",
        r#"{"kind":"Q-Mail message","isEncrypted":true,"recipient":"Bob Test (address ends in Yhr6aY)"}"#,
    ),
    (
        "grp-3-anc-aB3dE5fG",
        r#"{"kind":"announcement in group 3"}"#,
    ),
    ("grp-3-thread-aB3dE5fG", r#"{"kind":"thread in group 3"}"#),
    (
        "thmsg-grp-3-thread-aB3dE5fG-hI7jK8lM",
        r#"{"kind":"thread post in group 3"}"#,
    ),
    (
        "MhNiRYdzkaP9dz-kX47dT-XrFXaYetyErMdF-aB3dE5fG6hI7jK8",
        r#"{"kind":"Quitter post"}"#,
    ),
    (
        "Minter-board-card-Ab12Cd",
        r#"{"kind":"Q-Mintership card"}"#,
    ),
    ("qortal_group_avatar_3", r#"{"kind":"avatar of group 3"}"#),
    ("qortal_avatar", r#"{"kind":"avatar"}"#),
    (
        "grp-3-anc-gone0000",
        r#"{"kind":"announcement in group 3","isDeleted":true,"status":"DELETED"}"#,
    ),
    (
        "grp-3-anc-priv0000",
        r#"{"kind":"announcement in group 3"}"#,
    ),
];

/// Members that are not about the form.
pub(super) const OTHERS: [&str; 10] = [
    "service",
    "name",
    "identifier",
    "category",
    "size",
    "createdIso",
    "updatedIso",
    "link",
    "created",
    "updated",
];
