//! `/blocks`.

use qortal_client::{
    PageRequest,
    api::blocks::{BlockRange, SummaryRange},
};
use qortal_types::{Height, Timestamp};

use crate::harness::{ALICE, OSCAR, address, check, recorded, refused};

#[tokio::test]
async fn a_block_is_found_by_height_signature_and_time() {
    let (_test_node, node) = recorded().await;
    let block = node.block_at(Height::new(300)).await.unwrap();
    check("blocks", "block", "A block with online accounts.", &block);
    assert_eq!(
        node.block(&block.signature).await.unwrap().height,
        block.height
    );
    assert_eq!(
        node.height_of(&block.signature).await.unwrap(),
        block.height
    );
    assert_eq!(
        node.block_at_time(block.timestamp).await.unwrap().height,
        block.height
    );
    insta::assert_snapshot!(
        refused(node.block_at(Height::new(469)).await),
        @"node refused GET /blocks/byheight/{height} with HTTP 404, code 301 BLOCK_UNKNOWN: block unknown"
    );
    insta::assert_snapshot!(
        refused(node.block_at_time(Timestamp::from_millis(0)).await),
        @"node refused GET /blocks/timestamp/{timestamp} with HTTP 404, code 301 BLOCK_UNKNOWN: block unknown"
    );
}

#[tokio::test]
async fn the_chain_has_two_ends() {
    let (_test_node, node) = recorded().await;
    let first = node.first_block().await.unwrap();
    assert_eq!(
        (first.height, first.minter_address),
        (Height::GENESIS, None)
    );
    let last = node.last_block().await.unwrap();
    assert_eq!(last.height, node.height().await.unwrap());
}

#[tokio::test]
async fn ranges_end_with_the_chain() {
    let (_test_node, node) = recorded().await;
    let heights = async |start, count, reverse| {
        let range = BlockRange::new(Height::new(start), count).with_reverse(reverse);
        let blocks = node.block_range(range).await.unwrap();
        blocks
            .into_iter()
            .map(|block| block.height.number())
            .collect::<Vec<_>>()
    };
    assert_eq!(heights(149, 3, false).await, [149, 150, 151]);
    assert_eq!(heights(3, 5, true).await, [3, 2, 1]);
    assert_eq!(heights(467, 5, false).await, [467, 468]);
    assert!(heights(469, 5, false).await.is_empty());
}

#[tokio::test]
async fn signatures_of_online_accounts_come_when_they_are_asked_for() {
    let (_test_node, node) = recorded().await;
    for include_online_signatures in [false, true] {
        let range = BlockRange::new(Height::new(200), 1)
            .with_include_online_signatures(include_online_signatures);
        let blocks = node.block_range(range).await.unwrap();
        let signatures = blocks[0].online_accounts_signatures.as_ref();
        assert_eq!(signatures.is_some(), include_online_signatures);
    }
}

#[tokio::test]
async fn summaries_leave_the_tip_out_where_the_core_does() {
    let (_test_node, node) = recorded().await;
    let heights = async |range| {
        let summaries = node.block_summaries(range).await.unwrap();
        summaries
            .into_iter()
            .map(|summary| summary.height.number())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        heights(SummaryRange::From {
            start: Height::new(100),
            count: 2
        })
        .await,
        [100, 101]
    );
    assert_eq!(
        heights(SummaryRange::Before {
            end: Height::new(100),
            count: 2
        })
        .await,
        [98, 99]
    );
    assert_eq!(
        heights(SummaryRange::BeforeTip { count: 2 }).await,
        [466, 467]
    );
    insta::assert_snapshot!(
        refused(node.block_summaries(SummaryRange::BeforeTip { count: 0 }).await),
        @"node refused GET /blocks/summaries with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria"
    );
}

#[tokio::test]
async fn who_minted_is_read() {
    let (_test_node, node) = recorded().await;
    let minting = node.block_minting(Height::new(200)).await.unwrap();
    check(
        "blocks",
        "minting",
        "How block 200 came to its minter.",
        &minting,
    );
    let signers = node
        .block_signers(&[], PageRequest::first(3))
        .await
        .unwrap();
    assert_eq!(signers.len(), 3);
    let blocks = node
        .blocks_of_signer(&address(ALICE), PageRequest::first(3))
        .await
        .unwrap();
    assert_eq!(blocks[0].timestamp, None, "archived blocks come without");
    assert!(blocks.len() > 3, "archive and database are paged apart");
    insta::assert_snapshot!(
        refused(node.blocks_of_signer(&address(OSCAR), PageRequest::first(3)).await),
        @"node refused GET /blocks/signer/{address} with HTTP 404, code 304 PUBLIC_KEY_NOT_FOUND: public key not found"
    );
}
