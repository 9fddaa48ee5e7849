//! The tables of the tools of `standard` in the demo, at the widths of terminals.

use std::collections::BTreeMap;

use qortal_client::{Node, NodeConfig};
use qortal_testnode::{Scenario, TestNode};
use qortal_tools::{Catalog, Object, Selection};
use serde_json::Value;

use super::*;

/// Noon (UTC) of November 23, 2026.
const NOW: i64 = 1_795_435_200_000;
/// Lines of a part of an answer that the snapshot has: a table's headings and its first rows.
const LINES: usize = 4;
/// Tools whose answers name the port of the node, or consist of schemas.
const OTHERS: [&str; 3] = ["compare_nodes", "describe_tool", "find_tools"];

/// The answers to the examples of the listed tools.
async fn answers() -> BTreeMap<&'static str, Object> {
    let node = TestNode::start(Scenario::demo(NOW).frozen()).await.unwrap();
    let client = Node::new(NodeConfig::new(node.url())).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let mut answers = BTreeMap::new();
    for entry in catalog.selection().listed() {
        let example = serde_json::from_str(entry.example).unwrap();
        let outcome = catalog.call(entry, example).await.unwrap();
        answers.insert(entry.name, outcome.structure());
    }
    node.stop().await;
    answers
}

fn shown(tool: &str, structure: &Object, columns: usize) -> String {
    let command = |tool: &str, _: &Object| format!("call {tool}");
    answer(tool, structure, &Terminal::plain(columns), command)
}

#[tokio::test]
async fn tables_of_listed_tools_have_the_important_columns_first() {
    let answers = answers().await;
    let mut text = String::new();
    for (tool, structure) in &answers {
        if OTHERS.contains(tool) {
            continue;
        }
        text.push_str(&format!("== {tool}\n"));
        for part in shown(tool, structure, 80).split("\n\n") {
            let part = part.trim_start_matches('\n');
            let lines: Vec<_> = part.lines().take(LINES).collect();
            text.push_str(&format!("{}\n", lines.join("\n")));
        }
    }
    insta::assert_snapshot!(text);
    for columns in [40, 60, 80, 100] {
        for (tool, structure) in &answers {
            let text = shown(tool, structure, columns);
            let widest = text
                .lines()
                .map(unicode_width::UnicodeWidthStr::width)
                .max();
            assert!(widest <= Some(columns), "{tool} at {columns}:\n{text}");
            assert!(!text.contains("as instructions"), "{tool}:\n{text}");
        }
    }
}

/// The columns that a question is about stay where there is least room.
#[tokio::test]
async fn essential_columns_stay_at_every_width() {
    let answers = answers().await;
    for (tool, headings) in [
        ("get_market_overview", "coin lastPrice bestAsk"),
        ("get_chat_messages", "timestamp sender text"),
        ("list_groups", "groupId groupName memberCount isOpen"),
        ("get_account_ledger", "timestamp kind amount coin"),
    ] {
        for columns in 60..=120 {
            let text = shown(tool, &answers[tool], columns);
            let found = text.lines().any(|line| {
                let mut words = line.split_whitespace();
                headings.split(' ').all(|it| words.next() == Some(it))
            });
            assert!(found, "{tool} at {columns}:\n{text}");
        }
    }
}

/// One row is shown as ten are.
#[test]
fn a_single_row_is_a_row() {
    let row = |place: usize| serde_json::json!({"timestampIso": "2026-11-21T05:23:29.424Z", "senderName": "a", "sender": "Q1", "amount": "1.0", "height": place});
    for count in [1, 2, 10] {
        let rows: Vec<Value> = (0..count).map(row).collect();
        let structure = serde_json::json!({ "payments": rows });
        let text = shown("find_payments", structure.as_object().unwrap(), 80);
        let heading = text.lines().nth(2).unwrap();
        assert!(heading.trim().starts_with("timestamp"), "{text}");
        assert_eq!(
            text.lines().skip(3).take_while(|it| !it.is_empty()).count(),
            count
        );
    }
}
