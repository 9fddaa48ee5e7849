//! Methods of [`Node`](crate::Node) and the types that they return, one module for each resource of the Core.
//!
//! Fields that the Core may omit are [`Option`]s, and unknown fields are ignored.

pub mod addresses;
pub mod admin;
pub mod arbitrary;
pub mod assets;
pub mod at;
pub mod block_time;
pub mod blocks;
pub mod chat;
pub mod crosschain;
pub mod groups;
pub mod names;
pub mod peers;
pub mod polls;
pub mod transactions;
pub mod utils;
