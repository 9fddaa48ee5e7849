//! `/names`.

use qortal_client::{Endpoint, Observation, PageRequest, api::names::NameMatch};
use qortal_testnode::Scenario;
use qortal_types::Timestamp;

use crate::harness::{
    ALICE, BOB, PENNY, QUINN, VICTOR, address, check, recorded, refused, targets, with,
};

#[tokio::test]
async fn a_name_is_found_by_its_reduced_form() {
    const VECTORS: &[(&str, &str)] = &[
        ("chloe", "chloe"),
        ("Alice Test", "Alice Test"),
        ("ALICE TEST", "Alice Test"),
        ("a1ice test", "Alice Test"),
        ("Bób-Name", "Bób-Name"),
        ("日本語の名前", "日本語の名前"),
        ("il1o0|mix", "il1o0|mix"),
        ("Fe|ix 😀", "Fe|ix 😀"),
    ];
    let (_test_node, node) = recorded().await;
    for (asked, found) in VECTORS {
        assert_eq!(node.name(asked).await.unwrap().name, *found, "{asked}");
    }
    insta::assert_snapshot!(
        refused(node.name("no-such-name").await),
        @"node refused GET /names/{name} with HTTP 404, code 401 NAME_UNKNOWN: name unknown"
    );
}

#[tokio::test]
async fn a_name_like_a_path_of_the_core_is_asked_in_capitals() {
    let (test_node, node) = recorded().await;
    for name in ["search", "forsale", "list"] {
        assert!(
            refused(node.name(name).await).contains("NAME_UNKNOWN"),
            "{name}"
        );
    }
    assert_eq!(
        targets(&test_node),
        ["/names/SEARCH", "/names/FORSALE", "/names/LIST"]
    );
}

#[tokio::test]
async fn names_belong_to_accounts() {
    let (_test_node, node) = recorded().await;
    let names = node
        .names_of(&address(VICTOR), PageRequest::first(10))
        .await
        .unwrap();
    let names: Vec<_> = names
        .into_iter()
        .filter_map(|summary| summary.name)
        .collect();
    assert_eq!(names, ["victor", "日本語の名前", "long-data", "q-demo"]);
    assert_eq!(
        node.primary_name(&address(ALICE)).await.unwrap().as_deref(),
        Some("Alice Test")
    );
    assert_eq!(node.primary_name(&address(PENNY)).await.unwrap(), None);
    assert_eq!(node.primary_name(&address(QUINN)).await.unwrap(), None);
    let asked = [ALICE, PENNY, BOB, QUINN].map(address);
    let names = node.primary_names(&asked).await.unwrap();
    assert_eq!(
        names
            .iter()
            .map(|summary| summary.owner)
            .collect::<Vec<_>>(),
        asked
    );
    let names: Vec<_> = names
        .iter()
        .map(|summary| summary.name.as_deref())
        .collect();
    assert_eq!(names, [Some("Alice Test"), None, Some("Bób-Name"), None]);
    insta::assert_snapshot!(
        refused(node.primary_names(&[]).await),
        @"node refused POST /names/list with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria"
    );
}

#[tokio::test]
async fn names_for_sale_have_a_price() {
    let (_test_node, node) = recorded().await;
    let names = node.names_for_sale(PageRequest::first(10)).await.unwrap();
    check("names", "for_sale", "The names that are for sale.", &names);
}

#[tokio::test]
async fn names_are_searched_and_paged() {
    let (_test_node, node) = recorded().await;
    let search = async |query: &str, place| {
        let names = node
            .search_names(query, place, PageRequest::first(20))
            .await
            .unwrap();
        names.into_iter().map(|name| name.name).collect::<Vec<_>>()
    };
    assert_eq!(
        search("a", NameMatch::Prefix).await,
        ["Alice Test", "alice-shop", "approved-name"]
    );
    assert_eq!(search("日本", NameMatch::Anywhere).await, ["日本語の名前"]);
    assert!(search("zzzzz", NameMatch::Anywhere).await.is_empty());
    let all = node.names(None, PageRequest::first(100)).await.unwrap();
    assert_eq!(all.len(), 17);
    let second = node
        .names(None, PageRequest::first(4).next())
        .await
        .unwrap();
    assert_eq!(second[0].name, all[4].name);
    let last = node.names(None, PageRequest::last(1)).await.unwrap();
    assert_eq!(last[0].name, all[16].name);
    let tip = Timestamp::from_millis(1_795_242_169_425);
    assert!(
        node.names(Some(tip), PageRequest::first(100))
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn nothing_but_wildcards_does_not_read_all_names() {
    let (test_node, node) = with(Scenario::large()).await;
    let (node, seen) = node.observed();
    let page = PageRequest::first(20);
    let found = node.search_names("%", NameMatch::Anywhere, page).await;
    assert!(found.unwrap().is_empty());
    let asked = targets(&test_node).into_iter();
    assert_eq!(asked.filter(|it| it.starts_with("/names")).count(), 1);
    let expected = Observation::TooManyRows {
        endpoint: Endpoint::NamesSearch,
        limit: 1_000,
    };
    assert_eq!(seen.all(), [expected]);
    test_node.stop().await;
}

/// What the Core would find besides: `100x` for `100%`, `snakeXcase` for `snake_case`.
#[tokio::test]
async fn wildcards_of_the_core_are_letters() {
    let (_test_node, node) = with(Scenario::odd_rows()).await;
    let search = async |query: &str, place, page| {
        let names = node.search_names(query, place, page).await.unwrap();
        names.into_iter().map(|name| name.name).collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("100%", &["100%"][..]),
        ("%", &["100%"]),
        ("_", &["snake_case"]),
        ("E_C", &["snake_case"]),
        ("snake\\_case", &[]),
        ("back\\", &["back\\slash"]),
        ("____________", &[]),
        ("s%e", &[]),
        ("o'n", &["o'neil"]),
    ] {
        let found = search(query, NameMatch::Anywhere, PageRequest::first(20)).await;
        assert_eq!(found, expected, "{query}");
    }
    assert_eq!(
        search("snake_", NameMatch::Prefix, PageRequest::last(5)).await,
        ["snake_case"]
    );
    let beyond = PageRequest::first(5).with_offset(1);
    assert!(search("_", NameMatch::Anywhere, beyond).await.is_empty());
}
