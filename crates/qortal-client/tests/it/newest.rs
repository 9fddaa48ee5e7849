//! The newest rows of lists of transactions: the same as of the whole list, and for long lists without it.

use std::collections::BTreeSet;

use qortal_client::{
    Node, Page,
    api::transactions::{PaymentFilter, Transaction, TransactionFilter},
};
use qortal_testnode::{Event, Scenario};
use qortal_types::{Address, Height, Signature, TransactionType};

use crate::harness::{address, recorded, targets, with};

/// The account with 150,000 payments.
const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

fn signatures(rows: &[Transaction]) -> Vec<Signature> {
    rows.iter().filter_map(|it| it.signature).collect()
}

/// A list that is asked for from the first block on is read whole.
async fn of_whole_list(node: &Node, filter: &TransactionFilter, page: Page) -> Vec<Signature> {
    let filter = filter.clone().with_start_block(Height::new(1));
    signatures(&node.search_transactions(&filter, page).await.unwrap())
}

async fn check(node: &Node, filter: &TransactionFilter, page: Page) {
    let expected = of_whole_list(node, filter, page).await;
    let found = node.search_transactions(filter, page).await.unwrap();
    assert_eq!(signatures(&found), expected, "{filter:?} {page:?}");
    if let (Some(address), true) = (&filter.address, filter.types.is_empty()) {
        let found = node.transactions_of(address, page).await.unwrap();
        assert_eq!(signatures(&found), expected, "{address} {page:?}");
    }
}

#[tokio::test]
async fn pages_are_those_of_the_whole_list_whatever_waited() {
    let (test_node, node) = recorded().await;
    let all = TransactionFilter::default().with_start_block(Height::new(1));
    let types = [TransactionType::Payment, TransactionType::Message];
    let all = all.with_types(types.clone());
    let rows = node.search_transactions(&all, Page::first(500)).await;
    let accounts: BTreeSet<Address> = rows
        .unwrap()
        .iter()
        .filter_map(|it| it.creator_address)
        .collect();
    assert!(accounts.len() > 5);
    // What waits is older than much of what was confirmed meanwhile.
    for event in [Event::Block, Event::Confirmed, Event::Block] {
        test_node.happen(&event);
        let accounts = accounts.iter().copied().map(Some).chain([None]);
        for account in accounts {
            let of_account = TransactionFilter::default().with_address(account);
            for filter in [of_account.clone(), of_account.with_types(types.clone())] {
                if account.is_none() && filter.types.is_empty() {
                    continue;
                }
                for (limit, offset) in [(1, 0), (2, 0), (3, 1), (10, 0), (10, 7), (100, 0)] {
                    check(&node, &filter, Page::last(limit).with_offset(offset)).await;
                }
            }
        }
    }
    test_node.stop().await;
}

#[tokio::test]
async fn a_short_chain_has_no_window() {
    let (test_node, node) = with(Scenario::empty()).await;
    let of_account = TransactionFilter::default().with_address(address(PAYER));
    check(&node, &of_account, Page::last(1)).await;
    test_node.stop().await;
}

#[tokio::test]
async fn the_newest_rows_of_a_long_list_do_not_need_the_whole_list() {
    let (test_node, node) = with(Scenario::large()).await;
    let of_payer = TransactionFilter::default().with_address(address(PAYER));
    check(&node, &of_payer, Page::last(21)).await;
    check(&node, &of_payer, Page::last(100).with_offset(350)).await;
    let whole = targets(&test_node).len();

    let of_payments = PaymentFilter::default().with_sender(address(PAYER));
    node.transactions_of(&address(PAYER), Page::last(21))
        .await
        .unwrap();
    node.search_transactions(&of_payer, Page::last(21))
        .await
        .unwrap();
    node.payments(&of_payments, Page::last(21)).await.unwrap();
    let asked = targets(&test_node).split_off(whole);
    let lists = asked.iter().filter(|it| it.starts_with("/transactions"));
    assert_eq!(lists.clone().count(), 3, "{asked:?}");
    assert!(
        lists.into_iter().all(|it| it.contains("startBlock=")),
        "{asked:?}"
    );

    // Deep in the list there is no other way.
    node.transactions_of(&address(PAYER), Page::last(21).with_offset(1_000))
        .await
        .unwrap();
    let asked = targets(&test_node);
    assert!(
        asked.last().is_some_and(|it| !it.contains("startBlock=")),
        "{asked:?}"
    );
    test_node.stop().await;
}
