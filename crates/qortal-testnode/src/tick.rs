//! The demo goes on by itself: a block every 73 seconds, sellers who stay online, and what its script has.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::{
    Event,
    chain::{Part, Row},
    demo::online_accounts,
    state::State,
};

const MINUTE: i64 = 60_000;
/// How long a trade bot counts as online after it said so.
const ONLINE_FOR: i64 = 30 * MINUTE;
/// The member of a trade that says how long the buyer does.
const BUYER_ONLINE: &str = "partnerPresenceExpiry";
/// A trade bot says that it is online before this much of the time is left for which that counts.
const RENEWED_BEFORE: i64 = 10 * MINUTE;
impl State {
    /// When the next block comes; none on a chain that does not go on by itself, or is frozen.
    pub(crate) fn next_tick(&self) -> Option<Instant> {
        if self.scenario.is_frozen() {
            return None;
        }
        let made = self.chain.made.as_ref()?;
        let left = made.next_time() - self.now();
        let left = Duration::from_millis(u64::try_from(left).unwrap_or_default());
        Some(Instant::now() + left)
    }

    /// Moves the clock to the time of the next block and makes that.
    pub(crate) fn step(&mut self) {
        if let Some(made) = &self.chain.made {
            let left = made.next_time() - self.now();
            self.clock.advance(left.max(0));
            self.tick();
        }
    }

    /// Makes the next block, and what comes with it.
    pub(crate) fn tick(&mut self) {
        self.live();
        self.renew_presences();
        let now = self.now();
        self.chain.online_accounts = Part::later(move || online_accounts(now));
    }

    /// Returns the time until which a trade bot counts as online that says so now.
    pub(crate) fn online_until(&self) -> i64 {
        (self.now() + ONLINE_FOR).div_euclid(MINUTE) * MINUTE
    }

    fn renew_presences(&mut self) {
        let now = self.now();
        let is_ending = |time: i64| time < now + RENEWED_BEFORE;
        let ending: Vec<String> = self
            .presences
            .iter()
            .filter(|it| is_ending(it.number("timestamp")))
            .map(|it| it.text("atAddress").to_owned())
            .collect();
        let until = self.online_until();
        for contract in ending {
            self.renew_buyer(&contract, until);
            self.apply(&Event::SellerOnline {
                at_address: contract,
                until,
            });
        }
    }

    /// The buyer in a trade stays online as long as the seller does.
    fn renew_buyer(&mut self, contract: &str, until: i64) {
        let is_meant = |row: &&mut Value| {
            let trade = row.at("trade");
            trade.text("qortalAtAddress") == contract && trade.get(BUYER_ONLINE).is_some()
        };
        if let Some(row) = self.chain.trades.own().iter_mut().find(is_meant) {
            let trade = row.at("trade").with(BUYER_ONLINE, until);
            *row = row.with("trade", trade);
        }
    }
}
