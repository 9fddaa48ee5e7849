//! Tools about names.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{Chain, check, check_on};

#[tokio::test]
async fn get_name_info() {
    for (case, name) in [
        ("exact", "Alice Test"),
        ("for_sale", "zebra"),
        ("other_case", "CHLOE"),
        ("bought", "collectible"),
        ("mistyped", "colectible"),
        ("an_address", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
        ("not_ascii", "日本語の名前"),
        ("emoji", "Fe|ix 😀"),
        ("long_data", "long-data"),
        ("unknown", "no-such-name"),
        ("slash", "a/b"),
        ("dots", "..."),
        ("too_short", "a"),
        ("control_character", "a\u{0}b"),
    ] {
        check("get_name_info", case, json!({"name": name})).await;
    }
    for (case, limit) in [("whole_data", 4_000), ("no_data", 0)] {
        let arguments = json!({"name": "long-data", "data_limit": limit});
        check("get_name_info", case, arguments).await;
    }
}

/// `%`, `_` and a backslash are letters, whatever the node takes them for.
#[tokio::test]
async fn wildcards_are_letters() {
    for (tool, case, arguments) in [
        ("search_names", "percent", json!({"query": "100%"})),
        ("search_names", "underscore", json!({"query": "e_c"})),
        ("search_names", "backslash", json!({"query": "snake\\_"})),
        ("search_names", "wildcards_alone", json!({"query": "%_%"})),
        ("check_name", "percent", json!({"name": "100%"})),
        ("check_name", "underscores", json!({"name": "____"})),
        ("check_name", "i_is_not_l", json!({"name": "zlbra"})),
        (
            "get_name_info",
            "nearest_of_underscores",
            json!({"name": "sn_ke_cas"}),
        ),
    ] {
        check_on(Scenario::odd_rows(), tool, case, arguments).await;
    }
}

#[tokio::test]
async fn get_names_by_address() {
    let victor = "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq";
    for (case, arguments) in [
        ("all", json!({"address": victor})),
        ("first_page", json!({"address": victor, "limit": 2})),
        (
            "last_page",
            json!({"address": victor, "limit": 2, "offset": 2}),
        ),
        (
            "reversed",
            json!({"address": victor, "limit": 1, "reverse": true}),
        ),
        (
            "none",
            json!({"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"}),
        ),
        ("limit_too_large", json!({"address": victor, "limit": 101})),
    ] {
        check("get_names_by_address", case, arguments).await;
    }
}

#[tokio::test]
async fn get_primary_name() {
    for (case, address) in [
        ("has_one", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
        (
            "owns_a_name_but_none_is_primary",
            "QXvtLWWNRAcGbWXeYHUxT4ysomE92krWqt",
        ),
        ("has_none", "QSsBRjKobUenghATsCnodVRfYGDACzreCC"),
    ] {
        check("get_primary_name", case, json!({"address": address})).await;
    }
}

#[tokio::test]
async fn search_names() {
    for (case, arguments) in [
        ("part", json!({"query": "al"})),
        ("prefix", json!({"query": "a", "prefix": true})),
        ("page", json!({"query": "a", "limit": 2, "offset": 1})),
        ("not_ascii", json!({"query": "日本"})),
        ("none", json!({"query": "zzzzz"})),
        ("empty_query", json!({"query": ""})),
    ] {
        check("search_names", case, arguments).await;
    }
    check_on(
        Scenario::empty(),
        "search_names",
        "empty_chain",
        json!({"query": "a"}),
    )
    .await;
}

#[tokio::test]
async fn list_names() {
    for (case, arguments) in [
        ("page", json!({"limit": 3})),
        ("reversed", json!({"limit": 2, "reverse": true})),
        ("last_page", json!({"limit": 5, "offset": 15})),
        (
            "changed_later",
            json!({"after": 1_795_215_000_000_i64, "limit": 3}),
        ),
        ("changed_never", json!({"after": 1_895_215_000_000_i64})),
        ("before_1970", json!({"after": -1})),
        ("in_seconds", json!({"after": 1_795_216_000, "limit": 3})),
        (
            "in_iso_8601",
            json!({"after": "2026-11-20T23:19:00Z", "limit": 3}),
        ),
    ] {
        check("list_names", case, arguments).await;
    }
    check_on(Scenario::empty(), "list_names", "empty_chain", json!({})).await;
}

#[tokio::test]
async fn list_names_for_sale() {
    for (case, arguments) in [
        ("all", json!({})),
        ("page", json!({"limit": 1, "offset": 1})),
        ("reversed", json!({"limit": 1, "reverse": true})),
        ("cheapest", json!({"order": "price", "limit": 2})),
        (
            "dearest",
            json!({"order": "price", "limit": 1, "reverse": true}),
        ),
    ] {
        check("list_names_for_sale", case, arguments).await;
    }
    check_on(
        Scenario::empty(),
        "list_names_for_sale",
        "empty_chain",
        json!({}),
    )
    .await;
}

/// gina-pending is being registered; a letter of each of these only looks like one of it.
#[tokio::test]
async fn look_alikes_in_other_scripts_of_a_name_under_way_are_not_free() {
    let chain = Chain::recorded().await;
    for name in [
        "gina-p\u{435}nding",
        "gin\u{251}-pending",
        "gina-pendin\u{261}",
        "gina\u{2011}pending",
    ] {
        let found = chain.call("check_name", json!({"name": name})).await;
        let found = found.unwrap();
        assert_eq!(found["reducedName"], "gina-pending", "{name}");
        assert_eq!(found["isAvailable"], false, "{name}");
        assert_eq!(found["underWay"][0]["name"], "gina-pending", "{name}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn check_name() {
    for (case, name) in [
        ("free", "brand-new-name"),
        ("taken", "victor"),
        ("look_alike_of_a_taken_one", "A1ice Test"),
        ("for_sale", "CHLOE"),
        ("not_ascii", "日本語の名前"),
        ("not_ascii_and_free", "Привет мир"),
        ("registration_unconfirmed", "gina-pending"),
        ("waiting_for_approval", "pending-name"),
        ("similar_to_others", "alice-sh0pp"),
        ("wildcards_are_letters", "%%%"),
        ("too_short", "ab"),
        ("slash", "a/b"),
    ] {
        check("check_name", case, json!({"name": name})).await;
    }
    check_on(
        Scenario::empty(),
        "check_name",
        "empty_chain",
        json!({"name": "victor"}),
    )
    .await;
}
