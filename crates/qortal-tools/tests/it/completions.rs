//! How arguments go on.

use std::sync::Arc;

use insta::assert_snapshot;
use mcp_protocol::Object;
use qortal_testnode::Fault;
use qortal_tools::{Suggestions, Values};
use serde_json::json;

use crate::Chain;

#[tokio::test]
async fn values_that_fit_what_has_been_typed() {
    let Chain { node, catalog } = Chain::recorded().await;
    let suggestions = Suggestions::new(Arc::new(catalog));
    let settled = json!({"service": "DOCUMENT", "name": "victor"});
    let settled = settled.as_object().unwrap();
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
        ("public_key", "rita"),
        ("public_key", ""),
        ("at_address", ""),
        ("identifier", ""),
        ("filepath", "i"),
        ("year", ""),
        ("since", "the last 2"),
        ("nothing", ""),
    ] {
        let Values { values, total } = suggestions.values(argument, typed, settled).await;
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
    topic "": ["minting_levels", "trade_states", "qdn_states", "fees", "units"] of 5
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
    public_key "rita": ["CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7"] of 1
    public_key "": [] of unknown
    at_address "": ["ASP7LfLBDyTn6MfZacn7DvuK2MThXiLHJ1", "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo", "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP", "AYL6YBoHBwybwJ8Uxfv2o6dhHsQgJQJW5K", "AToqBsbBUWDTHN3XZKrda1oFSSR7ayqhMG", "AUUkLSqmSF2wL3CZnxNx9WnYnXyphS6f3z", "AT1QiFNmeWseWsTeih7MNaVSDCNs2qshmu", "AYW1Jsuy7zzdXehTDPuDxCt6kQ9chngN3k"] of 8
    identifier "": ["doc1", "report-2026"] of 2
    filepath "i": [] of unknown
    year "": ["2026", "2025", "2024", "2023", "2022", "2021", "2020"] of 7
    since "the last 2": ["the last 24 hours"] of 1
    nothing "": [] of unknown
    "#);
}

#[tokio::test]
async fn an_identifier_goes_on_once_service_and_name_are_settled() {
    let Chain { node, catalog } = Chain::recorded().await;
    let suggestions = Suggestions::new(Arc::new(catalog));
    for settled in [
        json!({}),
        json!({"service": "DOCUMENT"}),
        json!({"service": "NOTHING", "name": "victor"}),
        json!({"service": 1, "name": "victor"}),
    ] {
        let settled = settled.as_object().unwrap();
        let values = suggestions.values("identifier", "", settled).await;
        assert_eq!(values, Values::default());
    }
    assert_eq!(node.journal().len(), 0);
    node.stop().await;
}

#[tokio::test]
async fn what_the_node_said_is_kept_for_a_while() {
    let Chain { node, catalog } = Chain::recorded().await;
    let suggestions = Suggestions::new(Arc::new(catalog));
    let first = suggestions.values("name", "al", &Object::new()).await;
    assert_eq!(
        suggestions.values("name", "AL", &Object::new()).await,
        first
    );
    assert_eq!(node.journal().len(), 1);
    node.stop().await;
}

#[tokio::test]
async fn a_node_that_is_late_or_broken_suggests_nothing() {
    let Chain { node, catalog } = Chain::recorded().await;
    let suggestions = Suggestions::new(Arc::new(catalog));
    node.fault("/names/search", Fault::StallBeforeHeaders);
    node.fault("/groups", Fault::NotJson);
    for (argument, typed) in [("name", "al"), ("group_id", "")] {
        // Asked once: the node gets a rest.
        for _ in 0..2 {
            let nothing = suggestions.values(argument, typed, &Object::new()).await;
            assert_eq!(nothing, Values::default());
        }
    }
    assert_eq!(node.journal().len(), 2);
    node.stop().await;
}

#[tokio::test]
async fn only_what_is_offered_is_completed() {
    let Chain { node, catalog } = Chain::recorded().await;
    let suggestions = Suggestions::new(Arc::new(catalog));
    assert!(suggestions.is_blank_of("market_brief", "blockchain"));
    assert!(!suggestions.is_blank_of("market_brief", "name"));
    assert!(!suggestions.is_blank_of("nothing", "name"));
    assert!(suggestions.is_variable_of("qortal://name/{name}", "name"));
    assert!(!suggestions.is_variable_of("qortal://name/{name}", "address"));
    assert!(!suggestions.is_variable_of("qortal://name/victor", "name"));
    node.stop().await;
}
