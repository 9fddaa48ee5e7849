//! What `completion/complete` asks, and what it is answered.

use serde_json::Value;

use crate::{Object, error::ErrorObject};

/// The most values an answer may hold (all revisions, `server/utilities/completion`).
pub const MOST_VALUES: usize = 100;

/// Whose argument is to be completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A prompt, by name.
    Prompt(String),
    /// A resource template, by its URI template.
    Resource(String),
}

/// The params of `completion/complete`.
#[derive(Debug, Clone, PartialEq)]
pub struct CompleteRequest {
    /// Whose argument.
    pub reference: Reference,
    /// The argument's name.
    pub argument: String,
    /// What has been typed so far.
    pub value: String,
    /// The arguments that are settled, from 2025-06-18 on; texts by name.
    pub settled: Object,
}

/// How an argument could go on, best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The values; only the first [`MOST_VALUES`] are sent.
    pub values: Vec<String>,
    /// How many there are, where that is known.
    pub total: Option<u64>,
}

impl CompleteRequest {
    /// Reads the params; -32602 names what is missing.
    pub fn from_params(params: Option<&Object>) -> Result<Self, ErrorObject> {
        let member = |object: Option<&Value>, name: &str| {
            let text = object.and_then(|it| it.get(name)).and_then(Value::as_str);
            text.map(str::to_owned)
        };
        let reference = params.and_then(|it| it.get("ref"));
        let argument = params.and_then(|it| it.get("argument"));
        let reference = match member(reference, "type").as_deref() {
            Some("ref/prompt") => member(reference, "name").map(Reference::Prompt),
            Some("ref/resource") => member(reference, "uri").map(Reference::Resource),
            Some(_) | None => None,
        };
        let settled = params
            .and_then(|it| it.get("context"))
            .and_then(|it| it.get("arguments"))
            .and_then(Value::as_object);
        Ok(Self {
            reference: reference.ok_or_else(|| {
                ErrorObject::invalid_params("ref must be a ref/prompt or a ref/resource")
            })?,
            argument: member(argument, "name")
                .ok_or_else(|| ErrorObject::invalid_params("argument.name must be a string"))?,
            value: member(argument, "value")
                .ok_or_else(|| ErrorObject::invalid_params("argument.value must be a string"))?,
            settled: settled.cloned().unwrap_or_default(),
        })
    }
}
