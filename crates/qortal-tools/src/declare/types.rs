//! Types of the chain as parameters.

mod account;
mod chain;

pub(crate) use account::{AccountRef, AtAddress, Identity};
pub(crate) use chain::PLAUSIBLE_SECONDS;
