#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    clippy::missing_errors_doc
)]

#[macro_use]
mod declare;

mod asset_names;
mod catalog;
mod completion;
mod context;
mod error;
mod estimate;
mod family;
mod groups;
mod index;
mod labels;
#[cfg(feature = "mcp")]
pub mod mcp;
mod nearest;
mod owner;
mod primary_names;
mod progress;
mod prompt;
mod question;
mod resource;
mod subscription;
mod untrusted;
pub mod watch;
mod words;

pub use catalog::{
    Catalog, OutputSchemas, PageOfRows, Pages, Place, Selection, Surface, UnknownName, instructions,
};
pub use completion::{Completion, Completions};
pub use declare::{Attachment, Body, Entry, Family, Outcome, ResourceLink};
pub use error::ToolError;
pub use progress::{Progress, Report};
pub use prompt::{Prompt, PromptArgument, PromptError, RenderedPrompt};
pub use question::{Question, QuestionCall};
pub use resource::{Contents, Freshness, ReadError, Source, UriError};
pub use subscription::{PollPolicy, SubscribeError, Subscription, Subscriptions};
pub use tool_schema::{InvalidArguments, InvalidValue, Member, Object, Problem};
