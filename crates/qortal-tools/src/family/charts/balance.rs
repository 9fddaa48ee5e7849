//! The chart of an account's receipts and payments, transaction by transaction.

use qortal_charts::{BalanceChange, BalanceFlow, Canvas, Theme};
use qortal_client::{PageRequest, api::transactions::Transaction};
use qortal_types::{Address, AssetId};

use super::heading;
use crate::{
    declare::{Account, Context, ToolError},
    family::accounts::moves,
};

/// Maximum number of latest transactions drawn: one response of the node.
const TRANSACTIONS: u32 = 100;

pub(super) async fn draw(
    cx: &Context,
    account: Account,
    theme: Theme,
) -> Result<Canvas, ToolError> {
    let address = account.address;
    let (balance, transactions) = tokio::try_join!(
        cx.node.balance(&address, AssetId::QORT),
        cx.node
            .transactions_of(&address, PageRequest::last(TRANSACTIONS)),
    )?;
    let mut changes: Vec<BalanceChange> = transactions
        .iter()
        .filter_map(|it| change(it, &address))
        .collect();
    if changes.is_empty() {
        return Err(ToolError::not_found(
            "Nothing to draw.",
            "No transaction among the latest 100 of this account moved QORT. get_account_activity lists its activity.",
        ));
    }
    changes.sort_by_cached_key(|it| it.at);
    let changes = BalanceFlow {
        title: &heading(&account),
        balance: balance.units(),
        changes: &changes,
    };
    Ok(changes.draw(theme))
}

/// Returns the amount of the account's QORT that a transaction moved, or `None` if it moved none.
///
/// Orders on assets are left out, because their cost depends on other orders.
fn change(transaction: &Transaction, who: &Address) -> Option<BalanceChange> {
    let moves = moves(transaction, who, None);
    let qort = moves.moves.iter().filter(|it| it.asset == AssetId::QORT);
    let (received, given): (Vec<i64>, Vec<i64>) =
        qort.map(|it| it.amount.units()).partition(|it| *it >= 0);
    let sum = |amounts: Vec<i64>| amounts.into_iter().fold(0, i64::saturating_add);
    let spent = moves.fee.units().saturating_sub(sum(given));
    let received = sum(received);
    (received != 0 || spent != 0).then(|| BalanceChange {
        at: transaction.timestamp.millis(),
        received,
        spent,
    })
}
