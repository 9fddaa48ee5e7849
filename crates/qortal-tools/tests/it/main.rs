//! Every tool over the simulated node: what it answers, what it refuses, and what it asks the node for.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod accounts;
mod apps;
mod arguments;
mod assets;
mod blocks;
mod chat;
mod chat_forms;
mod completions;
mod contents;
mod continued;
mod contract;
mod cost;
mod defaults;
mod demo;
mod details;
#[cfg(feature = "mcp")]
mod dynamic;
mod fallback;
mod faults;
mod find_tools;
mod forbidden;
mod forms;
mod group_rules;
mod groups;
mod growing;
mod growth;
mod health;
mod host;
mod keys;
mod ledgers;
mod leniency;
mod links;
mod minting;
mod names;
mod node;
mod observed;
mod offline;
mod older;
mod paging;
mod parts;
mod people;
mod pictures;
mod polls;
mod progress;
mod prompts;
mod publishers;
mod python;
mod qdn;
mod qdn_peers;
mod questions;
mod ranges;
mod raw_transactions;
mod reach;
mod resources;
mod schemas;
mod sizes;
mod strangers;
mod subscriptions;
mod summaries;
mod tables;
mod tiles;
mod trade;
mod trade_ledgers;
mod transactions;
mod units;
mod walk;
mod watch;

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex},
    thread,
    time::Duration,
};

use insta::{Settings, assert_snapshot};
use jsonschema::{Validator, validator_for};
use qortal_client::{ApiKey, Config, Node};
use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::{Catalog, Entry, Selection, Surface};
use serde_json::Value;

/// Long enough for a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// The catalog over a simulated node.
struct Chain {
    node: TestNode,
    catalog: Catalog,
}

impl Chain {
    async fn recorded() -> Self {
        Self::of(Scenario::recorded()).await
    }

    /// As its owner sees the node: with its API key.
    async fn of(scenario: Scenario) -> Self {
        Self::keyed(scenario, Some(API_KEY)).await
    }

    /// With another API key, or none.
    async fn keyed(scenario: Scenario, api_key: Option<&str>) -> Self {
        Self::listing(Surface::Standard, scenario, api_key).await
    }

    /// For callers of a surface.
    async fn listing(surface: Surface, scenario: Scenario, api_key: Option<&str>) -> Self {
        let node = TestNode::start(scenario).await.unwrap();
        Self::over(node, surface, api_key)
    }

    /// By a client that has asked nothing yet.
    fn asked_anew(self) -> Self {
        Self::over(self.node, Surface::Standard, Some(API_KEY))
    }

    fn over(node: TestNode, surface: Surface, api_key: Option<&str>) -> Self {
        // More than any recorded answer has.
        let client = Node::new(config(&node, api_key, 1 << 20)).unwrap();
        let catalog = Catalog::new(client, &Selection::of(surface)).unwrap();
        Self { node, catalog }
    }

    /// The answer, which fits the published schema, or what the model is told instead.
    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let entry = self
            .catalog
            .entry(tool)
            .unwrap_or_else(|| panic!("no tool {tool}"));
        let arguments = arguments.as_object().unwrap().clone();
        let outcome = self.catalog.call(entry, arguments).await;
        let answer = outcome.map(|it| Value::Object(it.structure()));
        if let Ok(answer) = &answer {
            let published = published(entry, self.catalog.selection().surface);
            let errors: Vec<_> = published
                .iter_errors(answer)
                .map(|it| it.to_string())
                .collect();
            assert!(
                errors.is_empty(),
                "{tool} answers otherwise than published: {errors:?}"
            );
            no_whole_fraction(answer);
        }
        answer.map_err(|err| err.to_string())
    }

    /// The rows of one list from the first page to the last, each page asked for as the one before it says.
    async fn rows(&self, tool: &str, list: &str, arguments: Value) -> Vec<Value> {
        let mut next = Some(arguments);
        let mut rows = Vec::new();
        for _ in 0..500 {
            let Some(arguments) = next.take() else {
                return rows;
            };
            let page = self.call(tool, arguments).await.unwrap();
            rows.extend(page[list].as_array().unwrap().iter().cloned());
            if let Some(call) = page.get("next") {
                assert_eq!(call["tool"], tool);
                next = Some(call["arguments"].clone());
            }
            assert_eq!(page["truncated"], next.is_some(), "{tool}");
        }
        panic!("{tool} has no last page");
    }

    async fn stop(self) {
        self.node.stop().await;
    }
}

