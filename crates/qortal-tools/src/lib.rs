#![doc = include_str!("../README.md")]

#[macro_use]
mod declare;

mod catalog;
mod context;
mod error;
mod family;
mod mcp;
mod nearest;
mod prompt;
mod resource;
mod suggest;
mod untrusted;
mod watch;

pub use catalog::{Catalog, Family, OutputSchemas, Selection, Surface, UnknownName, instructions};
pub use declare::{Attachment, Entry, Link, Outcome};
pub use error::ToolError;
pub use mcp::{Prompts, Resources, Suggester};
pub use prompt::{Asked, Blank, Question, Unasked};
pub use resource::{BadUri, Body, Contents, Freshness, Source, Unread};
pub use suggest::{Suggestions, Values};
pub use tool_schema::{InvalidArguments, InvalidValue, Member, Problem};
pub use watch::{Pace, Unwatched, Watcher, Watching};
