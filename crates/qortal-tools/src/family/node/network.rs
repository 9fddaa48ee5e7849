//! Figures of the network as a whole.

use qortal_types::Amount;
use tool_schema::NoParams;

use crate::{
    catalog::Surface,
    context::Context,
    declare::{Reply, Tool},
    error::ToolError,
    family::minting::{LevelCount, level_counts},
};

pub(crate) struct GetNetworkStats;

record! {
    pub(crate) struct NetworkStats {
        /// QORT issued as block rewards.
        circulating_supply: Amount,
        /// Reward shares that are online as minters now.
        online_minters: u32,
        /// How many of them by the level of the account that is rewarded; levels without any are left out.
        online_levels: Vec<LevelCount>,
        /// Blocks of the last 24 hours.
        blocks_last_day: u64,
        /// Transactions in them.
        transactions_last_day: u64,
        /// Names registered in them.
        names_registered_last_day: u64,
        /// Assets issued in them.
        assets_issued_last_day: u64
    }
}

impl Tool for GetNetworkStats {
    const NAME: &'static str = "get_network_stats";
    const TITLE: &'static str = "Network figures";
    const DESCRIPTION: &'static str = "Return figures of the network: QORT in circulation, minters online by level, and the activity of the last 24 hours.";
    const SURFACE: Surface = Surface::Full;
    type Params = NoParams;
    type Output = Reply<NetworkStats>;

    async fn call(cx: &Context, _: NoParams) -> Result<Self::Output, ToolError> {
        let (supply, levels, summary) = tokio::try_join!(
            cx.node.circulating_supply(),
            cx.node.online_levels(),
            cx.node.summary(),
        )?;
        let (online_minters, online_levels) = level_counts(levels);
        let reply = Reply::new(NetworkStats {
            circulating_supply: supply,
            online_minters,
            online_levels,
            blocks_last_day: summary.block_count,
            transactions_last_day: summary.total_transaction_count,
            names_registered_last_day: summary.names_registered,
            assets_issued_last_day: summary.assets_issued,
        });
        Ok(reply.note("The supply is the sum of all block rewards: it excludes the QORT of the genesis block, and includes lost QORT."))
    }
}
