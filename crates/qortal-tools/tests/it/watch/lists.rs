//! Subjects of which each row of a list is told: blocks, a chat, a group, offers.

use std::collections::BTreeSet;

use qortal_testnode::Event;
use qortal_tools::watch::{Subject, Told};
use serde_json::{Value, json};

use super::{Bench, payments, signature};
use crate::{details::transaction, node::foreign_block};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[tokio::test]
async fn blocks_are_told_with_minter_and_transactions() {
    let (mut bench, _) = Bench::begun(Subject::Tip).await;
    let text = |height: u32, transactions: &str| {
        let minter = "QMu8e6kPdCx4pCBgwuEEBPkZ8qXMyV4q92 (level 10)";
        format!("Block {height} by {minter}, {transactions}")
    };
    let first = text(469, "0 transactions.");
    bench.tells(&[("block", &first)]).await;
    bench.apply(&[payments(1)]);
    let next = bench.change().await;
    assert_eq!(next.text, text(470, "1 transaction."));
    bench.apply(&[Event::OtherBlock]);
    let other = bench.change().await;
    assert_eq!(other.what, "block_replaced");
    let replaced = "0 transactions, in the place of another one.";
    assert_eq!(other.text, text(470, replaced));
    let mut unknown = foreign_block(471);
    unknown["transactionCount"] = 2.into();
    bench.says("/blocks/range/*", &json!([unknown]));
    let unknown = "Block 471 by an account that is not known, 2 transactions.";
    bench.tells(&[("block", unknown)]).await;
    bench.stop().await;
}

#[tokio::test]
async fn messages_are_told_as_far_as_they_can_be_read() {
    let (mut bench, _) = Bench::begun(Subject::Chat("open-lounge".to_owned())).await;
    let hi = "SGk=";
    let rows = [
        (
            json!({"senderName": "zoe", "data": hi}),
            ("message", "\"zoe\" says: Hi"),
        ),
        (
            json!({"data": hi, "chatReference": signature('Z')}),
            ("answer", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v says: Hi"),
        ),
        (
            json!({"data": "/wA=", "isText": false}),
            (
                "message",
                "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v sends bytes that are not text",
            ),
        ),
        (
            json!({"data": hi, "isEncrypted": true}),
            (
                "message",
                "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v sends an encrypted message",
            ),
        ),
    ];
    let messages = rows.iter().zip('A'..).map(|((members, _), last)| {
        let mut message = json!({
            "timestamp": 1_795_242_209_000_i64, "txGroupId": 3, "senderPublicKey": "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP",
            "sender": ALICE, "encoding": "BASE64", "isText": true, "isEncrypted": false, "signature": signature(last),
        });
        let members = members.as_object().unwrap().clone();
        message.as_object_mut().unwrap().extend(members);
        message
    });
    // The newest one comes first.
    let mut messages: Vec<_> = messages.collect();
    messages.reverse();
    bench.says("/chat/messages", &messages.into());
    bench.apply(&[Event::GroupMessage {
        from: ALICE.to_owned(),
        group: 3,
        text: "It looks.".to_owned(),
    }]);
    bench.tells(&rows.map(|(_, expected)| expected)).await;
    bench.stop().await;
}

#[tokio::test]
async fn who_asks_is_told_from_who_has_joined() {
    const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";
    /// Without a name.
    const GINA: &str = "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh";
    let group = Subject::Group("closed-council".to_owned());
    let (mut bench, _) = Bench::begun(group).await;
    let asks = |joiner: &str| json!({"groupId": 4, "joiner": joiner});
    bench.says("/groups/joinrequests/4", &json!([asks(CHLOE), asks(GINA)]));
    let rows = [
        (
            "JOIN_GROUP",
            CHLOE,
            ("join_request", "\"chloe\" asks to join the group."),
        ),
        (
            "JOIN_GROUP",
            GINA,
            (
                "join_request",
                "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh asks to join the group.",
            ),
        ),
        (
            "JOIN_GROUP",
            ALICE,
            (
                "member_joined",
                "\"Alice Test\" joins group 4 (\"closed-council\").",
            ),
        ),
        (
            "GROUP_KICK",
            ALICE,
            (
                "member_removed",
                "\"Alice Test\" removes \"chloe\" from group 4",
            ),
        ),
    ];
    let found = rows.iter().zip('A'..).map(|((kind, creator, _), last)| {
        let mut members = json!({
            "signature": signature(last), "blockHeight": 469, "creatorAddress": creator, "groupId": 4,
        });
        if *kind == "GROUP_KICK" {
            members["member"] = CHLOE.into();
        }
        transaction(kind, members)
    });
    // The newest one comes first.
    let mut found: Vec<_> = found.collect();
    found.reverse();
    bench.says("/transactions/search", &found.into());
    bench.tells(&rows.map(|(.., expected)| expected)).await;
    bench.stop().await;
}

#[tokio::test]
async fn offers_that_come_and_go_are_told_if_they_are_below() {
    let offers = |rows: &[(&str, &str)]| {
        let rows = rows.iter().zip(0..).map(|((at, price), number)| {
            json!({
                "qortalAtAddress": at, "qortalCreator": ALICE, "qortalCreatorTradeAddress": ALICE,
                "creationTimestamp": 1_795_217_380_345_i64 + number, "tradeTimeout": 1_440, "qortBalance": "1.00000000", "qortAmount": "1.00000000",
                "expectedForeignAmount": price, "mode": "OFFERING", "foreignBlockchain": "LITECOIN",
                "acctName": "LitecoinACCTv3",
            })
        });
        Value::from_iter(rows)
    };
    let [one, two, three, four, five] = [
        "ASP7LfLBDyTn6MfZacn7DvuK2MThXiLHJ1",
        "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo",
        "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP",
        "AYL6YBoHBwybwJ8Uxfv2o6dhHsQgJQJW5K",
        "AToqBsbBUWDTHN3XZKrda1oFSSR7ayqhMG",
    ];
    for (below, state, expected) in [
        (
            None,
            "3 offers",
            vec![
                ("offer_gone", two),
                ("offer_gone", three),
                ("offer", four),
                ("offer", five),
            ],
        ),
        (
            Some("0.02"),
            "3 offers, 1 of them below that price",
            vec![("offer", four)],
        ),
        (Some("0.01"), "3 offers, 0 of them below that price", vec![]),
    ] {
        let mut bench = Bench::new(Subject::Offers {
            coin: "LITECOIN".to_owned(),
            below: below.map(|it| it.parse().unwrap()),
        })
        .await;
        let before = [
            (one, "0.01000000"),
            (two, "0.03000000"),
            (three, "0.02000000"),
        ];
        bench.says("/crosschain/tradeoffers", &offers(&before));
        assert_eq!(bench.next().await, Told::Begun(state.to_owned()));
        let now = [
            (one, "0.01000000"),
            (four, "0.01900000"),
            (five, "0.02000000"),
        ];
        bench.says("/crosschain/tradeoffers", &offers(&now));
        bench.apply(&[Event::Block]);
        let mut told = BTreeSet::new();
        for _ in &expected {
            let change = bench.change().await;
            let at = change.facts["qortalAtAddress"].as_str().unwrap();
            told.insert((change.what, at.to_owned()));
        }
        let expected = expected.into_iter().map(|(what, at)| (what, at.to_owned()));
        assert_eq!(told, expected.collect());
        bench.tells_nothing("/crosschain/tradeoffers").await;
        bench.stop().await;
    }
}
