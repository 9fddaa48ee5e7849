//! The coins of an account moved by a transaction, from the fields of the Core's `TransactionData` classes.

use qortal_client::api::transactions::Transaction;
use qortal_types::{Address, Amount, AssetId, TransactionType};
use serde_json::{Map, Value};

use super::orders::AssetOrders;

/// The effect of one transaction on one account.
#[derive(Debug)]
pub(crate) struct Moves {
    /// The fee in QORT that the account paid as its creator.
    pub(crate) fee: Amount,
    /// Amounts received, or given if negative, without the fee.
    pub(crate) moves: Vec<Move>,
    /// The reason why more QORT may have moved than the transaction shows.
    pub(crate) unaccounted: Option<&'static str>,
}

/// An amount received or given.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) asset: AssetId,
    pub(crate) amount: Amount,
    /// The account on the other side.
    pub(crate) counterparty: Option<Address>,
}

/// Returns the coins of `who` that a confirmed transaction moved, those of an asset order if the orders are known.
pub(crate) fn moves(
    transaction: &Transaction,
    who: &Address,
    orders: Option<&AssetOrders>,
) -> Moves {
    let is_payer = transaction.payer() == Some(*who);
    let fee = transaction.fee.filter(|_| is_payer);
    let mut all = Moves {
        fee: fee.unwrap_or(Amount::ZERO),
        moves: Vec::new(),
        unaccounted: None,
    };
    // A transaction that awaits or was refused a group's approval has cost its fee and moved nothing.
    if !transaction.took_effect() {
        return all;
    }
    let details = &transaction.details;
    let mut pay = |members: &Map<String, Value>, amount: Option<Amount>, to: Option<Address>| {
        let Some(amount) = amount.filter(|it| *it != Amount::ZERO) else {
            return;
        };
        let asset = members.get("assetId").and_then(Value::as_u64).unwrap_or(0);
        let mut add = |amount, counterparty| {
            all.moves.push(Move {
                asset: AssetId::new(asset),
                amount,
                counterparty,
            });
        };
        let gave = Amount::from_units(amount.units().saturating_neg());
        if is_payer {
            add(gave, to);
        }
        if to == Some(*who) {
            add(amount, transaction.payer());
        }
    };
    match &transaction.transaction_type {
        TransactionType::MultiPayment | TransactionType::Arbitrary => {
            let payments = details.get("payments").and_then(Value::as_array);
            for it in payments.into_iter().flatten().filter_map(Value::as_object) {
                pay(it, amount(it), address(it, "recipient"));
            }
        }
        TransactionType::BuyName => pay(details, amount(details), address(details, "seller")),
        TransactionType::DeployAt => pay(details, amount(details), address(details, "aTAddress")),
        TransactionType::Payment
        | TransactionType::Genesis
        | TransactionType::At
        | TransactionType::Message
        | TransactionType::TransferAsset => pay(details, amount(details), transaction.recipient),
        TransactionType::CreateAssetOrder | TransactionType::CancelAssetOrder => {
            match orders.and_then(|it| it.moves(transaction, *who)) {
                Some(moves) => all.moves = moves,
                None => all.unaccounted = Some("not all trades of assets could be read"),
            }
        }
        TransactionType::Other(_) => all.unaccounted = Some("what they move is unknown here"),
        _ => {}
    }
    all
}

fn amount(members: &Map<String, Value>) -> Option<Amount> {
    text(members, "amount")?.parse().ok()
}

fn address(members: &Map<String, Value>, name: &str) -> Option<Address> {
    text(members, name)?.parse().ok()
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    members.get(name).and_then(Value::as_str)
}
