//! What a transaction moves of an account's coins, by the members of the Core's `TransactionData` classes.

use qortal_client::api::transactions::Transaction;
use qortal_types::{Address, Amount, AssetId, TransactionType};
use serde_json::{Map, Value};

/// What one transaction did to one account.
#[derive(Debug)]
pub(crate) struct Moves {
    /// What the account paid in QORT for making it.
    pub(crate) fee: Amount,
    /// What it received, and below zero what it gave, without the fee.
    pub(crate) moves: Vec<Move>,
    /// Why more QORT than that may have moved, which the transaction does not tell.
    pub(crate) unaccounted: Option<&'static str>,
}

/// An amount that came or went.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) asset: AssetId,
    pub(crate) amount: Amount,
    /// Who gave or received it.
    pub(crate) counterparty: Option<Address>,
}

/// What a confirmed transaction moved of the coins of `who`.
pub(crate) fn moves(transaction: &Transaction, who: &Address) -> Moves {
    let is_payer = transaction.payer() == Some(*who);
    let fee = transaction.fee.filter(|_| is_payer);
    let fee = fee.unwrap_or(Amount::ZERO);
    // What waits for a group's approval, or did not get it, has cost its fee and moved nothing.
    if transaction.took_effect() {
        Moves {
            fee,
            ..of_type(transaction, who, is_payer)
        }
    } else {
        none(fee)
    }
}

const fn none(fee: Amount) -> Moves {
    Moves {
        fee,
        moves: Vec::new(),
        unaccounted: None,
    }
}

fn of_type(transaction: &Transaction, who: &Address, is_payer: bool) -> Moves {
    let details = &transaction.details;
    let mut all = none(Amount::ZERO);
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
        TransactionType::CreateAssetOrder if is_payer && is_for_qort(details) => {
            all.unaccounted = Some("what an order for QORT binds and brings depends on others");
        }
        TransactionType::CreateAssetOrder
        | TransactionType::CancelAssetOrder
        | TransactionType::RegisterName
        | TransactionType::UpdateName
        | TransactionType::SellName
        | TransactionType::CancelSellName
        | TransactionType::CreatePoll
        | TransactionType::VoteOnPoll
        | TransactionType::IssueAsset
        | TransactionType::UpdateAsset
        | TransactionType::Publicize
        | TransactionType::CreateGroup
        | TransactionType::UpdateGroup
        | TransactionType::AddGroupAdmin
        | TransactionType::RemoveGroupAdmin
        | TransactionType::GroupBan
        | TransactionType::CancelGroupBan
        | TransactionType::GroupKick
        | TransactionType::GroupInvite
        | TransactionType::CancelGroupInvite
        | TransactionType::JoinGroup
        | TransactionType::LeaveGroup
        | TransactionType::GroupApproval
        | TransactionType::SetGroup
        | TransactionType::AccountFlags
        | TransactionType::AccountLevel
        | TransactionType::RewardShare
        | TransactionType::TransferPrivs => {}
        _ => all.unaccounted = Some("what transactions of this type move is not known here"),
    }
    all
}

fn is_for_qort(order: &Map<String, Value>) -> bool {
    let is_qort = |name| order.get(name).and_then(Value::as_u64) == Some(0);
    is_qort("haveAssetId") || is_qort("wantAssetId")
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
