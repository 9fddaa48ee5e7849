//! The assets that an account's orders bind and bring, by the Core's `Order` and `Trade` classes.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use qortal_client::{
    NodeError, PageRequest,
    api::{
        assets::AssetTrade,
        transactions::{Transaction, TransactionFilter},
    },
};
use qortal_types::{Address, Amount, AssetId, Signature, TransactionType};
use serde_json::Value;

use super::{
    ledger::{MOST, read},
    moves::Move,
};
use crate::declare::Context;

/// Maximum number of orders of one account whose trades are read. Each takes a request.
const MOST_ORDERS: usize = 500;

/// The trades of an account's orders, and the orders of all accounts by the signatures of their transactions.
#[derive(Debug, Default)]
pub(crate) struct AssetOrders {
    all: HashMap<Signature, Transaction>,
    trades: Vec<AssetTrade>,
}

impl AssetOrders {
    /// Reads the trades of the orders among an account's transactions. Returns `None` if there are too many.
    pub(crate) async fn of(cx: &Context, own: &[Transaction]) -> Result<Option<Self>, NodeError> {
        let own = own.iter().filter(|it| is_order(it) && it.took_effect());
        let own: Vec<_> = own.filter_map(|it| it.signature).collect();
        if own.is_empty() || own.len() > MOST_ORDERS {
            return Ok(own.is_empty().then(Self::default));
        }
        let orders = TransactionFilter::default().with_types([TransactionType::CreateAssetOrder]);
        let page = PageRequest::first(MOST);
        let trades = own.iter().map(|it| cx.node.trades_of_order(it, page));
        let (all, trades) = tokio::try_join!(read(cx, &orders), try_join_all(trades))?;
        if trades.iter().any(|it| it.len() == MOST as usize) {
            return Ok(None);
        }
        let mut trades = trades.concat();
        // A trade between two orders of the account is among the trades of both.
        let orders = |it: &AssetTrade| (it.initiating_order_id, it.target_order_id);
        trades.sort_by_key(orders);
        trades.dedup_by_key(|it| orders(it));
        Ok(all.map(|all| Self {
            all: all
                .into_iter()
                .filter_map(|it| Some((it.signature?, it)))
                .collect(),
            trades,
        }))
    }

    /// Returns the orders of all accounts.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Transaction> {
        self.all.values()
    }

    /// Returns the orders of others that matched earlier ones of the account, and so brought it something.
    pub(crate) fn matching(&self, who: &Address) -> impl Iterator<Item = &Transaction> {
        let is_of = |order, who| self.creator(order) == Some(who);
        let orders = self.all.iter().filter(move |(id, order)| {
            let mut trades = self
                .trades
                .iter()
                .filter(|it| it.initiating_order_id == **id);
            order.creator_address != Some(*who) && trades.any(|it| is_of(&it.target_order_id, *who))
        });
        orders.map(|(_, order)| order)
    }

    fn creator(&self, order: &Signature) -> Option<Address> {
        self.all.get(order)?.creator_address
    }

    /// Returns the assets of `who` that a transaction about an order moved, or `None` if they are unknown.
    pub(super) fn moves(&self, transaction: &Transaction, who: Address) -> Option<Vec<Move>> {
        let id = transaction.detail("orderId").map(str::parse::<Signature>);
        let order = match id {
            Some(cancelled) => self.all.get(&cancelled.ok()?)?,
            None => transaction,
        };
        let (id, creator) = (order.signature?, order.creator_address);
        let asset = |name| {
            order
                .details
                .get(name)
                .and_then(Value::as_u64)
                .map(AssetId::new)
        };
        let (have, want) = (asset("haveAssetId")?, asset("wantAssetId")?);
        let (amount, price) = (order.amount()?, order.detail("price")?.parse().ok()?);
        let committed = |amount| {
            if have < want {
                cost(amount, price)
            } else {
                Some(amount)
            }
        };
        let mut all = Vec::new();
        let mut add = |asset, amount, counterparty| {
            if amount != Amount::ZERO {
                all.push(Move {
                    asset,
                    amount,
                    counterparty,
                });
            }
        };
        if id != transaction.signature? {
            let mut left = amount;
            for it in &self.trades {
                let is_target = it.target_order_id == id;
                if is_target || it.initiating_order_id == id {
                    // What is filled is an amount of the asset with the larger number.
                    let is_targets = (have > want) == is_target;
                    left = left.checked_sub(if is_targets {
                        it.target_amount
                    } else {
                        it.initiator_amount
                    })?;
                }
            }
            add(have, committed(left)?, None);
            return Some(all);
        }
        if creator == Some(who) {
            add(have, Amount::ZERO.checked_sub(committed(amount)?)?, None);
        }
        for it in self.trades.iter().filter(|it| it.initiating_order_id == id) {
            let target = self.creator(&it.target_order_id);
            if creator == Some(who) {
                add(want, it.target_amount, target);
                add(have, it.initiator_saving, target);
            }
            if target == Some(who) {
                add(have, it.initiator_amount, creator);
            }
        }
        Some(all)
    }
}

pub(super) fn is_order(transaction: &Transaction) -> bool {
    transaction.transaction_type == TransactionType::CreateAssetOrder
}

/// Returns the cost of an amount at a price, rounded up as in the Core's `Amounts.roundUpScaled`.
fn cost(amount: Amount, price: Amount) -> Option<Amount> {
    let units = |it: Amount| i128::from(it.units());
    let one = 100_000_000;
    let cost = (units(amount) * units(price) + one - 1) / one;
    i64::try_from(cost).ok().map(Amount::from_units)
}
