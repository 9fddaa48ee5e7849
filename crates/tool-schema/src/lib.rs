#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    clippy::missing_errors_doc
)]

mod arguments;
mod definitions;
mod invalid;
mod nearest;
mod object;
mod output;
mod param;
mod params;
mod property;
mod types;
mod writer;

use serde_json::{Map, Value};

pub use arguments::{ArgumentReader, InvalidArguments, ValueReport};
#[doc(hidden)]
pub use definitions::with_definitions;
#[doc(hidden)]
pub use invalid::excerpt;
pub use invalid::{InvalidValue, Problem};
#[doc(hidden)]
pub use nearest::{distance, nearest};
pub use output::{Output, OutputRecord, ResultNotes};
pub use param::{NoMarker, Param};
#[doc(hidden)]
pub use param::{integer, number_as_text, text, word};
pub use params::{NoParams, Params};
pub use property::{
    Property, object_schema, remove_descriptions, schema_of_properties, schema_with_type,
};
#[cfg(feature = "schemars")]
pub use types::Json;
pub use types::{BoundedInt, BoundedString, BoundedVec, CappedInt, DisplayFromStr};
#[doc(hidden)]
pub use writer::Pages;
pub use writer::{JsonWriter, OutputDetail};

/// A JSON object.
pub type Object = Map<String, Value>;

/// Items that the macros expand to. They are not part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use serde_json::Value;

    pub use crate::{
        definitions::{definition_of, members_of},
        object::{object_of, one_of_kinds, read_parts, take_kind, take_object},
        params::{camel_case, camel_case_len, plain},
    };
}
