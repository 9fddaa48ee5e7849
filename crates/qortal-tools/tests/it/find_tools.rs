//! Whether find_tools finds: what people type, short, misspelt and in four languages, and the tools that answer.

use qortal_tools::Catalog;
use serde_json::json;

use crate::Chain;

/// One query a line, with the tools of which one must be among the first three.
const QUERIES: &str = include_str!("find_tools/queries.txt");
/// The queries at the beginning of the list that must all be answered.
const CERTAIN: usize = 10;
/// How many of a hundred others must be.
const SHARE: usize = 95;

/// Queries and expected tools.
fn queries() -> Vec<(&'static str, Vec<&'static str>)> {
    let rows = QUERIES
        .lines()
        .filter(|it| !it.is_empty() && !it.starts_with('#'));
    let row = rows.map(|it| it.split_once(" = ").unwrap());
    row.map(|(query, tools)| (query, tools.split(' ').collect()))
        .collect()
}

#[tokio::test]
async fn the_tool_that_answers_is_among_the_first_three() {
    let chain = Chain::recorded().await;
    let mut missed = Vec::new();
    let queries = queries();
    for (row, (query, expected)) in queries.iter().enumerate() {
        for name in expected {
            assert!(Catalog::entries().any(|it| it.name == *name), "{name}");
        }
        let found = chain
            .call("find_tools", json!({"query": query, "limit": 3}))
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
