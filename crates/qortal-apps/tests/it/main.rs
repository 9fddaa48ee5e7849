//! Tests of the crate's readers, with data in the forms that the official apps write.

mod embed;
mod text;
