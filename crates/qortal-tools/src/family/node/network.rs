//! Figures of the network as a whole.

use qortal_types::Amount;

use crate::{
    declare::{Context, Reply, Tool, ToolError},
    family::minting::{LevelCount, level_counts, note_no_time},
};

params! { pub(crate) struct GetNetworkStats; }

record! {
    pub(crate) struct NetworkStats {
        /// QORT issued as block rewards.
        circulating_supply: Option<Amount>,
        /// Reward shares online as minters now.
        online_minters: Option<u32>,
        /// The number of them by the rewarded account's level. Levels without any are absent.
        online_levels: Option<Vec<LevelCount>>,
        /// Blocks of the last 24 hours.
        blocks_last_day: Option<u64>,
        /// Transactions in them.
        transactions_last_day: Option<u64>,
        /// Names registered in them.
        names_registered_last_day: Option<u64>,
        /// Assets issued in them.
        assets_issued_last_day: Option<u64>
    }
}

impl Tool for GetNetworkStats {
    const NAME: &str = "get_network_stats";
    const TITLE: &str = "Network statistics";
    const DESCRIPTION: &str =
        "QORT in circulation, minters online by level, activity of the last 24 hours.";
    const KEYWORDS: &str = "network, supply, total supply, qort exist, how many qort exist, qort in all, circulating supply, market cap, minter online, activity, transactions per day, last 24h, 24h, users";
    type Output = Reply<NetworkStats>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (supply, levels, summary) = tokio::join!(
            cx.node.circulating_supply(),
            cx.node.online_levels(),
            cx.node.summary(),
        );
        let supply = cx.part("The supply is", supply);
        let levels = cx.part("The minters online are", levels);
        let summary = cx.part("The figures of the last day are", summary);
        cx.need_any(&[supply.is_some(), levels.is_some(), summary.is_some()])?;
        let (online_minters, online_levels) = levels.map(level_counts).unzip();
        if let Some(online) = online_minters {
            note_no_time(cx, online).await;
        }
        let has_supply = supply.is_some();
        let summary = summary.as_ref();
        let reply = Reply::new(NetworkStats {
            circulating_supply: supply,
            online_minters,
            online_levels,
            blocks_last_day: summary.map(|it| it.block_count),
            transactions_last_day: summary.map(|it| it.total_transaction_count),
            names_registered_last_day: summary.map(|it| it.names_registered),
            assets_issued_last_day: summary.map(|it| it.assets_issued),
        });
        Ok(reply.note_if(has_supply, "The supply is the sum of all block rewards: it excludes the QORT of the genesis block, and includes lost QORT."))
    }
}