/// What is published of a tool's answers. It is compiled once, however often the tool is called.
fn published(entry: &Entry, surface: Surface) -> Arc<Validator> {
    type Published = BTreeMap<(&'static str, Surface), Arc<Validator>>;
    static ALL: LazyLock<Mutex<Published>> = LazyLock::new(Mutex::default);
    let mut all = ALL.lock().unwrap();
    let compiled = || Arc::new(validator_for(&entry.output_schema_on(surface)).unwrap());
    let found = all.entry((entry.name, surface)).or_insert_with(compiled);
    Arc::clone(found)
}

fn config(node: &TestNode, api_key: Option<&str>, max_answer_bytes: usize) -> Config {
    let mut config = Config::new(node.url());
    config.api_key = api_key.map(|it| ApiKey::new(it).unwrap());
    // What waits for a silent node has the clock of the test; websockets that are not opened are waited for.
    config.timeouts.connect = Duration::from_secs(2);
    config.timeouts.quick = PATIENCE;
    config.timeouts.slow = PATIENCE;
    config.max_answer_bytes = max_answer_bytes;
    config
}

/// Hosts in JavaScript write 3.0 as 3, so that structure and text would no longer say the same.
fn no_whole_fraction(value: &Value) {
    match value {
        Value::Number(number) => assert!(!number.to_string().ends_with(".0"), "{number}"),
        Value::Array(items) => items.iter().for_each(no_whole_fraction),
        Value::Object(members) => members.values().for_each(no_whole_fraction),
        _ => (),
    }
}

/// Says where a test fails that compares with what is pinned, as when a tool is added, how that is written anew.
struct Renewal;

impl Drop for Renewal {
    #[expect(clippy::print_stderr, reason = "beside what the assertion prints")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!(
                "If that is meant: `INSTA_UPDATE=always cargo test -p qortal-tools` writes the snapshots anew, and \
                 `cargo xtask codegen` the documents. Read every line that changed."
            );
        }
    }
}

/// Pins the calls of one tool as `snapshots/TOOL.snap`, one case after another.
async fn check<'a>(tool: &str, cases: impl IntoIterator<Item = (&'a str, Value)>) {
    check_on(tool, cases, []).await;
}

/// The same, and then calls over other chains.
async fn check_on<'a>(
    tool: &str,
    cases: impl IntoIterator<Item = (&'a str, Value)>,
    elsewhere: impl IntoIterator<Item = (Scenario, &'a str, Value)>,
) {
    let mut sections = Vec::new();
    for (case, arguments) in cases {
        sections.push(section(Scenario::recorded(), tool, case, arguments).await);
    }
    for (scenario, case, arguments) in elsewhere {
        sections.push(section(scenario, tool, case, arguments).await);
    }
    pin(tool, &sections.join("\n\n"));
}

/// One call: its case and arguments, the answer, and the questions to the node in any order.
async fn section(scenario: Scenario, tool: &str, case: &str, arguments: Value) -> String {
    let chain = Chain::of(scenario).await;
    let said = match chain.call(tool, arguments.clone()).await {
        Ok(answer) => format!("{answer:#}"),
        Err(message) => format!("error: {message}"),
    };
    let journal = chain.node.journal();
    let mut asked: Vec<_> = journal
        .iter()
        .map(|it| format!("{} {}", it.method, it.target))
        .collect();
    asked.sort();
    chain.stop().await;
    let asked = asked.join("\n");
    format!("=== {case}\narguments: {arguments}\n---\n{said}\n---\n{asked}")
}

/// Compares a text with `snapshots/FILE.snap`.
fn pin(file: &str, said: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _renewal = Renewal;
    settings.bind(|| assert_snapshot!(file, said));
}
