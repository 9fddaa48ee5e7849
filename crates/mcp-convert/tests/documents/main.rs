//! Prints one of the documents that `cargo xtask codegen` writes: `cases` of the corpus, `settings` of the npm package as TypeScript, docs/shown.md
//! for `shown`, or docs/conversion.md.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "shares the tests' modules, which may fail by panicking"
)]
#![expect(dead_code, reason = "and uses only the part of them that writes")]

#[path = "../it/cases/shared.rs"]
mod cases;
#[path = "../it/corpus/vendors.rs"]
mod corpus;
mod settings;
#[path = "../it/documentation/shown.rs"]
mod shown;
#[path = "../it/documentation/table.rs"]
mod table;

use std::io::Write;

fn main() -> std::io::Result<()> {
    let text = match std::env::args().nth(1).as_deref() {
        Some("cases") => table::cases_file(),
        Some("settings") => settings::types(),
        Some("shown") => shown::page(),
        _ => table::document(),
    };
    std::io::stdout().write_all(text.as_bytes())
}
