//! Tools about minting: levels, rewards and minters.

mod levels;
mod online;
mod own_keys;
mod params;
mod penalties;
mod reward_shares;
mod sponsorship;
mod status;

pub(crate) use online::{LevelCount, level_counts, note_no_time};
#[cfg(feature = "charts")]
pub(super) use status::status;

family! {
    "minting", "Who mints, at which level, and when does it rise?":
    status::GetMintingStatus,
    reward_shares::ListRewardShares,
    online::ListOnlineMinters,
    own_keys::ListMintingAccounts,
    levels::ListAccountsByLevel,
    penalties::ListPenalties,
    sponsorship::GetSponsorship,
    params::GetChainParams,
}
