//! People in lists: beside each address the name that it goes by, for one more question a page.

use serde_json::{Value, json};

use crate::Chain;

/// A row of the list has both members, and the name is that of the address.
async fn check(tool: &str, arguments: Value, list: &str, member: &str, name: &str) {
    let chain = Chain::recorded().await;
    let answer = chain.call(tool, arguments).await.unwrap();
    let journal = chain.node.journal();
    let asked = journal.iter().filter(|it| it.target == "/names/list");
    assert_eq!(asked.count(), 1, "{tool}");
    let rows = answer[list].as_array().unwrap();
    let row = rows.iter().find(|it| it.get(name).is_some());
    let row = row.unwrap_or_else(|| panic!("{tool} has no {name}: {answer:#}"));
    let known = json!({"address": row[member]});
    let known = chain.call("get_primary_name", known).await.unwrap();
    assert_eq!(known["name"], row[name], "{tool}");
    chain.stop().await;
}

#[tokio::test]
async fn rows_name_people_beside_their_addresses() {
    let alice = json!({"address": "Alice Test"});
    let group = |id: u32| json!({ "group_id": id });
    for (tool, arguments, list, members) in [
        ("get_group_bans", group(3), "bans", &["admin"][..]),
        ("get_group_join_requests", group(4), "joiners", &["joiner"]),
        (
            "get_group_invites_by_group",
            group(4),
            "invites",
            &["inviter", "invitee"],
        ),
        (
            "get_group_invites_by_address",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
            "invites",
            &["inviter"],
        ),
        (
            "list_pending_approvals",
            json!({"address": "trent"}),
            "joinRequests",
            &["joiner"],
        ),
        ("list_block_signers", json!({}), "signers", &["minter"]),
        (
            "get_asset_balances",
            json!({"asset_ids": [0], "reverse": true}),
            "balances",
            &["address"],
        ),
        (
            "list_reward_shares",
            json!({"address": "chloe"}),
            "rewardShares",
            &["recipient"],
        ),
        (
            "list_completed_trades",
            json!({}),
            "trades",
            &["sellerAddress"],
        ),
        ("list_trade_offers", json!({}), "offers", &["qortalCreator"]),
        ("list_group_kicks", group(3), "kicks", &["admin"]),
        (
            "list_asset_transfers",
            json!({"asset_id": 6}),
            "transfers",
            &["sender"],
        ),
        (
            "list_pending_approvals",
            alice,
            "transactions",
            &["creatorAddress"],
        ),
    ] {
        for member in members {
            let name = match *member {
                "address" => "name".to_owned(),
                member => format!("{}Name", member.trim_end_matches("Address")),
            };
            check(tool, arguments.clone(), list, member, &name).await;
        }
    }
}

#[tokio::test]
async fn sentences_about_transactions_have_names() {
    let chain = Chain::recorded().await;
    let own = json!({"address": "victor"});
    let answer = chain.call("search_transactions", own).await.unwrap();
    let transactions = answer["transactions"].as_array().unwrap();
    let own = transactions.iter();
    let own = own.filter(|it| it["creatorAddress"] == answer["address"]);
    let texts: Vec<_> = own.map(|it| it["text"].as_str().unwrap()).collect();
    assert!(
        !texts.is_empty() && texts.iter().all(|it| it.starts_with("\"victor\" ")),
        "{texts:?}"
    );
    chain.stop().await;
}
