//! Prompts as a client sees them, and what they render to, independent of any revision.

use crate::{ContentBlock, Icon, Object, content::Role};

/// A prompt (`Prompt` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Prompt {
    /// Unique.
    pub name: String,
    /// The name shown to people, from 2025-06-18 on.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The arguments it takes.
    pub arguments: Vec<PromptArgument>,
    /// From 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
}

/// An argument of a prompt; its value is a string.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Unique within the prompt.
    pub name: String,
    /// The name shown to people, from 2025-06-18 on.
    pub title: Option<String>,
    /// What it means.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
}

/// What a prompt renders to.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GetPromptResult {
    /// What the messages are about.
    pub description: Option<String>,
    /// The messages, first to last.
    pub messages: Vec<PromptMessage>,
    /// `_meta`.
    pub meta: Object,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who speaks.
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

    setters! {
        /// With a title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// With one more argument.
        with_argument(argument: PromptArgument) { arguments.push(argument) }
        /// With one more icon.
        with_icon(icon: Icon) { icons.push(icon) }
        /// With `_meta`, which replaces any set before.
        with_meta(meta: Object) { meta = meta }
    }
}

impl PromptArgument {
    /// An argument that must be given.
    pub fn required(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            required: true,
            ..Self::optional(name, description)
        }
    }

    /// An argument that may be left out.
    pub fn optional(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            required: false,
        }
    }

    setters! {
        /// With a title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
    }
}

impl GetPromptResult {
    /// These messages, first to last.
    #[must_use]
    pub fn new(messages: Vec<PromptMessage>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }

    /// One message of the user for each block.
    pub fn user_messages(content: impl IntoIterator<Item = ContentBlock>) -> Self {
        let message = |content| PromptMessage::new(Role::User, content);
        Self::new(content.into_iter().map(message).collect())
    }

    setters! {
        /// With a description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// With `_meta`, which replaces any set before.
        with_meta(meta: Object) { meta = meta }
    }
}

impl PromptMessage {
    /// A message of this role.
    #[must_use]
    pub fn new(role: Role, content: ContentBlock) -> Self {
        Self { role, content }
    }
}
