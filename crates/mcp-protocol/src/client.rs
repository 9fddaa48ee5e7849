//! Requests that a server may send to its client while it handles a request.

mod form;
mod format;

use std::fmt;

use serde_json::{Value, json};

use crate::{Features, Object, revision::TaskForm};

/// The name of the extension Tasks.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// A capability that a client declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Form elicitation: the user fills in a form, from 2025-06-18 on.
    Elicitation,
    /// URL elicitation: the user opens a URL, from 2025-11-25 on.
    UrlElicitation,
    /// Sampling: the client queries its model.
    Sampling,
    /// Sampling with tools, which the request includes, from 2025-11-25 on.
    SamplingTools,
    /// Roots: the client lists its working directories.
    Roots,
    /// Tasks: the client fetches results later. This is the extension Tasks, in revisions with extensions.
    Tasks,
}

impl Capability {
    /// All capabilities.
    pub const ALL: &'static [Self] = &[
        Self::Elicitation,
        Self::UrlElicitation,
        Self::Sampling,
        Self::SamplingTools,
        Self::Roots,
        Self::Tasks,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Elicitation => "elicitation.form",
            Self::UrlElicitation => "elicitation.url",
            Self::Sampling => "sampling",
            Self::SamplingTools => "sampling.tools",
            Self::Roots => "roots",
            Self::Tasks => "extensions.io.modelcontextprotocol/tasks",
        }
    }

    /// Returns whether the `capabilities` of a client declare this one, in a revision that defines it.
    ///
    /// A client that declares elicitation without a mode supports forms (2025-11-25 `client/elicitation`,
    /// "Capabilities").
    #[must_use]
    pub fn is_declared_in(self, capabilities: &Object, rules: &Features) -> bool {
        let declared = |name: &str| capabilities.get(name).and_then(Value::as_object);
        let has = |name: &str, member: &str| {
            declared(name).is_some_and(|it| it.get(member).is_some_and(Value::is_object))
        };
        match self {
            Self::Elicitation => {
                let only_url = has("elicitation", "url") && !has("elicitation", "form");
                rules.elicitation && declared("elicitation").is_some() && !only_url
            }
            Self::UrlElicitation => rules.url_elicitation && has("elicitation", "url"),
            Self::Sampling => declared("sampling").is_some(),
            Self::SamplingTools => rules.sampling_tool_results && has("sampling", "tools"),
            Self::Roots => declared("roots").is_some(),
            Self::Tasks => rules.tasks == TaskForm::Extension && has("extensions", TASKS),
        }
    }

    /// Returns the `capabilities` object that declares these.
    #[must_use]
    pub fn to_capabilities(capabilities: &[Self]) -> Object {
        let mut declared = Object::new();
        for capability in capabilities {
            let (name, member) = match capability.name().split_once('.') {
                Some((name, member)) => (name, Some(member)),
                None => (capability.name(), None),
            };
            let members = declared.entry(name).or_insert_with(|| json!({}));
            if let (Some(member), Value::Object(members)) = (member, members) {
                members.insert(member.to_owned(), json!({}));
            }
        }
        declared
    }
}

/// Writes the field of `capabilities` that declares it. A dot precedes a nested field.
impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A request to the client. With a handshake it is a message. Without one it is a field of `inputRequests` in a result
/// (2026-07-28 `basic/patterns/mrtr`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[doc(alias = "elicitation/create")]
#[doc(alias = "sampling/createMessage")]
#[doc(alias = "roots/list")]
pub enum ServerRequest {
    /// `elicitation/create` in form mode: the user fills in a form.
    #[non_exhaustive]
    Elicit {
        /// The message to show to the user.
        message: String,
        /// A flat JSON Schema of the form (`client/elicitation`, "Requested Schema").
        schema: Value,
    },
    /// `elicitation/create` in URL mode: the user opens a URL, for data that must not pass through the client. The
    /// response states whether the user agreed to open it, not the outcome.
    #[non_exhaustive]
    ElicitUrl {
        /// The message to show to the user.
        message: String,
        /// The URL for the user to open.
        url: String,
        /// The ID in the notification that the user has finished, in 2025-11-25.
        id: String,
    },
    /// `sampling/createMessage`: the client queries its model. The params are as in the specification.
    Sample(Object),
    /// `roots/list`.
    ListRoots,
}

