#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod page;

use crate::page::page;

/// A page that draws the answers of some tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct View {
    /// A short name.
    pub name: &'static str,
    /// Its address, without a digest.
    pub uri: &'static str,
    /// The name shown to people.
    pub title: &'static str,
    /// What it shows.
    pub description: &'static str,
    /// The page: HTML that needs nothing from elsewhere.
    pub html: &'static str,
    /// The tools of `qortal-tools` whose answers it draws.
    pub tools: &'static [&'static str],
}

impl View {
    /// The views, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::MARKET, Self::TRADE, Self::ACCOUNT, Self::NODE];

    /// Prices over time, the offers of one coin, or all coins.
    pub const MARKET: Self = Self {
        name: "market",
        uri: "ui://qortal/market.html",
        title: "Market",
        description: "Candles with volume, the order book of a coin, or all coins at a glance.",
        html: page!(
            "Market",
            ["theme", "chart"],
            ["bridge", "format", "draw", "chart", "market"]
        ),
        tools: &[
            "get_price_history",
            "get_price_chart",
            "get_trade_order_book",
            "get_market_overview",
        ],
    };

    /// One trade: its steps, its deadlines, and what to do.
    pub const TRADE: Self = Self {
        name: "trade",
        uri: "ui://qortal/trade.html",
        title: "Trade",
        description: "The steps of a trade, where it stands, its deadlines, and what to do.",
        html: page!(
            "Trade",
            ["theme", "card", "trade"],
            ["bridge", "format", "draw", "address", "poll", "trade"]
        ),
        tools: &["explain_trade"],
    };

    /// One account: what it has, and what it did.
    pub const ACCOUNT: Self = Self {
        name: "account",
        uri: "ui://qortal/account.html",
        title: "Account",
        description: "The balance, level, names and groups of an account, and what it did day by day.",
        html: page!(
            "Account",
            ["theme", "card", "account"],
            ["bridge", "format", "draw", "address", "account"]
        ),
        tools: &["get_account_report", "get_account_activity"],
    };

    /// The node: is it well.
    pub const NODE: Self = Self {
        name: "node",
        uri: "ui://qortal/node.html",
        title: "Node",
        description: "Whether the node is healthy, why not, and its figures as they change.",
        html: page!(
            "Node",
            ["theme", "card", "node"],
            ["bridge", "format", "draw", "poll", "node"]
        ),
        tools: &["get_node_health"],
    };

    /// The view of a tool, if it has one.
    #[must_use]
    pub fn of_tool(tool: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.tools.contains(&tool))
    }
}
