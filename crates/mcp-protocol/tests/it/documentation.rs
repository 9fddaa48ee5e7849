//! The committed tables of conversions are what the cases, the corpus and the code make of them.

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

#[test]
fn the_cases_of_the_corpus_are_up_to_date() {
    let committed = include_str!("../../corpus/cases.jsonl");
    assert!(
        committed == table::cases_file(),
        "corpus/cases.jsonl is out of date: cargo xtask codegen"
    );
}
