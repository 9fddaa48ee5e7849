//! Tests of `endpoint`.

use std::collections::BTreeSet;

use super::{Endpoint, Method};
use crate::api::admin::NodeSetting;

/// What must never be asked: it acts on the node, reveals secrets or configuration, or runs for days.
const FORBIDDEN_GET: &[&str] = &[
    "/admin/stop",
    "/admin/restart",
    "/admin/bootstrap",
    "/admin/repository/data",
    "/admin/settings",
    "/admin/settings/sslKeystorePassword",
    "/admin/logs",
    "/crosschain/tradebot",
    "/peers/enginestats",
    "/bootstrap/validate",
    "/render/{service}/{name}",
    "/render/signature/{signature}",
    "/render/hash/{hash}",
    "/arbitrary/check/tmp",
    "/websockets/crosschain/tradebot",
];

/// The only requests with a body; they read.
const ALLOWED_POST: &[&str] = &[
    "/names/list",
    "/groups/members/{groupid}/validate",
    "/arbitrary/resources/onchain/data",
];

/// Whether a forbidden path could come out of a template by filling in its parameters.
fn can_become(template: &str, path: &str) -> bool {
    let (template, path): (Vec<&str>, Vec<&str>) =
        (template.split('/').collect(), path.split('/').collect());
    // Services are sent in capitals only, coins and settings from a list only.
    let is_free = |piece: &str| {
        piece.starts_with('{') && !["{service}", "{coin}", "{setting}"].contains(&piece)
    };
    template.len() == path.len()
        && template
            .iter()
            .zip(&path)
            .all(|(piece, wanted)| is_free(piece) || piece == wanted)
}

#[test]
fn what_acts_or_reveals_cannot_be_asked() {
    for endpoint in Endpoint::ALL {
        for path in FORBIDDEN_GET {
            assert!(
                !can_become(endpoint.template(), path),
                "{endpoint} reaches {path}"
            );
        }
        for folder in [
            "/render/",
            "/bootstrap/",
            "/developer/",
            "/payments/",
            "/admin/repository/",
        ] {
            assert!(!endpoint.template().starts_with(folder), "{endpoint}");
        }
    }
}

/// Others have paths, addresses and secrets, and the Core answers any of them (`AdminResource.getSetting`).
#[test]
fn settings_that_reveal_cannot_be_asked() {
    for setting in NodeSetting::ALL {
        let name = setting.as_str().to_lowercase();
        for part in [
            "key", "password", "secret", "path", "address", "hosts", "network", "wallet",
        ] {
            assert!(!name.contains(part), "{setting:?}");
        }
    }
}

/// The only websockets; of the others one sends private keys (`TradeBotWebSocket`).
const ALLOWED_SOCKETS: &[&str] = &[
    "/websockets/admin/status",
    "/websockets/blocks",
    "/websockets/chat/messages",
    "/websockets/crosschain/tradepresence",
];

#[test]
fn only_four_websockets_are_opened() {
    let sockets = Endpoint::ALL
        .iter()
        .filter(|it| it.method() == Method::Socket || it.template().starts_with("/websockets"));
    let sockets: Vec<&str> = sockets.map(|it| it.template()).collect();
    assert_eq!(sockets, ALLOWED_SOCKETS);
}

#[test]
fn only_three_requests_have_a_body() {
    let posts: Vec<&str> = Endpoint::ALL
        .iter()
        .filter(|each| each.method() == Method::Post)
        .map(|each| each.template())
        .collect();
    assert_eq!(
        BTreeSet::from_iter(posts),
        BTreeSet::from_iter(ALLOWED_POST.iter().copied())
    );
}

#[test]
fn the_key_is_sent_only_where_the_core_asks_for_it() {
    const WITH_KEY: &[&str] = &[
        "/admin/summary/alltime",
        "/admin/enginestats",
        "/admin/apikey/test",
        "/arbitrary/hosted/resources",
        "/lists/{listName}",
    ];
    let found: Vec<&str> = Endpoint::ALL
        .iter()
        .filter(|each| each.access().needs_key())
        .map(|each| each.template())
        .collect();
    assert_eq!(found, WITH_KEY);
}

#[test]
fn templates_are_well_formed_and_different() {
    let mut seen = BTreeSet::new();
    for endpoint in Endpoint::ALL {
        let template = endpoint.template();
        assert!(
            seen.insert((template, endpoint.method() == Method::Post)),
            "{endpoint} is twice in the list"
        );
        assert!(
            template.starts_with('/') && !template.contains(['.', '%', '?', '\\']),
            "{endpoint}"
        );
        for piece in template.split('/').skip(1) {
            let name = piece
                .strip_prefix('{')
                .and_then(|piece| piece.strip_suffix('}'))
                .unwrap_or(piece);
            assert!(
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                "{endpoint}"
            );
        }
    }
    assert_eq!(Endpoint::Name.to_string(), "GET /names/{name}");
    assert_eq!(Endpoint::NamesPrimary.to_string(), "POST /names/list");
}

#[test]
fn every_endpoint_is_asked_by_a_method_that_is_found_by_its_path() {
    const SOURCES: &[&str] = &[
        include_str!("../api/addresses.rs"),
        include_str!("../api/admin.rs"),
        include_str!("../api/arbitrary.rs"),
        include_str!("../api/arbitrary/files.rs"),
        include_str!("../api/arbitrary/hosted.rs"),
        include_str!("../api/assets.rs"),
        include_str!("../api/at.rs"),
        include_str!("../api/blocks.rs"),
        include_str!("../api/chat.rs"),
        include_str!("../api/crosschain.rs"),
        include_str!("../api/groups.rs"),
        include_str!("../api/names.rs"),
        include_str!("../api/peers.rs"),
        include_str!("../api/polls.rs"),
        include_str!("../api/transactions.rs"),
        include_str!("../api/utils.rs"),
    ];
    let is_word = |text: &str| !text.starts_with(|next: char| next.is_ascii_alphanumeric());
    for endpoint in Endpoint::ALL {
        let name = format!("Endpoint::{endpoint:?}");
        let is_asked = |source: &&str| {
            source
                .match_indices(&name)
                .any(|(at, _)| is_word(&source[at + name.len()..]))
        };
        assert!(SOURCES.iter().any(is_asked), "nothing asks {endpoint}");
        let alias = format!("#[doc(alias = \"{}\")]", endpoint.template());
        assert!(
            SOURCES.iter().any(|source| source.contains(&alias)),
            "{endpoint} is not found by its path"
        );
    }
}
