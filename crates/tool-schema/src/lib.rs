#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    clippy::missing_errors_doc
)]

mod arguments;
mod member;
mod nearest;
mod output;
mod params;
mod types;
mod writer;

use serde_json::{Map, Value};

pub use arguments::{Arguments, InvalidArguments, Problem};
pub use member::{Member, input_schema, object_schema, type_schema};
pub use nearest::{distance, nearest};
pub use output::{Notes, Output, Record};
pub use params::{
    InvalidValue, NoParams, Param, Params, Standard, excerpt, integer, number_as_text, text, word,
};
pub use types::{Bounded, List, Numbered, Text};
pub use writer::{Extent, JsonWriter, Pages};

/// A JSON object.
pub type Object = Map<String, Value>;

/// What the macros expand to. Not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use serde_json::Value;

    pub use crate::params::{camel_case, camel_case_len, plain};
}
