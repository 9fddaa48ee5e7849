//! Tests of `call`.

use qortal_types::{Address, Blockchain, Service};

use super::Call;
use crate::{Endpoint, NodeErrorKind, PageRequest};

fn target(call: Call) -> String {
    call.into_request().unwrap().target.to_string()
}

fn problem(call: Call) -> (&'static str, &'static str) {
    match call.into_request().unwrap_err().kind() {
        NodeErrorKind::BadParameter { name, problem } => (name, problem),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_template_is_filled_from_left_to_right() {
    let address: Address = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v".parse().unwrap();
    assert_eq!(target(Call::to(Endpoint::AdminStatus)), "/admin/status");
    assert_eq!(
        target(Call::to(Endpoint::AccountSponsor).with(address)),
        "/addresses/sponsorship/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v/sponsor"
    );
    assert_eq!(
        target(Call::to(Endpoint::AssetTrades).with(0).with(3)),
        "/assets/trades/0/3"
    );
}

#[test]
fn what_is_not_filled_in_is_missing() {
    assert_eq!(
        problem(Call::to(Endpoint::AssetTrades).with(0)),
        ("otherassetid", "is missing")
    );
}

#[test]
fn path_and_query_are_encoded() {
    const VECTORS: &[(&str, &str, &str)] = &[
        ("chloe", "/names/chloe", "?query=chloe"),
        ("Alice Test", "/names/Alice%20Test", "?query=Alice%20Test"),
        ("il1o0|mix", "/names/il1o0%7Cmix", "?query=il1o0%7Cmix"),
        (
            "日本",
            "/names/%E6%97%A5%E6%9C%AC",
            "?query=%E6%97%A5%E6%9C%AC",
        ),
        ("😀", "/names/%F0%9F%98%80", "?query=%F0%9F%98%80"),
        ("a%20b", "/names/a%2520b", "?query=a%2520b"),
        (
            "a?b#c&d=e+f;g",
            "/names/a%3Fb%23c%26d%3De%2Bf%3Bg",
            "?query=a%3Fb%23c%26d%3De%2Bf%3Bg",
        ),
        ("...", "/names/...", "?query=..."),
        ("-._~", "/names/-._~", "?query=-._~"),
    ];
    for (text, path, query) in VECTORS {
        assert_eq!(target(Call::to(Endpoint::Name).with(text)), *path);
        assert_eq!(
            target(Call::to(Endpoint::NamesSearch).query("query", text)),
            format!("/names/search{query}")
        );
    }
}

#[test]
fn a_segment_that_could_change_the_path_is_refused() {
    const VECTORS: &[(&str, &str)] = &[
        ("", "is empty"),
        (".", "is not allowed in a path"),
        ("..", "is not allowed in a path"),
        (
            "../../admin/stop",
            "contains a slash, which the node does not accept there",
        ),
        (
            "a/b",
            "contains a slash, which the node does not accept there",
        ),
        (
            "a\\b",
            "contains a slash, which the node does not accept there",
        ),
        ("a\0b", "contains a control character"),
        ("a\nb", "contains a control character"),
        ("a\u{85}b", "contains a control character"),
        (
            "..%2F..%2Fadmin",
            "contains an encoded slash, dot or NUL, which some servers decode twice",
        ),
        (
            "%2e%2E",
            "contains an encoded slash, dot or NUL, which some servers decode twice",
        ),
    ];
    for (text, reason) in VECTORS {
        assert_eq!(
            problem(Call::to(Endpoint::Name).with(text)),
            ("name", *reason),
            "{text:?}"
        );
        // In a query they are only text.
        if !text.contains('\0') {
            assert!(
                Call::to(Endpoint::NamesSearch)
                    .query("query", text)
                    .into_request()
                    .is_ok(),
                "{text:?}"
            );
        }
    }
}

#[test]
fn a_request_that_is_too_long_is_refused() {
    let name = "x".repeat(7_000);
    assert_eq!(
        problem(Call::to(Endpoint::Name).with(&name)),
        ("path and query", "are longer than the node accepts")
    );
}

#[test]
fn a_limit_is_always_sent_and_never_zero() {
    let names = |page: PageRequest| Call::to(Endpoint::Names).page(page);
    assert_eq!(target(names(PageRequest::first(20))), "/names?limit=20");
    assert_eq!(
        target(names(PageRequest::first(20).next())),
        "/names?limit=20&offset=20"
    );
    assert_eq!(
        target(names(PageRequest::last(5))),
        "/names?limit=5&reverse=true"
    );
    assert_eq!(
        problem(names(PageRequest::first(0))),
        ("limit", "is zero, which the node treats as no limit")
    );
    assert_eq!(
        problem(names(PageRequest::first(u32::MAX))),
        ("limit", "is larger than 2147483647")
    );
    let far = PageRequest {
        offset: u32::MAX,
        ..PageRequest::first(1)
    };
    assert_eq!(problem(names(far)), ("offset", "is larger than 2147483647"));
}

#[test]
fn an_unknown_blockchain_is_refused_instead_of_meaning_all() {
    let offers = |chain: &Blockchain| {
        Call::to(Endpoint::TradeOffers).blockchain("foreignBlockchain", Some(chain))
    };
    assert_eq!(
        target(offers(&Blockchain::Litecoin)),
        "/crosschain/tradeoffers?foreignBlockchain=LITECOIN"
    );
    let unknown = Blockchain::from_node("litecoin");
    let reason = "is not a known blockchain";
    assert_eq!(problem(offers(&unknown)), ("foreignBlockchain", reason));
    assert_eq!(
        problem(Call::to(Endpoint::TradePrice).with_blockchain(&unknown)),
        ("blockchain", reason)
    );
}

#[test]
fn lists_and_flags_follow_the_core() {
    let call = Call::to(Endpoint::TransactionsSearch)
        .query_each("txType", ["PAYMENT", "MESSAGE"])
        .query_if("address", None::<&str>)
        .query_flag("reverse", false)
        .query_flag("prefix", true);
    assert_eq!(
        target(call),
        "/transactions/search?txType=PAYMENT&txType=MESSAGE&prefix=true"
    );
}

#[test]
fn the_first_problem_is_reported() {
    let call = Call::to(Endpoint::AssetTrades)
        .with("")
        .with("..")
        .page(PageRequest::first(0));
    assert_eq!(problem(call), ("assetid", "is empty"));
}

#[test]
fn a_body_is_json() {
    let request = Call::to(Endpoint::NamesPrimary)
        .json_body(&["a"])
        .into_request()
        .unwrap();
    assert_eq!(request.body, Some("[\"a\"]".to_owned()));
}

#[test]
fn a_service_cannot_become_a_path_of_the_core() {
    let raw = |service: &str| {
        Call::to(Endpoint::ResourceRaw)
            .with_service(&Service::from_node(service))
            .with("tmp")
    };
    assert_eq!(target(raw("DOCUMENT")), "/arbitrary/DOCUMENT/tmp");
    assert_eq!(target(raw("HOLOGRAM_2")), "/arbitrary/HOLOGRAM_2/tmp");
    for service in ["check", "resources", "Document", "A B", "a"] {
        let reason = "is not a service name, which has only capital letters";
        assert_eq!(problem(raw(service)), ("service", reason), "{service}");
    }
}
