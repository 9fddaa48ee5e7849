//! `/transactions`.

use qortal_client::{
    PageRequest,
    api::transactions::{ApprovalStatus, Confirmation, PaymentFilter, TransactionFilter},
};
use qortal_testnode::{Event, Fault};
use qortal_types::{Amount, Height, Signature, Timestamp, TransactionType};
use serde_json::json;

use crate::harness::{ALICE, address, check_all, recorded, refused, section, targets};

fn of_types(types: &[TransactionType]) -> TransactionFilter {
    TransactionFilter::default().with_types(types.to_vec())
}

#[tokio::test]
async fn every_type_is_read() {
    let (_test_node, node) = recorded().await;
    let mut firsts = Vec::new();
    for transaction_type in TransactionType::ALL {
        let filter = of_types(std::slice::from_ref(transaction_type));
        let found = node
            .search_transactions(&filter, PageRequest::first(4))
            .await
            .unwrap();
        assert!(
            found
                .iter()
                .all(|found| found.transaction_type == *transaction_type && found.is_confirmed())
        );
        if let Some(first) = found.first() {
            let case = transaction_type.as_str().to_ascii_lowercase();
            firsts.push(section(&case, first));
        }
    }
    let what = "The first transaction of each type.";
    check_all("transactions", "of_every_type", what, &firsts);
}

#[tokio::test]
async fn a_transaction_is_found_by_signature_and_reference() {
    let (_test_node, node) = recorded().await;
    let payments = node
        .search_transactions(
            &of_types(&[TransactionType::Payment]),
            PageRequest::first(1),
        )
        .await
        .unwrap();
    let signature = payments[0].signature.unwrap();
    let found = node.transaction(&signature).await.unwrap();
    assert_eq!(found.amount(), payments[0].amount());
    let reference = found.reference.unwrap().parse().unwrap();
    assert_eq!(
        node.transaction_after(&reference).await.unwrap().signature,
        Some(signature)
    );
}

#[tokio::test]
async fn the_status_is_always_sent() {
    let (test_node, node) = recorded().await;
    let key = node.public_key(&address(ALICE)).await.unwrap().unwrap();
    node.search_transactions(
        &of_types(&[TransactionType::Payment, TransactionType::At]),
        PageRequest::first(2),
    )
    .await
    .unwrap();
    node.transactions_by(&key, Confirmation::Both, PageRequest::first(2))
        .await
        .unwrap();
    let filter = PaymentFilter::default()
        .with_sender(address(ALICE))
        .with_amount("0.5".parse::<Amount>().unwrap())
        .with_confirmation(Confirmation::Unconfirmed);
    node.payments(&filter, PageRequest::first(2)).await.unwrap();
    insta::assert_snapshot!(targets(&test_node)[1..].join("\n"), @"
    /transactions/search?txType=PAYMENT&txType=AT&confirmationStatus=CONFIRMED&limit=2
    /transactions/creator/2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP?confirmationStatus=BOTH&limit=2
    /transactions/payments/between?senderAddress=QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v&amount=0.50000000&confirmationStatus=UNCONFIRMED&limit=2
    ");
}

#[tokio::test]
async fn blocks_restrict_a_search() {
    let (_test_node, node) = recorded().await;
    let filter = of_types(&[TransactionType::Payment])
        .with_start_block(Height::new(10))
        .with_block_limit(10);
    let found = node
        .search_transactions(&filter, PageRequest::first(100))
        .await
        .unwrap();
    let heights: Vec<_> = found
        .iter()
        .map(|each| each.block_height.unwrap().number())
        .collect();
    assert!(
        heights.len() > 20 && heights.iter().all(|height| (10..20).contains(height)),
        "{heights:?}"
    );
    let unrestricted = TransactionFilter::default();
    insta::assert_snapshot!(
        refused(node.search_transactions(&unrestricted, PageRequest::first(21)).await),
        @"node refused GET /transactions/search with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria"
    );
}

#[tokio::test]
async fn a_block_has_all_its_transactions_at_once() {
    let (_test_node, node) = recorded().await;
    let block = node.block_at(Height::new(49)).await.unwrap();
    let transactions = node.block_transactions(&block.signature).await.unwrap();
    assert!(transactions.len() > 1);
    assert!(transactions.is_sorted_by_key(|transaction| transaction.timestamp));
}

#[tokio::test]
async fn what_is_not_decided_yet_is_listed() {
    let (_test_node, node) = recorded().await;
    let unconfirmed = node
        .unconfirmed_transactions(&[], None, PageRequest::first(100))
        .await
        .unwrap();
    assert_eq!(unconfirmed.len(), 6);
    assert!(
        unconfirmed
            .iter()
            .all(|transaction| !transaction.is_confirmed())
    );
    let payments = node
        .unconfirmed_transactions(&[TransactionType::Payment], None, PageRequest::first(100))
        .await
        .unwrap();
    assert!(
        payments
            .iter()
            .all(|transaction| transaction.transaction_type == TransactionType::Payment)
    );
    let pending = node
        .pending_transactions(None, PageRequest::first(100))
        .await
        .unwrap();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].approval_status, Some(ApprovalStatus::Pending));
}

