//! Tests that every listed item is available by its key, including those without a recording.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use qortal_testnode::{Scenario, TestNode};

use crate::client::get;

async fn rows(node: &TestNode, target: &str) -> Vec<Value> {
    let received = get(node.url(), target).await;
    assert_eq!(received.status, 200, "{target}");
    received.json().as_array().unwrap().clone()
}

async fn object(node: &TestNode, target: &str) -> Value {
    let received = get(node.url(), target).await;
    assert_eq!(received.status, 200, "{target}: {}", received.text());
    received.json()
}

fn text<'row>(row: &'row Value, name: &str) -> &'row str {
    row[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {row}"))
}

/// Returns a path segment with every character escaped that is neither a letter nor a digit.
fn segment(text: &str) -> String {
    let escape = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(escape).collect()
}

#[tokio::test]
async fn every_height_has_a_block_and_a_summary() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let summaries = rows(&node, "/blocks/summaries?start=1&end=469").await;
    assert_eq!(summaries.len(), 468);
    let mut parent = "1".repeat(128);
    for (height, summary) in (1..).zip(&summaries) {
        let block = object(&node, &format!("/blocks/byheight/{height}")).await;
        assert_eq!(block["height"], height);
        assert_eq!(text(&block, "reference"), parent, "height {height}");
        for member in [
            "signature",
            "reference",
            "timestamp",
            "minterPublicKey",
            "transactionCount",
        ] {
            assert_eq!(block[member], summary[member], "{member} at {height}");
        }
        parent = text(&block, "signature").to_owned();
        let found = get(node.url(), &format!("/blocks/height/{parent}")).await;
        assert_eq!(found.text(), height.to_string());
    }
    let signers = rows(&node, "/blocks/signers").await;
    assert_eq!(
        signers
            .iter()
            .filter_map(|signer| signer["blockCount"].as_i64())
            .sum::<i64>(),
        468
    );
    node.stop().await;
}

#[tokio::test]
async fn every_name_is_found_and_belongs_to_its_owner() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    for name in rows(&node, "/names").await {
        let label = text(&name, "name");
        assert_eq!(
            object(&node, &format!("/names/{}", segment(label))).await,
            name
        );
        let owned = rows(&node, &format!("/names/address/{}", text(&name, "owner"))).await;
        assert!(
            owned.iter().any(|owned| owned["name"] == name["name"]),
            "{label}"
        );
        object(&node, &format!("/addresses/{}", text(&name, "owner"))).await;
    }
    node.stop().await;
}

#[tokio::test]
async fn every_transaction_is_found_alone_in_its_block_and_with_its_creator() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut heights = Vec::new();
    for transaction in rows(
        &node,
        "/transactions/search?limit=0&confirmationStatus=BOTH",
    )
    .await
    {
        let signature = text(&transaction, "signature");
        assert_eq!(
            object(&node, &format!("/transactions/signature/{signature}")).await,
            transaction
        );
        heights.extend(transaction["blockHeight"].as_i64());
    }
    assert_eq!(heights.len(), 221);
    heights.dedup();
    for height in heights {
        let block = object(&node, &format!("/blocks/byheight/{height}")).await;
        let signature = text(&block, "signature");
        let inside = rows(&node, &format!("/transactions/block/{signature}")).await;
        assert!(
            !inside.is_empty() && inside.iter().all(|row| row["blockHeight"] == height),
            "height {height}"
        );
        assert!(
            block["transactionCount"].as_u64().unwrap() >= inside.len() as u64,
            "height {height}"
        );
    }
    node.stop().await;
}

#[tokio::test]
async fn every_offer_and_every_completed_trade_is_a_trade_and_an_at() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut addresses = Vec::new();
    for (list, mode) in [
        ("tradeoffers", "OFFERING"),
        ("tradeoffers/hidden", "OFFERING"),
    ] {
        for offer in rows(&node, &format!("/crosschain/{list}")).await {
            assert_eq!(text(&offer, "mode"), mode);
            addresses.push(text(&offer, "qortalAtAddress").to_owned());
        }
    }
    for completed in rows(&node, "/crosschain/trades").await {
        let trade = object(
            &node,
            &format!("/crosschain/trade/{}", text(&completed, "atAddress")),
        )
        .await;
        assert_eq!(text(&trade, "mode"), "REDEEMED");
        assert_eq!(trade["qortAmount"], completed["qortAmount"]);
        assert_eq!(trade["expectedForeignAmount"], completed["foreignAmount"]);
        assert_eq!(trade["qortalCreator"], completed["sellerAddress"]);
        addresses.push(text(&completed, "atAddress").to_owned());
    }
    for address in addresses {
        let trade = object(&node, &format!("/crosschain/trade/{address}")).await;
        let at = object(&node, &format!("/at/{address}")).await;
        let is_finished = text(&trade, "mode") != "OFFERING";
        assert_eq!(
            (text(&at, "ATAddress"), at["isFinished"].as_bool()),
            (address.as_str(), Some(is_finished))
        );
        object(&node, &format!("/addresses/{address}")).await;
    }
    node.stop().await;
}

