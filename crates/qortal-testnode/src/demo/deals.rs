//! What is traded in the demo: three months of deals for six coins, the offers that are open, and a few that failed.

use std::sync::LazyLock;

use serde_json::json;

use super::draw::{Dice, Kind, address, digest, hash, number, wide};
use super::ledger::{Ledger, QORT};
use super::people::{BUYERS, CHLOE, NELL, RITA, SELLERS, TRENT, Who, person};
use super::time::{DAY, HOUR, MINUTE};
use crate::chain::amount_text;
use crate::codec::at_address;

/// How far back they go.
const DAYS: i64 = 90;
/// What an automated transaction gets beside the QORT that it sells, and what is left of that at the end, which goes back.
pub(super) const RESERVE: i64 = QORT / 10;
/// The trade that an example names.
const EXAMPLE: &str = "Aes2JuboJupax6uybgMa2was61y7MRiDJS";

/// A coin: its blockchain, the kind of its contracts, what one QORT costs at the beginning in units of 10⁻⁸ coins, deals a
/// day in tenths, and open offers.
struct Coin {
    blockchain: &'static str,
    acct: &'static str,
    price: i64,
    pace: i64,
    offers: i64,
}

static COINS: [Coin; 6] = [
    coin("LITECOIN", "LitecoinACCTv3", 270_000, 50, 11),
    coin("BITCOIN", "BitcoinACCTv3", 310, 16, 6),
    coin("DOGECOIN", "DogecoinACCTv3", 160_000_000, 24, 7),
    coin("DIGIBYTE", "DigibyteACCTv3", 2_950_000_000, 11, 5),
    coin("RAVENCOIN", "RavencoinACCTv3", 1_250_000_000, 12, 5),
    coin("PIRATECHAIN", "PirateChainACCTv3", 120_000_000, 14, 6),
];

const fn coin(
    blockchain: &'static str,
    acct: &'static str,
    price: i64,
    pace: i64,
    offers: i64,
) -> Coin {
    Coin {
        blockchain,
        acct,
        price,
        pace,
        offers,
    }
}

/// How far a deal came, with the time before the start at which it came there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Whether the seller is online.
    Offering(bool),
    /// On offer, but hidden by the node since buying it failed.
    Hidden,
    Trading(i64),
    Redeemed(i64),
    Refunded(i64),
    Cancelled(i64),
}

#[derive(Debug)]
pub(super) struct Deal {
    pub(super) place: i64,
    pub(super) blockchain: &'static str,
    pub(super) acct: &'static str,
    /// The address of its automated transaction.
    pub(super) contract: String,
    pub(super) seller: Who,
    pub(super) buyer: Who,
    pub(super) qort: i64,
    pub(super) foreign: i64,
    /// When it was offered, in ms before the start.
    pub(super) offered: i64,
    pub(super) state: State,
}

impl Deal {
    /// Whether the automated transaction is done.
    pub(super) fn has_ended(&self) -> bool {
        match self.state {
            State::Offering(_) | State::Hidden | State::Trading(_) => false,
            State::Redeemed(_) | State::Refunded(_) | State::Cancelled(_) => true,
        }
    }

    /// The address that the seller's trade bot uses for it.
    pub(super) fn trade_address(&self) -> String {
        address(Kind::TradeKey, self.place)
    }
}

static DEALS: LazyLock<Vec<Deal>> = LazyLock::new(|| {
    let mut table = Table {
        dice: Dice::new(Kind::Deal),
        deals: Vec::with_capacity(1_300),
    };
    for coin in &COINS {
        table.past(coin);
        table.open(coin);
    }
    table.example();
    table
        .deals
        .sort_by_cached_key(|deal| std::cmp::Reverse(deal.offered));
    table.deals
});

/// All deals, the oldest offer first.
pub(super) fn deals() -> &'static [Deal] {
    &DEALS
}

