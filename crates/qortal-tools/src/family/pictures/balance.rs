//! What an account received and spent, transaction by transaction.

use qortal_client::{
    Page,
    api::transactions::{ApprovalStatus, Transaction},
};
use qortal_types::{Address, Amount, AssetId, TransactionType};
use serde_json::{Map, Value};

use super::heading;
use crate::{
    chart::{Canvas, Change, Changes, Theme},
    declare::{Account, Context, ToolError},
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
    let details = &transaction.details;
    let is_creator = transaction.creator_address == Some(*who);
    // What waits for a group's approval, or did not get it, has cost its fee and moved nothing.
    let took_effect = transaction
        .approval_status
        .as_ref()
        .is_none_or(|it| matches!(it, ApprovalStatus::NotRequired | ApprovalStatus::Approved));
    let mut received = Amount::ZERO;
    let mut spent = Amount::ZERO;
    let add = |to: &mut Amount, amount: Option<Amount>| {
        let amount = amount.unwrap_or(Amount::ZERO);
        *to = to.checked_add(amount).unwrap_or(Amount::MAX);
    };
    if is_creator && transaction.transaction_type != TransactionType::At {
        add(&mut spent, transaction.fee);
    }
    if took_effect {
        match &transaction.transaction_type {
            TransactionType::MultiPayment => {
                let payments = details.get("payments").and_then(Value::as_array);
                let payments = payments.into_iter().flatten().filter_map(Value::as_object);
                for it in payments.filter(|it| is_qort(it)) {
                    let amount = text(it, "amount").and_then(|it| it.parse().ok());
                    if is_creator {
                        add(&mut spent, amount);
                    }
                    if text(it, "recipient") == Some(who.as_str()) {
                        add(&mut received, amount);
                    }
                }
            }
            TransactionType::BuyName => {
                if is_creator {
                    add(&mut spent, transaction.amount());
                }
                if text(details, "seller") == Some(who.as_str()) {
                    add(&mut received, transaction.amount());
                }
            }
            TransactionType::Payment
            | TransactionType::Genesis
            | TransactionType::At
            | TransactionType::Message
            | TransactionType::TransferAsset
            | TransactionType::DeployAt
                if is_qort(details) =>
            {
                if is_creator {
                    add(&mut spent, transaction.amount());
                }
                if transaction.recipient == Some(*who) {
                    add(&mut received, transaction.amount());
                }
            }
            _ => {}
        }
    }
    let moved = received != Amount::ZERO || spent != Amount::ZERO;
    moved.then(|| Change {
        at: transaction.timestamp.millis(),
        received: received.units(),
        spent: spent.units(),
    })
}

/// Whether an amount is QORT: asset 0, which the Core also leaves out.
fn is_qort(details: &Map<String, Value>) -> bool {
    let asset = details.get("assetId").and_then(Value::as_u64);
    asset.is_none_or(|it| it == 0)
}

fn text<'a>(details: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    details.get(name).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
