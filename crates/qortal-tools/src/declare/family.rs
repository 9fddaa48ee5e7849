//! What a family of tools is.

use crate::Entry;

/// Tools about one subject.
#[derive(Debug)]
#[non_exhaustive]
pub struct Family {
    /// The name to choose it by.
    pub name: &'static str,
    /// Its purpose, in one sentence for models.
    pub purpose: &'static str,
    /// The tools, in the order they are listed.
    pub tools: &'static [Entry],
}
