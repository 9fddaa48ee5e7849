//! Writes docs/conversion.md from the cases. A test compares the two.

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
#[path = "../tests/it/documentation/table.rs"]
mod table;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/conversion.md");

fn main() -> std::io::Result<()> {
    std::fs::write(PATH, table::document())
}
