//! What it costs a node to read a long list to its end.

use std::{collections::BTreeMap, time::Duration};

use qortal_client::{
    Node, NodeConfig, PageRequest,
    api::transactions::{Confirmation, PaymentFilter},
};
use qortal_testnode::{Fault, Scenario};
use qortal_types::Height;
use serde_json::json;

use crate::{Chain, paging::ALICE, walk};

/// Blocks of a window that a program would ask for.
const BLOCKS: u32 = 10;

/// How long the node worked for the requests since `before`, and for which.
fn work(chain: &Chain, before: usize) -> (Duration, BTreeMap<String, (usize, Duration)>) {
    let asked = chain.node.journal().split_off(before);
    let mut by_path = BTreeMap::<String, (usize, Duration)>::new();
    for exchange in &asked {
        let path = exchange.target.split('?').next().unwrap_or_default();
        let path = path.split('/').take(3).collect::<Vec<_>>().join("/");
        let of_path = by_path.entry(path).or_default();
        *of_path = (of_path.0 + 1, of_path.1 + exchange.work);
    }
    (asked.iter().map(|it| it.work).sum(), by_path)
}

/// All payments of a node with the costs of the real Core, beside what they cost in windows of ten blocks.
#[tokio::test(start_paused = true)]
async fn a_long_list_costs_at_most_three_times_as_much_as_its_windows() {
    // 500 payments of the account in a block.
    let (rows, scenario) = match walk::is_whole() {
        true => (20_000, Scenario::of_size::<20_000>()),
        false => (5_000, Scenario::of_size::<5_000>()),
    };
    let chain = Chain::of(scenario.with_core_costs()).await;
    // A program that takes longer answers than the tests do.
    let node = Node::new(NodeConfig::new(chain.node.url())).unwrap();
    let tip = node.height().await.unwrap().number();
    let of_account = PaymentFilter::default()
        .with_sender(Some(ALICE.parse().unwrap()))
        .with_confirmation(Confirmation::Confirmed);
    let mut expected = 0;
    let before = chain.node.journal().len();
    for first in (2..=tip).step_by(BLOCKS as usize) {
        let window = of_account.clone().with_start_block(Height::new(first));
        let window = window.with_block_limit(BLOCKS);
        let rows = node.payments(&window, PageRequest::first(10_000)).await;
        expected += rows.unwrap().len();
    }
    let (raw, _) = work(&chain, before);
    assert!(expected >= rows, "{expected}");
    for order in ["oldest", "newest"] {
        let before = chain.node.journal().len();
        let arguments = json!({"sender": ALICE, "order": order, "limit": 100});
        let arguments = arguments.as_object().unwrap().clone();
        let entry = chain.catalog.entry("find_payments").unwrap();
        let mut pages = chain.catalog.pages(entry, arguments).unwrap();
        let mut rows = 0;
        while let Some(page) = pages.next().await {
            rows += page.unwrap().rows.len();
        }
        let (ours, by_path) = work(&chain, before);
        assert_eq!(rows, expected, "{order}");
        assert!(
            ours < raw * 3,
            "{order}: {ours:?} beside {raw:?}, {by_path:#?}"
        );
    }
    chain.stop().await;
}

/// A node that does not even count a list sends it in small windows.
#[tokio::test]
async fn a_list_that_is_too_long_to_be_counted_is_read_in_windows() {
    let chain = Chain::recorded().await;
    let arguments = json!({"sender": ALICE, "order": "oldest", "confirmation_status": "CONFIRMED"});
    let whole = chain
        .rows("find_payments", "payments", arguments.clone())
        .await;
    chain
        .node
        .fault_times("/transactions/payments/between", Fault::HugeBody, 1);
    let entry = chain.catalog.entry("find_payments").unwrap();
    let arguments = arguments.as_object().unwrap().clone();
    let mut pages = chain.catalog.pages(entry, arguments).unwrap();
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        rows.extend(page.unwrap().rows);
    }
    assert_eq!(rows, whole);
    chain.stop().await;
}
