//! Tools about minting: levels, rewards and minters.

mod levels;
pub(super) mod main_net;
mod online;
mod own_keys;
mod params;
mod penalties;
mod reward_shares;
mod sponsorship;
mod status;

use crate::{catalog::Family, declare::Entry};
pub(crate) use online::{LevelCount, level_counts};
#[cfg(feature = "charts")]
pub(super) use status::status;

pub(crate) static FAMILY: Family = Family {
    name: "minting",
    purpose: "Who mints, at which level, and when does it rise?",
    tools: &TOOLS,
};

static TOOLS: [Entry; 8] = [
    Entry::of::<status::GetMintingStatus>(),
    Entry::of::<reward_shares::ListRewardShares>(),
    Entry::of::<online::ListOnlineMinters>(),
    Entry::of::<own_keys::ListMintingAccounts>(),
    Entry::of::<levels::ListAccountsByLevel>(),
    Entry::of::<penalties::ListPenalties>(),
    Entry::of::<sponsorship::GetSponsorship>(),
    Entry::of::<params::GetChainParams>(),
];
