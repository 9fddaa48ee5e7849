//! Which tools a walk over the whole catalog tries. Each walk tries all of them where `CI` is set.

use std::env;

use qortal_tools::{Catalog, Entry};

/// The entries of the tools that a walk tries.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    Catalog::entries().filter(|it| tries(it.name))
}

/// Returns whether a walk tries this tool: without `CI`, a third of them by the bytes of their names.
pub fn tries(tool: &str) -> bool {
    let sum: u32 = tool.bytes().map(u32::from).sum();
    env::var_os("CI").is_some() || sum.is_multiple_of(3)
}
