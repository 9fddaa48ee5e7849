//! Short texts about Qortal, too long for the descriptions of tools.

use std::sync::LazyLock;

use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, schema_with_type, text, word};

use crate::declare::{Context, Tool, ToolError};

/// A reference text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Article {
    /// The topic that requests it.
    pub(crate) topic: &'static str,
    /// The community's terms for it, separated by commas.
    pub(crate) words: &'static str,
    pub(crate) title: &'static str,
    /// The facts, one per line.
    pub(crate) text: &'static str,
    /// The places of the facts in the source of Qortal Core.
    source: &'static str,
}

/// Number of texts.
const TOPICS: usize = 13;

/// Declares the texts with their topics and terms.
macro_rules! articles {
    ($($topic:ident: $words:literal;)*) => {
        /// All texts, in listing order.
        pub(crate) static ARTICLES: LazyLock<[Article; TOPICS]> = LazyLock::new(|| {
            [$(Article::read(
                stringify!($topic),
                $words,
                include_str!(concat!("reference/", stringify!($topic), ".md")),
            )),*]
        });
    };
}

articles! {
    become_minter: "mintership, rewardshare, self share, selfshare, minting key, sponsor, sponsorship, sponsor key, minter admin, minter admins, minter, minting";
    minting_levels: "leveling, level, tier, founder tier, founder, blocks minted";
    names: "name, primary name, register name, registered name";
    buy_and_sell_qort: "trade portal, buy order, sell order, buy qort, sell qort, trade";
    trade_states: "trade state, trade bot, refund";
    node_sync: "core, core sync, sync, synchronize, bootstrap, delete the db, qortector, node";
    qdn_publishing: "qdn, publish, publishing, data hosting, hosting, follow a name, q app, q apps";
    qdn_states: "qdn state, missing data";
    groups: "group, dev admin, dev admins, q chat, chat";
    fees: "fee, unit fee";
    units: "unit, amount";
    shell: "command line, cli, terminal, script, export, csv, spreadsheet, taxes, tax report, alert, alerts, notification, notifications, watch";
    glossary: "hub, ui, gateway, exqlorer, explorer, seedphrase, seed phrase, backup file, word, term";
}

impl Article {
    /// Reads the file of a topic: its title, a blank line, the facts, another one, and their source.
    fn read(topic: &'static str, words: &'static str, file: &'static str) -> Self {
        let parts = file.strip_prefix("# ").and_then(|it| {
            let (title, rest) = it.split_once("\n\n")?;
            let (text, source) = rest.rsplit_once("\nSource: ")?;
            Some((title, text, source.trim_end()))
        });
        let (title, text, source) = parts.expect("it is a part of the program");
        Self {
            topic,
            words,
            title,
            text,
            source,
        }
    }
}

/// A text in a parameter, by its topic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topic(&'static Article);

impl<M> Param<M> for Topic {
    fn schema() -> Object {
        let mut schema = schema_with_type("string");
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

    fn coerce_json(value: &Value) -> Option<Value> {
        word(value, &topics()).or_else(|| Some(of_word(value.as_str()?)?.topic.into()))
    }

    fn to_value(&self) -> Value {
        self.0.topic.into()
    }
}

/// Returns the text for a term of the community: "Trade Portal", "the UI", "Q-Mintership".
fn of_word(word: &str) -> Option<&'static Article> {
    let word = word.to_lowercase().replace(['-', '_'], " ");
    let asked: Vec<_> = word.split_whitespace().collect();
    let asked = asked.join(" ");
    let asked = asked.strip_prefix("the ").unwrap_or(&asked);
    let bare = asked.strip_prefix("q ").unwrap_or(asked);
    let is_one = |article: &&Article| {
        let mut words = article.words.split(", ");
        words.any(|word| word == asked || word == bare)
    };
    ARTICLES.iter().find(is_one)
}

fn topics() -> [&'static str; TOPICS] {
    ARTICLES.each_ref().map(|it| it.topic)
}

params! {
    pub(super) struct ExplainTopic {
        /// Topic to explain.
        topic: Topic
    }
}

record! {
    pub(super) struct ExplainedTopic {
        /// The title.
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
    const DESCRIPTION: &str = "Explain how Qortal works: minting, names, trading, synchronizing, publishing, groups, fees, terms. Use it for rules and how-to: memory is often outdated.";
    const EXAMPLE: &str = r#"{"topic":"trade_states"}"#;
    const KEYWORDS: &str = "explain, how does it work, work, help, guide, tutorial, glossary, what does mean, mean, become minter, bootstrap, register name, buy qort, sell qort, publish, level threshold, halving, fee, rules, states, node not synchronize, stuck core, group join, faq, mintership, rewardshare, self share, minting key, tier, founder tier, minter admin, dev admin, hub, ui, trade portal, core sync, delete the db, qortector, gateway, exqlorer, seedphrase, backup file, follow name, data hosting, how big may an upload be, upload size";
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
