//! Watch of the payments to an account, and of its minting.

use std::{collections::BTreeMap, slice::from_ref};

use qortal_resources::watch::WatchEvent;
use qortal_testnode::Event;
use serde_json::{Value, json};
use test_chain::transaction;

use super::{Bench, RITA, account, signature};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[tokio::test]
async fn what_pays_the_account_is_told_and_nothing_else() {
    let (mut bench, _) = Bench::begun(account("rita-trades")).await;
    let part = |to: &str, asset: u32, amount: &str| json!({"recipient": to, "assetId": asset, "amount": amount});
    let parts = |parts: &[Value]| json!({ "payments": parts });
    let ours = part(RITA, 0, "1.00000000");
    let theirs = part(ALICE, 0, "2.00000000");
    let many: Vec<_> = vec![theirs.clone(); 60];
    let by_us = |mut row: Value| {
        row["creatorAddress"] = RITA.into();
        row
    };
    // The text in addition to the transaction's sentence.
    let rows = [
        (
            "PAYMENT",
            json!({"recipient": RITA, "amount": "1.00000000"}),
            Some(""),
        ),
        (
            "PAYMENT",
            by_us(json!({"recipient": ALICE, "amount": "1.00000000"})),
            None,
        ),
        // A message without money, whose amount is missing or zero.
        ("MESSAGE", json!({"recipient": RITA}), None),
        (
            "MESSAGE",
            json!({"recipient": RITA, "amount": "0.00000000"}),
            None,
        ),
        (
            "BUY_NAME",
            json!({"seller": RITA, "name": "x", "amount": "5.00000000"}),
            Some(""),
        ),
        ("MULTI_PAYMENT", parts(from_ref(&ours)), Some("")),
        (
            "MULTI_PAYMENT",
            parts(&[theirs.clone(), ours.clone()]),
            Some(" This account receives 1.00000000 QORT."),
        ),
        (
            "MULTI_PAYMENT",
            parts(&[part(RITA, 0, "2.00000000"), ours]),
            Some(" This account receives 2.00000000 QORT, and more."),
        ),
        (
            "MULTI_PAYMENT",
            parts(&[theirs.clone(), part(RITA, 3, "4.00000000")]),
            Some(" This account receives 4.00000000 of asset 3."),
        ),
        // The account's payment is not among those listed in the row.
        (
            "MULTI_PAYMENT",
            parts(&many),
            Some(" This account receives a part."),
        ),
        ("MULTI_PAYMENT", by_us(parts(&[theirs])), None),
    ];
    let mut expected = BTreeMap::new();
    let found = rows.into_iter().zip('a'..);
    let found = found.map(|((kind, mut members, told), last)| {
        expected.extend(told.map(|it| (signature(last), it.to_owned())));
        members["signature"] = signature(last).into();
        members["blockHeight"] = 469.into();
        transaction(kind, members)
    });
    bench.says("/transactions/search", &found.collect());
    bench.apply(&[Event::Block]);
    let mut told = BTreeMap::new();
    for _ in 0..expected.len() {
        let change = bench.change().await;
        assert_eq!(change.event, "payment");
        let said = |member: &str| change.data[member].as_str().unwrap();
        let added = change.text.strip_prefix(said("text")).unwrap();
        told.insert(said("signature").to_owned(), added.to_owned());
    }
    assert_eq!(told, expected);
    bench.tells_nothing("/transactions/search").await;
    bench.stop().await;
}

/// Sets the account's level, minting key and online status.
fn minting(bench: &Bench, level: u32, has_key: bool, is_online: Option<bool>) {
    let key = "ALywmZgumWkJZBzuniTXAUsz7ZNiEUXXCe8hut3qDhgz";
    let account = json!({
        "address": RITA, "defaultGroupId": 0, "flags": 0, "level": level, "blocksMinted": 0,
        "blocksMintedAdjustment": 0, "blocksMintedPenalty": 0,
    });
    let share = json!({
        "minterPublicKey": key, "recipient": RITA, "rewardSharePublicKey": key, "sharePercent": "0.00",
        "mintingAccount": RITA,
    });
    let online = json!({
        "timestamp": 1_795_242_000_000_i64, "signature": signature('A'), "rewardSharePublicKey": key,
        "minterAddress": RITA, "recipientAddress": RITA,
    });
    let listed = |is: bool, row: Value| Value::from(vec![row; usize::from(is)]);
    bench.says(&format!("/addresses/{RITA}"), &account);
    bench.says("/addresses/rewardshares", &listed(has_key, share));
    // `None`: the node does not report the online accounts.
    let online = is_online.map_or(Value::Null, |it| listed(it, online));
    bench.says("/addresses/online", &online);
}

/// Each check after five blocks is reported, and the level identifies it. An account that is missing from one check still counts as online.
#[tokio::test]
async fn levels_and_minting_are_told_when_they_change() {
    let mut bench = Bench::new(account("rita-trades")).await;
    let (yes, no) = (Some(true), Some(false));
    minting(&bench, 1, true, yes);
    let state = "level 1, a minting key, block 468 is the last";
    assert_eq!(bench.next().await, WatchEvent::Started(state.to_owned()));
    let (reached, lost) = ("level_reached", "level_lost");
    let stopped = "minting_stopped";
    for (level, has_key, is_online, expected) in [
        (2, true, yes, &[reached][..]),
        // Missing from one check.
        (1, true, no, &[lost]),
        (2, true, yes, &[reached]),
        // Missing from two checks, and longer.
        (3, true, no, &[reached]),
        (4, true, no, &[reached, stopped]),
        (3, true, no, &[lost]),
        (4, true, yes, &[reached, "minting_started"]),
        (5, false, no, &[reached, stopped]),
        (4, false, no, &[lost]),
        (5, true, yes, &[reached, "minting_key_made"]),
        (6, true, None, &[reached]),
        (7, true, yes, &[reached]),
        (8, true, yes, &[reached]),
    ] {
        minting(&bench, level, has_key, is_online);
        bench.apply(&[const { Event::Block }; 5]);
        for what in expected {
            let change = bench.change().await;
            assert_eq!(change.event, *what, "level {level}: {}", change.text);
        }
    }
    bench.stop().await;
}
