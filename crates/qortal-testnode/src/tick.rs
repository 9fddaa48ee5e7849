//! The demo goes on by itself: a block every 73 seconds, sellers who stay online, and now and then someone says something.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::{
    Event,
    chain::{Part, Row},
    demo::online_accounts,
    world::World,
};

const MINUTE: i64 = 60_000;
/// How long a trade bot counts as online after it said so.
const ONLINE_FOR: i64 = 30 * MINUTE;
/// The member of a trade that says how long the buyer does.
const BUYER_ONLINE: &str = "partnerPresenceExpiry";
/// A trade bot says that it is online before this much of the time is left for which that counts.
const RENEWED_BEFORE: i64 = 10 * MINUTE;
/// Every so many blocks something is said, in a group.
const SAID_EVERY: i64 = 4;
const LOUNGE: u32 = 3;
const LATER: [&str; 6] = [
    "Another block, another minute.",
    "The kettle whistles.",
    "My node counts blocks, I count sheep.",
    "Is it evening where you are?",
    "The radio plays rain again.",
    "Someone voted for soup.",
];

impl World {
    /// When the next block comes; none on a chain that does not go on by itself.
    pub(crate) fn next_tick(&self) -> Option<Instant> {
        let made = self.chain.made.as_ref()?;
        let left = made.next_time() - self.now();
        let left = Duration::from_millis(u64::try_from(left).unwrap_or_default());
        Some(Instant::now() + left)
    }

    /// A block comes, and what came with it.
    pub(crate) fn tick(&mut self) {
        self.happen(&Event::Block);
        self.renew_presences();
        let now = self.now();
        self.chain.online_accounts = Part::later(move || online_accounts(now));
        let height = self.chain.height();
        if height % SAID_EVERY == 0 {
            let turn = usize::try_from(height / SAID_EVERY).unwrap_or_default();
            let text = LATER.iter().cycle().nth(turn % LATER.len());
            self.happen(&Event::GroupMessage {
                from: self.speaker(turn),
                group: LOUNGE,
                text: text.copied().unwrap_or_default().to_owned(),
            });
        }
    }

    /// One of the group whose name is known.
    fn speaker(&self, turn: usize) -> String {
        let members = self.chain.group_members.iter();
        let of_group = members.filter(|row| row.number("groupId") == i64::from(LOUNGE));
        let named: Vec<&str> = of_group
            .map(|row| row.text("member"))
            .filter(|it| self.chain.primary_name(it).is_some())
            .collect();
        let speaker = named.get(turn * 5 % named.len().max(1));
        speaker.copied().unwrap_or_default().to_owned()
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
        let until = (now + ONLINE_FOR).div_euclid(MINUTE) * MINUTE;
        for contract in ending {
            self.renew_buyer(&contract, until);
            self.happen(&Event::SellerOnline {
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
