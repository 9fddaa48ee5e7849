//! The extent of tests of all tools, of generated inputs and of combined cases: everything if `CI` is set, and otherwise a third or a fifth.

use std::env;

use qortal_tools::{Catalog, Entry};

/// The entries of the tools that a walk tries.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    Catalog::entries().filter(|it| tries(it.name))
}

/// Returns how many of the generated inputs a test tries.
pub fn rounds(all: usize) -> usize {
    if is_whole() { all } else { all / 3 }
}

/// Returns the cases that a test tries: without `CI`, each fifth of them.
pub fn cases<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if is_whole() { 1 } else { 5 })
}

/// Returns whether tests try everything.
pub fn is_whole() -> bool {
    env::var_os("CI").is_some()
}

/// Returns whether a walk tries this tool: without `CI`, a third of them by the bytes of their names.
pub fn tries(tool: &str) -> bool {
    let sum: u32 = tool.bytes().map(u32::from).sum();
    is_whole() || sum.is_multiple_of(3)
}
