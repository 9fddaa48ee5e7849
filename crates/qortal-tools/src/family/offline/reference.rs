//! Short texts about how Qortal works, which would be too long for the descriptions of tools.

use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, text, type_schema, word};

use crate::declare::{Context, Tool, ToolError};

/// One text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Article {
    /// The topic to ask for.
    pub(crate) topic: &'static str,
    pub(crate) title: &'static str,
    /// One fact a line.
    pub(crate) text: &'static str,
    /// Where the facts are in the source of Qortal Core.
    source: &'static str,
}

/// All texts, in the order they are listed.
pub(crate) static ARTICLES: [Article; 12] = [
    Article {
        topic: "become_minter",
        title: "Becoming a minter",
        text: include_str!("reference/become_minter.md"),
        source: "org.qortal.account.Account (canMint, canRewardShare), org.qortal.transaction.RewardShareTransaction, org.qortal.controller.OnlineAccountsManager, blockchain.json (ignoreLevelForRewardShareHeight, mintingGroupIds, maxRewardSharesByTimestamp)",
    },
    Article {
        topic: "minting_levels",
        title: "Minting levels and rewards",
        text: include_str!("reference/minting_levels.md"),
        source: "blockchain.json (blocksNeededByLevel, rewardsByHeight, sharesByLevelV2, blockRewardBatchStartHeight, minAccountLevelForBlockSubmissions), org.qortal.block.Block (determineBlockRewardCandidates, increaseAccountLevels), org.qortal.controller.BlockMinter",
    },
    Article {
        topic: "names",
        title: "Registered names",
        text: include_str!("reference/names.md"),
        source: "org.qortal.naming.Name, org.qortal.utils.Unicode, org.qortal.transaction.RegisterNameTransaction, SellNameTransaction, BuyNameTransaction, UpdateNameTransaction, blockchain.json (nameRegistrationUnitFees, multipleNamesPerAccountHeight)",
    },
    Article {
        topic: "buy_and_sell_qort",
        title: "Buying and selling QORT",
        text: include_str!("reference/buy_and_sell_qort.md"),
        source: "org.qortal.controller.tradebot.LitecoinACCTv3TradeBot, org.qortal.crosschain.LitecoinACCTv3, org.qortal.api.resource.CrossChainTradeBotResource",
    },
    Article {
        topic: "trade_states",
        title: "States of a trade",
        text: include_str!("reference/trade_states.md"),
        source: "org.qortal.crosschain.AcctMode, LitecoinACCTv3",
    },
    Article {
        topic: "node_sync",
        title: "A node that does not synchronize",
        text: include_str!("reference/node_sync.md"),
        source: "org.qortal.settings.Settings, org.qortal.controller.Controller (updateSysTray), org.qortal.controller.Synchronizer, org.qortal.repository.Bootstrap",
    },
    Article {
        topic: "qdn_publishing",
        title: "Publishing on QDN",
        text: include_str!("reference/qdn_publishing.md"),
        source: "org.qortal.transaction.ArbitraryTransaction, org.qortal.arbitrary.misc.Service, org.qortal.arbitrary.ArbitraryDataFile, org.qortal.arbitrary.ArbitraryDataTransactionBuilder, org.qortal.arbitrary.metadata.ArbitraryDataTransactionMetadata, org.qortal.controller.arbitrary.ArbitraryDataStorageManager",
    },
    Article {
        topic: "qdn_states",
        title: "States of data on QDN",
        text: include_str!("reference/qdn_states.md"),
        source: "org.qortal.data.arbitrary.ArbitraryResourceStatus",
    },
    Article {
        topic: "groups",
        title: "Groups and approvals",
        text: include_str!("reference/groups.md"),
        source: "org.qortal.group.Group, org.qortal.transaction.Transaction (TransactionType, needsGroupApproval), org.qortal.transaction.GroupInviteTransaction, org.qortal.block.Block (processGroupApprovalTransactions)",
    },
    Article {
        topic: "fees",
        title: "Fees",
        text: include_str!("reference/fees.md"),
        source: "blockchain.json (unitFees, nameRegistrationUnitFees, transactionExpiryPeriod), org.qortal.transaction.RewardShareTransaction (isFeeValid)",
    },
    Article {
        topic: "units",
        title: "Units and identifiers",
        text: include_str!("reference/units.md"),
        source: "org.qortal.utils.Amounts, org.qortal.crypto.Crypto, blockchain.json (blockTimingsByHeight)",
    },
    Article {
        topic: "glossary",
        title: "Glossary",
        text: include_str!("reference/glossary.md"),
        source: "org.qortal (the classes that the other topics name), blockchain.json, Q-Apps.md",
    },
];

/// A text in a parameter, by its topic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topic(&'static Article);

impl<M> Param<M> for Topic {
    fn schema() -> Object {
        let mut schema = type_schema("string");
        schema.insert("enum".to_owned(), topics().into());
        schema
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let expected = || format!("one of {}", topics().join(", "));
        let topic = text(value, &expected())?;
        let article = ARTICLES.iter().find(|it| it.topic == topic);
        article
            .map(Self)
            .ok_or_else(|| InvalidValue::unexpected(value, expected()))
    }

    fn coerce(value: &Value) -> Option<Value> {
        word(value, &topics())
    }

    fn to_value(&self) -> Value {
        self.0.topic.into()
    }
}

fn topics() -> [&'static str; ARTICLES.len()] {
    ARTICLES.each_ref().map(|it| it.topic)
}

params! {
    pub(super) struct ExplainTopic {
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
    const NAME: &str = "explain_topic";
    const TITLE: &str = "Explain a topic";
    const DESCRIPTION: &str = "Explain how Qortal works: minting, names, trading, synchronizing, publishing, groups, fees, terms. Use it for rules and how-to, as memory is often out of date.";
    const EXAMPLE: &str = r#"{"topic":"trade_states"}"#;
    const KEYWORDS: &str = "explain, how does it work, work, help, guide, tutorial, glossary, what does mean, mean, become minter, bootstrap, register name, buy qort, sell qort, publish, level threshold, halving, fee, rules, states, node not synchronize, stuck core, group join, faq";
    const USES_NODE: bool = false;
    type Output = ExplainedTopic;

    async fn call(self, _: &Context) -> Result<Self::Output, ToolError> {
        let Topic(article) = self.topic;
        Ok(ExplainedTopic {
            title: article.title,
            text: article.text.trim_end(),
            source: article.source,
        })
    }
}
