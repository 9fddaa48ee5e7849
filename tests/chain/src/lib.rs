//! The catalog of tools over a simulated node, and the rules and data that tests of several crates share.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::missing_errors_doc,
    reason = "this is for tests, which fail by a panic"
)]

pub mod chat;
pub mod forbidden;
pub mod walk;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, LazyLock, Mutex,
        mpsc::{Sender, channel},
    },
    time::Duration,
};

use jsonschema::{Validator, validator_for};
use qortal_client::{ApiKey, Node, NodeConfig};
use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::{Catalog, Entry, Selection, Surface};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

/// Long enough for a machine that has much else to do.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The catalog over a simulated node.
#[derive(Debug)]
pub struct Chain {
    /// The node.
    pub node: TestNode,
    /// The catalog.
    pub catalog: Catalog,
}

impl Chain {
    /// Over the recorded chain.
    pub async fn recorded() -> Self {
        Self::of(Scenario::recorded()).await
    }

    /// As its owner sees the node: with its API key.
    pub async fn of(scenario: Scenario) -> Self {
        Self::keyed(scenario, Some(API_KEY)).await
    }

    /// With another API key, or none.
    pub async fn keyed(scenario: Scenario, api_key: Option<&str>) -> Self {
        Self::listing(Surface::Standard, scenario, api_key).await
    }

    /// For callers of a surface.
    pub async fn listing(surface: Surface, scenario: Scenario, api_key: Option<&str>) -> Self {
        let node = TestNode::start(scenario).await.unwrap();
        Self::over(node, surface, api_key)
    }

    /// By a client that has asked nothing yet.
    #[must_use]
    pub fn asked_anew(self) -> Self {
        Self::over(self.node, Surface::Standard, Some(API_KEY))
    }

    /// Over a running node.
    #[must_use]
    pub fn over(node: TestNode, surface: Surface, api_key: Option<&str>) -> Self {
        // More than any recorded answer has.
        let client = Node::new(config(&node, api_key, 1 << 20)).unwrap();
        let catalog = Catalog::new(client, &Selection::of(surface)).unwrap();
        Self { node, catalog }
    }

    /// The answer, which fits the published schema, or what the model is told instead.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
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
    pub async fn rows(&self, tool: &str, list: &str, arguments: Value) -> Vec<Value> {
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

    /// Stops the node.
    pub async fn stop(self) {
        self.node.stop().await;
    }
}

/// What is published of a tool's answers. It is compiled once, however often the tool is called.
#[must_use]
pub fn published(entry: &Entry, surface: Surface) -> Arc<Validator> {
    type Published = BTreeMap<(&'static str, Surface), Arc<Validator>>;
    static ALL: LazyLock<Mutex<Published>> = LazyLock::new(Mutex::default);
    let mut all = ALL.lock().unwrap();
    let compiled = || Arc::new(validator_for(&entry.output_schema_on(surface)).unwrap());
    let found = all.entry((entry.name, surface)).or_insert_with(compiled);
    Arc::clone(found)
}

/// The settings of a client of a simulated node.
#[must_use]
pub fn config(node: &TestNode, api_key: Option<&str>, max_answer_bytes: usize) -> NodeConfig {
    let mut config = NodeConfig::new(node.url());
    config.api_key = api_key.map(|it| ApiKey::new(it).unwrap());
    // What waits for a silent node has the clock of the test; websockets that are not opened are waited for.
    config.timeouts.connect = Duration::from_secs(2);
    config.timeouts.quick = PATIENCE;
    config.timeouts.slow = PATIENCE;
    config.max_answer_bytes = max_answer_bytes;
    config
}

/// Hosts in JavaScript write 3.0 as 3, so that structure and text would no longer say the same.
pub fn no_whole_fraction(value: &Value) {
    match value {
        Value::Number(number) => assert!(!number.to_string().ends_with(".0"), "{number}"),
        Value::Array(items) => items.iter().for_each(no_whole_fraction),
        Value::Object(members) => members.values().for_each(no_whole_fraction),
        _ => (),
    }
}

/// The paused clock stands still until this is dropped: completions are given up after a fraction of a second, which a busy machine
/// may need. While a blocking task runs, nothing moves the clock on.
#[must_use]
pub fn standing_clock() -> Sender<()> {
    let (standing, ended) = channel();
    spawn_blocking(move || ended.recv());
    standing
}

/// The signature of a payment of the recorded chain.
pub const PAYMENT: &str =
    "2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1";

/// A transaction of which the node says this beside what all have.
#[must_use]
pub fn transaction(kind: &str, members: Value) -> Value {
    let mut transaction = json!({
        "type": kind, "timestamp": 5, "fee": "0.01000000", "creatorAddress": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v", "signature": PAYMENT,
        "reference": PAYMENT, "txGroupId": 0, "approvalStatus": "NOT_REQUIRED", "blockHeight": 7,
    });
    let members = members.as_object().unwrap().clone();
    transaction.as_object_mut().unwrap().extend(members);
    transaction
}

/// A block as the Core answers it, of another chain than the recorded one.
#[must_use]
pub fn foreign_block(height: u32) -> Value {
    // 128 bytes whose last one tells the height.
    let digits = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let last = char::from(digits[height as usize % 58]);
    let signature = format!("{}{last}", "1".repeat(127));
    let half = "1".repeat(64);
    json!({
        "signature": signature, "version": 4, "reference": "1".repeat(128), "transactionCount": 0,
        "totalFees": "0.00000000", "transactionsSignature": half, "height": height,
        "timestamp": 1_795_242_000_000_i64, "minterPublicKey": "1".repeat(32), "minterSignature": half,
        "atCount": 0, "atFees": "0.00000000", "onlineAccountsCount": 0, "minterAddress": "Unknown", "minterLevel": 0,
    })
}
