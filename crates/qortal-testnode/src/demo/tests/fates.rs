//! Tests that names, members, admins, bans and minting privileges agree between the tables and the transactions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{chain, confirmed};
use crate::chain::{Chain, Row};

/// Returns the transactions of some types that took effect, in order.
fn effective<'chain>(chain: &'chain Chain, types: &[&str]) -> Vec<&'chain Value> {
    let rows = confirmed(chain).filter(|row| types.contains(&row.text("type")));
    rows.filter(|row| ["NOT_REQUIRED", "APPROVED"].contains(&row.text("approvalStatus")))
        .collect()
}

#[test]
fn name_is_what_its_transactions_made_of_it() {
    let chain = chain();
    let mut given = BTreeSet::new();
    let mut renamed = 0;
    for row in effective(&chain, &["REGISTER_NAME", "UPDATE_NAME"]) {
        let new = match row.text("type") {
            "REGISTER_NAME" => row.text("name"),
            _ => {
                assert!(given.remove(row.text("name")), "{row}");
                renamed += 1;
                row.text("newName")
            }
        };
        assert!(given.insert(new), "{row}");
    }
    let registered: BTreeSet<&str> = chain.names.iter().map(|row| row.text("name")).collect();
    assert_eq!(registered, given);
    assert_eq!(renamed, 1);
    let refused = confirmed(&chain).filter(|row| row.text("type") == "REGISTER_NAME");
    let refused = refused.filter(|row| row.text("approvalStatus") != "NOT_REQUIRED");
    let states: Vec<&str> = refused
        .map(|row| {
            let (height, decided) = (row.number("blockHeight"), row.number("approvalHeight"));
            assert!(decided >= height + 10, "{row}");
            row.text("approvalStatus")
        })
        .collect();
    assert_eq!(states, ["REJECTED", "EXPIRED"]);
}

#[test]
fn member_has_not_left_since() {
    let chain = chain();
    let mut gone = 0;
    for row in effective(&chain, &["LEAVE_GROUP", "GROUP_KICK"]) {
        let who = match row.text("type") {
            "LEAVE_GROUP" => row.text("creatorAddress"),
            _ => row.text("member"),
        };
        let again = chain.group_members.iter().find(|it| {
            it.number("groupId") == row.number("groupId")
                && it.text("member") == who
                && it.number("joined") < row.number("timestamp")
        });
        assert!(again.is_none(), "{row}");
        gone += 1;
    }
    assert!(gone >= 4);
}

#[test]
fn lifted_ban_and_removed_admin_are_in_no_table() {
    let chain = chain();
    let mut states: BTreeMap<(i64, &str, &str), bool> = BTreeMap::new();
    let (mut lifted, mut removed) = (0, 0);
    let types = [
        "GROUP_BAN",
        "CANCEL_GROUP_BAN",
        "ADD_GROUP_ADMIN",
        "REMOVE_GROUP_ADMIN",
    ];
    for row in effective(&chain, &types) {
        let (state, who, is_on) = match row.text("type") {
            "GROUP_BAN" => ("ban", row.text("offender"), true),
            "CANCEL_GROUP_BAN" => ("ban", row.text("member"), false),
            "ADD_GROUP_ADMIN" => ("admin", row.text("member"), true),
            _ => ("admin", row.text("admin"), false),
        };
        let before = states.insert((row.number("groupId"), who, state), is_on);
        if !is_on {
            assert_eq!(before, Some(true), "{row}");
            *(if state == "ban" {
                &mut lifted
            } else {
                &mut removed
            }) += 1;
        }
    }
    assert_eq!((lifted, removed), (1, 1));
    let bans = chain.group_events.rows("bans");
    for ((group, who, state), is_on) in states {
        let is_there = match state {
            "ban" => bans
                .iter()
                .any(|it| it.number("groupId") == group && it.text("offender") == who),
            _ => chain.group_members.iter().any(|it| {
                it.number("groupId") == group && it.text("member") == who && it.flag("isAdmin")
            }),
        };
        assert_eq!(is_there, is_on, "{state} of {who} in group {group}");
    }
}

/// As in the Core's `TransferPrivsTransaction.process`: blocks, level and flags move to an account without transactions.
#[test]
fn who_gave_minting_privileges_away_has_none_and_a_new_account_has_them() {
    let chain = chain();
    let account = |of: &dyn Fn(&Value) -> bool| chain.accounts.iter().find(|it| of(it)).unwrap();
    let given = effective(&chain, &["TRANSFER_PRIVS"]);
    assert_eq!(given.len(), 1);
    for row in given {
        let giver = account(&|it| it.at("address") == row.at("creatorAddress"));
        for number in ["level", "blocksMinted", "blocksMintedAdjustment", "flags"] {
            assert_eq!(giver.number(number), 0, "{giver}");
        }
        let receiver = account(&|it| it.at("reference") == row.at("signature"));
        assert!(receiver.number("blocksMinted") > 0, "{receiver}");
        let mut own = chain.transactions.iter();
        assert!(!own.any(|it| it.at("creatorAddress") == receiver.at("address")));
    }
}
