//! What a client is asked to do with each server, and what has to come of it.

use serde_json::{Value, json};

use super::judge::Expect;

/// What the user writes into a field, and under `model` what the model says.
pub(super) const ANSWERS: &[(&str, &str)] =
    &[("name", "Ada"), ("color", "blue"), ("model", "Paris")];
/// The tools by family.
const INDEX: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../docs/tools/index.md"
));
/// How many resources are read where reading each is slow.
const FEW: usize = 3;

/// One thing to do.
#[derive(Debug)]
pub(super) struct Step {
    /// What kind it is, in the matrix and in the list of what a client lacks.
    pub(super) kind: &'static str,
    /// As a client reads it.
    pub(super) line: Value,
    pub(super) expect: Expect,
}

impl Step {
    fn new(kind: &'static str, line: Value, expect: Expect) -> Self {
        Self { kind, line, expect }
    }
}

/// With the data server: `catalog` is what it says of itself; `calls_all` or one tool of each family.
pub(super) fn data(catalog: &[Value], calls_all: bool) -> Vec<Step> {
    let name = |tool: &Value| tool.get("name").cloned().unwrap_or_default();
    let names: Vec<_> = catalog.iter().map(name).collect();
    let listed = Expect::Exactly(names.clone().into());
    let mut steps = vec![Step::new("tools", json!({"do": "tools"}), listed)];
    let firsts = firsts();
    let chosen = catalog
        .iter()
        .filter(|tool| calls_all || firsts.iter().any(|first| name(tool) == **first));
    for tool in chosen {
        let arguments = tool.get("example").cloned().unwrap_or_default();
        let line = json!({"do": "call", "tool": name(tool), "arguments": arguments});
        steps.push(Step::new("call", line, Expect::Outcome));
    }
    let most = (!calls_all).then_some(FEW);
    let mut read = json!({"do": "resources"});
    if let (Some(most), Some(read)) = (most, read.as_object_mut()) {
        read.insert("most".to_owned(), most.into());
    }
    steps.push(Step::new("resources", read, Expect::Resources));
    let prompt =
        json!({"do": "prompt", "name": "market_brief", "arguments": {"blockchain": "LITECOIN"}});
    steps.push(Step::new("prompt", prompt, Expect::Prompt("market_brief")));
    let complete = json!({
        "do": "complete", "prompt": "market_brief", "argument": "blockchain", "value": "LITE",
    });
    let completed = Expect::Exactly(json!(["LITECOIN"]));
    steps.push(Step::new("completion", complete, completed));
    steps
}

/// The first tool of each family: the index of tools, which `cargo xtask codegen` keeps true, has them in order.
fn firsts() -> Vec<&'static str> {
    let families = INDEX.split("\n## ").skip(1);
    let first = |family: &'static str| family.split("\n| [`").nth(1)?.split('`').next();
    families.filter_map(first).collect()
}

/// With the everything server. Logs are of the handshake: it writes none without.
pub(super) fn everything(has_handshake: bool) -> Vec<Step> {
    let call = |tool: &str| json!({"do": "call", "tool": tool, "arguments": {}});
    let mut steps = vec![Step::new(
        "progress",
        json!({"do": "progress", "tool": "test_tool_with_progress"}),
        Expect::Progress,
    )];
    if has_handshake {
        let said = [
            "Tool execution started",
            "Tool processing data",
            "Tool execution completed",
        ];
        steps.push(Step::new(
            "logging",
            json!({"do": "log", "tool": "test_tool_with_logging", "count": said.len()}),
            Expect::Exactly(json!(said)),
        ));
    }
    steps.extend([
        Step::new(
            "elicitation",
            call("test_input_required_result_multi_round"),
            Expect::Text("Ada likes blue."),
        ),
        Step::new(
            "sampling",
            call("test_input_required_result_sampling"),
            Expect::Text("Paris"),
        ),
        Step::new(
            "subscription",
            json!({
                "do": "subscribe",
                "uri": "test://watched-resource",
                "tool": "test_trigger_resource_update",
            }),
            Expect::Exactly(json!("test://watched-resource")),
        ),
        Step::new(
            "list_changed",
            json!({"do": "changes", "tool": "test_trigger_tool_change"}),
            Expect::Includes("test_dynamic_tool"),
        ),
    ]);
    steps
}

#[cfg(test)]
mod tests {
    use super::{INDEX, firsts};

    #[test]
    fn each_family_has_a_first_tool() {
        let found = firsts();
        assert_eq!(found.len(), INDEX.matches("\n## ").count());
        assert_eq!(found.first(), Some(&"get_node_health"));
    }
}
