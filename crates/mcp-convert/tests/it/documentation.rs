//! The committed tables of conversions are what the cases, the corpus and the code make of them.

#[expect(dead_code, reason = "an example writes the whole page")]
mod shown;
mod table;

use crate::corpus;

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

/// Each kind of answer once, read in the vendors' files by hand.
#[test]
fn what_a_model_is_shown_is_told_by_what_is_sent() {
    for (vendor, input, expected) in [
        ("ai-sdk", "sc_only", "nothing"),
        ("anthropic-mcp1", "sc_only", "structure"),
        ("mastra", "sc_dup", "once"),
        ("langchain-node", "sc_dup", "twice"),
        ("langchain-node", "sc_summary", "both"),
        ("langchain-mcp1", "sc_summary", "text"),
        ("openai-agents-structured-mcp2", "sc_summary", "structure"),
        ("copilot-node", "image_png", "whole"),
        ("google-genai-node", "image_png", "Base64"),
        ("rig", "audio", "Base64"),
        ("strands-mcp2", "audio", "nothing"),
        ("anthropic-node", "audio", "raises"),
        ("pydantic-ai-mcp2", "link_full", "address"),
        ("openai-agents-node", "link_full", "address, title"),
        ("langchain-mcp1", "err_text", "failure"),
        ("ai-sdk", "err_text", "text alone"),
        ("google-genai-mcp1", "err_text", "no text"),
    ] {
        let (_, file) = corpus::VENDORS
            .iter()
            .find(|(name, _)| *name == vendor)
            .unwrap();
        let file = serde_json::from_str(file).unwrap();
        assert_eq!(
            shown::converted(&file, input),
            expected,
            "{vendor}: {input}"
        );
    }
}

#[test]
fn the_cases_of_the_corpus_are_up_to_date() {
    let committed = include_str!("../../corpus/cases.jsonl");
    assert!(
        committed == table::cases_file(),
        "corpus/cases.jsonl is out of date: cargo xtask codegen"
    );
}
