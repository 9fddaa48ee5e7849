//! The committed table of conversions is what the cases and the code make of it.

mod table;

/// Where it is, from this crate.
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/conversion.md");

#[test]
fn the_table_in_the_docs_is_up_to_date() {
    let committed = std::fs::read_to_string(PATH).unwrap();
    assert!(
        committed == table::document(),
        "docs/conversion.md is out of date: cargo xtask codegen"
    );
}
