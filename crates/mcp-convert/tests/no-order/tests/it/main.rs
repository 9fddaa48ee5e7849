//! The tests of `mcp-convert` but for the documents, whose members are in order.

#[path = "../../../it/accepted.rs"]
mod accepted;
#[path = "../../../it/allocations.rs"]
mod allocations;
#[path = "../../../it/cases/mod.rs"]
mod cases;
#[path = "../../../it/corpus/mod.rs"]
mod corpus;
#[path = "../../../it/declarations.rs"]
mod declarations;
#[path = "../../../it/limits.rs"]
mod limits;
#[path = "../../../it/messages.rs"]
mod messages;
#[path = "../../../it/properties.rs"]
mod properties;
#[path = "../../../../../mcp-protocol/tests/it/random.rs"]
mod random;
#[path = "../../../it/refusals.rs"]
mod refusals;
#[path = "../../../it/said.rs"]
mod said;
#[path = "../../../it/tools.rs"]
mod tools;
#[path = "../../../it/views.rs"]
mod views;

#[test]
fn the_order_of_members_is_not_kept() {
    assert!(!cases::run::keeps_order());
    assert_eq!(cases::run::keeps_digits(), cfg!(feature = "arbitrary_precision"));
}

/// The seeds of a test with generated inputs.
fn rounds(all: u64) -> std::ops::Range<u64> {
    0..all / 3
}
