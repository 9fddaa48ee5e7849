//! Automatic progress of the demo: a block every 73 seconds, presences of sellers, and the acts of the script.

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
/// Validity of a trade bot's presence in ms.
const ONLINE_FOR: i64 = 30 * MINUTE;
/// The field of a trade with the expiry of the buyer's presence.
const BUYER_ONLINE: &str = "partnerPresenceExpiry";
/// Remaining validity below which a trade bot renews its presence.
const RENEWED_BEFORE: i64 = 10 * MINUTE;
impl State {
    /// Returns the time of the next block, or `None` on a chain without automatic progress or with a stopped clock.
    pub(crate) fn next_tick(&self) -> Option<Instant> {
        if self.scenario.is_frozen() {
            return None;
        }
        let made = self.chain.made.as_ref()?;
        let left = made.next_time() - self.now();
        let left = Duration::from_millis(u64::try_from(left).unwrap_or_default());
        Some(Instant::now() + left)
    }

    /// Advances the clock to the time of the next block and makes the block.
    pub(crate) fn step(&mut self) {
        if let Some(made) = &self.chain.made {
            let left = made.next_time() - self.now();
            self.clock.advance(left.max(0));
            self.tick();
        }
    }

    /// Makes the next block with its events.
    pub(crate) fn tick(&mut self) {
        self.live();
        self.renew_presences();
        let now = self.now();
        self.chain.online_accounts = Part::later(move || online_accounts(now));
    }

    /// Returns the expiry of a presence that is announced now.
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

    /// Renews the presence of a trade's buyer, which lasts as long as the seller's.
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