#[tokio::test]
async fn an_account_has_a_history() {
    let (_test_node, node) = recorded().await;
    let newest = node
        .transactions_of(&address(ALICE), PageRequest::last(5))
        .await
        .unwrap();
    assert_eq!(newest.len(), 5);
    assert!(newest.is_sorted_by(|left, right| left.timestamp >= right.timestamp));
}

#[tokio::test]
async fn fees_are_amounts() {
    let (_test_node, node) = recorded().await;
    assert_eq!(
        node.unit_fee(&TransactionType::Payment, None)
            .await
            .unwrap()
            .to_string(),
        "0.01000000"
    );
    assert_eq!(
        node.unit_fee(&TransactionType::RegisterName, None)
            .await
            .unwrap()
            .to_string(),
        "1.25000000"
    );
    insta::assert_snapshot!(
        refused(node.unit_fee(&TransactionType::Airdrop, None).await),
        @"node refused GET /transactions/unitfee with HTTP 500"
    );
}

/// Before its first block a node knows no block; another refusal says nothing of what is there.
#[tokio::test]
async fn what_a_node_refuses_is_not_taken_for_the_time_before_all_blocks() {
    let (test_node, node) = recorded().await;
    let alice = address(ALICE);
    let key = node.public_key(&alice).await.unwrap().unwrap();
    let before = node.last_block().await.unwrap().timestamp;
    let page = PageRequest::first(3);
    let read = async || node.transactions_by_made_before(&key, before, page).await;
    assert_eq!(read().await.unwrap().unwrap().len(), 3);
    let refusal = r#"{"error":3,"message":"invalid height"}"#.to_owned();
    test_node.fault("/blocks/timestamp/*", Fault::Status(400, refusal));
    let before = Timestamp::from_millis(before.millis() - 1);
    let read = node.transactions_by_made_before(&key, before, page);
    assert!(read.await.is_err());
}

/// A waiting transaction is at its place among the confirmed ones also where it has the time of one of them.
#[tokio::test]
async fn pages_of_unconfirmed_and_confirmed_payments_hold_each_row_once_at_equal_times() {
    let (test_node, node) = recorded().await;
    let newest = node
        .search_transactions(&of_types(&[TransactionType::Payment]), PageRequest::last(2))
        .await
        .unwrap();
    test_node.apply(&Event::RowAdded {
        table: "transactions",
        like: json!({"signature": newest[1].signature.unwrap().to_string()}),
        but: json!({"signature": Signature::from_bytes([7; 64]).to_string(), "blockHeight": null}),
    });
    let before = node.last_block().await.unwrap().timestamp;
    let filter = of_types(&[TransactionType::Payment])
        .with_confirmation(Confirmation::Both)
        .with_made_before(before);
    let read = async |page| {
        let rows = node.search_transactions(&filter, page).await.unwrap();
        let row = |it: qortal_client::api::transactions::Transaction| (it.signature, it.timestamp);
        rows.into_iter().map(row).collect::<Vec<_>>()
    };
    let all = read(PageRequest::last(12)).await;
    assert!(all.windows(2).any(|pair| pair[0].1 == pair[1].1), "{all:?}");
    let mut pages = Vec::new();
    for offset in 0..12 {
        pages.extend(read(PageRequest::last(1).with_offset(offset)).await);
    }
    assert_eq!(pages, all);
}
