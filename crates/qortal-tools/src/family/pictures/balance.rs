//! What an account received and spent, transaction by transaction.

use qortal_charts::{Canvas, Change, Changes, Theme};
use qortal_client::{Page, api::transactions::Transaction};
use qortal_types::{Address, AssetId};

use super::heading;
use crate::{
    declare::{Account, Context, ToolError},
    family::accounts::moves,
};

/// The latest transactions that are drawn: one answer of the node.
const TRANSACTIONS: u32 = 100;

pub(super) async fn draw(
    cx: &Context,
    account: Account,
    theme: Theme,
) -> Result<Canvas, ToolError> {
    let address = account.address;
    let (balance, transactions) = tokio::try_join!(
        cx.node.balance(&address, AssetId::QORT),
        cx.node.transactions_of(&address, Page::last(TRANSACTIONS)),
    )?;
    let mut changes: Vec<Change> = transactions
        .iter()
        .filter_map(|it| change(it, &address))
        .collect();
    if changes.is_empty() {
        return Err(ToolError::not_found(
            "Nothing to draw.",
            "No transaction among the latest 100 of this account moved QORT. get_account_activity shows what it did.",
        ));
    }
    changes.sort_by_cached_key(|it| it.at);
    let changes = Changes {
        title: &heading(&account),
        balance: balance.units(),
        changes: &changes,
    };
    Ok(changes.draw(theme))
}

/// What a transaction moved of the account's QORT; `None` if nothing.
///
/// Orders on assets are left out: what they cost depends on others.
fn change(transaction: &Transaction, who: &Address) -> Option<Change> {
    let moves = moves(transaction, who);
    let qort = moves.moves.iter().filter(|it| it.asset == AssetId::QORT);
    let (received, given): (Vec<i64>, Vec<i64>) =
        qort.map(|it| it.amount.units()).partition(|it| *it >= 0);
    let sum = |amounts: Vec<i64>| amounts.into_iter().fold(0, i64::saturating_add);
    let spent = moves.fee.units().saturating_sub(sum(given));
    let received = sum(received);
    (received != 0 || spent != 0).then(|| Change {
        at: transaction.timestamp.millis(),
        received,
        spent,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
    const BOB: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";

    #[test]
    fn what_a_transaction_moves_depends_on_who_asks() {
        let of = |who: &str, kind: &str, more: Value| {
            let mut transaction = json!({
                "type": kind, "timestamp": 5, "fee": "0.01000000", "creatorAddress": ALICE,
                "approvalStatus": "NOT_REQUIRED", "blockHeight": 7
            });
            let members = more.as_object().unwrap().clone();
            transaction.as_object_mut().unwrap().extend(members);
            let transaction = serde_json::from_value(transaction).unwrap();
            let found = change(&transaction, &who.parse().unwrap());
            found.map(|it| (it.received, it.spent))
        };
        let pays = json!({"recipient": BOB, "amount": "2.00000000"});
        assert_eq!(of(ALICE, "PAYMENT", pays.clone()), Some((0, 201_000_000)));
        assert_eq!(of(BOB, "PAYMENT", pays.clone()), Some((200_000_000, 0)));
        let mut other = pays.clone();
        other["assetId"] = 3.into();
        assert_eq!(of(BOB, "TRANSFER_ASSET", other.clone()), None);
        assert_eq!(of(ALICE, "TRANSFER_ASSET", other), Some((0, 1_000_000)));
        let mut waits = pays;
        waits["approvalStatus"] = "PENDING".into();
        assert_eq!(of(ALICE, "PAYMENT", waits.clone()), Some((0, 1_000_000)));
        assert_eq!(of(BOB, "PAYMENT", waits), None);
        let many = json!({"payments": [
            {"recipient": BOB, "amount": "1.00000000", "assetId": 0},
            {"recipient": BOB, "amount": "1.50000000", "assetId": 0},
            {"recipient": BOB, "amount": "9.00000000", "assetId": 2}
        ]});
        assert_eq!(
            of(BOB, "MULTI_PAYMENT", many.clone()),
            Some((250_000_000, 0))
        );
        assert_eq!(of(ALICE, "MULTI_PAYMENT", many), Some((0, 251_000_000)));
        let buys = json!({"seller": BOB, "amount": "7.00000000", "name": "x"});
        assert_eq!(of(BOB, "BUY_NAME", buys.clone()), Some((700_000_000, 0)));
        assert_eq!(of(ALICE, "BUY_NAME", buys), Some((0, 701_000_000)));
        assert_eq!(of(BOB, "REGISTER_NAME", json!({})), None);
    }
}
