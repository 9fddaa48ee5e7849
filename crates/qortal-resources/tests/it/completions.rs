//! Completions of arguments, and the node requests that they cause.

use std::{collections::BTreeSet, sync::Arc};

use insta::assert_snapshot;
use qortal_resources::{Completion, Completions, Prompt, Source};
use qortal_testnode::{Fault, Scenario};
use serde_json::{Map, json};
use test_chain::{Chain, standing_clock};

#[tokio::test(start_paused = true)]
async fn wildcards_of_the_node_are_letters() {
    let _standing = standing_clock();
    let Chain { node, catalog } = Chain::of(Scenario::odd_rows()).await;
    let completions = Completions::new(Arc::new(catalog));
    for (typed, expected) in [
        ("snake_", &["snake_case"][..]),
        ("100%", &["100%"]),
        ("_", &[]),
        ("s%e", &[]),
    ] {
        let found = completions.complete("name", typed, &Map::new()).await;
        assert_eq!(found.values, expected, "{typed}");
    }
    node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn values_that_fit_what_has_been_typed() {
    let _standing = standing_clock();
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    let resolved = json!({"service": "DOCUMENT", "name": "victor"});
    let resolved = resolved.as_object().unwrap();
    let mut said = String::new();
    for (argument, typed) in [
        ("blockchain", "d"),
        ("blockchain", "ltc"),
        ("blockchain", "gold"),
        ("service", "qchat"),
        ("service", "WEB"),
        ("tx_type", "create"),
        ("topic", ""),
        ("name", "AL"),
        ("address", "vic"),
        ("name", "%"),
        ("name", "Bó"),
        ("group_id", ""),
        ("group_id", "1"),
        ("asset_id", "qo"),
        ("poll_name", "fav"),
        ("height", ""),
        ("height", "45"),
        ("signature", "5"),
        ("address", "Victor"),
        ("identity", "QgV4"),
        ("at_address", ""),
        ("identifier", ""),
        ("filepath", "i"),
        ("year", ""),
        ("since", "the last 2"),
        ("nothing", ""),
    ] {
        let Completion { values, total, .. } =
            completions.complete(argument, typed, resolved).await;
        let total = total.map_or_else(|| "unknown".to_owned(), |it| it.to_string());
        said.push_str(&format!("{argument} {typed:?}: {values:?} of {total}\n"));
    }
    node.stop().await;
    assert_snapshot!(said, @r#"
    blockchain "d": ["DOGECOIN", "DIGIBYTE"] of 2
    blockchain "ltc": ["LITECOIN"] of 1
    blockchain "gold": [] of 0
    service "qchat": ["QCHAT_ATTACHMENT", "QCHAT_ATTACHMENT_PRIVATE", "QCHAT_IMAGE", "QCHAT_AUDIO", "QCHAT_VOICE"] of 5
    service "WEB": ["WEBSITE"] of 1
    tx_type "create": ["CREATE_POLL", "CREATE_ASSET_ORDER", "CREATE_GROUP"] of 3
    topic "": ["become_minter", "minting_levels", "names", "buy_and_sell_qort", "trade_states", "node_sync", "qdn_publishing", "qdn_states", "groups", "fees", "units", "shell", "glossary"] of 13
    name "AL": ["Alice Test", "alice-shop"] of 2
    address "vic": ["victor"] of 1
    name "%": [] of 0
    name "Bó": ["Bób-Name"] of 1
    group_id "": ["6", "4", "1", "2", "3", "5"] of 6
    group_id "1": ["1"] of 1
    asset_id "qo": ["0", "2"] of 2
    poll_name "fav": ["Favourite colour"] of 1
    height "": ["468", "467", "458", "368"] of 4
    height "45": ["458"] of 1
    signature "5": [] of unknown
    address "Victor": ["victor", "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq"] of 2
    identity "QgV4": [] of 0
    at_address "": ["ASP7LfLBDyTn6MfZacn7DvuK2MThXiLHJ1", "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo", "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP", "AYL6YBoHBwybwJ8Uxfv2o6dhHsQgJQJW5K", "AToqBsbBUWDTHN3XZKrda1oFSSR7ayqhMG", "AUUkLSqmSF2wL3CZnxNx9WnYnXyphS6f3z", "AT1QiFNmeWseWsTeih7MNaVSDCNs2qshmu", "AYW1Jsuy7zzdXehTDPuDxCt6kQ9chngN3k"] of 8
    identifier "": ["doc1", "report-2026"] of 2
    filepath "i": [] of unknown
    year "": ["2026", "2025", "2024", "2023", "2022", "2021", "2020"] of 7
    since "the last 2": ["the last 24 hours"] of 1
    nothing "": [] of unknown
    "#);
}

#[tokio::test(start_paused = true)]
async fn an_identifier_is_completed_once_service_and_name_are_resolved() {
    let _standing = standing_clock();
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    for resolved in [
        json!({}),
        json!({"service": "DOCUMENT"}),
        json!({"service": "NOTHING", "name": "victor"}),
        json!({"service": 1, "name": "victor"}),
    ] {
        let resolved = resolved.as_object().unwrap();
        let values = completions.complete("identifier", "", resolved).await;
        assert_eq!(values, Completion::default());
    }
    assert_eq!(node.journal().len(), 0);
    node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn answers_of_the_node_are_cached() {
    let _standing = standing_clock();
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    let first = completions.complete("name", "al", &Map::new()).await;
    assert_eq!(completions.complete("name", "AL", &Map::new()).await, first);
    assert_eq!(node.journal().len(), 1);
    node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_late_or_broken_completes_nothing() {
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    node.fault("/names/search", Fault::StallBeforeHeaders);
    node.fault("/groups", Fault::NotJson);
    for (argument, typed) in [("name", "al"), ("group_id", "")] {
        // Queried once. Then the query is not repeated for a while.
        for _ in 0..2 {
            let nothing = completions.complete(argument, typed, &Map::new()).await;
            assert_eq!(nothing, Completion::default());
        }
    }
    let journal = node.journal();
    let asked = |path: &str| {
        journal
            .iter()
            .filter(|it| it.target.starts_with(path))
            .count()
    };
    assert_eq!((asked("/names/search"), asked("/groups")), (1, 1));
    node.stop().await;
}

#[tokio::test]
async fn only_what_is_offered_is_completed() {
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    assert!(completions.has_prompt_argument("market_brief", "blockchain"));
    assert!(!completions.has_prompt_argument("market_brief", "name"));
    assert!(!completions.has_prompt_argument("nothing", "name"));
    assert!(completions.has_template_variable("qortal://name/{name}", "name"));
    assert!(!completions.has_template_variable("qortal://name/{name}", "address"));
    assert!(!completions.has_template_variable("qortal://name/victor", "name"));
    node.stop().await;
}

/// File paths are unknown without the files. A duplicate row of the table would never be read, and neither would an unused one.
#[tokio::test(start_paused = true)]
async fn every_argument_and_variable_has_one_row_with_values() {
    let _standing = standing_clock();
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    let resolved = json!({"service": "DOCUMENT", "name": "victor", "height": "468"});
    let resolved = resolved.as_object().unwrap();
    let arguments = Prompt::all().iter().flat_map(|it| &it.arguments);
    let variables = Source::all().flat_map(Source::variables);
    let names: BTreeSet<_> = arguments.map(|it| it.name).chain(variables).collect();
    let table = include_str!("../../src/completions/values.rs");
    let table: String = table.split_whitespace().collect();
    assert_eq!(table.matches("\",Values::").count(), names.len());
    let mut without = Vec::new();
    for name in names {
        let row = format!("(\"{name}\",Values::");
        assert_eq!(table.matches(&row).count(), 1, "{name}");
        let mut found = false;
        for typed in ["", "a", "c", "r", "1", "2", "A", "1/"] {
            let values = completions.complete(name, typed, resolved).await.values;
            found |= !values.is_empty();
        }
        if !found {
            without.push(name);
        }
    }
    assert_eq!(without, ["filepath"]);
    node.stop().await;
}

#[tokio::test]
async fn the_transactions_of_a_block_complete_what_is_typed() {
    let Chain { node, catalog } = Chain::recorded().await;
    let completions = Completions::new(Arc::new(catalog));
    let found = completions.complete("signature", "19/", &Map::new()).await;
    assert!(found.values.len() > 2, "{:?}", found.values);
    assert!(
        found
            .values
            .iter()
            .all(|it| it.starts_with("19/") && it.len() == 11)
    );
    node.stop().await;
}