#[tokio::test]
async fn every_group_poll_order_and_resource_is_found() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    for group in rows(&node, "/groups").await {
        let id = &group["groupId"];
        assert_eq!(object(&node, &format!("/groups/{id}")).await, group);
        let members = object(&node, &format!("/groups/members/{id}")).await;
        assert_eq!(members["memberCount"], group["memberCount"], "group {id}");
        assert_eq!(
            members["members"].as_array().unwrap().len() as u64,
            group["memberCount"].as_u64().unwrap()
        );
        for member in members["members"].as_array().unwrap() {
            let address = text(member, "member");
            let target = format!("/groups/joinrequests/admin/{address}");
            let administers = rows(&node, &target).await;
            let is_listed = administers.iter().any(|it| it["group"]["groupId"] == *id);
            assert_eq!(is_listed, member["isAdmin"] == true, "group {id}: {member}");
        }
    }
    for poll in rows(&node, "/polls").await {
        let name = segment(text(&poll, "pollName"));
        assert_eq!(object(&node, &format!("/polls/{name}")).await, poll);
        let votes = object(&node, &format!("/polls/votes/{name}")).await;
        assert_eq!(
            votes["totalVotes"].as_u64().unwrap(),
            votes["votes"].as_array().unwrap().len() as u64
        );
    }
    for order in rows(&node, "/assets/openorders/3/0").await {
        assert_eq!(
            object(&node, &format!("/assets/order/{}", text(&order, "orderId"))).await,
            order
        );
    }
    for resource in rows(&node, "/arbitrary/resources?includestatus=true").await {
        let (service, name) = (text(&resource, "service"), segment(text(&resource, "name")));
        let identifier = resource["identifier"]
            .as_str()
            .map_or("default".to_owned(), segment);
        let status = object(
            &node,
            &format!("/arbitrary/resource/status/{service}/{name}/{identifier}"),
        )
        .await;
        assert_ne!(status["status"], "NOT_PUBLISHED", "{resource}");
    }
    node.stop().await;
}

/// Returns all balances, by account and asset.
async fn balances(node: &TestNode) -> BTreeMap<(String, i64), String> {
    let assets = rows(node, "/assets").await;
    let ids: Vec<String> = assets
        .iter()
        .map(|asset| format!("assetid={}", asset["assetId"]))
        .collect();
    let listed = rows(node, &format!("/assets/balances?{}", ids.join("&"))).await;
    let entry = |row: &Value| {
        let account = text(row, "address").to_owned();
        let id = row["assetId"].as_i64().unwrap();
        ((account, id), text(row, "balance").to_owned())
    };
    listed.iter().map(entry).collect()
}

#[tokio::test]
async fn the_balance_of_an_account_is_the_one_the_list_of_balances_shows() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let listed = balances(&node).await;
    let accounts: BTreeSet<&str> = listed.keys().map(|(account, _)| account.as_str()).collect();
    let assets: BTreeSet<i64> = listed.keys().map(|(_, asset)| *asset).collect();
    for account in accounts {
        for asset in &assets {
            let target = format!("/addresses/balance/{account}?assetId={asset}");
            let found = get(node.url(), &target).await.text();
            let expected = listed.get(&(account.to_owned(), *asset));
            assert_eq!(found, expected.map_or("0E-8", String::as_str), "{target}");
        }
    }
    node.stop().await;
}

#[tokio::test]
async fn issued_assets_are_in_balances_and_open_orders() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    let units = |text: &str| text.replace('.', "").parse::<i64>().unwrap();
    let listed = balances(&node).await;
    for asset in rows(&node, "/assets").await {
        let (id, quantity) = (asset["assetId"].as_i64().unwrap(), &asset["quantity"]);
        if quantity == 0 {
            // Blocks create the first three.
            continue;
        }
        let owned: i64 = listed
            .iter()
            .filter(|((_, held), _)| *held == id)
            .map(|(_, balance)| units(balance))
            .sum();
        let mut offered = 0;
        for other in 0..=8 {
            for order in rows(&node, &format!("/assets/openorders/{id}/{other}")).await {
                // Amounts of an order are in the asset with the greater ID, which is always the offered one here.
                assert_eq!(order["amountAssetId"], id, "{order}");
                offered += units(text(&order, "amount")) - units(text(&order, "fulfilled"));
            }
        }
        assert_eq!(Some(owned + offered), quantity.as_i64(), "asset {id}");
    }
    node.stop().await;
}
