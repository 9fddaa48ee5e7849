//! The assets of the demo, who got some, and their exchange.

use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, signature, wide};
use super::ledger::{Ledger, QORT};
use super::people::{ALICE, BOB, CHLOE, NELL, OTHERS, RITA, VICTOR, Who, ZEBRA, person};
use super::time::{DAY, HOUR};
use crate::chain::{NULL_ACCOUNT, Row, amount_text};

struct Asset {
    id: i64,
    owner: Who,
    name: &'static str,
    description: &'static str,
    quantity: i64,
    is_divisible: bool,
    is_unspendable: bool,
    data: &'static str,
    days: i64,
}

static ASSETS: [Asset; 6] = [
    asset(
        3,
        ALICE,
        "TEST",
        "For trying things out",
        1_000_000,
        true,
        false,
        "",
        500,
    ),
    asset(
        4,
        BOB,
        "LEAVES",
        "Leaves from an invented tree",
        250_000,
        true,
        false,
        "",
        460,
    ),
    asset(
        5,
        ALICE,
        "GOLD",
        "Not gold, only the word",
        10_000,
        true,
        false,
        "",
        430,
    ),
    asset(
        6,
        RITA,
        "Gizmo",
        "Indivisible gadgets",
        1_000,
        false,
        false,
        "{\"sku\":\"G-1\"}",
        410,
    ),
    asset(
        7,
        NELL,
        "Voucher",
        "Vouchers that cannot be passed on",
        500,
        true,
        true,
        "{}",
        390,
    ),
    asset(
        8,
        ZEBRA,
        "Münze",
        "A coin with an umlaut",
        21_000_000,
        true,
        false,
        "{\"v\":1}",
        370,
    ),
];

#[expect(clippy::too_many_arguments, reason = "a row of a table")]
const fn asset(
    id: i64,
    owner: Who,
    name: &'static str,
    description: &'static str,
    quantity: i64,
    is_divisible: bool,
    is_unspendable: bool,
    data: &'static str,
    days: i64,
) -> Asset {
    Asset {
        id,
        owner,
        name,
        description,
        quantity,
        is_divisible,
        is_unspendable,
        data,
        days,
    }
}

/// Asset, from whom, to whom, how many, days ago.
const TRANSFERS: [(i64, Who, Who, i64, i64); 10] = [
    (3, ALICE, BOB, 5_000, 300),
    (3, ALICE, RITA, 20_000, 280),
    (3, ALICE, CHLOE, 1_500, 200),
    (4, BOB, NELL, 1_000, 180),
    (5, ALICE, VICTOR, 40, 160),
    (6, RITA, CHLOE, 12, 150),
    (6, RITA, BOB, 7, 90),
    (6, CHLOE, NELL, 2, 12),
    (8, ZEBRA, OTHERS.start, 10_000, 60),
    (7, NELL, BOB, 3, 40),
];

/// An order of the exchange between an asset and QORT.
struct Order {
    asset: i64,
    by: Who,
    is_sale: bool,
    /// How many of the asset.
    amount: i64,
    /// QORT for one, in hundredths.
    price: i64,
    days: i64,
    is_cancelled: bool,
}

static ORDERS: [Order; 14] = [
    order(3, RITA, true, 2_000, 12, 80),
    order(3, RITA, true, 3_000, 14, 70),
    order(3, ALICE, true, 10_000, 15, 60),
    order(3, CHLOE, true, 500, 13, 30),
    order(3, BOB, false, 800, 12, 40),
    order(3, NELL, false, 1_500, 12, 20),
    order(3, VICTOR, false, 1_000, 10, 10),
    order(3, NELL, false, 2_000, 9, 8),
    order(6, RITA, true, 30, 1_500, 75),
    order(6, CHLOE, true, 5, 1_650, 25),
    order(6, BOB, false, 4, 1_500, 15),
    order(6, NELL, false, 6, 1_300, 5),
    order(5, ALICE, true, 7, 9_000, 50),
    Order {
        is_cancelled: true,
        ..order(6, CHLOE, true, 3, 2_000, 35)
    },
];
/// The newer order of each trade, the one it met, and how many changed hands at the older one's price.
const TRADES: [(usize, usize, i64); 3] = [(4, 0, 800), (5, 0, 1_200), (10, 8, 4)];

const fn order(asset: i64, by: Who, is_sale: bool, amount: i64, price: i64, days: i64) -> Order {
    Order {
        asset,
        by,
        is_sale,
        amount,
        price,
        days,
        is_cancelled: false,
    }
}

fn name_of(id: i64) -> &'static str {
    let mut assets = ASSETS.iter();
    assets
        .find(|asset| asset.id == id)
        .map_or("QORT", |asset| asset.name)
}

impl Order {
    fn place(&self) -> usize {
        let mut orders = ORDERS.iter();
        let is_this = |it: &Order| it.asset == self.asset && it.days == self.days;
        orders.position(is_this).unwrap_or_default()
    }

    fn id(&self) -> String {
        signature(Kind::Order, wide(self.place()))
    }

    fn ago(&self) -> i64 {
        self.days * DAY + 3 * HOUR
    }

    fn fulfilled(&self) -> i64 {
        let place = self.place();
        let trades = TRADES.iter().filter(|it| it.0 == place || it.1 == place);
        trades.map(|it| it.2).sum()
    }

