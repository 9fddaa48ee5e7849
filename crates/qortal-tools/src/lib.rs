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
mod context;
mod error;
mod estimate;
mod family;
mod groups;
mod index;
mod labels;
mod nearest;
mod owner;
mod primary_names;
mod progress;
mod question;
mod untrusted;
pub mod uri;
mod words;

pub use catalog::{
    CALL_TOOL, CallOptions, Catalog, OutputSchemas, PageOfRows, Pages, Selection, Surface,
    UnknownName, instructions,
};
pub use declare::{
    Attachment, Body, Entry, Family, File, Outcome, ResourceLink, handle as transaction_handle,
};
pub use error::ToolError;
pub use progress::{Progress, Report};
pub use question::{Question, QuestionCall};
pub use tool_schema::{InvalidArguments, InvalidValue, Member, Object, Problem};
pub use untrusted::is_hidden;
