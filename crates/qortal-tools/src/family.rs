//! The families of tools, one file each. A tool is listed where it is declared; a new family is one
//! line here.

mod accounts;
mod blocks;
mod dynamic;
mod names;
mod node;
mod offline;
mod trade;

use crate::catalogue::Family;

/// In the order they are listed.
pub(crate) static ALL: &[&Family] = &[
    &node::FAMILY,
    &accounts::FAMILY,
    &names::FAMILY,
    &trade::FAMILY,
    &blocks::FAMILY,
    &offline::FAMILY,
    &dynamic::FAMILY,
];
