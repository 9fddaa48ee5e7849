//! The families of tools, one file each. A tool is listed where it is declared. A new family is one line here.

mod accounts;
mod assets;
mod blocks;
#[cfg(feature = "charts")]
mod charts;
mod chat;
mod dynamic;
mod groups;
mod host;
mod minting;
mod names;
mod node;
mod offline;
mod polls;
mod qdn;
mod trade;
mod transactions;
mod verdict;

pub(crate) use self::dynamic::contains as is_dynamic;
use crate::Family;

/// All families, in listing order.
pub(crate) static ALL: &[&Family] = &[
    &node::FAMILY,
    &accounts::FAMILY,
    &minting::FAMILY,
    &names::FAMILY,
    &trade::FAMILY,
    #[cfg(feature = "charts")]
    &charts::FAMILY,
    &qdn::FAMILY,
    &groups::FAMILY,
    &chat::FAMILY,
    &blocks::FAMILY,
    &transactions::FAMILY,
    &polls::FAMILY,
    &assets::FAMILY,
    &offline::FAMILY,
    &host::FAMILY,
    &dynamic::FAMILY,
];
