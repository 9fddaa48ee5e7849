//! The assets bound and brought by an account's orders, by the Core's `Order` and `Trade` classes.

use std::collections::{BTreeSet, HashMap};

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
        let types = [TransactionType::CreateAssetOrder];
        let own = own.iter().filter(|it| types.contains(&it.transaction_type));
        let own: Vec<_> = own.filter_map(|it| it.signature).collect();
        if own.is_empty() || own.len() > MOST_ORDERS {
            return Ok(own.is_empty().then(Self::default));
        }
        let orders = TransactionFilter::default().with_types(types);
        let page = PageRequest::first(MOST);
        let trades = own.iter().map(|it| cx.node.trades_of_order(it, page));
        let (all, trades) = tokio::try_join!(read(cx, &orders), try_join_all(trades))?;
        let mut trades = trades.concat();
        let all = all.filter(|_| trades.len() < MOST as usize);
        // A trade between two orders of the account is among the trades of both.
        let orders = |it: &AssetTrade| (it.initiating_order_id, it.target_order_id);
        trades.sort_by_key(orders);
        trades.dedup_by_key(|it| orders(it));
        let by_id = |it: Transaction| Some((it.signature?, it));
        Ok(all.map(|all| Self {
            all: all.into_iter().filter_map(by_id).collect(),
            trades,
        }))
    }

    /// Returns the orders of all accounts.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Transaction> {
        self.all.values()
    }

    /// Returns the orders of others that matched earlier ones of the account, and so brought it something.
    pub(crate) fn matching(&self, who: Address) -> impl Iterator<Item = &Transaction> {
        let orders = self.trades.iter().map(|it| it.initiating_order_id);
        let orders = BTreeSet::from_iter(orders).into_iter();
        let orders = orders.filter_map(|it| self.all.get(&it));
        orders.filter(move |it| it.creator_address != Some(who))
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
        let committed = |amount: Amount| {
            if have < want {
                amount.checked_cost_at(price)
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
            let trades = self.trades.iter().filter_map(|it| sides(it, id));
            // The filled part is an amount of the asset with the larger number.
            let mut filled =
                trades.map(|(gave, received)| if have < want { received } else { gave });
            let left = filled.try_fold(amount, Amount::checked_sub);
            add(have, committed(left?)?, None);
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

/// Returns the amounts that an order gave and received in a trade, or `None` if it is not its order.
pub(crate) fn sides(trade: &AssetTrade, order: Signature) -> Option<(Amount, Amount)> {
    let (initiator, target) = (trade.initiator_amount, trade.target_amount);
    let is_initiator = trade.initiating_order_id == order;
    let is_target = trade.target_order_id == order;
    let sides = is_initiator.then_some((initiator, target));
    sides.or(is_target.then_some((target, initiator)))
}