/// What QORT was worth so long before the start, in ten-thousandths of what it was worth at the beginning: every six hours
/// it changes a little, mostly for the better.
fn value(ago: i64) -> i64 {
    static VALUES: LazyLock<Vec<i64>> = LazyLock::new(|| {
        let mut dice = Dice::new(Kind::Order);
        let mut value = 10_000;
        let step = |_| {
            // Back to the middle, the more the further it is away.
            let drift = (11_500 - value) / 60;
            value += drift + dice.within(-170, 185);
            value
        };
        (0..=DAYS * 4).map(step).collect()
    });
    let place = (DAYS * DAY - ago).max(0) / (6 * HOUR);
    let place = usize::try_from(place).unwrap_or_default();
    VALUES
        .get(place)
        .or(VALUES.last())
        .copied()
        .unwrap_or(10_000)
}

impl Coin {
    /// The price of one QORT so long before the start, in units of 10⁻⁸ coins.
    fn price(&self, ago: i64) -> i64 {
        // Each coin has ups and downs of its own beside those of QORT.
        let own = number(Kind::Contract, self.price + ago / (9 * HOUR)) % 160 - 80;
        self.price * value(ago) / 10_000 * (10_000 + own) / 10_000
    }
}

struct Table {
    dice: Dice,
    deals: Vec<Deal>,
}

impl Table {
    fn add(&mut self, coin: &Coin, offered: i64, price: i64, state: State) {
        let place = wide(self.deals.len());
        let round = [
            5, 10, 10, 20, 25, 25, 40, 50, 50, 75, 100, 100, 150, 200, 250,
        ];
        let qort = match (self.dice.below(4), state) {
            // Of what is on offer the price shall come out even, so that equal ones are equal.
            (0, State::Redeemed(_)) => self.dice.within(4 * QORT, 160 * QORT) / 100_000 * 100_000,
            _ => self.dice.pick(&round) * QORT,
        };
        let foreign = i64::try_from(i128::from(qort) * i128::from(price) / i128::from(QORT));
        let seller = self.seller(coin);
        let buyers: Vec<Who> = BUYERS.chain([NELL]).collect();
        self.deals.push(Deal {
            place,
            blockchain: coin.blockchain,
            acct: coin.acct,
            contract: at_address(hash(Kind::Contract, place)),
            seller,
            buyer: self.dice.pick(&buyers),
            qort,
            foreign: foreign.unwrap_or_default().max(1),
            offered,
            state,
        });
    }

    fn seller(&mut self, coin: &Coin) -> Who {
        let sellers: Vec<Who> = SELLERS.chain([TRENT, CHLOE]).collect();
        match (coin.blockchain, self.dice.below(10)) {
            ("LITECOIN", 0..4) | (_, 0) => RITA,
            _ => self.dice.pick(&sellers),
        }
    }

    /// The deals that are done: most well, some not.
    fn past(&mut self, coin: &Coin) {
        let count = DAYS * coin.pace / 10;
        let every = DAYS * DAY / count;
        for turn in 0..count {
            // Not one in the last minutes, so that the newest block is empty.
            let done = turn * every + self.dice.within(12 * MINUTE, every);
            let near = 10_000 + self.dice.within(-90, 90);
            let price = coin.price(done) * near / 10_000;
            let offered = done + self.dice.within(30 * MINUTE, 30 * HOUR);
            let state = match self.dice.below(30) {
                0 if turn > 3 => State::Cancelled(done),
                1 if turn > 3 => State::Refunded(done),
                _ => State::Redeemed(done),
            };
            self.add(coin, offered, price, state);
        }
    }

