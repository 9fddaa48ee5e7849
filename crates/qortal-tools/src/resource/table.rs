//! The table of resources. A row without a tool of its name in the catalog is not offered.

mod files;
mod links;
mod row;

use self::row::{json, watched};
use super::{Freshness, Listing, Part, Signal, Source};

/// All rows. The first one that fits an address answers it: addresses with an ending come first, as the same form
/// without one fits them as well, and native links come last.
pub(super) fn all() -> impl Iterator<Item = &'static Source> + Clone {
    files::ALL.iter().chain(ALL).chain(links::ALL)
}

/// What hosts read as JSON, in the order it is listed.
static ALL: &[Source] = &[
    watched(
        ["qortal://node/status", "node_status"],
        [
            "Node status",
            "Height, peers and synchronization of the node, now.",
        ],
        ["get_node_status", "{}"],
        (Freshness::Moment, Signal::Status),
    ),
    json(
        ["qortal://node/info", "node_info"],
        ["Node information", "Version and kind of the node."],
        ["get_node_info", "{}"],
        Freshness::Moment,
    ),
    json(
        ["qortal://node/summary", "node_summary"],
        [
            "Activity of a day",
            "What the chain did in the last 24 hours.",
        ],
        ["get_node_summary", "{}"],
        Freshness::Moment,
    ),
    json(
        ["qortal://node/health", "node_health"],
        ["Node health", "A verdict on the node, with the reasons."],
        ["get_node_health", "{}"],
        Freshness::Moment,
    ),
    json(
        ["qortal://node/peers", "node_peers"],
        ["Peers", "The peers of the node by version and height."],
        ["list_peers", "{}"],
        Freshness::Moment,
    ),
    json(
        ["qortal://node/comparison", "node_comparison"],
        [
            "Nodes compared",
            "Whether the configured nodes are on the same chain.",
        ],
        ["compare_nodes", "{}"],
        Freshness::Moment,
    ),
    json(
        ["qortal://network", "network"],
        [
            "Network",
            "Online minters, supply and activity of the network.",
        ],
        ["get_network_stats", "{}"],
        Freshness::Moment,
    ),
    watched(
        ["qortal://chain/tip", "chain_tip"],
        ["Last block", "The last block of the chain."],
        ["get_last_block", "{}"],
        (Freshness::Block, Signal::Tip),
    ),
    json(
        ["qortal://chain/params", "chain_params"],
        [
            "Constants of the chain",
            "Block times, level thresholds, rewards by height and fees of the main network.",
        ],
        ["get_chain_params", "{}"],
        Freshness::Settled,
    ),
    Source {
        part: Part::Member("fees"),
        ..json(
            ["qortal://chain/fees", "chain_fees"],
            [
                "Fees of the chain",
                "What transactions cost on the main network, and since when.",
            ],
            ["get_chain_params", "{}"],
            Freshness::Settled,
        )
    },
    json(
        ["qortal://fee/{tx_type}", "fee"],
        ["Fee", "What a transaction of one type costs."],
        ["get_fee", r#"{"tx_type":"{tx_type}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://block/{height}", "block"],
        ["Block", "The block at a height."],
        ["get_block_by_height", r#"{"height":"{height}"}"#],
        Freshness::Settled,
    ),
    json(
        ["qortal://block/{height}/minting", "block_minting"],
        [
            "Minting of a block",
            "Who minted the block at a height, and how it was won.",
        ],
        ["get_block_minting_info", r#"{"height":"{height}"}"#],
        Freshness::Settled,
    ),
    json(
        ["qortal://block/sig/{signature}", "block_by_signature"],
        ["Block by signature", "The block with a signature."],
        ["get_block_by_signature", r#"{"signature":"{signature}"}"#],
        Freshness::Settled,
    ),
    json(
        ["qortal://tx/{signature}", "transaction"],
        ["Transaction", "A transaction by its signature."],
        [
            "get_transaction_by_signature",
            r#"{"signature":"{signature}"}"#,
        ],
        Freshness::Block,
    ),
    json(
        ["qortal://tx/{signature}/explained", "transaction_explained"],
        [
            "Transaction explained",
            "What a transaction did, in a sentence, and its parties by name.",
        ],
        ["explain_transaction", r#"{"signature":"{signature}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://mempool", "mempool"],
        [
            "Unconfirmed transactions",
            "Transactions that wait for a block.",
        ],
        ["list_unconfirmed_transactions", "{}"],
        Freshness::Moment,
    ),
    watched(
        ["qortal://account/{address}", "account"],
        [
            "Account",
            "Balances, level and names of an account, by address or registered name.",
        ],
        ["get_account_overview", r#"{"address":"{address}"}"#],
        (Freshness::Block, Signal::Tip),
    ),
    json(
        ["qortal://account/{address}/report", "account_report"],
        [
            "Account report",
            "All there is to say about an account, at a glance.",
        ],
        ["get_account_report", r#"{"address":"{address}"}"#],
        Freshness::Block,
    ),
    json(
        [
            "qortal://account/{address}/transactions",
            "account_transactions",
        ],
        ["Account activity", "What an account did lately."],
        ["get_account_activity", r#"{"address":"{address}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://account/{address}/names", "account_names"],
        ["Names of an account", "The names an account owns."],
        ["get_names_by_address", r#"{"address":"{address}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://account/{address}/groups", "account_groups"],
        [
            "Groups of an account",
            "The groups an account is a member of.",
        ],
        ["get_groups_by_member", r#"{"address":"{address}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://account/{address}/minting", "account_minting"],
        [
            "Minting of an account",
            "Level, blocks to the next one, and what an account lacks to mint.",
        ],
        ["get_minting_status", r#"{"address":"{address}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://account/{address}/approvals", "account_approvals"],
        [
            "Pending approvals",
            "Who waits for an administrator's approval.",
        ],
        ["list_pending_approvals", r#"{"address":"{address}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://identity/{identity}", "identity"],
        [
            "Identity",
            "Address, public key and names behind any one of them.",
        ],
        ["resolve_identity", r#"{"identity":"{identity}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://name/{name}", "name"],
        ["Name", "A registered name."],
        ["get_name_info", r#"{"name":"{name}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://name/{name}/check", "name_check"],
        [
            "Name check",
            "Whether a name can be registered, what it looks like, and what it costs.",
        ],
        ["check_name", r#"{"name":"{name}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://names/forsale", "names_for_sale"],
        ["Names for sale", "Names that can be bought."],
        ["list_names_for_sale", "{}"],
        Freshness::Block,
    ),
    json(
        ["qortal://market", "market"],
        ["Market", "Prices, volume and offers of QORT in all coins."],
        ["get_market_overview", "{}"],
        Freshness::Moment,
    ),
    watched(
        ["qortal://trade/offers/{blockchain}", "trade_offers"],
        [
            "Trade offers",
            "Open offers of QORT for one coin, best price first.",
        ],
        [
            "list_trade_offers",
            r#"{"foreign_blockchain":"{blockchain}"}"#,
        ],
        (Freshness::Moment, Signal::Offers),
    ),
    json(
        ["qortal://trade/{at_address}", "trade"],
        [
            "Trade",
            "A trade by the address of its automated transaction.",
        ],
        ["get_trade_detail", r#"{"at_address":"{at_address}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://trade/{at_address}/explained", "trade_explained"],
        [
            "Trade explained",
            "The state of a trade, its deadlines, and what happens next.",
        ],
        ["explain_trade", r#"{"at_address":"{at_address}"}"#],
        Freshness::Moment,
    ),
    json(
        ["qortal://trades/{blockchain}", "trades"],
        [
            "Completed trades",
            "The last completed trades for one coin.",
        ],
        [
            "list_completed_trades",
            r#"{"foreign_blockchain":"{blockchain}","reverse":true}"#,
        ],
        Freshness::Block,
    ),
    json(
        ["qortal://orderbook/{blockchain}", "order_book"],
        ["Order book", "Open offers for one coin by price."],
        ["get_trade_order_book", r#"{"blockchain":"{blockchain}"}"#],
        Freshness::Moment,
    ),
    json(
        ["qortal://price/{blockchain}", "price"],
        ["Price", "What QORT was traded for lately in one coin."],
        ["get_trade_price", r#"{"blockchain":"{blockchain}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://price/{blockchain}/history", "price_history"],
        ["Price history", "Prices and volume a day in one coin."],
        ["get_price_history", r#"{"blockchain":"{blockchain}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://coin/{blockchain}", "coin"],
        [
            "Foreign blockchain",
            "What the node knows of one coin's own chain.",
        ],
        [
            "get_foreign_chain_status",
            r#"{"blockchain":"{blockchain}"}"#,
        ],
        Freshness::Moment,
    ),
    json(
        ["qortal://ledger/{public_key}", "ledger"],
        [
            "Trade ledger",
            "The trades of one public key, for accounts and taxes.",
        ],
        [
            "get_trade_ledger",
            r#"{"public_key":"{public_key}","limit":200}"#,
        ],
        Freshness::Block,
    ),
    json(
        ["qortal://group/{group_id}", "group"],
        ["Group", "A group by its number."],
        ["get_group", r#"{"group_id":"{group_id}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://group/{group_id}/members", "group_members"],
        ["Members of a group", "The members of a group."],
        ["get_group_members", r#"{"group_id":"{group_id}"}"#],
        Freshness::Block,
    ),
    watched(
        ["qortal://chat/group/{group_id}", "group_chat"],
        [
            "Chat of a group",
            "The last messages in a group, latest first. Messages live for 24 hours.",
        ],
        [
            "get_chat_messages",
            r#"{"tx_group_id":"{group_id}","reverse":true}"#,
        ],
        (Freshness::Moment, Signal::GroupChat),
    ),
    watched(
        [
            "qortal://chat/direct/{address}/{other_address}",
            "direct_chat",
        ],
        [
            "Chat of two accounts",
            "The last messages between two accounts, latest first, as far as they are not encrypted.",
        ],
        [
            "get_chat_messages",
            r#"{"involving":["{address}","{other_address}"],"reverse":true}"#,
        ],
        (Freshness::Moment, Signal::DirectChat),
    ),
    json(
        ["qortal://asset/{asset_id}", "asset"],
        ["Asset", "An asset by its number."],
        ["get_asset_info", r#"{"asset_id":"{asset_id}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://poll/{poll_name}", "poll"],
        ["Poll", "A poll with its results."],
        ["get_poll", r#"{"poll_name":"{poll_name}"}"#],
        Freshness::Block,
    ),
    json(
        ["qortal://at/{at_address}", "automated_transaction"],
        [
            "Automated transaction",
            "An automated transaction by its address.",
        ],
        ["get_at", r#"{"at_address":"{at_address}"}"#],
        Freshness::Block,
    ),
    watched(
        ["qortal://qdn-status/{service}/{name}", "qdn_status"],
        [
            "Status of a QDN resource",
            "What the node has of the default resource of a name.",
        ],
        [
            "get_qdn_resource_status",
            r#"{"service":"{service}","name":"{name}"}"#,
        ],
        (Freshness::Moment, Signal::Time),
    ),
    watched(
        [
            "qortal://qdn-status/{service}/{name}/{identifier}",
            "qdn_status_of_identifier",
        ],
        [
            "Status of a QDN resource with identifier",
            "What the node has of one resource of a name.",
        ],
        [
            "get_qdn_resource_status",
            r#"{"service":"{service}","name":"{name}","identifier":"{identifier}"}"#,
        ],
        (Freshness::Moment, Signal::Time),
    ),
    Source {
        listing: Listing::Each,
        ..json(
            ["qortal://docs/{topic}", "docs"],
            ["Reference text", "How Qortal works, one topic each."],
            ["explain_topic", r#"{"topic":"{topic}"}"#],
            Freshness::Release,
        )
    },
    json(
        ["qortal://config", "config"],
        [
            "Configuration",
            "How this server is configured, without its secrets.",
        ],
        ["get_server_config", "{}"],
        Freshness::Moment,
    ),
    json(
        ["qortal://tools", "tools"],
        ["Tools", "All tools, listed or not, and what each does."],
        ["find_tools", r#"{"limit":100}"#],
        Freshness::Release,
    ),
];

#[cfg(test)]
mod tests;
