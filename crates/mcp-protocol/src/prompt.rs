//! Prompts and their results, independent of any revision.

use crate::{ContentBlock, Icon, Object, content::Role};

/// A prompt (`Prompt` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Prompt {
    /// The name, unique on the server.
    pub name: String,
    /// The display name, from 2025-06-18 on.
    pub title: Option<String>,
    /// A description of its purpose.
    pub description: Option<String>,
    /// The arguments.
    pub arguments: Vec<PromptArgument>,
    /// The icons, from 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
}

/// An argument of a prompt. Its value is a string.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PromptArgument {
    /// The name, unique within the prompt.
    pub name: String,
    /// The display name, from 2025-06-18 on.
    pub title: Option<String>,
    /// A description of its meaning.
    pub description: Option<String>,
    /// Whether the argument is required.
    pub required: bool,
}

/// The result of rendering a prompt.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GetPromptResult {
    /// A description of the messages.
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
    /// The author of the message.
    pub role: Role,
    /// The content of the message.
    pub content: ContentBlock,
}

impl Prompt {
    /// Creates a prompt without arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: Some(description.into()),
            ..Self::default()
        }
    }

    setters! {
        /// Sets the title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// Adds an argument.
        with_argument(argument: PromptArgument) { arguments.push(argument) }
        /// Adds an icon.
        with_icon(icon: Icon) { icons.push(icon) }
        /// Sets `_meta`, replacing any previous value.
        with_meta(meta: Object) { meta = meta }
    }
}

impl PromptArgument {
    /// Creates a required argument.
    pub fn required(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            required: true,
            ..Self::optional(name, description)
        }
    }

    /// Creates an optional argument.
    pub fn optional(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            required: false,
        }
    }

    setters! {
        /// Sets the title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
    }
}

impl GetPromptResult {
    /// Creates a result with these messages, first to last.
    #[must_use]
    pub fn new(messages: Vec<PromptMessage>) -> Self {
        Self {
            messages,
            ..Self::default()
        }
    }

    /// Creates a result with one user message for each block.
    pub fn user_messages(content: impl IntoIterator<Item = ContentBlock>) -> Self {
        let message = |content| PromptMessage::new(Role::User, content);
        Self::new(content.into_iter().map(message).collect())
    }

    setters! {
        /// Sets the description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// Sets `_meta`, replacing any previous value.
        with_meta(meta: Object) { meta = meta }
    }
}

impl PromptMessage {
    /// Creates a message with this role.
    #[must_use]
    pub fn new(role: Role, content: ContentBlock) -> Self {
        Self { role, content }
    }
}
