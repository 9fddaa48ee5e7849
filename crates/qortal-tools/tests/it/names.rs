//! Tools about names.

use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

/// Over a chain on which `%`, `_` and a backslash are letters of names, whatever the node takes them for.
fn odd_row(case: &str, arguments: Value) -> (Scenario, &str, Value) {
    (Scenario::odd_rows(), case, arguments)
}

#[tokio::test]
async fn get_name_info() {
    let of = |name: &str| json!({"name": name});
    let cases = [
        ("exact", of("Alice Test")),
        ("for_sale", of("zebra")),
        ("other_case", of("CHLOE")),
        ("bought", of("collectible")),
        ("mistyped", of("colectible")),
        ("an_address", of("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v")),
        ("not_ascii", of("日本語の名前")),
        ("emoji", of("Fe|ix 😀")),
        ("long_data", of("long-data")),
        ("unknown", of("no-such-name")),
        ("renamed", of("old-name")),
        ("slash", of("a/b")),
        ("dots", of("...")),
        ("too_short", of("a")),
        ("control_character", of("a\u{0}b")),
        (
            "whole_data",
            json!({"name": "long-data", "data_limit": 4_000}),
        ),
        ("no_data", json!({"name": "long-data", "data_limit": 0})),
    ];
    let elsewhere = [odd_row("nearest_of_underscores", of("sn_ke_cas"))];
    check_on("get_name_info", cases, elsewhere).await;
}

#[tokio::test]
async fn get_names_by_address() {
    let victor = "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq";
    let cases = [
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
    ];
    check("get_names_by_address", cases).await;
}

