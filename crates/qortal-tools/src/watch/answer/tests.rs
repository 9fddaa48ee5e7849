//! What is told of two answers of a tool.

use serde_json::json;

use super::*;

/// What is told of two answers: the words for programs, and how those for people begin.
fn check(telling: Telling, before: Value, now: Value, expected: &[(&str, &str)]) {
    let told = (telling.changes)(&before, &now);
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (told, (what, begins)) in told.iter().zip(expected) {
        assert_eq!(told.what, *what);
        assert!(told.text.starts_with(begins), "{}", told.text);
    }
    assert!((telling.changes)(&now, &now).is_empty(), "{now}");
}

#[test]
fn the_steps_of_a_trade_are_told() {
    let trade = |mode: &str, online: bool| json!({"mode": mode, "summary": "5 QORT:", "nextStep": "Wait.", "sellerOnline": online});
    for (before, now, expected) in [
        (("OFFERING", true), ("TRADING", true), Some("taken")),
        (("TRADING", true), ("REDEEMED", false), Some("completed")),
        (("TRADING", true), ("REFUNDED", true), Some("refunded")),
        (("OFFERING", true), ("CANCELLED", true), Some("canceled")),
        (("TRADING", true), ("OFFERING", true), Some("trade_changed")),
        (
            ("OFFERING", false),
            ("OFFERING", true),
            Some("seller_online"),
        ),
        (
            ("OFFERING", true),
            ("OFFERING", false),
            Some("seller_offline"),
        ),
        (("TRADING", true), ("TRADING", false), None),
    ] {
        let expected: Vec<_> = expected
            .map(|it| (it, "5 QORT: Wait."))
            .into_iter()
            .collect();
        check(
            TRADE,
            trade(before.0, before.1),
            trade(now.0, now.1),
            &expected,
        );
    }
    let offer = trade("OFFERING", true);
    let gone = &[("trade_changed", "The trade is no longer on the chain")];
    check(TRADE, offer.clone(), Value::Null, gone);
    check(
        TRADE,
        Value::Null,
        offer,
        &[("trade_changed", "5 QORT: Wait.")],
    );
}

#[test]
fn what_happens_to_a_name_is_told() {
    let name = |owner: &str, price: &str| json!({"owner": owner, "isForSale": !price.is_empty(), "salePrice": price, "data": ""});
    let none = Value::Null;
    check(NAME, none.clone(), none.clone(), &[]);
    check(
        NAME,
        none.clone(),
        name("Q1", ""),
        &[("registered", "The name is registered, by Q1.")],
    );
    check(
        NAME,
        name("Q1", ""),
        none,
        &[("renamed", "The name is no longer")],
    );
    check(
        NAME,
        name("Q1", ""),
        name("Q1", "5"),
        &[("for_sale", "The name is for sale for 5 QORT now.")],
    );
    check(
        NAME,
        name("Q1", "5"),
        name("Q1", "6"),
        &[("for_sale", "The name is for sale for 6 QORT")],
    );
    check(
        NAME,
        name("Q1", "5"),
        name("Q1", ""),
        &[("not_for_sale", "The name is not for sale now.")],
    );
    check(
        NAME,
        name("Q1", "5"),
        name("Q2", ""),
        &[("owner_changed", "Q2 owns the name now, Q1 did")],
    );
    let mut written = name("Q1", "");
    written["data"] = "hello".into();
    check(
        NAME,
        name("Q1", ""),
        written,
        &[(
            "data_changed",
            "Its owner changed the data of the name: hello",
        )],
    );
}

#[test]
fn a_resource_is_told_by_its_status() {
    let status = |status: &str, here: u32| json!({"status": status, "meaning": "So.", "localChunkCount": here, "totalChunkCount": 4});
    let none = Value::Null;
    check(
        QDN_STATUS,
        none.clone(),
        json!({"status": "PUBLISHED", "meaning": "So."}),
        &[("status", "Its status is PUBLISHED: So.")],
    );
    check(
        QDN_STATUS,
        status("PUBLISHED", 0),
        status("DOWNLOADING", 1),
        &[("status", "Its status is DOWNLOADING, 1 of 4 pieces: So.")],
    );
    check(
        QDN_STATUS,
        status("DOWNLOADING", 1),
        status("DOWNLOADING", 2),
        &[],
    );
    check(
        QDN_STATUS,
        status("DOWNLOADED", 4),
        status("READY", 4),
        &[("ready", "Its status is READY")],
    );
    check(
        QDN_STATUS,
        status("READY", 4),
        none,
        &[("status", "Nothing is published there")],
    );
}

#[test]
fn the_node_is_told_by_verdict_and_reasons_but_not_by_their_numbers() {
    let health = |verdict: &str, reasons: &[&str]| json!({"verdict": verdict, "reasons": reasons});
    let behind = |blocks: u32| health("degraded", &[format!("It lacks {blocks} blocks.").as_str()]);
    check(
        NODE,
        health("healthy", &[]),
        behind(6),
        &[("degraded", "The node is degraded. It lacks 6 blocks.")],
    );
    check(NODE, behind(6), behind(7), &[]);
    check(
        NODE,
        behind(6),
        health("degraded", &["It has 2 peers."]),
        &[("degraded", "The node is degraded. It has 2")],
    );
    check(
        NODE,
        behind(6),
        health("unhealthy", &["It has no peers."]),
        &[("unhealthy", "The node is unhealthy.")],
    );
    check(
        NODE,
        behind(6),
        health("healthy", &[]),
        &[("healthy", "The node is healthy.")],
    );
    check(
        NODE,
        behind(6),
        health("synchronizing", &["It is downloading."]),
        &[("synchronizing", "The node is synch")],
    );
}
