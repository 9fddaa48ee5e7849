//! What is told of a block and of a publication.

use super::*;

#[test]
fn blocks_are_told_with_minter_and_transactions() {
    let row = json!({"height": 7, "minterAddress": "Q1", "minterLevel": 3, "transactionCount": 1});
    let told = |replaced| {
        let told = block(&row, replaced);
        (told.what, told.text)
    };
    let text = "Block 7 by Q1 (level 3), 1 transaction";
    assert_eq!(told(6), ("block", format!("{text}.")));
    let replaced = format!("{text}, in the place of another one.");
    assert_eq!(told(7), ("block_replaced", replaced));
    let unknown = block(&json!({"height": 8, "transactionCount": 2}), 0);
    assert_eq!(
        unknown.text,
        "Block 8 by an account that is not known, 2 transactions."
    );
}