impl ServerRequest {
    /// Creates a form elicitation.
    pub fn elicit(message: impl Into<String>, schema: Value) -> Self {
        Self::Elicit {
            message: message.into(),
            schema,
        }
    }

    /// Creates a URL elicitation. The `id` must be unique to this request and hard to guess.
    ///
    /// Returns `None` unless the URL is absolute and has the scheme `https` or `http` (`client/elicitation`, "URL Mode
    /// Elicitation Requests").
    pub fn elicit_url(
        message: impl Into<String>,
        url: impl Into<String>,
        id: impl Into<String>,
    ) -> Option<Self> {
        let url = url.into();
        let rest = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("http://"))?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_valid = !host.is_empty() && url.bytes().all(|it| it.is_ascii_graphic());
        is_valid.then(|| Self::ElicitUrl {
            message: message.into(),
            url,
            id: id.into(),
        })
    }

    /// Creates a sampling request with one user message.
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

    /// Returns the method.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Elicit { .. } | Self::ElicitUrl { .. } => "elicitation/create",
            Self::Sample(_) => "sampling/createMessage",
            Self::ListRoots => "roots/list",
        }
    }

    /// Returns the capability required of the client.
    #[must_use]
    pub fn capability(&self) -> Capability {
        match self {
            Self::Elicit { .. } => Capability::Elicitation,
            Self::ElicitUrl { .. } => Capability::UrlElicitation,
            Self::Sample(params) if uses_tools(params) => Capability::SamplingTools,
            Self::Sample(_) => Capability::Sampling,
            Self::ListRoots => Capability::Roots,
        }
    }

    /// Returns the params, in the form of a revision.
    #[must_use]
    pub fn params(&self, rules: &Features) -> Object {
        let mut params = Object::new();
        match self {
            Self::Elicit { message, schema } => {
                params.insert("message".to_owned(), message.as_str().into());
                params.insert("requestedSchema".to_owned(), schema.clone());
            }
            Self::ElicitUrl { message, url, id } => {
                params.insert("mode".to_owned(), "url".into());
                params.insert("message".to_owned(), message.as_str().into());
                params.insert("url".to_owned(), url.as_str().into());
                if rules.elicitation_ids {
                    params.insert("elicitationId".to_owned(), id.as_str().into());
                }
            }
            Self::Sample(given) => return given.clone(),
            Self::ListRoots => (),
        }
        params
    }

    /// Returns whether `answer` is a valid result of this request. It must have the required fields, and an accepted
    /// form must match its schema.
    #[must_use]
    pub fn is_answered_by(&self, answer: &Object) -> bool {
        let action = answer.get("action").and_then(Value::as_str);
        match self {
            Self::Elicit { schema, .. } if action == Some("accept") => {
                match answer.get("content") {
                    Some(Value::Object(content)) => form::accepts(schema, content),
                    // All fields may be optional.
                    None | Some(Value::Null) => form::accepts(schema, &Object::new()),
                    Some(_) => false,
                }
            }
            Self::Elicit { .. } => matches!(action, Some("decline" | "cancel")),
            Self::ElicitUrl { .. } => matches!(action, Some("accept" | "decline" | "cancel")),
            Self::Sample(_) => answer.contains_key("role") && answer.contains_key("content"),
            Self::ListRoots => answer.get("roots").is_some_and(Value::is_array),
        }
    }
}

/// 2025-11-25 `client/sampling`, "Capabilities".
fn uses_tools(params: &Object) -> bool {
    ["tools", "toolChoice"]
        .iter()
        .any(|it| params.contains_key(*it))
}
