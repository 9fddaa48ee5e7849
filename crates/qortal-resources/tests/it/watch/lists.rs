//! Subjects with lists, each row of which is reported: blocks, a chat, a group, offers.

use std::collections::BTreeSet;

use qortal_resources::watch::{Subject, WatchEvent};
use qortal_testnode::Event;
use serde_json::{Value, json};
use test_chain::{chat, foreign_block, transaction};

use super::{Bench, payments, signature};

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
    assert_eq!(other.event, "block_replaced");
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
async fn watch_chat_reports_messages_edits_and_reactions_of_the_official_apps() {
    let group = Subject::Chat(chat::GROUP.to_string());
    let (mut bench, state) = Bench::begun(group).await;
    assert_eq!(state, "messages in the last 24 hours: 0");
    bench.apply(&chat::events());
    let expected = [
        ("message", "\"Alice Test\" says: now at 0.0029 LTC"),
        ("edit", "\"Alice Test\" edits a message: now at 0.0029 LTC"),
        (
            "reaction",
            "\"Bob Test\" reacts with 👍 to \"now at 0.0029 LTC\"",
        ),
        (
            "reaction",
            "\"Bob Test\" takes back the reaction 👍 to \"now at 0.0029 LTC\"",
        ),
        (
            "reply",
            "\"Bob Test\" replies to \"Alice Test\": I take it, @Alice Test",
        ),
        ("message", "\"Alice Test\" says: picture removed"),
        ("message", "\"Alice Test\" says: from the old program"),
        ("message", "\"Alice Test\" says: version one: plain"),
        (
            "reaction",
            "\"Bob Test\" reacts with ❤ to \"from the old program\"",
        ),
        ("message", "\"Bob Test\" says: the file, corrected"),
        ("message", "\"Alice Test\" says: - one\n- two\nlet x = 1;"),
        ("message", "\"Alice Test\" says: vote"),
        (
            "message",
            "\"Alice Test\" says: plain text of a script, no envelope",
        ),
        ("message", "\"Alice Test\" sends an encrypted message"),
        ("reaction", "\"Bob Test\" reacts"),
        (
            "group_key_created",
            "\"Alice Test\" creates a key for this private group",
        ),
        (
            "reaction",
            "\"Carol Test\" reacts with 🔥 to \"now at 0.0029 LTC\"",
        ),
        (
            "reaction",
            "\"Bob Test\" reacts with 🔥 to \"now at 0.0029 LTC\"",
        ),
        (
            "reply",
            "\"Bob Test\" replies to \"Alice Test\": still there?",
        ),
        ("edit", "\"Bob Test\" edits a message: the file, corrected"),
        ("message", "\"Carol Test\" says: look"),
        ("message", "\"Carol Test\" says: ha"),
        ("message", "\"Carol Test\" says: for the board"),
        ("message", "\"Carol Test\" says: see"),
        (
            "message",
            "\"Carol Test\" says: Meeting on Friday\nor Saturday",
        ),
        ("message", "\"Carol Test\" sends an encrypted message"),
        (
            "message",
            "\"Carol Test\" says: offer\nLTC\nsell 5 at market",
        ),
        ("message", "\"Carol Test\" sends bytes that are not text"),
        ("edit", "\"Alice Test\" edits a message: picture removed"),
        ("reply", "\"Carol Test\" replies: as you said yesterday"),
        (
            "reply",
            "\"Bob Test\" replies to \"Alice Test\": I take it now, @Alice Test",
        ),
        (
            "edit",
            "\"Bob Test\" edits a message: I take it now, @Alice Test",
        ),
        (
            "edit",
            "\"Carol Test\" edits a message: as I said yesterday",
        ),
        ("reply", "\"Bob Test\" replies to \"Carol Test\": and today"),
        ("edit", "\"Alice Test\" edits a message"),
    ];
    bench.tells(&expected).await;
    // An attachment describes a message without text.
    let gif = json!({"messageText": "<p></p>", "gifs": [{"service": "IMAGE", "name": "zoe", "identifier": "a"}]});
    let file = json!({
        "messageText": "",
        "files": [{"service": "FILE", "name": "zoe", "identifier": "a", "appFileName": "b.zip"}],
    });
    for envelope in [gif, file] {
        bench.apply(&[Event::GroupMessage {
            from: ALICE.to_owned(),
            group: chat::GROUP,
            text: envelope.to_string(),
        }]);
    }
    bench
        .tells(&[
            ("message", "\"Alice Test\" sends a gif"),
            ("message", "\"Alice Test\" sends a file, \"b.zip\""),
        ])
        .await;
    bench.stop().await;
}

#[tokio::test]
async fn who_asks_is_told_from_who_has_joined() {
    const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";
    /// An account without a name.
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
    // The newest one is first.
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
        assert_eq!(bench.next().await, WatchEvent::Started(state.to_owned()));
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
            let at = change.data["qortalAtAddress"].as_str().unwrap();
            told.insert((change.event, at.to_owned()));
        }
        let expected = expected.into_iter().map(|(what, at)| (what, at.to_owned()));
        assert_eq!(told, expected.collect());
        bench.tells_nothing("/crosschain/tradeoffers").await;
        bench.stop().await;
    }
}
