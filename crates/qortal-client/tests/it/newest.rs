//! The newest rows of lists of transactions: the same as of the whole list, and for long lists without it.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    time::Duration,
};

use futures_util::future::join_all;
use qortal_client::{
    Node, NodeConfig, PageRequest,
    api::transactions::{Confirmation, PaymentFilter, Transaction, TransactionFilter},
};
use qortal_testnode::{Event, Exchange, Scenario, TestNode};
use qortal_types::{Address, Height, Signature, TransactionType};
use tokio::time::Instant;

use crate::harness::{address, recorded, targets, with};

/// The account with 150,000 payments.
const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

fn signatures(rows: &[Transaction]) -> Vec<Signature> {
    rows.iter().filter_map(|it| it.signature).collect()
}

/// Of a longer page than there are windows for, the list is read whole.
const WHOLE: PageRequest = PageRequest::last(501);

/// What a page has of all rows, the newest first.
fn of_whole_list(all: &[Signature], page: PageRequest) -> Vec<Signature> {
    let rows = all.iter().skip(page.offset as usize);
    rows.take(page.limit as usize).copied().collect()
}

/// Each page, limit and offset, of the rows of four ranges of blocks.
async fn check(node: &Node, filter: &TransactionFilter, pages: &[(u32, u32)]) {
    let pages = pages
        .iter()
        .map(|(limit, offset)| PageRequest::last(*limit).with_offset(*offset));
    let newest = async |filter: &TransactionFilter, page: PageRequest| {
        let rows = node.search_transactions(filter, page).await;
        signatures(&rows.unwrap())
    };
    for (start, limit) in [
        (None, None),
        (Some(100), None),
        (Some(300), Some(130)),
        (Some(400), Some(0)),
    ] {
        let filter = filter.clone().with_start_block(start.map(Height::new));
        let filter = filter.with_block_limit(limit);
        let all = newest(&filter, WHOLE).await;
        for page in pages.clone() {
            let expected = of_whole_list(&all, page);
            let found = newest(&filter, page).await;
            assert_eq!(found, expected, "{filter:?} {page:?}");
        }
    }
    if let (Some(address), true) = (&filter.address, filter.types.is_empty()) {
        let all = newest(filter, WHOLE).await;
        for page in pages {
            let found = node.transactions_of(address, page).await.unwrap();
            let expected = of_whole_list(&all, page);
            assert_eq!(signatures(&found), expected, "{address} {page:?}");
        }
    }
}

/// Of payments the whole list is read from its beginning.
async fn check_payments(node: &Node, filter: &PaymentFilter) {
    for confirmation in [Confirmation::Confirmed, Confirmation::Both] {
        let filter = filter.clone().with_confirmation(confirmation);
        let all = node
            .payments(&filter, PageRequest::first(20_000))
            .await
            .unwrap();
        let mut all = signatures(&all);
        all.reverse();
        for (limit, offset) in [(1, 0), (2, 1), (10, 3), (100, 0)] {
            let page = PageRequest::last(limit).with_offset(offset);
            let found = node.payments(&filter, page).await.unwrap();
            let expected = all.iter().skip(offset as usize).take(limit as usize);
            let expected: Vec<_> = expected.copied().collect();
            assert_eq!(signatures(&found), expected, "{filter:?} {page:?}");
        }
    }
}

/// Every account where `CI` is set, and otherwise each fifth.
#[tokio::test]
async fn pages_are_those_of_the_whole_list_whatever_waited() {
    let (test_node, node) = recorded().await;
    let all = TransactionFilter::default().with_start_block(Height::new(1));
    let types = [TransactionType::Payment, TransactionType::Message];
    let all = all.with_types(types.clone());
    let rows = node
        .search_transactions(&all, PageRequest::first(500))
        .await;
    let accounts: BTreeSet<Address> = rows
        .unwrap()
        .iter()
        .filter_map(|it| it.creator_address)
        .collect();
    assert!(accounts.len() > 5);
    let each = if env::var_os("CI").is_some() { 1 } else { 5 };
    let accounts: Vec<_> = accounts.into_iter().step_by(each).collect();
    // What waits is older than much of what was confirmed meanwhile.
    for event in [Event::Block, Event::Confirmed, Event::Block] {
        test_node.apply(&event);
        for account in &accounts {
            let sent = PaymentFilter::default().with_sender(*account);
            let received = PaymentFilter::default().with_recipient(*account);
            for filter in [sent, received] {
                check_payments(&node, &filter).await;
            }
        }
        let accounts = accounts.iter().copied().map(Some).chain([None]);
        for account in accounts {
            let of_account = TransactionFilter::default().with_address(account);
            for filter in [of_account.clone(), of_account.with_types(types.clone())] {
                if account.is_none() && filter.types.is_empty() {
                    continue;
                }
                let pages = [(1, 0), (2, 0), (3, 1), (10, 0), (10, 7), (100, 0)];
                check(&node, &filter, &pages).await;
            }
        }
    }
    test_node.stop().await;
}

