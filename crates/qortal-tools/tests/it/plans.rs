//! Questions of traders, holders, group admins and node operators, each with a plan of at most two calls: evals/plans.jsonl.

use std::{collections::BTreeSet, fs, path::Path};

use qortal_client::{ApiKey, Node, NodeConfig};
use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::{Catalog, Selection};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Chain;

/// Noon (UTC) of November 23, 2026.
const NOW: i64 = 1_795_435_200_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    id: String,
    who: String,
    question: String,
    calls: Vec<Call>,
    /// Whether the plan does not answer the question yet.
    #[serde(default)]
    fails: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    tool: String,
    arguments: Value,
    /// JSON pointers to the fields of the result that answer the question.
    fields: Vec<String>,
}

fn plans() -> Vec<Plan> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/plans.jsonl");
    let lines = fs::read_to_string(file).unwrap();
    let plans = lines.lines().map(|it| serde_json::from_str(it).unwrap());
    plans.collect()
}

/// Whether a field is present and has content.
fn has(result: &Value, field: &str) -> bool {
    match result.pointer(field) {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        Some(Value::Bool(_) | Value::Number(_)) => true,
    }
}

/// The parts of a plan's answer that are missing.
async fn missing(chain: &Chain, plan: &Plan) -> Vec<String> {
    let mut missing = Vec::new();
    for Call {
        tool,
        arguments,
        fields,
    } in &plan.calls
    {
        if Catalog::entries().all(|it| it.name != tool) {
            missing.push(format!("no tool {tool}"));
            continue;
        }
        match chain.call(tool, arguments.clone()).await {
            Ok(result) => {
                let absent = fields.iter().filter(|it| !has(&result, it));
                missing.extend(absent.map(|it| format!("{tool} has no {it}")));
            }
            Err(problem) => missing.push(format!("{tool}: {problem}")),
        }
    }
    missing
}

#[tokio::test]
async fn every_plan_answers_its_question_in_two_calls() {
    let node = TestNode::start(Scenario::demo(NOW).frozen()).await.unwrap();
    let key = ApiKey::new(API_KEY).unwrap();
    let client = Node::new(NodeConfig::new(node.url()).with_api_key(key)).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    let chain = Chain { node, catalog };
    let mut problems = Vec::new();
    for plan in plans() {
        let missing = missing(&chain, &plan).await;
        if missing.is_empty() == plan.fails {
            problems.push(format!("{} {}: {missing:?}", plan.id, plan.question));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    chain.stop().await;
}

#[test]
fn plans_have_one_or_two_calls_and_name_fields() {
    let plans = plans();
    assert_eq!(plans.len(), 40);
    let ids: BTreeSet<_> = plans.iter().map(|it| &it.id).collect();
    assert_eq!(ids.len(), 40);
    for plan in &plans {
        let who = ["trader", "holder", "group admin", "node operator"];
        assert!(who.contains(&plan.who.as_str()), "{}", plan.id);
        assert!((1..=2).contains(&plan.calls.len()), "{}", plan.id);
        assert!(plan.question.ends_with(['?', '.']), "{}", plan.question);
        assert!(
            plan.calls.iter().all(|it| !it.fields.is_empty()),
            "{}",
            plan.id
        );
    }
}

#[test]
fn an_empty_field_is_a_missing_one() {
    let result =
        json!({"text": "", "rows": [], "totals": [{"net": "0.00000000"}], "online": false});
    for (field, expected) in [
        ("/text", false),
        ("/rows", false),
        ("/rows/0", false),
        ("/totals/0/net", true),
        ("/online", true),
    ] {
        assert_eq!(has(&result, field), expected, "{field}");
    }
}
