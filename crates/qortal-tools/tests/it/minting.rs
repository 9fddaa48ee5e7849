//! Tools about minting.

use qortal_testnode::{Fault, Scenario};
use qortal_types::main_net::{
    BATCHES_FROM, NAME_FEES, Since, UNIT_FEES, blocks_needed, next_reduction,
};
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const BOB: &str = "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK";

#[tokio::test]
async fn get_minting_status() {
    let cases = [
        ("founder", json!({"address": ALICE})),
        (
            "by_name_and_online",
            json!({"address": "Alice Test", "include_online": true}),
        ),
        (
            "receives_shares_only",
            json!({"address": "Bób-Name", "include_online": true}),
        ),
        (
            "gave_its_privileges_away",
            json!({"address": "QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n"}),
        ),
        (
            "penalty",
            json!({"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"}),
        ),
        (
            "never_used",
            json!({"address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        (
            "privileges_received",
            json!({"address": "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU"}),
        ),
        ("unknown_name", json!({"address": "no-such-name"})),
    ];
    let elsewhere = [(
        Scenario::empty(),
        "empty_chain",
        json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
    )];
    check_on("get_minting_status", cases, elsewhere).await;
}

#[tokio::test]
async fn get_chain_params() {
    let too_short = [(Scenario::empty(), "too_short_to_measure", json!({}))];
    check_on(
        "get_chain_params",
        [("another_chain", json!({}))],
        too_short,
    )
    .await;
}

#[tokio::test]
async fn get_chain_params_measures_the_blocks_of_the_node() {
    let chain = main_net(|_| 0).await;
    let params = chain.call("get_chain_params", json!({})).await.unwrap();
    assert_eq!(params["isMainNetwork"], true);
    assert_eq!(params["measuredBlockSeconds"], "73.1");
    assert_eq!(params["measuredBlocksPerDay"], 1_182);
    assert_eq!(params["blockSeconds"], 60);
    assert_eq!(params["levels"][9]["blocksNeeded"], 4_074_400);
    // A second call takes the blocks that were measured from the cache.
    let before = chain.node.journal().len();
    chain.call("get_chain_params", json!({})).await.unwrap();
    let asked = chain.node.journal().split_off(before);
    assert!(
        asked.iter().all(|it| !it.target.contains("byheight")),
        "{asked:?}"
    );
    chain.stop().await;
}

#[tokio::test]
async fn list_reward_shares() {
    let cases = [
        ("of_one_account", json!({"address": "Alice Test"})),
        ("minter", json!({"address": ALICE, "role": "minter"})),
        (
            "recipient",
            json!({"address": "Bób-Name", "role": "recipient", "reverse": true}),
        ),
        ("page", json!({"limit": 2, "offset": 1})),
        (
            "none",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
        ),
        ("role_without_account", json!({"role": "minter"})),
        ("unknown_role", json!({"address": ALICE, "role": "owner"})),
    ];
    check("list_reward_shares", cases).await;
}

#[tokio::test]
async fn list_online_minters() {
    let cases = [
        ("summary", json!({})),
        ("full", json!({"detail": "full"})),
        ("page", json!({"detail": "full", "limit": 2, "offset": 1})),
        ("one_level", json!({"detail": "full", "level": 7})),
        ("level_without_detail", json!({"level": 7})),
        ("no_such_level", json!({"detail": "full", "level": 11})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_online_minters", cases, elsewhere).await;
}

/// The height of the chain that [`main_net`] pretends to be.
const HEIGHT: i64 = 2_721_342;
/// Milliseconds of each of its blocks: of the last 1,440, and the mean since the second block (Qortal/qortal#350 has 73.1 and 71.9 s).
const PACE: i64 = 73_100;
const OVERALL_PACE: i64 = 71_900;

/// The recorded chain as if it were the main network: with its genesis block, its height and pace, and this many minters of each level.
async fn main_net(minters: impl Fn(u32) -> u32) -> Chain {
    let chain = Chain::recorded().await;
    let block = |height: i64, timestamp: i64| {
        json!({
            "signature": "1".repeat(128), "version": 4, "reference": "1".repeat(128), "transactionCount": 0,
            "totalFees": "0.00000000", "transactionsSignature": "1".repeat(64), "height": height,
            "timestamp": timestamp, "minterPublicKey": "1".repeat(32),
            "minterSignature": "1".repeat(64), "atCount": 0, "atFees": "0.00000000",
            "onlineAccountsCount": 0, "minterAddress": "Unknown", "minterLevel": 0,
        })
    };
    let levels: Vec<_> = (0..=10)
        .map(|level| json!({"level": level, "count": minters(level)}))
        .collect();
    let tip = NOW - 20_000;
    let second = tip - (HEIGHT - 2) * OVERALL_PACE;
    // The multiple of 60 below the 1,440th block before the tip.
    let earlier = 2_719_860;
    answer(&chain, "/blocks/first", block(1, 1_593_450_000_000));
    answer(&chain, "/blocks/byheight/2", block(2, second));
    let measured = block(earlier, tip - (HEIGHT - earlier) * PACE);
    answer(&chain, &format!("/blocks/byheight/{earlier}"), measured);
    answer(&chain, "/blocks/last", block(HEIGHT, tip));
    answer(&chain, "/addresses/online/levels", levels.into());
    answer(&chain, "/utils/timestamp", NOW.into());
    chain
}

const NOW: i64 = 1_800_000_000_000;

fn answer(chain: &Chain, path: &str, body: Value) {
    let body = Fault::Status(200, body.to_string());
    chain.node.fault(path, body);
}

/// The status of an account of which the node says this; Alice has a minting key, and Bob has none.
async fn status_of(chain: &Chain, address: &str, account: Value, is_member: bool) -> Value {
    let mut said = json!({
        "address": address, "defaultGroupId": 0, "flags": 0, "blocksMintedAdjustment": 0, "blocksMintedPenalty": 0,
    });
    let members = account.as_object().unwrap().clone();
    said.as_object_mut().unwrap().extend(members);
    answer(chain, &format!("/addresses/{address}"), said);
    let members = json!([{"address": address, "isMember": is_member}]);
    answer(chain, "/groups/members/694/validate", members);
    let arguments = json!({"address": address});
    chain.call("get_minting_status", arguments).await.unwrap()
}

#[tokio::test]
async fn get_minting_status_on_the_main_network() {
    let chain = main_net(|_| 100).await;
    let penalty = json!({"level": 5, "blocksMinted": 5_034, "blocksMintedPenalty": -5_000});
    let status = status_of(&chain, BOB, penalty, false).await;
    assert_eq!(status["isMintingGroupMember"], false);
    assert_eq!(
        status["obstacles"],
        json!([
            "It is not in group 694, whose members alone may mint on the main network.",
            "It has no minting key: no reward share with itself is on the chain.",
            "A penalty takes 5000 blocks off its counted blocks.",
        ])
    );
    assert_eq!(
        status["nextLevel"],
        json!({
            "level": 6, "countedBlocks": 34, "blocksNeeded": 964_000, "blocksMissing": 963_966,
            "nextCreditHeight": 2_722_000,
        })
    );
    // 19 % of 2.5 QORT for 200 accounts.
    assert_eq!(
        status["reward"],
        json!({
            "blockReward": "2.50000000", "nextPayoutHeight": 2_722_000, "nextPayoutTime": "about 13 hours",
            "fallsAtHeight": 2_851_201, "fallsTime": "about 108 to 110 days", "lowestLevel": 5,
            "highestLevel": 6, "percent": 19, "estimatedEach": "0.00237500",
            // 1,182 blocks of 73.1 seconds.
            "estimatedPerDay": "2.80725000", "adminsPercent": 3,
        })
    );
    let none = status_of(&chain, ALICE, json!({"level": 0, "blocksMinted": 0}), true).await;
    assert!(none["reward"].get("percent").is_none(), "{none}");
    chain.stop().await;
}

/// Another node may mint for an account that this one does not mint for.
#[tokio::test]
async fn the_way_to_the_next_level_is_counted_in_blocks_and_time() {
    let chain = main_net(|_| 50).await;
    answer(&chain, "/admin/mintingaccounts", json!([]));
    // Height 2,721,342; the level comes with the batch after the one in which the blocks are complete.
    for (missing, height, time) in [
        (-8_000, 2_722_000, "about 13 hours"),
        (0, 2_722_000, "about 13 hours"),
        (1, 2_722_000, "about 13 hours"),
        (2, 2_723_000, "about 33 to 34 hours"),
        (1_001, 2_723_000, "about 33 to 34 hours"),
        (1_002, 2_724_000, "about 2 days"),
        (24_192, 2_747_000, "about 21 to 22 days"),
    ] {
        let account = json!({"level": 1, "blocksMinted": 72_000 - missing});
        let status = status_of(&chain, ALICE, account, true).await;
        assert_eq!(status["obstacles"], json!([]));
        let next = &status["nextLevel"];
        assert_eq!(next["level"], 2);
        assert_eq!(next["blocksMissing"], missing.max(0));
        assert_eq!(next["reachedAtHeight"], height, "{missing}");
        assert_eq!(next["estimatedTime"], time, "{missing}");
        let date = next["estimatedDate"].as_i64().unwrap();
        assert_eq!(date - NOW, (height - HEIGHT) * PACE, "{missing}");
    }
    let highest = json!({"level": 10, "blocksMinted": 5_000_000});
    let highest = status_of(&chain, ALICE, highest, true).await;
    assert!(highest.get("nextLevel").is_none(), "{highest}");
    chain.stop().await;
}

/// `Block.determineBlockRewardCandidates`: pairs of levels with 1 to 29 accounts join the pair below, empty ones do not; and
/// `ExpandedAccount.getShareBin`: a founder shares with its real level.
#[tokio::test]
async fn the_reward_of_a_minter_follows_the_bins_of_the_block_class() {
    let founder = json!({"level": 5, "flags": 1, "blocksMinted": 700_000});
    let (low, high) = (
        json!({"level": 5, "blocksMinted": 700_000}),
        json!({"level": 7, "blocksMinted": 1_500_000}),
    );
    // Online minters of levels 5, 7 and 9; the account; its levels and their percent, QORT a block for each, and what admins have.
    for (online, account, levels, each, admins) in [
        ([100, 40, 0], &low, [5, 6, 19], "0.00475000", 54),
        ([100, 40, 0], &founder, [5, 6, 19], "0.00475000", 54),
        ([100, 29, 0], &low, [5, 8, 45], "0.00872093", 54),
        ([100, 29, 0], &high, [5, 8, 45], "0.00872093", 54),
        ([100, 25, 5], &high, [7, 10, 58], "0.04833333", 22),
        ([100, 20, 5], &low, [5, 10, 77], "0.01540000", 22),
        // Alone in its pair, it would join the pair below.
        ([100, 0, 0], &high, [5, 8, 45], "0.01113861", 54),
    ] {
        let chain = main_net(|level| match level {
            5 => online[0],
            7 => online[1],
            9 => online[2],
            _ => 0,
        })
        .await;
        let status = status_of(&chain, ALICE, account.clone(), true).await;
        let reward = &status["reward"];
        let shared = [
            &reward["lowestLevel"],
            &reward["highestLevel"],
            &reward["percent"],
        ];
        assert_eq!(
            shared,
            levels.map(Value::from).each_ref(),
            "{online:?} {account}"
        );
        assert_eq!(reward["estimatedEach"], each, "{online:?} {account}");
        assert_eq!(reward["adminsPercent"], admins, "{online:?} {account}");
        chain.stop().await;
    }
}

/// `Account.canMint`, at heights from `removeOnlyMintWithNameHeight` on.
#[tokio::test]
async fn who_cannot_mint_has_no_date() {
    let chain = main_net(|_| 50).await;
    let minter = json!({"level": 1, "blocksMinted": 70_560});
    let founder = |penalty: i32| json!({"level": 1, "flags": 1, "blocksMinted": 70_561, "blocksMintedPenalty": penalty});
    for (address, account, is_member, has_date) in [
        (ALICE, minter.clone(), true, true),
        (ALICE, founder(0), true, true),
        (ALICE, founder(-1), true, false),
        (ALICE, minter.clone(), false, false),
        (BOB, minter.clone(), true, false),
    ] {
        let status = status_of(&chain, address, account.clone(), is_member).await;
        let next = &status["nextLevel"];
        for member in ["estimatedTime", "estimatedDate"] {
            assert_eq!(next.get(member).is_some(), has_date, "{account} {status}");
        }
    }
    // Who may mint is not known.
    let refused = Fault::Status(500, String::new());
    chain.node.fault("/groups/members/694/validate", refused);
    let arguments = json!({"address": ALICE});
    let status = chain.call("get_minting_status", arguments.clone()).await;
    let status = status.unwrap();
    assert!(status["nextLevel"].get("estimatedDate").is_some());
    let unknown = json!({"error": 124, "message": "account address unknown"});
    let unknown = Fault::Status(404, unknown.to_string());
    chain.node.fault(&format!("/addresses/{ALICE}"), unknown);
    let status = chain.call("get_minting_status", arguments).await.unwrap();
    assert_eq!(status["isKnown"], false);
    assert!(status["nextLevel"].get("estimatedDate").is_none());
    chain.stop().await;
}

/// The constants that are not in this crate.
#[tokio::test]
async fn the_reference_texts_have_the_numbers_of_the_rules() {
    let chain = Chain::recorded().await;
    let text = async |topic: &str| {
        let found = chain.call("explain_topic", json!({"topic": topic})).await;
        found.unwrap()["text"].as_str().unwrap().to_owned()
    };
    let fees = text("fees").await;
    for Since { since, fee, .. } in UNIT_FEES.iter().skip(1).chain(&NAME_FEES) {
        let fee = fee.to_string();
        let fee = format!("{} QORT", fee.trim_end_matches('0').trim_end_matches('.'));
        assert!(fees.contains(&fee), "{fee}");
        let moment = since.to_string();
        let (day, _) = moment.split_once('T').unwrap();
        assert!(fees.contains(day), "{since}");
    }
    let levels = text("minting_levels").await.replace(',', "");
    for level in 1..=10 {
        let needed = blocks_needed(level).unwrap();
        let row = format!("level {level} {needed}");
        assert!(levels.contains(&row), "{level}");
    }
    assert!(levels.contains(&format!("height {BATCHES_FROM} ")));
    let every = next_reduction(1).unwrap() - 1;
    assert!(levels.contains(&format!("every {every} blocks")));
    chain.stop().await;
}

/// Without network time the Core counts no online minters, and does not say so.
#[tokio::test]
async fn no_online_minters_without_network_time_are_noted() {
    let without_time = Chain::of(Scenario::recorded().without_network_time()).await;
    let with_time = Chain::of(Scenario::empty()).await;
    let none: Vec<_> = (0..=10)
        .map(|it| json!({"level": it, "count": 0}))
        .collect();
    for (chain, is_noted) in [(without_time, true), (with_time, false)] {
        answer(&chain, "/addresses/online/levels", none.clone().into());
        answer(&chain, "/addresses/online", json!([]));
        for (tool, arguments) in [
            ("list_online_minters", json!({})),
            ("list_online_minters", json!({"detail": "full"})),
            ("get_network_stats", json!({})),
        ] {
            let found = chain.call(tool, arguments).await.unwrap();
            let notes = found
                .get("notes")
                .map_or_else(String::new, Value::to_string);
            let said = notes.contains("no network time (NTP) yet, without which it counts");
            assert_eq!(said, is_noted, "{tool} {found}");
        }
        chain.stop().await;
    }
}

/// A transfer of minting privileges, which names its maker only, from both sides.
#[tokio::test]
async fn a_transfer_of_privileges_shows_on_the_side_of_the_receiver_too() {
    let (giver, receiver) = (
        "QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n",
        "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU",
    );
    let chain = Chain::recorded().await;
    for (tool, list) in [
        ("get_account_activity", "activities"),
        ("search_transactions", "transactions"),
    ] {
        let sentence = async |address: &str| {
            let arguments = json!({"address": address, "limit": 100});
            let rows = chain.rows(tool, list, arguments).await;
            let row = rows.iter().find(|it| it["type"] == "TRANSFER_PRIVS");
            row.map(|it| it["text"].as_str().unwrap().to_owned())
        };
        let of_giver = sentence(giver).await.unwrap();
        assert!(
            of_giver.contains("the node does not report which"),
            "{of_giver}"
        );
        let of_receiver = sentence(receiver).await.unwrap();
        let to = match tool {
            "get_account_activity" => "this account",
            _ => receiver,
        };
        let expected = format!("{giver} gives its minting privileges to {to}.");
        assert_eq!(of_receiver, expected, "{tool}");
    }
    let status = json!({"address": receiver});
    let status = chain.call("get_minting_status", status).await.unwrap();
    assert_eq!(
        status["privilegesFrom"],
        format!("{giver} in block 75 (2026-11-20T23:18:49.107Z)")
    );
    chain.stop().await;
}

#[tokio::test]
async fn list_minting_accounts() {
    let elsewhere = [(Scenario::empty(), "none", json!({}))];
    check_on(
        "list_minting_accounts",
        [("two_keys", json!({}))],
        elsewhere,
    )
    .await;
}

#[tokio::test]
async fn list_accounts_by_level() {
    let cases = [
        ("all", json!({"limit": 3})),
        ("one_level", json!({"level": 5})),
        ("page", json!({"limit": 2, "offset": 2})),
        ("no_such_level", json!({"level": 11})),
    ];
    check("list_accounts_by_level", cases).await;
}

#[tokio::test]
async fn every_account_of_a_level_is_listed_once() {
    let chain = Chain::recorded().await;
    let rows = chain
        .rows("list_accounts_by_level", "accounts", json!({"limit": 3}))
        .await;
    // The recorded accounts of level 1 and more.
    assert_eq!(rows.len(), 12);
    let levels: Vec<_> = rows.iter().map(|it| it["level"].as_u64()).collect();
    assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
    chain.stop().await;
}

#[tokio::test]
async fn list_penalties() {
    let cases = [
        ("all", json!({})),
        (
            "of_one_account",
            json!({"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"}),
        ),
        ("none", json!({"address": "chloe"})),
        ("page", json!({"limit": 1, "offset": 1})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_penalties", cases, elsewhere).await;
}

#[tokio::test]
async fn get_sponsorship() {
    let cases = [
        ("founder", json!({"address": "Alice Test"})),
        (
            "never_used",
            json!({"address": "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2"}),
        ),
        ("unknown_name", json!({"address": "no-such-name"})),
    ];
    check("get_sponsorship", cases).await;
}

#[tokio::test]
async fn a_sponsee_has_a_sponsor() {
    let chain = Chain::recorded().await;
    let arguments = json!({"address": "Bób-Name"});
    let answer = chain.call("get_sponsorship", arguments).await.unwrap();
    assert_eq!(answer["sponsor"], "QYeTxCyLUNdagyNQBkC7yXVipLb5HHL9tY");
    assert_eq!(answer["sponsorLevel"], 7);
    assert_eq!(answer["sponseeCount"], 0);
    chain.stop().await;
}