#[tokio::test]
async fn a_short_chain_has_no_window() {
    let (test_node, node) = with(Scenario::empty()).await;
    let of_account = TransactionFilter::default().with_address(address(PAYER));
    check(&node, &of_account, &[(1, 0)]).await;
    test_node.stop().await;
}

#[tokio::test]
async fn the_newest_rows_of_a_long_list_do_not_need_the_whole_list() {
    let (test_node, node) = with(Scenario::large()).await;
    let of_payer = TransactionFilter::default().with_address(address(PAYER));
    check(&node, &of_payer, &[(21, 0), (100, 350)]).await;
    let whole = targets(&test_node).len();

    let of_payments = PaymentFilter::default().with_sender(address(PAYER));
    node.transactions_of(&address(PAYER), PageRequest::last(21))
        .await
        .unwrap();
    node.search_transactions(&of_payer, PageRequest::last(21))
        .await
        .unwrap();
    node.payments(&of_payments, PageRequest::last(21))
        .await
        .unwrap();
    let asked = test_node.journal().split_off(whole);
    let lists = asked.iter();
    let lists: Vec<_> = lists
        .filter(|it| it.target.starts_with("/transactions"))
        .collect();
    assert_eq!(lists.len(), 3, "{asked:#?}");
    for list in lists {
        assert!(list.target.contains("startBlock="), "{list:?}");
        // Those of thirty blocks and the tip, in which 500 are at most.
        assert!(list.rows_read <= 31 * 500, "{list:?}");
    }

    // Deep in the list there is no other way.
    node.transactions_of(&address(PAYER), PageRequest::last(21).with_offset(5_000))
        .await
        .unwrap();
    let asked = targets(&test_node);
    assert!(
        asked.last().is_some_and(|it| !it.contains("startBlock=")),
        "{asked:?}"
    );
    test_node.stop().await;
}

/// The whole list takes 12 s alone on one of two such processors, and 2.6 s on those of the real Core.
#[tokio::test(start_paused = true)]
async fn many_pages_of_a_long_list_at_once_are_answered_soon() {
    let slow = Scenario::large().with_costs(2, Duration::from_micros(80));
    for (scenario, apart, most) in [
        (slow, 20, Duration::from_secs(8)),
        (
            Scenario::large().with_core_costs(),
            100,
            Duration::from_secs(8),
        ),
    ] {
        let test_node = TestNode::start(scenario).await.unwrap();
        let node = Node::new(NodeConfig::new(test_node.url())).unwrap();
        let began = Instant::now();
        let pages = (0..16).map(|it| {
            let node = &node;
            let page = PageRequest::last(21).with_offset(it * apart);
            async move { node.transactions_of(&address(PAYER), page).await }
        });
        for page in join_all(pages).await {
            assert_eq!(page.unwrap().len(), 21);
        }
        let took = began.elapsed();
        assert!(took < most, "{apart} {took:?}");
        test_node.stop().await;
    }
}

