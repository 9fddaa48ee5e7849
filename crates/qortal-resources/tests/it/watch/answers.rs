//! Subjects with a single tool result: a trade, a name, a QDN resource, the node.

use qortal_resources::watch::{Subject, WatchEvent};
use qortal_testnode::{Event, Fault};
use serde_json::{Value, json};

use super::Bench;

/// An offer whose seller is offline.
const OFFER: &str = "AYL6YBoHBwybwJ8Uxfv2o6dhHsQgJQJW5K";
/// The network's time on the recorded chain.
const NOW: i64 = 1_795_242_209_424;

#[tokio::test]
async fn the_steps_of_a_trade_are_told() {
    let (mut bench, _) = Bench::begun(Subject::Trade(OFFER.to_owned())).await;
    let online = |minutes: i64| Event::SellerOnline {
        at_address: OFFER.to_owned(),
        until: NOW + minutes * 60_000,
    };
    let moved = |mode: &str| Event::TradeMoved {
        at_address: OFFER.to_owned(),
        mode: mode.to_owned(),
    };
    let trade = format!("/crosschain/trade/{OFFER}");
    for (event, expected) in [
        (online(1), Some("seller_online")),
        (Event::Later(120_000), Some("seller_offline")),
        (online(3), Some("seller_online")),
        (moved("TRADING"), Some("taken")),
        // A seller whose trade is not waiting for a buyer need not be online.
        (Event::Later(120_000), None),
        (moved("REDEEMED"), Some("completed")),
        (moved("OFFERING"), Some("trade_changed")),
        (moved("TRADING"), Some("taken")),
        (moved("REFUNDED"), Some("refunded")),
        (moved("OFFERING"), Some("trade_changed")),
        (moved("CANCELLED"), Some("canceled")),
    ] {
        bench.apply(&[event, Event::Block]);
        let Some(expected) = expected else {
            bench.tells_nothing(&trade).await;
            continue;
        };
        let change = bench.change().await;
        assert_eq!(change.event, expected, "{}", change.text);
        let said = |member: &str| change.data[member].as_str().unwrap();
        let text = format!("{} {}", said("summary"), said("nextStep"));
        assert_eq!(change.text, text);
    }
    let unknown = json!({"error": 124, "message": "blockchain address unknown"});
    let unknown = Fault::Status(404, unknown.to_string());
    bench.node.fault(&trade, unknown);
    let gone = "The trade is no longer on the chain, after a reorganization.";
    bench.tells(&[("trade_changed", gone)]).await;
    bench.tells_nothing(&trade).await;
    bench.node.clear_faults();
    bench.tells(&[("canceled", "5.00000000 QORT for ")]).await;
    bench.stop().await;
}

#[tokio::test]
async fn what_happens_to_a_name_is_told() {
    const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
    const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";
    let (mut bench, state) = Bench::begun(Subject::Name("later".to_owned())).await;
    assert_eq!(state, "not registered");
    bench.tells_nothing("/names/later").await;
    let registered = format!("The name is registered, by {ALICE}.");
    let sold = format!("{CHLOE} owns the name now, {ALICE} did before.");
    let written = "Its owner changed the data of the name: hello";
    for (owner, price, data, expected) in [
        (ALICE, None, "", ("registered", registered.as_str())),
        (
            ALICE,
            Some("5.00000000"),
            "",
            ("for_sale", "The name is for sale for 5.00000000 QORT now."),
        ),
        (
            ALICE,
            Some("6.00000000"),
            "",
            ("for_sale", "The name is for sale for 6.00000000 QORT now."),
        ),
        (
            ALICE,
            None,
            "",
            ("not_for_sale", "The name is not for sale now."),
        ),
        (
            ALICE,
            Some("5.00000000"),
            "",
            ("for_sale", "The name is for sale for 5.00000000 QORT now."),
        ),
        (CHLOE, None, "", ("owner_changed", &sold)),
        (CHLOE, None, "hello", ("data_changed", written)),
    ] {
        let mut name = json!({
            "name": "later", "reducedName": "later", "owner": owner, "data": data, "registered": NOW,
            "isForSale": price.is_some(),
        });
        if let Some(price) = price {
            name["salePrice"] = price.into();
        }
        bench.says("/names/later", &name);
        bench.tells(&[expected]).await;
    }
    bench.tells_nothing("/names/later").await;
    bench.node.clear_faults();
    let gone = "The name is no longer registered: its owner has changed it.";
    bench.tells(&[("renamed", gone)]).await;
    bench.stop().await;
}

