//! What is asked, and what must stand in a good answer.

use std::{collections::HashMap, sync::LazyLock};

use jsonschema::Validator;
use qortal_tools::Catalog;
use serde_json::{Value, json};

use crate::{nodes::CONNECTIONS, random::Random};

/// Compiled once: a process plays many seeds.
static SCHEMAS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let compiled = Catalog::entries().map(|entry| {
        let schema = entry.output_schema();
        let validator = jsonschema::validator_for(&schema);
        (entry.name, validator.expect("a published schema is valid"))
    });
    compiled.collect()
});

const NAMES: [&str; 4] = ["victor", "chloe", "alice-shop", "collectible"];
const ADDRESSES: [&str; 4] = [
    "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
    "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK",
    "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL",
    "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq",
];

/// Which nodes may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum About {
    Nothing,
    /// The first node itself.
    Own,
    Chain,
}

/// A call of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    pub(crate) about: About,
    /// What must stand where in the answer.
    expected: Vec<(&'static str, Value)>,
}

impl Question {
    fn new<const N: usize>(
        tool: &'static str,
        about: About,
        arguments: Value,
        expected: [(&'static str, Value); N],
    ) -> Self {
        Self {
            tool,
            arguments,
            about,
            expected: expected.into(),
        }
    }

    pub(crate) fn is_list(&self) -> bool {
        self.tool == "list_names"
    }

    /// One of those about `about`.
    pub(crate) fn draw(random: &mut Random, about: About) -> Self {
        match about {
            About::Nothing => {
                let address = *random.pick(&ADDRESSES);
                let arguments = json!({ "address": address });
                Self::new(
                    "validate_address",
                    about,
                    arguments,
                    [("/address", address.into())],
                )
            }
            About::Own => Self::new(
                "get_node_status",
                about,
                json!({}),
                [("/numberOfConnections", CONNECTIONS.into())],
            ),
            About::Chain => match random.within(0..5) {
                0 => {
                    let name = *random.pick(&NAMES);
                    Self::new(
                        "get_name_info",
                        about,
                        json!({ "name": name }),
                        [("/name", name.into())],
                    )
                }
                1 => {
                    let address = *random.pick(&ADDRESSES);
                    let arguments = json!({ "address": address });
                    Self::new(
                        "get_balance",
                        about,
                        arguments,
                        [("/address", address.into())],
                    )
                }
                2 => Self::list(random.within(1..9)),
                3 => Self::height(),
                _ => {
                    let height = random.within(2..460);
                    let arguments = json!({ "height": height });
                    Self::new(
                        "get_block_by_height",
                        about,
                        arguments,
                        [("/height", height.into())],
                    )
                }
            },
        }
    }

    /// The height of the chain, which tells a node that is behind.
    pub(crate) fn height() -> Self {
        Self::new("get_block_height", About::Chain, json!({}), [])
    }

    /// A slow one.
    pub(crate) fn list(limit: u64) -> Self {
        let expected = [("/next/arguments/limit", limit.into())];
        Self::new(
            "list_names",
            About::Chain,
            json!({ "limit": limit }),
            expected,
        )
    }

    /// The facts in the result of a call; `None` if the tool failed.
    pub(crate) fn facts(&self, result: &Value) -> Result<Option<Value>, String> {
        if result["isError"] == true {
            return Ok(None);
        }
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let facts: Value = serde_json::from_str(text)
            .map_err(|err| format!("the text of {} is no JSON: {err}: {text}", self.tool))?;
        if result
            .get("structuredContent")
            .is_some_and(|it| *it != facts)
        {
            return Err(format!("text and structure of {} differ", self.tool));
        }
        for (at, expected) in &self.expected {
            if facts.pointer(at) != Some(expected) {
                let found = facts.pointer(at);
                return Err(format!(
                    "{} {} was answered with another's facts: {at} is {found:?}",
                    self.tool, self.arguments
                ));
            }
        }
        let problem = SCHEMAS
            .get(self.tool)
            .and_then(|it| it.validate(&facts).err());
        match problem {
            Some(problem) => Err(format!("an answer of {} is invalid: {problem}", self.tool)),
            None => Ok(Some(facts)),
        }
    }
}
