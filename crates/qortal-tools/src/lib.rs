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
pub use declare::{Attachment, Entry, Link, Member, Outcome};
pub use error::{Problem, ToolError};
pub use mcp::{Prompts, Resources, Suggester};
pub use prompt::{Asked, Blank, Question, Unasked};
pub use resource::{BadUri, Body, Contents, Freshness, Source, Unread};
pub use suggest::{Suggestions, Values};
pub use watch::{Pace, Unwatched, Watcher, Watching};
