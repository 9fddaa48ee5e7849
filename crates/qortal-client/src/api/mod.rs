//! What a node can be asked: methods of [`Node`](crate::Node) and the answers, one module for each resource of the Core.
//!
//! Members of answers that the Core may leave out are [`Option`]s; members that it may add are ignored.

pub mod addresses;
pub mod admin;
pub mod arbitrary;
pub mod assets;
pub mod at;
pub mod blocks;
pub mod chat;
pub mod crosschain;
pub mod groups;
pub mod names;
pub mod peers;
pub mod polls;
pub mod transactions;
pub mod utils;
