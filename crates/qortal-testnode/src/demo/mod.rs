//! The demo: a node of an invented network that looks like the main one, made by code when it starts.
//!
//! Nothing in it is real. Facts are told relative to the start, in one file a table; the rows that the Core would answer
//! are made of them, each table when it is first asked for.

mod assets;
mod balances;
mod blocks;
mod chats;
mod deals;
mod draw;
mod groups;
mod ledger;
mod minting;
mod names;
mod node;
mod payments;
mod people;
mod picture;
mod polls;
mod published;
mod qdn;
mod tick;
mod time;
mod trades;

use serde_json::Value;

use crate::chain::{Chain, Part, Payments};

pub(crate) use blocks::MadeBlocks;
pub(crate) use node::{DATA_PEERS, PEERS, RUNNING_FOR};
pub(crate) use time::Demo;

impl Chain {
    /// The chain of the demo as it is at the start.
    pub(crate) fn demo(demo: Demo) -> Self {
        let transactions = Part::later(move || ledger::transactions(demo));
        let assets: Part<Vec<Value>> = Part::later(assets::rows);
        Self {
            accounts: {
                let transactions = transactions.clone();
                Part::later(move || people::accounts(&transactions))
            },
            balances: {
                let (transactions, assets) = (transactions.clone(), assets.clone());
                Part::later(move || balances::rows(&transactions, &assets))
            },
            names: Part::later(move || names::rows(demo)),
            primary_names: Part::later(names::primary),
            reward_shares: Part::later(minting::reward_shares),
            online_accounts: Part::later(move || minting::online_accounts(demo)),
            minting_accounts: Part::later(minting::minting_accounts),
            blocks: Part::empty(),
            made: Some(MadeBlocks::new(demo, transactions.clone())),
            transactions,
            payments: Payments::default(),
            trades: Part::later(move || trades::rows(demo)),
            presences: Part::later(move || trades::presences(demo)),
            groups: Part::later(move || groups::rows(demo)),
            group_members: Part::later(move || groups::members(demo)),
            group_events: Part::later(move || groups::events(demo)),
            polls: Part::later(move || polls::rows(demo)),
            votes: Part::later(polls::votes),
            chat: Part::later(move || chats::rows(demo)),
            assets,
            orders: Part::later(move || assets::orders(demo)),
            asset_trades: Part::later(move || assets::trades(demo)),
            ats: Part::later(move || trades::ats(demo)),
            qdn_resources: Part::later(move || qdn::rows(demo)),
            qdn_hosted: Part::later(move || qdn::hosted(demo)),
            qdn_content: Part::later(qdn::content),
            qdn_categories: Self::recorded().qdn_categories,
            peers_known: Part::later(move || node::peers_known(demo)),
            facts: Part::later(move || node::facts(demo)),
        }
    }
}

#[cfg(test)]
mod tests;
