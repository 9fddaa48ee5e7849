//! evals/questions.jsonl: what people ask, as data for programs that judge how a model answers it.

use std::fs;

use qortal_tools::{Catalog, Question};
use serde_json::{Map, Value, json};

use xtask::{failure::Failure, tree};

const FILE: &str = "evals/questions.jsonl";
/// Questions in other languages, and those that no tool answers.
const OTHERS: &str = "evals/others.jsonl";

/// The file with its path: a line for each question of the catalog, then the others.
pub(crate) fn questions() -> Result<(String, String), Failure> {
    let mut lines = String::new();
    for (number, question) in (1..).zip(Catalog::questions()) {
        let row = row(number, question);
        let row = row.map_err(|why| Failure::unreadable(question.text, why))?;
        lines.push_str(&format!("{row}\n"));
    }
    let others = fs::read_to_string(tree::root().join(OTHERS));
    lines.push_str(&others.map_err(Failure::io(OTHERS))?);
    Ok((FILE.to_owned(), lines))
}

fn row(number: usize, question: &Question) -> serde_json::Result<Value> {
    let last = question.calls.last().map_or("{}", |it| it.arguments.get());
    let facts: Map<String, Value> = serde_json::from_str(question.facts.get())?;
    let is_said = |it: &&Value| it.is_string() || it.is_number();
    let said = facts.values().filter(is_said).map(|it| match it {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    // What is shorter stands in any answer.
    let said = said.filter(|it| it.len() > 2);
    Ok(json!({
        "id": format!("en-{number}"),
        "language": "en",
        "question": question.text,
        "tools": [question.tool()],
        "arguments": serde_json::from_str::<Value>(last)?,
        "says": said.collect::<Vec<_>>(),
    }))
}
