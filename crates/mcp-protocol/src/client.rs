//! Requests that a server may make of its client while it answers one.

use serde_json::{Value, json};

use crate::{json::Object, revision::Rules};

/// A capability that a client declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// It asks its user, from 2025-06-18 on.
    Elicitation,
    /// It asks its model.
    Sampling,
    /// It lists the folders it works in.
    Roots,
}

impl Capability {
    /// All capabilities.
    pub const ALL: &'static [Self] = &[Self::Elicitation, Self::Sampling, Self::Roots];

    /// The member of `capabilities` that declares it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elicitation => "elicitation",
            Self::Sampling => "sampling",
            Self::Roots => "roots",
        }
    }

    /// Whether a client with these `capabilities` has it, at a revision that knows it.
    #[must_use]
    pub fn is_in(self, capabilities: &Object, rules: &Rules) -> bool {
        let exists = match self {
            Self::Elicitation => rules.elicitation,
            Self::Sampling | Self::Roots => true,
        };
        exists && capabilities.get(self.name()).is_some_and(Value::is_object)
    }
}

/// A request to the client. Where there is a handshake it is sent; elsewhere it is a member of
/// `inputRequests` in a result (2026-07-28 `basic/patterns/mrtr`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ClientRequest {
    /// `elicitation/create`: the user fills in a form.
    #[non_exhaustive]
    Elicit {
        /// The message shown to the user.
        message: String,
        /// A flat JSON Schema of the form (`client/elicitation`, "Requested Schema").
        schema: Value,
    },
    /// `sampling/createMessage`: the model answers. The params are those of the specification.
    Sample(Object),
    /// `roots/list`.
    ListRoots,
}

impl ClientRequest {
    /// A form for the user.
    pub fn elicit(message: impl Into<String>, schema: Value) -> Self {
        Self::Elicit {
            message: message.into(),
            schema,
        }
    }

    /// A question to the model, in one user message.
    pub fn sample(question: impl Into<String>, max_tokens: u32) -> Self {
        let content = json!({"type": "text", "text": question.into()});
        let mut params = Object::new();
        params.insert(
            "messages".to_owned(),
            json!([{"role": "user", "content": content}]),
        );
        params.insert("maxTokens".to_owned(), max_tokens.into());
        Self::Sample(params)
    }

    /// The method.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Elicit { .. } => "elicitation/create",
            Self::Sample(_) => "sampling/createMessage",
            Self::ListRoots => "roots/list",
        }
    }

    /// The capability that the client must have declared.
    #[must_use]
    pub const fn capability(&self) -> Capability {
        match self {
            Self::Elicit { .. } => Capability::Elicitation,
            Self::Sample(_) => Capability::Sampling,
            Self::ListRoots => Capability::Roots,
        }
    }

    /// The params.
    #[must_use]
    pub fn params(&self) -> Object {
        let mut params = Object::new();
        match self {
            Self::Elicit { message, schema } => {
                params.insert("message".to_owned(), message.as_str().into());
                params.insert("requestedSchema".to_owned(), schema.clone());
            }
            Self::Sample(given) => return given.clone(),
            Self::ListRoots => (),
        }
        params
    }

    /// Whether `answer` has the members that a result of this request must have.
    #[must_use]
    pub fn is_answered_by(&self, answer: &Object) -> bool {
        match self {
            Self::Elicit { .. } => {
                let action = answer.get("action").and_then(Value::as_str);
                matches!(action, Some("accept" | "decline" | "cancel"))
            }
            Self::Sample(_) => answer.contains_key("role") && answer.contains_key("content"),
            Self::ListRoots => answer.get("roots").is_some_and(Value::is_array),
        }
    }
}