/// With answers that are kept for a moment, as servers keep them, too.
#[tokio::test(start_paused = true)]
async fn a_block_that_comes_while_a_page_is_read_does_not_move_it() {
    const ROUND: Duration = Duration::from_millis(100);
    let page = PageRequest::last(3).with_offset(6);
    for cache_time in [Duration::ZERO, Duration::from_secs(1)] {
        // Longer than it takes to read the page.
        for round in 0..12 {
            let test_node = TestNode::start(Scenario::recorded()).await.unwrap();
            let config = NodeConfig::new(test_node.url()).with_cache_time(cache_time);
            let node = Node::new(config).unwrap();
            let key = node.public_key(&address(PAYER)).await.unwrap().unwrap();
            let last = node.height().await.unwrap();
            let pay = || {
                let to = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2".to_owned();
                let (units, count) = (1, 2);
                test_node.apply(&Event::Payments { to, units, count });
            };
            let of_payer = TransactionFilter::default().with_address(address(PAYER));
            let of_payer = of_payer.with_start_block(Height::new(1));
            let of_payer = of_payer.with_block_limit(last.number());
            let read = async || {
                let by_key = node.transactions_by_up_to(&key, last, page).await;
                let found = node.search_transactions(&of_payer, page).await;
                (
                    signatures(&by_key.unwrap().unwrap()),
                    signatures(&found.unwrap()),
                )
            };
            let expected = read().await;
            // None of the pages is empty, which would stay the same, too.
            assert_eq!((expected.0.len(), expected.1.len()), (3, 3));
            pay();
            assert_eq!(read().await, expected);
            // By then nothing of that is kept.
            tokio::time::advance(Duration::from_secs(5)).await;
            test_node.latency(ROUND);
            let (found, ()) = tokio::join!(read(), async {
                tokio::time::sleep(ROUND * round + ROUND / 2).await;
                pay();
            });
            assert_eq!(found, expected, "{cache_time:?} {round}");
            test_node.stop().await;
        }
    }
}

/// Of accounts that are busy at times, some are found in one window, some in several, and some in the whole list alone.
#[tokio::test]
async fn windows_widen_until_the_page_is_full() {
    let (test_node, node) = with(Scenario::uneven()).await;
    let payments = TransactionFilter::default().with_types([TransactionType::Payment]);
    let all = payments.clone().with_start_block(Height::new(469));
    let all = node
        .search_transactions(&all, PageRequest::first(20_000))
        .await;
    let accounts = all.unwrap().into_iter();
    let accounts: BTreeSet<_> = accounts.filter_map(|it| it.creator_address).collect();
    assert_eq!(accounts.len(), 6);
    for account in accounts.iter().take(2) {
        check_payments(&node, &PaymentFilter::default().with_sender(*account)).await;
    }
    let (mut windows, mut whole) = (BTreeMap::new(), 0);
    for account in accounts {
        let of_account = TransactionFilter::default().with_address(account);
        let expected = node.search_transactions(&of_account, PageRequest::last(20_000));
        let expected = signatures(&expected.await.unwrap());
        let mut followed = Vec::new();
        for (limit, offset) in [(1, 0), (20, 1), (29, 21), (100, 50), (200, 150), (150, 350)] {
            let before = targets(&test_node).len();
            let page = PageRequest::last(limit).with_offset(offset);
            let rows = node.transactions_of(&account, page).await.unwrap();
            followed.extend(signatures(&rows));
            let asked = test_node.journal().split_off(before);
            let lists = asked.iter();
            let lists = lists.filter(|it| it.target.starts_with("/transactions"));
            let (in_windows, others): (Vec<_>, Vec<_>) =
                lists.partition(|it| it.target.contains("startBlock="));
            assert!(
                is_beside_each_other(&in_windows),
                "{in_windows:#?} {others:?}"
            );
            whole += others.len();
            if others.is_empty() {
                *windows.entry(in_windows.len()).or_insert(0) += 1;
                let read: usize = in_windows.iter().map(|it| it.rows_read).sum();
                assert!(read < expected.len(), "{read} of {}", expected.len());
            }
        }
        // Each page begins where the one before ended.
        assert_eq!(followed, expected[..followed.len()], "{account}");
    }
    assert!(windows.len() >= 3 && whole > 1, "{windows:?} {whole}");
    test_node.stop().await;
}

/// Whether each window ends where the one before began, so that no row is read twice.
fn is_beside_each_other(windows: &[&Exchange]) -> bool {
    let number = |target: &str, name: &str| {
        let (_, rest) = target.split_once(name)?;
        rest.split('&').next()?.parse::<u32>().ok()
    };
    windows.windows(2).all(|pair| {
        let [later, earlier] = pair else { return false };
        let start = number(&earlier.target, "startBlock=").unwrap();
        let blocks = number(&earlier.target, "blockLimit=").unwrap();
        number(&later.target, "startBlock=") == Some(start + blocks)
    })
}
