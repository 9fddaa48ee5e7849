//! The table of resources. A row is listed only if the catalog has its tool.

mod files;
mod links;

use super::source::{
    Argument,
    Freshness::{Block, Moment, Release, Settled},
    Part, Signal, Source, integer, source, variable,
};

impl Source {
    /// Returns all rows of the table, including those whose tool a catalog may lack. The first row that matches a URI is used: rows with a
    /// file extension precede those of the same form without one, and native links come last.
    pub fn all() -> impl Iterator<Item = &'static Self> + Clone {
        files::ALL.iter().chain(ALL).chain(links::ALL)
    }
}

/// Resources in JSON, in list order.
static ALL: &[Source] = &[
    source("qortal://node/status", "node_status", Moment)
        .titled(
            "Node status",
            "Height, peers and synchronization of the node, now.",
        )
        .calls("get_node_status", &[])
        .signal(Signal::Status),
    source("qortal://node/info", "node_info", Moment)
        .titled("Node information", "Version and kind of the node.")
        .calls("get_node_info", &[]),
    source("qortal://node/summary", "node_summary", Moment)
        .titled(
            "Activity of the last 24 hours",
            "Blocks and transactions of the last 24 hours.",
        )
        .calls("get_node_summary", &[]),
    source("qortal://node/health", "node_health", Moment)
        .titled("Node health", "A verdict on the node, with the reasons.")
        .calls("get_node_health", &[]),
    source("qortal://node/peers", "node_peers", Moment)
        .titled("Peers", "The peers of the node by version and height.")
        .calls("list_peers", &[]),
    source("qortal://node/comparison", "node_comparison", Moment)
        .titled(
            "Nodes compared",
            "Whether the configured nodes are on the same chain.",
        )
        .calls("compare_nodes", &[]),
    source("qortal://network", "network", Moment)
        .titled(
            "Network",
            "Online minters, supply and activity of the network.",
        )
        .calls("get_network_stats", &[]),
    source("qortal://chain/tip", "chain_tip", Block)
        .titled("Last block", "The last block of the chain.")
        // The signature changes if another block at the same height replaces this one.
        .calls("get_last_block", &[("detail", Argument::Text("full"))])
        .signal(Signal::Tip),
    source("qortal://chain/params", "chain_params", Block)
        .titled(
            "Chain parameters",
            "The measured time of blocks, and of the main network level thresholds, rewards by height and fees.",
        )
        .calls("get_chain_params", &[]),
    source("qortal://chain/fees", "chain_fees", Block)
        .titled(
            "Fees of the chain",
            "What transactions cost now, and on the main network since when.",
        )
        .calls("get_chain_params", &[])
        .part(Part::Member("fees")),
    source("qortal://fee/{tx_type}", "fee", Block)
        .titled("Fee", "What a transaction of one type costs.")
        .calls("get_fee", &[variable("tx_type")]),
    source("qortal://block/{height}", "block", Settled)
        .titled("Block", "The block at a height.")
        .calls("get_block_by_height", &[integer("height")]),
    source("qortal://block/{height}/minting", "block_minting", Settled)
        .titled(
            "Minting of a block",
            "Who minted the block at a height, and how it was won.",
        )
        .calls("get_block_minting_info", &[integer("height")]),
    source(
        "qortal://block/sig/{signature}",
        "block_by_signature",
        Settled,
    )
    .titled("Block by signature", "The block with a signature.")
    .calls("get_block_by_signature", &[variable("signature")]),
    source("qortal://tx/{signature}", "transaction", Block)
        .titled(
            "Transaction",
            "A transaction by its signature, or a short form such as 468/2sNaWjar.",
        )
        .calls("get_transaction_by_signature", &[variable("signature")]),
    source(
        "qortal://tx/{signature}/explained",
        "transaction_explained",
        Block,
    )
    .titled(
        "Transaction explained",
        "What a transaction did, in a sentence, and its parties by name.",
    )
    .calls("explain_transaction", &[variable("signature")]),
    source("qortal://mempool", "mempool", Moment)
        .titled(
            "Unconfirmed transactions",
            "Transactions that wait for a block.",
        )
        .calls("list_unconfirmed_transactions", &[]),
    source("qortal://account/{address}", "account", Block)
        .titled(
            "Account",
            "Balances, level and names of an account, by address or registered name.",
        )
        .calls("get_account_overview", &[variable("address")])
        .signal(Signal::Tip),
    source("qortal://account/{address}/report", "account_report", Block)
        .titled("Account report", "All about an account, at a glance.")
        .calls("get_account_report", &[variable("address")]),
    source(
        "qortal://account/{address}/transactions",
        "account_transactions",
        Block,
    )
    .titled("Account activity", "What an account did lately.")
    .calls("get_account_activity", &[variable("address")]),
    source("qortal://account/{address}/names", "account_names", Block)
        .titled("Names of an account", "The names an account owns.")
        .calls("get_names_by_address", &[variable("address")]),
    source("qortal://account/{address}/groups", "account_groups", Block)
        .titled(
            "Groups of an account",
            "The groups an account is a member of.",
        )
        .calls("get_groups_by_member", &[variable("address")]),
    source(
        "qortal://account/{address}/minting",
        "account_minting",
        Block,
    )
    .titled(
        "Minting of an account",
        "Level, blocks to the next one, and what an account lacks to mint.",
    )
    .calls("get_minting_status", &[variable("address")]),
    source(
        "qortal://account/{address}/approvals",
        "account_approvals",
        Block,
    )
    .titled(
        "Pending approvals",
        "Who waits for an administrator's approval.",
    )
    .calls("list_pending_approvals", &[variable("address")]),
    source("qortal://identity/{identity}", "identity", Block)
        .titled(
            "Identity",
            "Address, public key and names behind any one of them.",
        )
        .calls("resolve_identity", &[variable("identity")]),
    source("qortal://name/{name}", "name", Block)
        .titled("Name", "A registered name.")
        .calls("get_name_info", &[variable("name")])
        .signal(Signal::Tip),
    source("qortal://name/{name}/check", "name_check", Block)
        .titled(
            "Name check",
            "Whether a name can be registered, what it looks like, and what it costs.",
        )
        .calls("check_name", &[variable("name")]),
    source("qortal://names/forsale", "names_for_sale", Block)
        .titled("Names for sale", "Names that can be bought.")
        .calls("list_names_for_sale", &[]),
    source("qortal://market", "market", Moment)
        .titled("Market", "Prices, volume and offers of QORT in all coins.")
        .calls("get_market_overview", &[]),
    source("qortal://trade/offers/{blockchain}", "trade_offers", Moment)
        .titled(
            "Trade offers",
            "Open offers of QORT for one coin, the newest first. The order book has them by price.",
        )
        .calls("list_trade_offers", &[variable("blockchain")])
        .signal(Signal::Offers),
    source("qortal://trade/{at_address}", "trade", Block)
        .titled(
            "Trade",
            "A trade by the address of its automated transaction.",
        )
        .calls("get_trade_detail", &[variable("at_address")])
        .signal(Signal::Tip),
    source(
        "qortal://trade/{at_address}/explained",
        "trade_explained",
        Moment,
    )
    .titled(
        "Trade explained",
        "The state of a trade, its deadlines, and what happens next.",
    )
    .calls("explain_trade", &[variable("at_address")]),
    source("qortal://trades/{blockchain}", "trades", Block)
        .titled(
            "Completed trades",
            "The last completed trades for one coin.",
        )
        .calls("list_completed_trades", &[variable("blockchain")]),
    source("qortal://orderbook/{blockchain}", "order_book", Moment)
        .titled("Order book", "Open offers for one coin by price.")
        .calls("get_trade_order_book", &[variable("blockchain")]),
    source("qortal://price/{blockchain}", "price", Block)
        .titled("Price", "What QORT was traded for lately in one coin.")
        .calls("get_trade_price", &[variable("blockchain")]),
    source(
        "qortal://price/{blockchain}/history",
        "price_history",
        Block,
    )
    .titled("Price history", "Prices and volume a day in one coin.")
    .calls("get_price_history", &[variable("blockchain")]),
    source("qortal://coin/{blockchain}", "coin", Moment)
        .titled(
            "Foreign blockchain",
            "The node's connection to one coin's own chain.",
        )
        .calls("get_foreign_chain_status", &[variable("blockchain")]),
    source("qortal://ledger/{address}", "ledger", Block)
        .titled(
            "Trade ledger",
            "The trades of one account, by public key, address or name, for taxes.",
        )
        .calls(
            "get_trade_ledger",
            &[variable("address"), ("limit", Argument::Integer(200))],
        ),
    source("qortal://group/{group_id}", "group", Block)
        .titled("Group", "A group by its number or name.")
        .calls("get_group", &[variable("group_id")])
        .signal(Signal::Tip),
    source(
        "qortal://group/{group_id}/requests",
        "group_requests",
        Block,
    )
    .titled("Requests to join a group", "Who asks to join a group.")
    .calls("get_group_join_requests", &[variable("group_id")])
    .signal(Signal::Tip),
    source("qortal://group/{group_id}/members", "group_members", Block)
        .titled("Members of a group", "The members of a group.")
        .calls("get_group_members", &[variable("group_id")]),
    source("qortal://chat/group/{group_id}", "group_chat", Moment)
        .titled(
            "Chat of a group",
            "The last messages in a group, latest first. Messages live for 24 hours.",
        )
        .calls("get_chat_messages", &[variable("group_id")])
        .signal(Signal::GroupChat),
    source(
        "qortal://chat/direct/{address}/{other_address}",
        "direct_chat",
        Moment,
    )
    .titled(
        "Chat of two accounts",
        "The last messages between two accounts, latest first, as far as they are not encrypted.",
    )
    .calls(
        "get_chat_messages",
        &[(
            "involving",
            Argument::Variables(&["address", "other_address"]),
        )],
    )
    .signal(Signal::DirectChat),
    source("qortal://asset/{asset_id}", "asset", Block)
        .titled("Asset", "An asset by its number or name.")
        .calls("get_asset_info", &[variable("asset_id")]),
    source("qortal://poll/{poll_name}", "poll", Block)
        .titled("Poll", "A poll with its results.")
        .calls("get_poll", &[variable("poll_name")]),
    source("qortal://at/{at_address}", "automated_transaction", Block)
        .titled(
            "Automated transaction",
            "An automated transaction by its address.",
        )
        .calls("get_at", &[variable("at_address")]),
    source("qortal://qdn-status/{service}/{name}", "qdn_status", Moment)
        .titled(
            "Status of a QDN resource",
            "The status on this node of the default resource of a name.",
        )
        .calls(
            "get_qdn_resource_status",
            &[variable("service"), variable("name")],
        )
        .signal(Signal::Time),
    source(
        "qortal://qdn-status/{service}/{name}/{identifier}",
        "qdn_status_of_identifier",
        Moment,
    )
    .titled(
        "Status of a QDN resource with identifier",
        "The status on this node of one resource of a name.",
    )
    .calls(
        "get_qdn_resource_status",
        &[
            variable("service"),
            variable("name"),
            variable("identifier"),
        ],
    )
    .signal(Signal::Time),
    source("qortal://docs/{topic}", "docs", Release)
        .titled("Reference text", "How Qortal works, one topic each.")
        .calls("explain_topic", &[variable("topic")])
        .listed_each(),
    source("qortal://config", "config", Moment)
        .titled(
            "Configuration",
            "How this server is configured, without its secrets.",
        )
        .calls("get_server_config", &[]),
    source("qortal://tools", "tools", Release)
        .titled("Tools", "All tools, listed or not, and what each does.")
        .calls("find_tools", &[("limit", Argument::Integer(200))]),
];
