//! The params and the result of `completion/complete`.

use serde_json::Value;

use crate::{ErrorObject, Object};

/// Maximum number of values in a response (all revisions, `server/utilities/completion`).
pub(crate) const MAX_VALUES: usize = 100;

/// The prompt or resource template of the argument to complete.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reference {
    /// A prompt, by name.
    Prompt(String),
    /// A resource template, by its URI template.
    Resource(String),
}

/// The params of `completion/complete`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CompleteRequest {
    /// The prompt or resource template of the argument.
    pub reference: Reference,
    /// The name of the argument.
    pub argument: String,
    /// The partial value typed by the user.
    pub value: String,
    /// `context.arguments`: string values already chosen by the user, by name, from 2025-06-18 on.
    pub context: Object,
}

/// Possible values of an argument, best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[doc(alias = "completion/complete")]
pub struct Completion {
    /// The values. Only the first 100 are sent.
    pub values: Vec<String>,
    /// The total number of values, if known.
    pub total: Option<u64>,
}

impl CompleteRequest {
    /// Reads the params.
    ///
    /// # Errors
    /// Returns a -32602 error with the name of the missing or mistyped field.
    pub fn read(params: Option<&Object>) -> Result<Self, ErrorObject> {
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
        let context = params
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
            context: context.cloned().unwrap_or_default(),
        })
    }
}

impl Completion {
    /// Creates a completion with these values and an unknown total.
    #[must_use]
    pub fn new(values: Vec<String>) -> Self {
        Self {
            values,
            total: None,
        }
    }

    /// Sets the total number of values.
    #[must_use]
    pub fn with_total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }
}
