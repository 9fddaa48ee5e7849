//! The minters online.

use qortal_client::api::addresses::{OnlineAccount, OnlineLevel};
use qortal_types::{Address, Timestamp};
use tool_schema::{BoundedInt, CappedInt};

use crate::declare::{Context, Cursor, Detail, NextPage, Rows, Slice, Tool, ToolError};

params! {
    pub(crate) struct ListOnlineMinters {
        /// full adds the minters. Slower.
        detail: Detail = Detail::Summary,
        /// Only this level. Needs detail full.
        level: Option<BoundedInt<0, 10>>,
        /// Minters to return.
        limit: CappedInt<1, 100> = CappedInt::from_const(25),
        /// Minters to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0)
    }
}

record! {
    pub(crate) struct OnlineMinters {
        /// Online reward shares.
        total: Option<u32>,
        /// The number of them by the rewarded account's level. Levels without any are absent.
        levels: Option<Vec<LevelCount>>,
        /// The minters, highest level first. Only with `detail` full.
        minters: Option<Rows<OnlineMinter>>,
        /// The number of minters of `level`. Only with `detail` full.
        matching: Option<u32>,
        /// Whether there are more minters than these.
        remainder: NextPage
    }

    pub(crate) struct LevelCount {
        /// The level, 0 to 10. A founder counts as 10.
        level: u32,
        /// The number of them.
        count: u32
    }

    pub(crate) struct OnlineMinter from(it: OnlineAccount) {
        /// The minter.
        minter: Address = it.minter_address,
        /// The rewarded account.
        recipient: Address = it.recipient_address,
        /// The minter's level. A founder counts as 10.
        level: Option<u32> = it.minter_level,
        /// Whether the minter is in the minting group.
        is_minter_member: Option<bool>,
        /// Its online period.
        timestamp: Timestamp
    }
}

/// Returns the levels with online minters, and their total.
pub(crate) fn level_counts(levels: Vec<OnlineLevel>) -> (u32, Vec<LevelCount>) {
    let total = levels
        .iter()
        .map(|it| it.count)
        .fold(0, u32::saturating_add);
    let occurring = levels.into_iter().filter(|it| it.count > 0);
    let counts = occurring.map(|it| LevelCount {
        level: it.level,
        count: it.count,
    });
    (total, counts.collect())
}

/// Notes that no minter is online because the node has no network time. The Core then reports none.
pub(crate) async fn note_no_time(cx: &Context, total: u32) {
    if total != 0 {
        return;
    }
    let info = cx.node.info().await;
    let info = cx.part("Whether the node has network time is", info);
    if info.is_some_and(|it| it.current_timestamp.is_none()) {
        cx.note("The node has no network time (NTP) yet, without which it counts no online minters: this is not the number of the network.");
    }
}

impl Tool for ListOnlineMinters {
    const NAME: &str = "list_online_minters";
    const TITLE: &str = "Online minters";
    const DESCRIPTION: &str =
        "Count or list the minters online now by level. Online or not: list_accounts_by_level.";
    const EXAMPLE: &str = r#"{"detail":"full"}"#;
    const KEYWORDS: &str = "minter online, online minter, who is minting now, how many minter, mint right now, minter of each level";
    type Output = OnlineMinters;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        if self.detail == Detail::Summary {
            if self.level.is_some() {
                return Err(ToolError::argument(
                    "detail",
                    "Invalid argument.",
                    "is summary, which counts all levels and does not use `level`",
                    "full, or no `level`",
                ));
            }
            let (total, levels) = level_counts(cx.node.online_levels().await?);
            note_no_time(cx, total).await;
            return Ok(OnlineMinters {
                total: Some(total),
                levels: Some(levels),
                minters: None,
                matching: None,
                remainder: NextPage::default(),
            });
        }
        let levels = cx.optional("The counts by level are", cx.node.online_levels());
        let (levels, mut online) = tokio::try_join!(levels, cx.node.online_accounts())?;
        let (total, levels) = levels.map(level_counts).unzip();
        note_no_time(cx, total.unwrap_or_default()).await;
        if let Some(level) = self.level {
            online.retain(|it| it.minter_level == Some(level.value()));
        }
        // The node's order varies. This one is the same on every page.
        online.sort_by(|a, b| {
            let key = |it: &OnlineAccount| {
                (
                    it.minter_address.to_string(),
                    it.recipient_address.to_string(),
                )
            };
            b.minter_level
                .cmp(&a.minter_level)
                .then_with(|| key(a).cmp(&key(b)))
        });
        let page = Slice::new(self.limit, self.offset).of_whole(cx, Cursor::Offset, online);
        Ok(OnlineMinters {
            total,
            levels,
            matching: Some(page.total),
            minters: Some(page.items.into_iter().map(OnlineMinter::of).collect()),
            remainder: page.remainder,
        })
    }
}
