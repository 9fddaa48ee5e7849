//! Whether find_tools finds: what people type, short, misspelt and in four languages, and the tools that answer.

use std::{fs, path::Path};

use qortal_tools::Catalog;
use serde_json::json;

use crate::Chain;

/// One query a line, with the tools of which one must be among the first three, or after `==` the first.
const QUERIES: &str = include_str!("find_tools/queries.txt");
/// The queries at the beginning of the list that must all be answered.
const CERTAIN: usize = 26;
/// How many of a hundred others must be.
const SHARE: usize = 95;

/// Queries, among how many of the first an expected tool must be, and the expected tools.
fn queries() -> Vec<(&'static str, usize, Vec<&'static str>)> {
    let rows = QUERIES
        .lines()
        .filter(|it| !it.is_empty() && !it.starts_with('#'));
    let row = rows.map(|it| match it.split_once(" == ") {
        Some((query, tools)) => (query, 1, tools),
        None => {
            let (query, tools) = it.split_once(" = ").unwrap();
            (query, 3, tools)
        }
    });
    row.map(|(query, first, tools)| (query, first, tools.split(' ').collect()))
        .collect()
}

/// The declarations of tools and their families, but not of the tools that stand for all.
fn declarations(folder: &Path) -> String {
    let mut text = String::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        match path.file_stem() {
            Some(stem) if stem == "dynamic" => (),
            _ if path.is_dir() => text.push_str(&declarations(&path)),
            _ if path.extension().is_some_and(|it| it == "rs") => {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
            _ => (),
        }
    }
    text
}

#[test]
fn every_tool_has_keywords() {
    let text = declarations(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/family"));
    let keywords = text.split("const KEYWORDS: &str =").skip(1);
    let keywords: Vec<_> = keywords.map(str::trim_start).collect();
    let dynamic = Catalog::families().iter().find(|it| it.name == "dynamic");
    let others = Catalog::entries().count() - dynamic.unwrap().tools.len();
    assert_eq!(keywords.len(), others);
    for words in keywords {
        assert!(
            words.starts_with('"') && !words.starts_with("\"\""),
            "{}",
            &words[..80]
        );
    }
}

#[tokio::test]
async fn who_wants_something_changed_hears_that_nothing_here_does_that() {
    let chain = Chain::recorded().await;
    for query in [
        "send 5 QORT to Bob",
        "transfer money to Bob",
        "vote for blue",
        "post hello to the group",
        "please buy 10 QORT for me",
        "I want to sell my name",
        "vote yes in the poll",
        "register a name",
        "Can you post this in the group?",
        "Überweise Bob 5 QORT",
        "quiero comprar QORT",
    ] {
        let found = chain.call("find_tools", json!({"query": query})).await;
        let found = found.unwrap();
        let note = found["notes"][0].as_str().unwrap_or_default();
        assert!(note.starts_with("Nothing here sends"), "{query}: {found}");
        assert!(found["tools"][0].is_object(), "{query}: {found}");
        assert!(found.get("example").is_none(), "{query}: {found}");
    }
    for query in [
        "send",
        "vote results",
        "sell orders",
        "transfer history",
        "post about cats",
        "who sent me QORT",
        "did alice register a name",
        "cheapest name i can buy",
        "how much does it cost to send",
    ] {
        let asked = json!({"query": query});
        let found = chain.call("find_tools", asked).await.unwrap();
        assert!(found.get("notes").is_none(), "{query}: {found}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn the_tool_that_answers_is_among_the_first_three() {
    let chain = Chain::recorded().await;
    let mut missed = Vec::new();
    let queries = queries();
    for (row, (query, first, expected)) in queries.iter().enumerate() {
        for name in expected {
            assert!(Catalog::entries().any(|it| it.name == *name), "{name}");
        }
        let found = chain
            .call("find_tools", json!({"query": query, "limit": first}))
            .await
            .unwrap();
        let found = found["tools"].as_array().unwrap().clone();
        let found: Vec<_> = found
            .iter()
            .map(|it| it["name"].as_str().unwrap())
            .collect();
        if !found.iter().any(|it| expected.contains(it)) {
            missed.push((
                row,
                format!("{query:?} found {found:?}, expected {expected:?}"),
            ));
        }
    }
    chain.stop().await;
    let others = missed.iter().filter(|(row, _)| *row >= CERTAIN).count();
    let most = (queries.len() - CERTAIN) * (100 - SHARE) / 100;
    let is_certain = missed.iter().all(|(row, _)| *row >= CERTAIN);
    assert!(
        is_certain && others <= most,
        "{} of {} missed: {missed:#?}",
        missed.len(),
        queries.len()
    );
}

/// Queries that find the same, and two that find nothing.
#[tokio::test]
async fn inflections_misspellings_and_other_languages_find_the_same() {
    let chain = Chain::recorded().await;
    let found = async |query: &str| {
        let asked = json!({"query": query, "limit": 200});
        let mut found = chain.call("find_tools", asked).await.unwrap();
        found["tools"].take()
    };
    for (one, other) in [
        ("minting", "minted"),
        ("vote", "voting"),
        ("stop", "stopped"),
        ("fee", "the fees"),
        ("balance", "Kontostand"),
        ("price", "el precio"),
        ("account balance", "账户余额"),
    ] {
        assert_eq!(found(one).await, found(other).await, "{one} {other}");
    }
    for misspelled in ["ballance", "blance"] {
        let found = found(misspelled).await.to_string();
        assert!(found.contains("\"get_balance\""), "{misspelled}: {found}");
    }
    // Small words say nothing, and three letters are too few to guess from.
    for query in ["the of a", "what is the q", "nme", "fex", "weather"] {
        assert_eq!(found(query).await, json!([]), "{query}");
    }
    chain.stop().await;
}
