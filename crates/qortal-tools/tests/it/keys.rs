//! The API key of the node: which tools need it, who receives it, and what is said without it.

use std::{collections::BTreeSet, time::Duration};

use insta::assert_snapshot;
use qortal_client::{ApiKey, Node, NodeConfig};
use qortal_testnode::{API_KEY, Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Object, Selection, ToolError};
use serde_json::{Value, json};

use crate::Chain;

/// What the Core answers only with its key, of what is asked (`Security.checkApiCallAllowed`).
const WITH_KEY: [&str; 6] = [
    "/admin/enginestats",
    "/admin/summary/alltime",
    "/arbitrary/hosted/resources",
    "/lists/blockedAddresses",
    "/lists/blockedNames",
    "/lists/followedNames",
];

/// The example of each tool, and what else a key is for.
fn calls() -> impl Iterator<Item = (&'static str, Value)> {
    let examples =
        Catalog::entries().map(|it| (it.name, serde_json::from_str(it.example).unwrap()));
    examples.chain([("get_node_summary", json!({"all_time": true}))])
}

/// The paths that a node was asked for with a key.
fn asked_with_key(node: &TestNode) -> BTreeSet<String> {
    let journal = node.journal().into_iter().filter(|it| it.has_api_key);
    let path = |target: String| target.split('?').next().unwrap().to_owned();
    journal.map(|it| path(it.target)).collect()
}

#[tokio::test]
async fn the_key_goes_where_it_is_needed_and_nowhere_else() {
    let chain = Chain::recorded().await;
    let mut needed = BTreeSet::new();
    for (tool, arguments) in calls() {
        let before = chain.node.journal().len();
        chain.call(tool, arguments).await.unwrap();
        let journal = chain.node.journal();
        if journal.iter().skip(before).any(|it| it.has_api_key) {
            needed.insert(tool);
        }
    }
    assert_eq!(
        asked_with_key(&chain.node),
        BTreeSet::from(WITH_KEY.map(str::to_owned))
    );
    let mut told: BTreeSet<_> = Catalog::entries()
        .filter(|it| it.needs_key)
        .map(|it| it.name)
        .collect();
    told.insert("get_node_summary");
    assert_eq!(needed, told);
    chain.stop().await;
}

/// Whether the configured node answers or not.
#[tokio::test]
async fn public_and_compared_nodes_never_receive_it() {
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    let compared = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut chain = Chain::recorded().await;
    let config = NodeConfig::new(chain.node.url())
        .with_api_key(ApiKey::new(API_KEY).unwrap())
        .with_public_urls([public.url().to_owned()])
        .with_public_pause(Duration::ZERO);
    let others =
        [chain.node.url(), compared.url()].map(|it| Node::new(NodeConfig::new(it)).unwrap());
    chain.catalog = Catalog::new(Node::new(config).unwrap(), &Selection::default())
        .unwrap()
        .with_comparison_nodes(others.to_vec());
    for is_down in [false, true] {
        if is_down {
            chain.node.fault("/*", Fault::Refuse);
        }
        for (tool, arguments) in calls() {
            // An answer or a refusal: what matters is who was asked for it.
            drop(chain.call(tool, arguments).await);
        }
    }
    assert!(!public.journal().is_empty() && !compared.journal().is_empty());
    for node in [&public, &compared] {
        assert_eq!(asked_with_key(node), BTreeSet::new());
        let asked = node.journal();
        let private = asked.iter().find(|it| {
            WITH_KEY.iter().any(|path| it.target.starts_with(path))
                || it.target.starts_with("/admin/settings")
                || it.target.starts_with("/admin/mintingaccounts")
        });
        assert!(private.is_none(), "{private:?}");
    }
    chain.stop().await;
    public.stop().await;
    compared.stop().await;
}

#[test]
fn tools_that_need_it_say_so() {
    for entry in Catalog::entries().filter(|it| it.needs_key) {
        let says = entry.description.contains("Needs the node's API key.");
        assert!(says, "{}", entry.name);
    }
}

#[tokio::test]
async fn a_refusal_says_whether_a_key_was_sent() {
    for (key, expected) in [
        (None, "API key needed. "),
        (Some("wrong"), "API key refused. "),
    ] {
        let chain = Chain::keyed(Scenario::recorded(), key).await;
        for entry in Catalog::entries().filter(|it| it.needs_key) {
            let arguments = serde_json::from_str(entry.example).unwrap();
            let said = chain.call(entry.name, arguments).await.unwrap_err();
            assert!(said.starts_with(expected), "{}: {said}", entry.name);
        }
        let all_time = json!({"all_time": true});
        let said = chain.call("get_node_summary", all_time).await.unwrap_err();
        assert!(said.starts_with(expected), "{said}");
        chain.stop().await;
    }
}

/// The Core tells these to everyone, and a node may be someone else's. Nothing listens at this address (RFC 5737).
#[tokio::test]
async fn what_is_private_is_asked_of_the_users_own_node_only() {
    let mut chain = Chain::recorded().await;
    let elsewhere = Node::new(NodeConfig::new("http://192.0.2.1:12391")).unwrap();
    chain.catalog = Catalog::new(elsewhere, &Selection::default()).unwrap();
    let settings = chain
        .call("get_node_settings", json!({}))
        .await
        .unwrap_err();
    assert_snapshot!(settings, @"Only for the node's owner. This is private to the person who runs a node, so it is requested from a node on this machine only, or with the node's API key. Ask the user to pass --node with the address of their own node, or --api-key-file with the path of its apikey.txt.");
    let accounts = chain.call("list_minting_accounts", json!({})).await;
    assert_eq!(accounts.unwrap_err(), settings);
    chain.stop().await;
    // A node on this machine is the user's own, with a key or without.
    let chain = Chain::keyed(Scenario::recorded(), None).await;
    chain.call("get_node_settings", json!({})).await.unwrap();
    chain.stop().await;
}

/// Port 9 answers nothing; an address that is not of this machine is not asked at all.
#[tokio::test]
async fn only_addresses_of_this_machine_are_the_users_own() {
    for (url, is_own) in [
        ("http://127.0.0.1:9", true),
        ("http://localhost:9/", true),
        ("http://[::1]:9", true),
        ("http://192.168.0.7:9", false),
        ("http://127.0.0.1.invalid", false),
        ("http://api.invalid/127.0.0.1", false),
    ] {
        let node = Node::new(NodeConfig::new(url)).unwrap();
        let catalog = Catalog::new(node, &Selection::default()).unwrap();
        let entry = catalog.entry("get_node_settings").unwrap();
        let refused = catalog.call(entry, Object::new()).await.unwrap_err();
        let is_refused = matches!(refused, ToolError::OwnerOnly);
        assert_eq!(is_refused, !is_own, "{url}: {refused}");
    }
}
