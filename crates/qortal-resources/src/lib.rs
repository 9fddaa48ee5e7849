#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    clippy::missing_errors_doc
)]

mod completions;
pub mod mcp;
mod prompts;
mod resources;
mod subscriptions;
pub mod watch;

pub use completions::{Completion, Completions};
pub use prompts::{Prompt, PromptArgument, PromptError, RenderedPrompt};
pub use qortal_tools::uri::UriError;
pub use resources::{Contents, Freshness, ReadResourceError, Source, read, sources, tool_at};
pub use subscriptions::{PollInterval, SubscribeError, Subscription, Subscriptions};