#[tokio::test]
async fn a_resource_is_told_by_its_status() {
    let (mut bench, _) = Bench::begun(Subject::Resource {
        service: "IMAGE".to_owned(),
        name: "victor".to_owned(),
        identifier: "new".to_owned(),
    })
    .await;
    let path = "/arbitrary/resource/status/IMAGE/victor/new";
    for (status, here, expected) in [
        ("PUBLISHED", None, Some("Its status is PUBLISHED: ")),
        (
            "DOWNLOADING",
            Some(1),
            Some("Its status is DOWNLOADING, 1 of 4 pieces: "),
        ),
        ("DOWNLOADING", Some(2), None),
        (
            "DOWNLOADED",
            Some(4),
            Some("Its status is DOWNLOADED, 4 of 4 pieces: "),
        ),
        (
            "READY",
            Some(4),
            Some("Its status is READY, 4 of 4 pieces: "),
        ),
        ("NOT_PUBLISHED", None, Some("Its status is NOT_PUBLISHED: ")),
    ] {
        let mut said = json!({"status": status, "id": status, "title": status, "description": ""});
        if let Some(here) = here {
            said["localChunkCount"] = here.into();
            said["totalChunkCount"] = 4.into();
            said["percentLoaded"] = (25 * here).into();
        }
        bench.says(path, &said);
        let what = if status == "READY" { "ready" } else { "status" };
        match expected {
            Some(begins) => bench.tells(&[(what, begins)]).await,
            None => bench.tells_nothing(path).await,
        }
    }
    bench.stop().await;
}

/// The numbers in reasons change with each block.
#[tokio::test]
async fn the_node_is_told_by_verdict_and_reasons_but_not_by_their_numbers() {
    let peers = |count: usize, height: u32| {
        let address = "192.0.2.24:12392";
        let peer = json!({"direction": "OUTBOUND", "address": address, "lastHeight": height});
        Value::from(vec![peer; count])
    };
    let mut bench = Bench::new(Subject::Node).await;
    bench.says("/peers", &peers(12, 468));
    let healthy = WatchEvent::Started("healthy, height 468.".to_owned());
    assert_eq!(bench.next().await, healthy);
    bench.says("/peers", &peers(12, 475));
    let lacks = ("degraded", "The node is degraded. It lacks 6 blocks");
    bench.tells(&[lacks]).await;
    // At the heights of 470 and 471.
    bench.says("/peers", &peers(12, 480));
    bench.tells_nothing("/peers").await;
    bench.says("/peers", &peers(2, 472));
    let few = ("degraded", "The node is degraded. It has 2 peers");
    bench.tells(&[few]).await;
    bench.says("/peers", &peers(0, 473));
    let none = ("unhealthy", "The node is unhealthy. It has no peers");
    bench.tells(&[none]).await;
    bench.says("/peers", &peers(12, 474));
    bench.tells(&[("healthy", "The node is healthy.")]).await;
    let status = json!({
        "isMintingPossible": false, "isSynchronizing": true, "syncPercent": 64, "numberOfConnections": 12, "height": 475,
    });
    bench.says("/admin/status", &status);
    let downloads = "The node is synchronizing. It is still downloading blocks";
    bench.tells(&[("synchronizing", downloads)]).await;
    bench.stop().await;
}
