#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    clippy::missing_errors_doc
)]

#[macro_use]
mod declare;

mod catalog;
mod context;
mod error;
mod family;
mod question;
mod support;
pub mod uri;

pub use catalog::{
    CALL_TOOL, CallOptions, Catalog, OutputSchemas, PageOfRows, Pages, Place, Selection, Surface,
    UnknownName, instructions,
};
pub use declare::{
    Attachment, Body, Entry, Family, File, Outcome, ResourceLink, handle as transaction_handle,
};
pub use error::ToolError;
pub use question::{Question, QuestionCall};
pub use support::{
    person::for_person,
    progress::{Progress, Report},
    untrusted::is_hidden,
};
pub use tool_schema::{InvalidArguments, InvalidValue, Object, Problem, Property};
