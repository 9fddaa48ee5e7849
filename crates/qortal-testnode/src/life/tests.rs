//! Tests of the demo after further blocks: it stays consistent.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tokio::time::Instant;

use super::{ROUND, SCRIPT};
use crate::{
    Scenario,
    chain::{NULL_ACCOUNT, Row, TIP},
    codec::is_address,
    state::State,
};

const NOW: i64 = 1_795_370_000_000;

/// Returns a demo after some blocks.
fn after(blocks: i64) -> State {
    let mut state = State::new(Scenario::demo(NOW), Instant::now());
    for _ in 0..blocks {
        state.step();
    }
    state
}

/// Returns the transactions of the blocks since the start.
fn settled(state: &State) -> Vec<&Value> {
    let rows = state.chain.transactions.iter();
    rows.filter(|row| row.number("blockHeight") > TIP).collect()
}

#[test]
fn demo_of_three_rounds_agrees_with_itself() {
    let state = after(3 * ROUND);
    let chain = &state.chain;
    assert_eq!(chain.height(), TIP + 3 * ROUND);
    assert_eq!(state.status().number("height"), TIP + 3 * ROUND);
    let mut counts: BTreeMap<i64, i64> = BTreeMap::new();
    for row in settled(&state) {
        *counts.entry(row.number("blockHeight")).or_default() += 1;
    }
    for height in TIP + 1..=TIP + 3 * ROUND {
        let block = chain.block(height).unwrap();
        let count = counts.get(&height).copied().unwrap_or_default();
        assert_eq!(block.row.number("transactionCount"), count, "{height}");
    }
    assert!(counts.len() > 20, "{counts:?}");
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut signatures = BTreeSet::new();
    let mut time = 0;
    for row in chain.transactions.iter() {
        assert!(signatures.insert(row.text("signature")), "twice: {row}");
        assert!(row.number("timestamp") >= time, "{row}");
        time = row.number("timestamp");
        let creator = row.text("creatorAddress");
        let reference = last.insert(creator, row.text("signature"));
        if creator != NULL_ACCOUNT && reference.is_some() {
            assert_eq!(Some(row.text("reference")), reference, "{row}");
        }
        let height = row.number("blockHeight");
        if height > TIP {
            let block = |height| chain.block(height).map_or(0, |it| it.timestamp());
            assert!((block(height - 2)..=block(height)).contains(&time), "{row}");
        }
    }
    let waiting = chain
        .transactions
        .iter()
        .filter(|row| row.get("blockHeight").is_none());
    for row in waiting {
        assert!(row.number("timestamp") > NOW, "{row} waits since the start");
    }
}

#[test]
fn balance_of_the_demo_is_what_its_life_makes_of_it() {
    let start = after(0);
    let state = after(2 * ROUND);
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for row in settled(&state) {
        let amount = match row.text("type") {
            "PAYMENT" | "AT" | "DEPLOY_AT" => row.amount("amount"),
            _ => 0,
        };
        let receiver = match row.text("type") {
            "DEPLOY_AT" => row.text("aTAddress"),
            _ => row.text("recipient"),
        };
        let payer = match row.text("type") {
            "AT" => row.text("atAddress"),
            _ => row.text("creatorAddress"),
        };
        *sums.entry(payer).or_default() -= amount + row.amount("fee");
        *sums.entry(receiver).or_default() += amount;
    }
    for (address, sum) in sums {
        let changed = state.chain.balance(address, 0) - start.chain.balance(address, 0);
        assert_eq!(changed, sum, "{address}");
    }
}

#[test]
fn trade_of_the_demo_is_taken_completed_and_offered_again() {
    let state = after(2 * ROUND);
    let start = after(0);
    let trades = |state: &State, mode: &str| -> BTreeSet<String> {
        let rows = state.chain.trades.iter().map(|row| row.at("trade"));
        let rows = rows.filter(|trade| trade.text("mode") == mode);
        rows.map(|trade| trade.text("qortalAtAddress").to_owned())
            .collect()
    };
    let since_start = |mode: &str| -> Vec<String> {
        let of_start = trades(&start, mode);
        let now = trades(&state, mode).into_iter();
        now.filter(|it| !of_start.contains(it)).collect()
    };
    let completed = since_start("REDEEMED");
    assert_eq!(completed.len(), 4);
    for contract in &completed {
        assert_eq!(state.chain.balance(contract, 0), 0);
        let paid = settled(&state)
            .into_iter()
            .filter(|row| row.text("type") == "AT" && row.text("atAddress") == contract);
        assert_eq!(paid.count(), 2, "{contract}");
    }
    let offered = since_start("OFFERING");
    assert_eq!(offered.len(), 4);
    for contract in &offered {
        assert!(is_address(contract), "{contract}");
        assert!(state.chain.balance(contract, 0) > 0, "{contract}");
    }
    let mut overdue = after(1);
    overdue.refund_overdue(TIP + 700);
    let of_start = trades(&start, "TRADING");
    assert_eq!(of_start.len(), 3);
    assert!(of_start.is_subset(&trades(&overdue, "REFUNDED")));
}

#[test]
fn first_ten_minutes_of_the_demo_have_an_act_of_each_kind() {
    let blocks = { SCRIPT.iter() }.map(|act| act.number("block"));
    assert!(blocks.clone().all(|block| (1..ROUND).contains(&block)));
    let kinds: BTreeSet<&str> = SCRIPT.iter().map(|act| act.text("act")).collect();
    let of_start = { SCRIPT.iter() }.filter(|act| act.number("block") <= 7);
    let of_start: BTreeSet<&str> = of_start.map(|act| act.text("act")).collect();
    let late: Vec<_> = kinds.difference(&of_start).collect();
    assert_eq!(late, [&"unsell"]);
    for act in SCRIPT.iter() {
        let state = after(0);
        for name in ["from", "to", "name"].map(|field| act.text(field)) {
            assert!(name.is_empty() || !state.owner(name).is_empty(), "{act}");
        }
    }
}

#[test]
fn frozen_demo_and_recorded_chain_stand_still() {
    assert!(after(0).next_tick().is_some());
    for scenario in [Scenario::demo(NOW).frozen(), Scenario::recorded()] {
        assert!(State::new(scenario, Instant::now()).next_tick().is_none());
    }
    let state = State::new(Scenario::demo(NOW).frozen(), Instant::now());
    assert_eq!((state.now(), state.now()), (NOW, NOW));
}
