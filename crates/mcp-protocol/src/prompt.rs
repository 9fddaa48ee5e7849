//! Prompts as they describe themselves, and what they say, free of any revision.

use serde_json::Value;

use crate::{
    Object,
    content::{ContentBlock, Role},
};

/// A prompt as a client sees it (`Prompt` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prompt {
    /// Unique.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What it is good for.
    pub description: Option<String>,
    /// What it can be told.
    pub arguments: Vec<PromptArgument>,
    /// Objects like `Icon` of 2025-11-25.
    pub icons: Option<Vec<Value>>,
}

/// Something a prompt can be told; its value is a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PromptArgument {
    /// Unique within the prompt.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What to say.
    pub description: Option<String>,
    /// The prompt cannot do without.
    pub required: bool,
}

/// What a prompt says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GetPromptResult {
    /// What the messages are about.
    pub description: Option<String>,
    /// The messages, first to last.
    pub messages: Vec<PromptMessage>,
    /// `_meta` members.
    pub meta: Object,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptMessage {
    /// Whose words they are.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

impl Prompt {
    /// A prompt without arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: Some(description.into()),
            ..Self::default()
        }
    }

    /// With one argument more, which is required.
    #[must_use]
    pub fn with_argument(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        self.arguments.push(PromptArgument {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            required: true,
        });
        self
    }
}

impl GetPromptResult {
    /// Messages of the user.
    pub fn user(content: impl IntoIterator<Item = ContentBlock>) -> Self {
        let message = |content| PromptMessage {
            role: Role::User,
            content,
        };
        Self {
            messages: content.into_iter().map(message).collect(),
            ..Self::default()
        }
    }
}
