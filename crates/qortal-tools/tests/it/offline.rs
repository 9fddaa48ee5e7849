//! Tools that ask no node.

use serde_json::json;

use crate::check;

#[tokio::test]
async fn inspect_identifier() {
    let (long, too_long) = ("x".repeat(400), "x".repeat(2_001));
    let cases = [
        ("account", "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
        (
            "automated_transaction",
            "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo",
        ),
        ("node", "NeVy4b2uKJ2KQBAMjJykFAYrdQRhB35LQ1"),
        ("mistyped_address", "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb2"),
        ("wrong_character", "QaRZV0EJE6xGpSsgQGLm67VBNR7WH8UXbD"),
        ("one_short", "QaRZVbEJE6xGpSsgQGLm67VBNR7WH8UXb"),
        ("bitcoin_address", "16Jswqk47s9PUcyCc88MMVwzgvHPvtEpf"),
        ("public_key", "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP"),
        (
            "transaction",
            "4ZDvgekon656qppBJgNCsLdSwaW5UAbXj8x9pAuU8TrR4qeF28KE8QTyqft5vsNdVqF6zrj9MQaZZQnyhKunocrp",
        ),
        ("name", "Alice Test"),
        ("name_not_ascii", "日本語の名前"),
        ("height", "468"),
        ("milliseconds", "1795212000000"),
        ("seconds", "1795212000"),
        ("date", "2026-11-20T22:00:00Z"),
        ("amount", "1.25"),
        ("coin", "ltc"),
        ("transaction_type", "register_name"),
        ("service", "website"),
        ("too_short_for_a_name", "ab"),
        ("blanks_around", "  QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v  "),
        ("only_blanks", "   "),
        ("long", long.as_str()),
        ("too_long", too_long.as_str()),
    ];
    let cases = cases.map(|(case, text)| (case, json!({"text": text})));
    check("inspect_identifier", cases).await;
}

#[tokio::test]
async fn convert_units() {
    let of = |value: &str, from: &str| json!({"value": value, "from": from});
    let cases = [
        ("units", of("125000000", "units")),
        ("coins", of("1000000664.49951417", "coins")),
        ("smallest_exponent", of("5E-8", "coins")),
        ("milliseconds", of("1795212000000", "milliseconds")),
        ("seconds", of("1795303839", "seconds")),
        ("before_1970", of("-1", "milliseconds")),
        ("moment", of("2026-11-20T23:00:00+01:00", "iso8601")),
        (
            "base58",
            of("2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP", "base58"),
        ),
        ("base64", of("aGVsbG8gMA==", "base64")),
        ("hex", of("0x68656C6C6F", "hex")),
        ("too_precise", of("0.000000001", "coins")),
        ("too_many_units", of("9223372036854775808", "units")),
        ("no_such_day", of("2026-02-29", "iso8601")),
        ("not_base58", of("0OIl", "base58")),
        ("odd_hex", of("abc", "hex")),
        ("unknown_unit", of("1", "satoshi")),
        ("number_as_value", json!({"value": 5, "from": "coins"})),
        ("fraction_as_value", json!({"value": 1.25, "from": "coins"})),
        // Sent as 1000000664.49951417; this is what is left of it when it is seen.
        (
            "number_that_lost_digits",
            json!({"value": 1_000_000_664.499_514_2_f64, "from": "coins"}),
        ),
    ];
    check("convert_units", cases).await;
}

#[tokio::test]
async fn explain_topic() {
    let topics = [
        "become_minter",
        "minting_levels",
        "names",
        "buy_and_sell_qort",
        "trade_states",
        "node_sync",
        "qdn_publishing",
        "qdn_states",
        "groups",
        "fees",
        "units",
        "shell",
        "glossary",
    ];
    let cases = topics.map(|topic| (topic, json!({"topic": topic})));
    let unknown = ("unknown", json!({"topic": "weather"}));
    check("explain_topic", cases.into_iter().chain([unknown])).await;
}

/// A model shows such a text to people whole.
#[tokio::test]
async fn reference_texts_are_short_and_say_where_their_facts_are_from() {
    let chain = crate::Chain::recorded().await;
    let entry = chain.catalog.entry("explain_topic").unwrap();
    let topics = entry.input_schema()["properties"]["topic"]["enum"].clone();
    for topic in topics.as_array().unwrap() {
        let told = chain
            .call("explain_topic", json!({"topic": topic}))
            .await
            .unwrap();
        let text = told["text"].as_str().unwrap();
        assert!(text.len() <= 3_000, "{topic} has {} bytes", text.len());
        let source = told["source"].as_str().unwrap();
        assert!(
            ["org.qortal.", "blockchain.json", "qortal-mcp --help"]
                .iter()
                .any(|it| source.contains(it)),
            "{topic}"
        );
        // Tools that it names exist.
        let words = text.split(|it: char| !it.is_ascii_lowercase() && it != '_');
        let named = words.filter(|it| {
            ["get_", "list_", "check_", "explain_"]
                .iter()
                .any(|head| it.starts_with(head))
        });
        for name in named {
            assert!(chain.catalog.entry(name).is_some(), "{topic}: {name}");
        }
    }
    chain.stop().await;
}

#[tokio::test]
async fn word_of_the_community_is_explained_and_found() {
    let chain = crate::Chain::recorded().await;
    for (word, topic) in [
        ("rewardshare", "become_minter"),
        ("self share", "become_minter"),
        ("minting key", "become_minter"),
        ("sponsorship", "become_minter"),
        ("sponsor key", "become_minter"),
        ("Minter Admins", "become_minter"),
        ("Q-Mintership", "become_minter"),
        ("leveling", "minting_levels"),
        ("Founder Tier", "minting_levels"),
        ("Dev Admins", "groups"),
        ("Q-Chat", "groups"),
        ("Core", "node_sync"),
        ("core sync", "node_sync"),
        ("bootstrap", "node_sync"),
        ("delete the db", "node_sync"),
        ("QORTector", "node_sync"),
        ("Trade Portal", "buy_and_sell_qort"),
        ("buy order", "buy_and_sell_qort"),
        ("QDN", "qdn_publishing"),
        ("Q-Apps", "qdn_publishing"),
        ("data-hosting", "qdn_publishing"),
        ("follow_a_name", "qdn_publishing"),
        ("publish", "qdn_publishing"),
        ("Hub", "glossary"),
        ("the UI", "glossary"),
        ("seedphrase", "glossary"),
        ("backup file", "glossary"),
        ("Exqlorer", "glossary"),
        ("gateway", "glossary"),
    ] {
        let explain = |topic: &str| chain.call("explain_topic", json!({"topic": topic}));
        let (by_word, by_topic) = (explain(word).await.unwrap(), explain(topic).await.unwrap());
        assert_eq!(by_word["title"], by_topic["title"], "{word}");
        let found = chain.call("search", json!({"query": word.replace('_', " ")}));
        let found = found.await.unwrap()["results"].to_string();
        assert!(found.contains("topic:"), "{word}: {found}");
    }
    chain.stop().await;
}
