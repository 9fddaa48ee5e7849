//! The block at a given time.

use qortal_client::ApiError;
use qortal_types::Timestamp;

use crate::{
    declare::{Context, NodeResult, Reply, TimeArg, Tool, ToolError},
    family::{blocks::BlockInfo, node::duration_text},
};

/// A time this far from the last block is beyond the chain, because blocks come every minute.
const GAP_MILLIS: i64 = 10 * 60_000;

params! {
    pub(crate) struct GetBlockAtTimestamp {
        /// Time.
        timestamp: TimeArg
    }
}

impl Tool for GetBlockAtTimestamp {
    const NAME: &str = "get_block_at_timestamp";
    const TITLE: &str = "Block at a time";
    const DESCRIPTION: &str = "The last block at a time. Use it to turn a date into a height.";
    const EXAMPLE: &str = r#"{"timestamp":"2026-11-21T03:00Z"}"#;
    const KEYWORDS: &str = "block at date, block on day, block at time, height at time, height on day, date to height, new year, christmas, yesterday";
    type Output = Reply<BlockInfo>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let moment = cx.moment("timestamp", self.timestamp).await?;
        let block = cx
            .node
            .block_at_time(moment)
            .await
            .error_if(ApiError::BLOCK_UNKNOWN, || before_the_chain(moment))?;
        let gap = moment.millis_since(block.timestamp);
        let reply = Reply::new(BlockInfo::of(block));
        Ok(reply.note_if(gap > GAP_MILLIS, format!(
                "The moment is {} after this block, the last one this node had by then: it is probably beyond the end of the chain.",
                duration_text(gap.unsigned_abs())
            )))
    }
}

fn before_the_chain(moment: Timestamp) -> ToolError {
    ToolError::not_found(
        "Block not found.",
        format!(
            "At {moment} the chain had no block but the genesis block, which get_first_block returns."
        ),
    )
}
