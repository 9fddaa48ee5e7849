//! Short texts about how Qortal works, which would be too long for the descriptions of tools.

use tool_schema::choice;

use crate::{catalog::Surface, context::Context, declare::Tool, error::ToolError};

choice! {
    /// The topics of the texts.
    pub(super) enum Topic {
        /// Levels of accounts, rewards, and when they are credited.
        MintingLevels = "minting_levels",
        /// What the states of a trade mean, and how it ends.
        TradeStates = "trade_states",
        /// What the states of published data mean.
        QdnStates = "qdn_states",
        /// The fees of transactions.
        Fees = "fees",
        /// How amounts, times and identifiers are written.
        Units = "units"
    }
}

pub(super) struct ExplainTopic;

params! {
    pub(super) struct ExplainTopicParams {
        /// What to explain.
        topic: Topic
    }
}

record! {
    pub(super) struct ExplainedTopic {
        /// What it is about.
        title: &'static str,
        /// The explanation, one fact per line.
        text: &'static str,
        /// The source of the facts in Qortal Core 6.1.8.
        source: &'static str
    }
}

impl Tool for ExplainTopic {
    const NAME: &'static str = "explain_topic";
    const TITLE: &'static str = "Explain a topic";
    const DESCRIPTION: &'static str = "Return a short reference text: minting levels and rewards, states of trades, states of QDN data, fees, or units.";
    const EXAMPLE: &'static str = r#"{"topic":"trade_states"}"#;
    const SURFACE: Surface = Surface::Full;
    const USES_NODE: bool = false;
    type Params = ExplainTopicParams;
    type Output = ExplainedTopic;

    async fn call(_: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let (title, text, source) = match params.topic {
            Topic::MintingLevels => (
                "Minting levels and rewards",
                include_str!("reference/minting_levels.md"),
                "blockchain.json (blocksNeededByLevel, rewardsByHeight, blockRewardBatchStartHeight, mintingGroupIds)",
            ),
            Topic::TradeStates => (
                "States of a trade",
                include_str!("reference/trade_states.md"),
                "org.qortal.crosschain.AcctMode, LitecoinACCTv3",
            ),
            Topic::QdnStates => (
                "States of data on QDN",
                include_str!("reference/qdn_states.md"),
                "org.qortal.data.arbitrary.ArbitraryResourceStatus",
            ),
            Topic::Fees => (
                "Fees",
                include_str!("reference/fees.md"),
                "blockchain.json (unitFees, nameRegistrationUnitFees, transactionExpiryPeriod)",
            ),
            Topic::Units => (
                "Units and identifiers",
                include_str!("reference/units.md"),
                "org.qortal.utils.Amounts, org.qortal.crypto.Crypto, blockchain.json (blockTimingsByHeight)",
            ),
        };
        Ok(ExplainedTopic {
            title,
            text: text.trim_end(),
            source,
        })
    }
}