    /// Offers above the price of now; of every three sellers two are online.
    fn open(&mut self, coin: &Coin) {
        let now = coin.price(0);
        for rank in 0..coin.offers {
            // Two at a time ask for the same.
            let above = 40 + rank / 2 * 85;
            let price = now * (10_000 + above) / 10_000;
            let offered = self.dice.within(2 * HOUR, 9 * DAY);
            let state = match rank {
                2 | 3 | 7 | 8 => State::Offering(false),
                10 => State::Hidden,
                _ => State::Offering(true),
            };
            self.add(coin, offered, price, state);
        }
        if coin.pace > 15 && coin.blockchain != "LITECOIN" {
            let since = self.dice.within(20 * MINUTE, 2 * HOUR);
            self.add(coin, since + HOUR, now, State::Trading(since));
        }
    }

    fn example(&mut self) {
        let [litecoin, ..] = &COINS;
        let since = 68 * MINUTE;
        let qort = 300 * QORT;
        let price = litecoin.price(since);
        self.deals.push(Deal {
            place: wide(self.deals.len()),
            blockchain: litecoin.blockchain,
            acct: litecoin.acct,
            contract: EXAMPLE.to_owned(),
            seller: RITA,
            buyer: NELL,
            qort,
            foreign: qort / QORT * price,
            offered: since + HOUR,
            state: State::Trading(since),
        });
    }
}

pub(super) fn record(ledger: &mut Ledger) {
    for deal in deals() {
        deploy(ledger, deal);
        let (ago, recipient) = match deal.state {
            State::Offering(_) | State::Hidden | State::Trading(_) => continue,
            State::Redeemed(ago) => (ago, deal.buyer),
            State::Refunded(ago) | State::Cancelled(ago) => (ago, deal.seller),
        };
        if !matches!(deal.state, State::Refunded(_)) {
            message(ledger, deal, ago + 3 * MINUTE, recipient);
        }
        pay_out(ledger, deal, ago, recipient, deal.qort);
        pay_out(ledger, deal, ago, deal.seller, RESERVE);
    }
}

fn deploy(ledger: &mut Ledger, deal: &Deal) {
    let code = super::trades::symbol(deal.blockchain);
    let members = json!({
        "name": format!("QORT/{code} ACCT"),
        "description": format!("QORT/{code} cross-chain trade"),
        "aTType": "ACCT",
        "tags": format!("ACCT QORT {code}"),
        "amount": amount_text(deal.qort + RESERVE),
        "assetId": 0,
        "aTAddress": deal.contract,
    });
    ledger.add(ledger.sent("DEPLOY_AT", deal.offered, deal.seller, members));
}

/// What ends the automated transaction: the buyer's secret, or the seller's order.
fn message(ledger: &mut Ledger, deal: &Deal, ago: i64, by: Who) {
    let members = json!({
        "recipient": deal.contract,
        "version": 4,
        "nonce": 0,
        "amount": "0.00000000",
        "data": digest(Kind::Contract, deal.place),
        "isText": false,
        "isEncrypted": false,
    });
    ledger.add(ledger.sent("MESSAGE", ago, by, members));
}

fn pay_out(ledger: &mut Ledger, deal: &Deal, ago: i64, recipient: Who, units: i64) {
    let members = json!({
        "recipient": person(recipient).address,
        "atAddress": deal.contract,
        "amount": amount_text(units),
        "assetId": 0,
    });
    ledger.add(ledger.made("AT", ago, members));
}

#[cfg(test)]
mod tests {
    use super::{COINS, DAYS, State, deals};
    use crate::demo::time::DAY;

    #[test]
    fn every_coin_is_traded_from_the_first_week_to_the_last_day() {
        for coin in &COINS {
            let times = deals().iter().filter_map(|deal| match deal.state {
                State::Redeemed(ago) if deal.blockchain == coin.blockchain => Some(ago),
                _ => None,
            });
            let times: Vec<i64> = times.collect();
            assert!(times.iter().any(|ago| *ago < DAY), "{}", coin.blockchain);
            assert!(
                times.iter().any(|ago| *ago > (DAYS - 7) * DAY),
                "{}",
                coin.blockchain
            );
        }
    }
}
