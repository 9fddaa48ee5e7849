//! Prints docs/conversion.md, made from the cases and the corpus, with `cases` that file of the corpus, or with `shown` docs/shown.md.
//! `cargo xtask codegen` writes them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "shares the tests' modules, which may fail by panicking"
)]
#![expect(dead_code, reason = "and uses only the part of them that writes")]

#[path = "../tests/it/cases/shared.rs"]
mod cases;
#[path = "../tests/it/corpus/vendors.rs"]
mod corpus;
#[path = "../tests/it/documentation/shown.rs"]
mod shown;
#[path = "../tests/it/documentation/table.rs"]
mod table;

use std::io::Write;

fn main() -> std::io::Result<()> {
    let text = match std::env::args().nth(1).as_deref() {
        Some("cases") => table::cases_file(),
        Some("shown") => shown::page(),
        _ => table::document(),
    };
    std::io::stdout().write_all(text.as_bytes())
}
