//! What each surface costs a model's context, counted with a real tokenizer.

use qortal_tools::{Entry, Selection, Surface};
use serde_json::json;

use xtask::ArgMatches;
use xtask::command::say;
use xtask::failure::Failure;

/// The most tokens a surface may have: names, descriptions and input schemas, which are what reaches a model.
const BUDGETS: &[(Surface, usize)] = &[
    (Surface::Dynamic, 1_500),
    (Surface::Core, 4_000),
    (Surface::Standard, 8_000),
    (Surface::Python, 8_000),
    (Surface::Extended, 15_000),
];

/// Prints a table; fails if a surface is over its budget.
pub(crate) fn run(_: &ArgMatches) -> Result<(), Failure> {
    let tokens = counter()?;
    say("| surface | tools | tokens | budget |")?;
    say("| --- | --- | --- | --- |")?;
    let mut over = Vec::new();
    for (surface, budget) in BUDGETS {
        let selection = Selection::of(*surface);
        let counts = selection
            .listed()
            .map(|entry| tokens(&text(&selection, entry)));
        let (tools, tokens) = counts.fold((0, 0), |(tools, sum), count| (tools + 1, sum + count));
        say(&format!(
            "| {} | {tools} | {tokens} | {budget} |",
            surface.name()
        ))?;
        if tokens > *budget {
            over.push(surface.name());
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    Err(Failure::Found(format!("over budget: {}", over.join(", "))))
}

/// A counter of tokens: `o200k_base`, that of current OpenAI models; others differ by a few per cent.
pub(crate) fn counter() -> Result<impl Fn(&str) -> usize, Failure> {
    let tokenizer = tiktoken_rs::o200k_base();
    let tokenizer = tokenizer.map_err(|why| Failure::unreadable("the tokenizer", why))?;
    Ok(move |text: &str| tokenizer.encode_ordinary(text).len())
}

fn text(selection: &Selection, entry: &Entry) -> String {
    json!({
        "name": entry.name,
        "description": selection.description(entry),
        "inputSchema": entry.input_schema_on(selection.surface),
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use qortal_client::{ApiKey, Node, NodeConfig};
    use qortal_testnode::{API_KEY, Scenario, TestNode};
    use qortal_tools::{Catalog, Selection};
    use serde_json::Value;

    use super::counter;

    /// The most tokens of an answer to a call without options: of a list, of its usual page.
    const MOST: usize = 2_000;
    /// Answers that may have more, and why.
    const MORE: &[(&str, usize, &str)] = &[];

    #[tokio::test]
    async fn every_answer_keeps_its_budget() {
        let tokens = counter().unwrap();
        let simulated = TestNode::start(Scenario::recorded()).await.unwrap();
        let key = ApiKey::new(API_KEY).unwrap();
        let node = Node::new(NodeConfig::new(simulated.url()).with_api_key(key)).unwrap();
        let catalog = Catalog::new(node, &Selection::default()).unwrap();
        let mut over = String::new();
        for entry in Catalog::entries() {
            let mut arguments: Value = serde_json::from_str(entry.example).unwrap();
            let options = arguments.as_object_mut().unwrap();
            for option in ["limit", "detail"] {
                options.remove(option);
            }
            let outcome = catalog.call(entry, options.clone()).await.unwrap();
            let count = tokens(&outcome.json());
            let budget = MORE.iter().find(|(tool, ..)| *tool == entry.name);
            let budget = budget.map_or(MOST, |(_, budget, _)| *budget);
            if count > budget {
                writeln!(over, "{} has {count} of {budget}", entry.name).unwrap();
            }
        }
        simulated.stop().await;
        assert!(over.is_empty(), "{over}");
    }
}