#[tokio::test]
async fn get_primary_name() {
    let cases = [
        ("has_one", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
        (
            "owns_a_name_but_none_is_primary",
            "QXvtLWWNRAcGbWXeYHUxT4ysomE92krWqt",
        ),
        ("has_none", "QSsBRjKobUenghATsCnodVRfYGDACzreCC"),
    ];
    let cases = cases.map(|(case, address)| (case, json!({"address": address})));
    check("get_primary_name", cases).await;
}

#[tokio::test]
async fn search_names() {
    let cases = [
        ("part", json!({"query": "al"})),
        ("prefix", json!({"query": "a", "prefix": true})),
        ("page", json!({"query": "a", "limit": 2, "offset": 1})),
        ("not_ascii", json!({"query": "日本"})),
        ("none", json!({"query": "zzzzz"})),
        ("empty_query", json!({"query": ""})),
    ];
    let elsewhere = [
        (Scenario::empty(), "empty_chain", json!({"query": "a"})),
        odd_row("percent", json!({"query": "100%"})),
        odd_row("underscore", json!({"query": "e_c"})),
        odd_row("backslash", json!({"query": "snake\\_"})),
        odd_row("wildcards_alone", json!({"query": "%_%"})),
    ];
    check_on("search_names", cases, elsewhere).await;
}

#[tokio::test]
async fn list_names() {
    let cases = [
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
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_names", cases, elsewhere).await;
}

#[tokio::test]
async fn list_names_for_sale() {
    let cases = [
        ("all", json!({})),
        ("page", json!({"limit": 1, "offset": 1})),
        ("reversed", json!({"limit": 1, "reverse": true})),
        ("cheapest", json!({"order": "price", "limit": 2})),
        (
            "dearest",
            json!({"order": "price", "limit": 1, "reverse": true}),
        ),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_names_for_sale", cases, elsewhere).await;
}

#[tokio::test]
async fn check_name_sale() {
    let cases = [
        ("for_sale", json!({"name": "chloe"})),
        (
            "buyer_without_money",
            json!({"name": "chloe", "buyer": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"}),
        ),
        ("not_for_sale", json!({"name": "victor", "buyer": "chloe"})),
        ("renamed", json!({"name": "old-name"})),
        ("unknown", json!({"name": "no-such-name"})),
    ];
    check("check_name_sale", cases).await;
}

/// `SellNameTransaction.isValid` and `BuyNameTransaction.isValid`, in the order of their checks.
#[tokio::test]
async fn check_name_sale_follows_the_classes_of_the_core() {
    const OWNER: &str = "QaRfMCN42yurmJNmkc5p9hR846vJgsTovB";
    const BUYER: &str = "QSsBRjKobUenghATsCnodVRfYGDACzreCC";
    // Price of the name, whether it is the owner's primary name and only one, price of the buyer's primary name, the buyer's balance,
    // and the errors of selling and buying.
    for (price, is_primary, owned, primary_price, balance, sell, buy) in [
        (
            None,
            true,
            1,
            None,
            "99.00000000",
            None,
            Some("NAME_NOT_FOR_SALE"),
        ),
        (
            None,
            true,
            2,
            None,
            "99.00000000",
            Some("NOT_SUPPORTED"),
            Some("NAME_NOT_FOR_SALE"),
        ),
        (
            None,
            false,
            2,
            None,
            "99.00000000",
            None,
            Some("NAME_NOT_FOR_SALE"),
        ),
        (
            Some("5"),
            false,
            2,
            None,
            "99.00000000",
            Some("NAME_ALREADY_FOR_SALE"),
            None,
        ),
        (
            Some("5"),
            true,
            2,
            None,
            "99.00000000",
            Some("NOT_SUPPORTED"),
            None,
        ),
        (
            Some("5"),
            false,
            1,
            Some("1"),
            "99.00000000",
            Some("NAME_ALREADY_FOR_SALE"),
            Some("NOT_SUPPORTED"),
        ),
        // The price and the fee of 0.01 QORT.
        (
            Some("5"),
            false,
            1,
            None,
            "5.01000000",
            Some("NAME_ALREADY_FOR_SALE"),
            None,
        ),
        (
            Some("5"),
            false,
            1,
            None,
            "5.00000000",
            Some("NAME_ALREADY_FOR_SALE"),
            Some("NO_BALANCE"),
        ),
    ] {
        let chain = Chain::recorded().await;
        let answer = |path: &str, body: String| chain.node.fault(path, Fault::Status(200, body));
        let name = |name: &str, owner: &str, price: Option<&str>| {
            let mut row = json!({
                "name": name, "reducedName": name, "owner": owner, "data": "", "registered": 1, "isForSale": price.is_some(),
            });
            if let Some(price) = price {
                row["salePrice"] = price.into();
            }
            row
        };
        answer(
            "/names/some-name",
            name("some-name", OWNER, price).to_string(),
        );
        answer(
            "/names/the-buyer",
            name("the-buyer", BUYER, primary_price).to_string(),
        );
        let all = [
            name("some-name", OWNER, price),
            name("another", OWNER, None),
        ];
        answer(
            &format!("/names/address/{OWNER}"),
            json!(all[..owned]).to_string(),
        );
        let primary = if is_primary { "some-name" } else { "another" };
        answer(
            &format!("/names/primary/{OWNER}"),
            json!({"name": primary, "owner": OWNER}).to_string(),
        );
        answer(
            &format!("/names/primary/{BUYER}"),
            json!({"name": "the-buyer", "owner": BUYER}).to_string(),
        );
        answer(&format!("/addresses/balance/{BUYER}"), balance.to_owned());
        answer("/transactions/unitfee", "1000000".to_owned());
        let arguments = json!({"name": "some-name", "buyer": BUYER});
        let found = chain.call("check_name_sale", arguments).await.unwrap();
        let errors = ["sell", "buy"].map(|it| found[it]["error"].as_str());
        assert_eq!(
            errors,
            [sell, buy],
            "{price:?} {is_primary} {owned} {balance}"
        );
        chain.stop().await;
    }
    let chain = Chain::recorded().await;
    let own = json!({"name": "chloe", "buyer": "chloe"});
    let found = chain.call("check_name_sale", own).await.unwrap();
    // The owner's primary name is for sale, which is checked first.
    assert_eq!(found["buy"]["error"], "NOT_SUPPORTED");
    chain.stop().await;
}

#[tokio::test]
async fn count_names() {
    let elsewhere = [(Scenario::empty(), "none", json!({}))];
    check_on("count_names", [("some", json!({}))], elsewhere).await;
}

/// The count is right at every border of the bisection.
#[tokio::test]
async fn count_names_counts_every_name() {
    for scenario in [
        Scenario::one_name_each(),
        Scenario::of_size::<1_023>(),
        Scenario::of_size::<1_024>(),
        Scenario::of_size::<1_025>(),
    ] {
        let chain = Chain::of(scenario).await;
        let names = chain.rows("list_names", "names", json!({"limit": 100}));
        let names = names.await.len();
        let count = chain.call("count_names", json!({})).await.unwrap();
        assert_eq!(count["registeredNames"], names);
        assert!(names > 0);
        chain.stop().await;
    }
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

/// `RegisterNameTransaction.isValid`, line by line: length in bytes of UTF-8, normalized form, `Crypto.isValidAddress`.
#[tokio::test]
async fn check_name_rejects_what_register_name_transaction_rejects() {
    let chain = Chain::recorded().await;
    for (name, is_available) in [
        // An address of an account, of an automated transaction, and of a network node, which is not an address.
        ("QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ", Ok(false)),
        ("ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg8", Ok(false)),
        ("QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqK", Ok(true)),
        // Two and three bytes, forty and forty-one.
        ("ab", Err("INVALID_NAME_LENGTH")),
        ("\u{e9}\u{e9}", Ok(true)),
        ("a123456789b123456789c123456789d123456789", Ok(true)),
        (
            "a123456789b123456789c123456789d123456789e",
            Err("INVALID_NAME_LENGTH"),
        ),
        // Normalized before it is checked.
        ("  free \u{200b} name  ", Ok(true)),
        // Reduced to a taken one: `reducedNameExists`.
        ("VICT0R", Ok(false)),
    ] {
        let found = chain.call("check_name", json!({"name": name})).await;
        match is_available {
            Ok(is_available) => {
                let found = found.unwrap();
                assert_eq!(found["isAvailable"], is_available, "{name} {found:#}");
            }
            Err(_) => assert!(found.unwrap_err().contains("bytes"), "{name}"),
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn check_name() {
    let cases = [
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
        ("valid_address", "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ"),
    ];
    let cases = cases.map(|(case, name)| (case, json!({"name": name})));
    let elsewhere = [
        (Scenario::empty(), "empty_chain", json!({"name": "victor"})),
        odd_row("percent", json!({"name": "100%"})),
        odd_row("underscores", json!({"name": "____"})),
        odd_row("i_is_not_l", json!({"name": "zlbra"})),
    ];
    check_on("check_name", cases, elsewhere).await;
}

#[tokio::test]
async fn get_name_history() {
    let cases = [
        ("sold", json!({"name": "collectible"})),
        ("renamed", json!({"name": "new-name"})),
        ("offered_and_withdrawn", json!({"name": "rita-trades"})),
        ("of_an_owner_of_many", json!({"name": "q-demo"})),
        ("former_name", json!({"name": "old-name"})),
        ("refused_name", json!({"name": "rejected-name"})),
        ("expired_registration", json!({"name": "expired-name"})),
        ("waits_for_approval", json!({"name": "pending-name"})),
        ("waits_for_a_block", json!({"name": "gina-pending"})),
        ("never_registered", json!({"name": "no-such-name"})),
    ];
    check("get_name_history", cases).await;
}