    /// The members that its row and its transaction share.
    fn members(&self) -> Value {
        let (have, want) = match self.is_sale {
            true => (self.asset, 0),
            false => (0, self.asset),
        };
        json!({
            "haveAssetId": have,
            "wantAssetId": want,
            "amount": amount_text(self.amount * QORT),
            "price": amount_text(self.price * QORT / 100),
            "haveAssetName": name_of(have),
            "wantAssetName": name_of(want),
            "amountAssetId": self.asset,
            "amountAssetName": name_of(self.asset),
            "pricePair": format!("QORT/{}", name_of(self.asset)),
        })
    }
}

pub(super) fn rows() -> Vec<Value> {
    let made = [
        (0, "QORT", "QORT native coin", "", false),
        (1, "Legacy-QORA", "Representative legacy QORA", "{}", true),
        (
            2,
            "QORT-from-QORA",
            "QORT gained from holding legacy QORA",
            "{}",
            true,
        ),
    ];
    let first = made.map(|(id, name, description, data, is_unspendable)| {
        json!({
            "assetId": id,
            "owner": NULL_ACCOUNT,
            "name": name,
            "description": description,
            "quantity": 0,
            "isDivisible": true,
            "data": data,
            "isUnspendable": is_unspendable,
            "creationGroupId": 0,
        })
    });
    let issued = ASSETS.iter().map(|asset| {
        json!({
            "assetId": asset.id,
            "owner": person(asset.owner).address,
            "name": asset.name,
            "description": asset.description,
            "quantity": asset.quantity * QORT,
            "isDivisible": asset.is_divisible,
            "data": asset.data,
            "isUnspendable": asset.is_unspendable,
            "creationGroupId": 0,
        })
    });
    first.into_iter().chain(issued).collect()
}

pub(super) fn orders(demo: Demo) -> Vec<Value> {
    let row = |order: &Order| {
        let fulfilled = order.fulfilled();
        let owner = person(order.by);
        let is_fulfilled = fulfilled == order.amount;
        let mut row = json!({"orderId": order.id(), "creatorPublicKey": owner.key});
        for (name, value) in order.members().as_object().into_iter().flatten() {
            row = row.with(name, value.clone());
            if name == "price" {
                row = row
                    .with("fulfilled", amount_text(fulfilled * QORT))
                    .with("timestamp", demo.before(order.ago()))
                    .with("isClosed", is_fulfilled || order.is_cancelled)
                    .with("isFulfilled", is_fulfilled)
                    .with("creator", owner.address.as_str());
            }
        }
        row
    };
    let mut rows: Vec<Value> = ORDERS.iter().map(row).collect();
    rows.sort_by_cached_key(|row| row.number("timestamp"));
    rows
}

fn trades_of_orders() -> impl Iterator<Item = (&'static Order, &'static Order, i64)> {
    let trades = TRADES.iter();
    trades.filter_map(|(new, old, count)| Some((ORDERS.get(*new)?, ORDERS.get(*old)?, *count)))
}

/// The newer order always buys here.
pub(super) fn trades(demo: Demo) -> Vec<Value> {
    let row = |(new, old, count): (&Order, &Order, i64)| {
        json!({
            "initiatingOrderId": new.id(),
            "targetOrderId": old.id(),
            "targetAmount": amount_text(count * QORT),
            "initiatorAmount": amount_text(count * old.price * QORT / 100),
            "initiatorSaving": amount_text(count * (new.price - old.price) * QORT / 100),
            "timestamp": demo.before(new.ago()),
            "targetAmountAssetId": new.asset,
            "targetAmountAssetName": name_of(new.asset),
            "initiatorAmountAssetId": 0,
            "initiatorAmountAssetName": "QORT",
        })
    };
    let mut rows: Vec<Value> = trades_of_orders().map(row).collect();
    rows.sort_by_cached_key(|row| row.number("timestamp"));
    rows
}

/// What an order binds and its trades bring: account, asset and how many units more or less.
pub(super) fn exchanged() -> Vec<(Who, i64, i64)> {
    let mut moved = Vec::new();
    for order in ORDERS.iter().filter(|order| !order.is_cancelled) {
        moved.push(match order.is_sale {
            true => (order.by, order.asset, -order.amount * QORT),
            false => (order.by, 0, -order.amount * order.price * QORT / 100),
        });
    }
    for (new, old, count) in trades_of_orders() {
        moved.push((new.by, new.asset, count * QORT));
        moved.push((new.by, 0, count * (new.price - old.price) * QORT / 100));
        moved.push((old.by, 0, count * old.price * QORT / 100));
    }
    moved
}

pub(super) fn record(ledger: &mut Ledger) {
    for asset in &ASSETS {
        let members = json!({
            "assetId": asset.id,
            "assetName": asset.name,
            "description": asset.description,
            "quantity": amount_text(asset.quantity * QORT),
            "isDivisible": asset.is_divisible,
            "data": asset.data,
            "isUnspendable": asset.is_unspendable,
        });
        ledger.add(ledger.sent("ISSUE_ASSET", asset.days * DAY, asset.owner, members));
    }
    for (asset, from, to, count, days) in TRANSFERS {
        let members = json!({
            "recipient": person(to).address,
            "amount": amount_text(count * QORT),
            "assetId": asset,
            "assetName": name_of(asset),
        });
        ledger.add(ledger.sent("TRANSFER_ASSET", days * DAY, from, members));
    }
    for order in &ORDERS {
        let entry = ledger.sent("CREATE_ASSET_ORDER", order.ago(), order.by, order.members());
        ledger.add(entry.signed(order.id()));
        if order.is_cancelled {
            let members = json!({"orderId": order.id()});
            let ago = order.ago() - 2 * DAY;
            ledger.add(ledger.sent("CANCEL_ASSET_ORDER", ago, order.by, members));
        }
    }
}
