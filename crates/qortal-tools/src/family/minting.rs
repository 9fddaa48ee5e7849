//! Tools about minting: levels, rewards and minters.

pub(super) mod main_net;
mod online;
mod params;
mod reward_shares;
mod status;

use crate::{catalog::Family, declare::Entry};
pub(crate) use online::{LevelCount, level_counts};

pub(crate) static FAMILY: Family = Family {
    name: "minting",
    purpose: "Who mints, at which level, and when does it rise?",
    tools: &TOOLS,
};

static TOOLS: [Entry; 4] = [
    Entry::of::<status::GetMintingStatus>(),
    Entry::of::<reward_shares::ListRewardShares>(),
    Entry::of::<online::ListOnlineMinters>(),
    Entry::of::<params::GetChainParams>(),
];
