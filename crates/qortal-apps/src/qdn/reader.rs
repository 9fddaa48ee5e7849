//! Readers of documents. Each returns `None` if the document has another form.

pub(super) mod blog;
pub(super) mod files;
pub(super) mod group;
pub(super) mod shop;
pub(super) mod social;
pub(super) mod unknown;
pub(super) mod video;
