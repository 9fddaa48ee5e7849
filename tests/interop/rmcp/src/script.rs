//! A script as `cargo xtask interop` writes it.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Where the server is, and what to do with it.
#[derive(Debug, Deserialize)]
pub(crate) struct Script {
    /// Empty over HTTP.
    #[serde(default)]
    pub(crate) command: Vec<String>,
    pub(crate) url: Option<String>,
    pub(crate) era: String,
    /// What the user writes into a field, and under `model` what the model says.
    pub(crate) answers: Map<String, Value>,
    pub(crate) steps: Vec<Step>,
}

/// One thing to do.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub(crate) enum Step {
    Tools,
    Call {
        tool: String,
        arguments: Map<String, Value>,
    },
    Resources {
        most: Option<usize>,
    },
    Prompt {
        name: String,
        arguments: Map<String, Value>,
    },
    Complete {
        prompt: String,
        argument: String,
        value: String,
    },
    Progress {
        tool: String,
    },
    Log {
        tool: String,
        count: usize,
    },
    Subscribe {
        uri: String,
        tool: String,
    },
    Changes {
        tool: String,
    },
}
