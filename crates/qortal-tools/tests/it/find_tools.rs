//! Whether find_tools finds: what people type, short, misspelt and in four languages, and the tools that answer.

use std::{collections::BTreeSet, fs, path::Path};

use qortal_tools::Catalog;
use serde_json::{Value, json};

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

/// Requests, one a line, and what they ask for: `change`, `notice`, `file` or `read`.
const REQUESTS: &str = include_str!("find_tools/requests.txt");

#[tokio::test]
async fn requests_that_no_tool_fulfills_are_told_so() {
    let chain = Chain::recorded().await;
    let mut wrong = Vec::new();
    for line in REQUESTS
        .lines()
        .filter(|it| !it.is_empty() && !it.starts_with('#'))
    {
        let (query, expected) = line.rsplit_once(" = ").unwrap();
        let found = chain.call("find_tools", json!({"query": query})).await;
        let found = found.unwrap();
        let notes: Vec<_> = found["notes"].as_array().into_iter().flatten().collect();
        let has = |head: &str| {
            notes
                .iter()
                .any(|it| it.as_str().unwrap().starts_with(head))
        };
        let heads = ["Nothing here sends", "No tool waits", "In a shell"];
        let actual = match heads.map(has) {
            [true, false, false] => "change",
            [false, true, false] => "notice",
            [false, false, true] => "file",
            _ => "read",
        };
        // Nothing is offered ready to be called that does something else.
        let has_example = found.get("example").is_some();
        if actual != expected || actual == "change" && has_example {
            wrong.push(format!("{query}: {actual}, expected {expected}"));
        }
    }
    chain.stop().await;
    assert_eq!(wrong, Vec::<String>::new());
}

/// The questions of the evals in other languages than English.
#[tokio::test]
async fn questions_of_every_language_find_their_tool() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/others.jsonl");
    let rows = fs::read_to_string(file).unwrap();
    let chain = Chain::recorded().await;
    let mut missed = Vec::new();
    let mut languages = BTreeSet::new();
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).unwrap();
        let tools = row["tools"].as_array().unwrap();
        let language = row["language"].as_str().unwrap().to_owned();
        if language == "en" || tools.is_empty() {
            continue;
        }
        let asked = json!({"query": row["question"], "limit": 3});
        let found = chain.call("find_tools", asked).await.unwrap();
        let found = found["tools"].as_array().unwrap();
        if !found.iter().any(|it| tools.contains(&it["name"])) {
            missed.push(format!("{}: {found:?}", row["question"]));
        }
        languages.insert(language);
    }
    chain.stop().await;
    assert_eq!(missed, Vec::<String>::new());
    assert_eq!(
        languages.into_iter().collect::<Vec<_>>(),
        ["de", "es", "fr", "ru", "zh"]
    );
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

/// A request that no tool serves gets its command, with the tool of the question.
#[tokio::test]
async fn requests_for_files_and_alerts_name_their_command() {
    let chain = Chain::recorded().await;
    for (query, command) in [
        (
            "alert me when Bob pays",
            "`qortal-mcp watch account ADDRESS`",
        ),
        ("notify me when a message comes", "chat ID"),
        (
            "tell me when there is a cheaper offer",
            "offers COIN --below PRICE",
        ),
        (
            "export my tax report",
            "`qortal-mcp call get_account_ledger address='victor' before='2026-11-21' --all --output FILE.csv`",
        ),
        ("save the price chart", "--output FILE.png`"),
    ] {
        let found = chain.call("find_tools", json!({"query": query})).await;
        let notes = found.unwrap()["notes"].to_string();
        assert!(notes.contains(command), "{query}: {notes}");
    }
    chain.stop().await;
}
