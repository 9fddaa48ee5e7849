//! Tests of the assembled chain.

use super::{Chain, Row};
use crate::codec::{base58_decode, is_address};

#[test]
fn every_embedded_table_can_be_read() {
    let chain = Chain::recorded();
    let mut tables = chain.tables().chain([&chain.qdn_categories]);
    assert!(tables.all(|table| !table.is_empty()));
    assert!(chain.objects().all(|object| object.is_object()));
}

#[test]
fn every_height_follows_its_parent() {
    let chain = Chain::recorded();
    assert_eq!(chain.blocks.len(), 468);
    for pair in chain.blocks.windows(2) {
        let [parent, block] = pair else {
            panic!("windows of two")
        };
        assert_eq!(block.height, parent.height + 1);
        assert_eq!(
            block.row.text("reference"),
            parent.signature(),
            "reference of {}",
            block.height
        );
        assert!(
            block.timestamp() > parent.timestamp(),
            "time of {}",
            block.height
        );
        assert_eq!(
            base58_decode(block.signature()).unwrap().len(),
            128,
            "signature of {}",
            block.height
        );
    }
}

#[test]
fn confirmed_transactions_are_older_than_their_block() {
    let chain = Chain::recorded();
    for transaction in chain.transactions.iter() {
        let height = transaction.number("blockHeight");
        if height > 0 {
            let block = chain.block(height).unwrap();
            assert!(
                transaction.number("timestamp") <= block.timestamp(),
                "{}",
                transaction.text("signature")
            );
            assert!(block.row.number("transactionCount") > 0, "height {height}");
        }
    }
}

#[test]
fn all_addresses_in_the_tables_are_valid() {
    let chain = Chain::recorded();
    let accounts = chain.accounts.iter().map(|row| row.text("address"));
    let balances = chain.balances.iter().map(|row| row.text("address"));
    let owners = chain.names.iter().map(|row| row.text("owner"));
    let trades = chain
        .trades
        .iter()
        .map(|row| row["trade"].text("qortalCreatorTradeAddress"));
    for address in accounts.chain(balances).chain(owners).chain(trades) {
        assert!(is_address(address), "{address}");
    }
}

#[test]
fn a_genesis_chain_has_one_block_and_nothing_of_later() {
    let chain = Chain::recorded().at_genesis();
    assert_eq!(chain.height(), 1);
    assert!(chain.names.is_empty() && chain.trades.is_empty() && chain.polls.is_empty());
    assert!(
        chain
            .transactions
            .iter()
            .all(|transaction| transaction.number("blockHeight") == 1)
    );
}

#[test]
fn a_shorter_chain_ends_where_it_was_cut() {
    let chain = Chain::recorded().up_to(300);
    assert_eq!(chain.height(), 300);
    assert!(
        chain
            .transactions
            .iter()
            .all(|transaction| transaction.number("blockHeight") <= 300)
    );
}
