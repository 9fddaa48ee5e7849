//! `/addresses`.

use qortal_client::{PageRequest, api::addresses::RewardShareFilter};
use qortal_types::AssetId;

use crate::harness::{ALICE, BOB, DANA, OSCAR, PENNY, QUINN, address, check, recorded, refused};

#[tokio::test]
async fn an_account_is_read() {
    let (_test_node, node) = recorded().await;
    let alice = node.account(&address(ALICE)).await.unwrap();
    assert!(alice.is_founder());
    check(
        "addresses",
        "founder",
        "A founder that has sent transactions.",
        &alice,
    );
    let oscar = node.account(&address(OSCAR)).await.unwrap();
    assert!(oscar.public_key.is_none());
    let penny = node.account(&address(PENNY)).await.unwrap();
    assert_eq!(penny.blocks_minted_penalty, Some(-5_000));
    insta::assert_snapshot!(
        refused(node.account(&address(QUINN)).await),
        @"node refused GET /addresses/{address} with HTTP 404, code 124 ADDRESS_UNKNOWN: account address unknown"
    );
}

#[tokio::test]
async fn balances_keep_every_digit() {
    const VECTORS: &[(&str, u64, &str)] = &[
        (ALICE, 0, "1000000664.49951417"),
        (OSCAR, 0, "42.00000005"),
        // The node writes 0E-8 and 5E-8.
        (QUINN, 0, "0.00000000"),
        (DANA, 7, "0.00012345"),
    ];
    let (_test_node, node) = recorded().await;
    for (account, asset, expected) in VECTORS {
        let balance = node
            .balance(&address(account), AssetId::new(*asset))
            .await
            .unwrap();
        assert_eq!(balance.to_string(), *expected, "{account}");
    }
    insta::assert_snapshot!(
        refused(node.balance(&address(ALICE), AssetId::new(999)).await),
        @"node refused GET /addresses/balance/{address} with HTTP 400, code 601 INVALID_ASSET_ID: invalid asset ID"
    );
}

#[tokio::test]
async fn false_means_none() {
    let (_test_node, node) = recorded().await;
    let alice = node.public_key(&address(ALICE)).await.unwrap().unwrap();
    assert_eq!(alice.address(), address(ALICE));
    assert_eq!(node.public_key(&address(OSCAR)).await.unwrap(), None);
    assert_eq!(node.public_key(&address(QUINN)).await.unwrap(), None);
}

#[tokio::test]
async fn who_is_online_is_listed() {
    let (_test_node, node) = recorded().await;
    let mut online = node.online_accounts().await.unwrap();
    online.sort_by_key(|account| account.reward_share_public_key);
    check(
        "addresses",
        "online",
        "Accounts that are minting, ordered by key here.",
        &online,
    );
    let levels = node.online_levels().await.unwrap();
    assert_eq!(levels.len(), 11);
    let seniors = levels.iter().find(|it| it.level == 10);
    assert_eq!(seniors.map(|it| it.count), Some(2), "{levels:?}");
}

#[tokio::test]
async fn reward_shares_are_filtered_and_paged() {
    let (_test_node, node) = recorded().await;
    let all = node
        .reward_shares(&RewardShareFilter::default(), PageRequest::first(100))
        .await
        .unwrap();
    assert_eq!(all.len(), 14);
    let filter = RewardShareFilter::default().with_minters(vec![address(ALICE)]);
    let shares = node
        .reward_shares(&filter, PageRequest::first(100))
        .await
        .unwrap();
    check(
        "addresses",
        "reward_shares",
        "What alice shares, with herself and with bob.",
        &shares,
    );
    let second = node
        .reward_shares(&RewardShareFilter::default(), PageRequest::first(3).next())
        .await
        .unwrap();
    let keys = |shares: &[qortal_client::api::addresses::RewardShare]| {
        shares
            .iter()
            .map(|share| share.reward_share_public_key)
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(&second), keys(&all[3..6]));
}

#[tokio::test]
async fn reports_are_read() {
    let (_test_node, node) = recorded().await;
    assert_eq!(node.penalties().await.unwrap().len(), 2);
    let sponsorship = node.sponsorship(&address(ALICE)).await.unwrap();
    check(
        "addresses",
        "sponsorship",
        "What alice's sponsees do.",
        &sponsorship,
    );
    let sponsor = node.sponsor(&address(BOB)).await.unwrap();
    assert_eq!(sponsor.level, 7);
    insta::assert_snapshot!(
        refused(node.sponsor(&address(PENNY)).await),
        @"node refused GET /addresses/sponsorship/{address}/sponsor with HTTP 404, code 124 ADDRESS_UNKNOWN: account address unknown"
    );
    let mintership = node.mintership(&address(ALICE)).await.unwrap();
    check(
        "addresses",
        "mintership",
        "What alice does as a minter.",
        &mintership,
    );
    let seniors = node.accounts_of_level(9).await.unwrap();
    assert!(
        seniors.iter().all(|account| account.level >= 9) && seniors.len() == 2,
        "{seniors:?}"
    );
}
