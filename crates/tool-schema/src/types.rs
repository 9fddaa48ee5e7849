//! Types of parameters.

mod basic;
mod choice;
#[cfg(feature = "schemars")]
mod json;
mod list;
mod number;
mod parsed;
mod text;

#[cfg(feature = "schemars")]
pub use json::Json;
#[cfg(feature = "schemars")]
pub(crate) use list::in_list;
pub use {
    basic::{BoundedInt, CappedInt},
    list::BoundedVec,
    parsed::DisplayFromStr,
    text::BoundedString,
};
pub(crate) use {
    list::object_in_text,
    number::{SAFE, digits},
};
