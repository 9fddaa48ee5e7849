//! How each list goes on: by its last row, by time, or by its offset.

use std::{ops::Range, sync::LazyLock};

use qortal_types::PublicKey;
use serde_json::{Value, json};

use crate::paging::ALICE;

/// The places in the order at which there are rows, those before them and those after.
pub(super) const THERE: Range<usize> = 60..84;
pub(super) const BEFORE: Range<usize> = 0..30;
pub(super) const AFTER: Range<usize> = 150..174;
/// The last recorded block.
const TIP: usize = 468;

/// Which rows can go.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Gone {
    Any,
    /// But not the last one of the page before: without it, the place where to go on is not known.
    NotTheLast,
    None,
}

/// A list, and how it changes.
pub(super) struct Changing {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
    pub(super) list: &'static str,
    /// The simulated node's table, of which rows are like one with these members.
    pub(super) table: &'static str,
    pub(super) like: Value,
    /// The row at a place in the order.
    pub(super) row: fn(usize) -> Value,
    /// What it is known by in the table and in the answer.
    pub(super) known: [&'static str; 2],
    /// Whether the chain adds rows at the end of the order alone.
    pub(super) grows_at_end: bool,
    /// Whether each of these is in a block of its own.
    pub(super) in_blocks: bool,
    pub(super) gone: Gone,
}

fn key(at: usize) -> String {
    bs58::encode([u8::try_from(at).unwrap(); 32]).into_string()
}

fn signature(at: usize) -> String {
    bs58::encode([u8::try_from(at).unwrap(); 64]).into_string()
}

/// Addresses in their order.
fn address(at: usize) -> &'static str {
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let keys = (0..AFTER.end).map(|it| key(it).parse::<PublicKey>().unwrap());
        let mut all: Vec<_> = keys.map(|it| it.address().to_string()).collect();
        all.sort();
        all
    });
    &ALL[at]
}

/// A moment in 2026.
fn time(at: usize) -> u64 {
    1_795_300_000_000 + at as u64
}

fn name(at: usize) -> Value {
    json!({"name": format!("m{at:04}"), "registered": time(at), "isForSale": true, "salePrice": format!("{at}.00000000")})
}

fn group(at: usize) -> Value {
    json!({"groupId": at, "groupName": format!("motor {at:04}"), "memberCount": at, "created": time(at)})
}

fn poll(at: usize) -> Value {
    json!({"pollName": format!("motor {at:04}")})
}

/// A transaction at a place in time: those that are there first are in the last block, the others in blocks after it.
fn transaction(at: usize) -> Value {
    json!({"signature": signature(at), "timestamp": time(at), "blockHeight": TIP + at.saturating_sub(AFTER.start - 1)})
}

/// Lists whose `next` says which row they go on after.
pub(super) fn by_row() -> Vec<Changing> {
    let list = |tool, arguments, list, table, row, known| Changing {
        tool,
        arguments,
        list,
        table,
        like: json!({}),
        row,
        known,
        grows_at_end: false,
        in_blocks: false,
        gone: Gone::Any,
    };
    let names = |tool, arguments| {
        let row: fn(usize) -> Value = name;
        list(tool, arguments, "names", "names", row, ["name", "name"])
    };
    let groups = |arguments| {
        let known = ["groupName", "groupName"];
        list("list_groups", arguments, "groups", "groups", group, known)
    };
    let polls = |arguments| {
        let known = ["pollName", "pollName"];
        list("list_polls", arguments, "polls", "polls", poll, known)
    };
    let at_end = |it| Changing {
        grows_at_end: true,
        ..it
    };
    let by_other = |it| Changing {
        gone: Gone::NotTheLast,
        ..it
    };
    vec![
        names("list_names", json!({})),
        names("list_names", json!({"after": "2026-01-01"})),
        names("search_names", json!({"query": "m"})),
        names("list_names_for_sale", json!({})),
        names("list_names_for_sale", json!({"order": "price"})),
        Changing {
            like: json!({"owner": "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq"}),
            known: ["name", ""],
            ..at_end(by_other(names(
                "get_names_by_address",
                json!({"address": "victor"}),
            )))
        },
        groups(json!({})),
        groups(json!({"order": "largest"})),
        groups(json!({"order": "newest"})),
        by_other(groups(json!({"query": "motor"}))),
        polls(json!({})),
        polls(json!({"after": "2026-01-01"})),
        by_other(polls(json!({"query": "motor"}))),
        at_end(list(
            "list_assets",
            json!({}),
            "assets",
            "assets",
            |at| json!({"assetId": at, "name": at.to_string()}),
            ["assetId", "assetId"],
        )),
        Changing {
            like: json!({"groupId": 3}),
            ..list(
                "get_group_members",
                json!({"group_id": 3}),
                "members",
                "group_members",
                |at| json!({"groupId": 3, "member": address(at)}),
                ["member", "member"],
            )
        },
        Changing {
            like: json!({"approvalStatus": "PENDING"}),
            ..at_end(list(
                "list_pending_transactions",
                json!({}),
                "transactions",
                "transactions",
                |at| json!({"signature": signature(at), "timestamp": time(at)}),
                ["timestamp", "timestampIso"],
            ))
        },
        by_other(list(
            "list_reward_shares",
            json!({"detail": "full"}),
            "rewardShares",
            "reward_shares",
            |at| json!({"recipient": address(at), "rewardSharePublicKey": key(at)}),
            ["rewardSharePublicKey", "rewardSharePublicKey"],
        )),
    ]
}

/// Lists by time: they go on at the moment of the last row, or end where they ended when they were begun.
pub(super) fn by_time() -> Vec<Changing> {
    let list = |tool, arguments, list, table, like, row, known| Changing {
        tool,
        arguments,
        list,
        table,
        like,
        row,
        known,
        grows_at_end: true,
        in_blocks: false,
        gone: Gone::None,
    };
    let transactions = |tool, arguments, rows, like| Changing {
        in_blocks: true,
        ..list(
            tool,
            arguments,
            rows,
            "transactions",
            like,
            transaction,
            ["timestamp", "timestampIso"],
        )
    };
    vec![
        list(
            "get_chat_messages",
            json!({"tx_group_id": 3}),
            "messages",
            "chat",
            json!({"txGroupId": 3}),
            |at| json!({"signature": signature(at), "timestamp": time(at)}),
            ["timestamp", "timestampIso"],
        ),
        list(
            "list_asset_orders",
            json!({"address": ALICE}),
            "orders",
            "orders",
            json!({"creator": ALICE}),
            |at| json!({"orderId": signature(at), "timestamp": time(at)}),
            ["timestamp", "timestampIso"],
        ),
        list(
            "list_group_kicks",
            json!({"address": "spam-name"}),
            "kicks",
            "group_events.kicks",
            json!({}),
            |at| json!({"timestamp": time(at)}),
            ["timestamp", "timestampIso"],
        ),
        list(
            "search_qdn_resources",
            json!({}),
            "resources",
            "qdn_resources",
            json!({"service": "DOCUMENT"}),
            |at| json!({"name": format!("m{at}"), "created": time(at)}),
            ["created", "createdIso"],
        ),
        list(
            "list_completed_trades",
            json!({"blockchain": "LITECOIN"}),
            "trades",
            "trades",
            json!({"completed": 1_795_217_700_821_i64}),
            |at| json!({"completed": time(at)}),
            ["completed", "tradeTimestampIso"],
        ),
        list(
            "list_unconfirmed_transactions",
            json!({}),
            "transactions",
            "transactions",
            json!({"name": "gina-pending"}),
            |at| json!({"signature": signature(at), "timestamp": time(at)}),
            ["timestamp", "timestampIso"],
        ),
        transactions(
            "list_group_kicks",
            json!({"group_id": 3}),
            "kicks",
            json!({"type": "GROUP_KICK"}),
        ),
        transactions(
            "list_asset_transfers",
            json!({"asset_id": 6}),
            "transfers",
            json!({"type": "TRANSFER_ASSET", "assetId": 6}),
        ),
        transactions(
            "search_qdn",
            json!({"service": "DOCUMENT"}),
            "publications",
            json!({"type": "ARBITRARY", "service": 800}),
        ),
        transactions(
            "search_transactions",
            json!({"tx_types": ["ARBITRARY"]}),
            "transactions",
            json!({"type": "ARBITRARY"}),
        ),
    ]
}

/// Lists by time that are tried elsewhere: in `growing`, and of one block or of candles in `paging`.
pub(super) const BY_TIME_ELSEWHERE: [&str; 13] = [
    "find_payments",
    "get_account_activity",
    "get_account_ledger",
    "get_group_history",
    "get_price_chart",
    "get_price_history",
    "get_trade_ledger",
    "list_account_trades",
    "list_blocks_by_minter",
    "list_trade_offers",
    "list_transactions_by_address",
    "list_transactions_by_block",
    "list_transactions_by_creator",
];

/// Lists that go on by their offset alone, and why: in them rows can come twice or be left out, as `docs/files.md` says.
pub(super) const BY_OFFSET: [(&str, &str); 27] = [
    ("check_publications", "what is whole changes while it loads"),
    ("get_active_chats", "a message moves its room to the front"),
    ("get_app_ratings", "a vote moves an app"),
    ("get_asset_balances", "a payment moves two accounts"),
    ("get_chat_activity", "a message moves its sender"),
    ("get_group_bans", "the Core's query has no order"),
    ("get_group_invites_by_address", "the same"),
    ("get_group_invites_by_group", "the same"),
    ("get_group_join_requests", "the same"),
    ("get_group_rankings", "what is counted moves an account"),
    ("get_group_requests", "two lists without an order"),
    ("get_trade_rankings", "each trade moves two accounts"),
    (
        "get_groups_by_member",
        "the groups of one account: they come at once, 100 on a page",
    ),
    ("get_groups_by_owner", "the same"),
    ("get_node_lists", "the owner of the node edits them"),
    ("get_poll", "votes have no order"),
    ("get_trade_order_book", "prices of one moment"),
    ("list_accounts_by_level", "a new level moves an account"),
    ("list_block_signers", "each block moves a key"),
    ("list_peers", "who is connected at the moment"),
    (
        "list_hidden_trade_offers",
        "what one node hides at the moment",
    ),
    ("list_hosted_qdn", "what is loaded moves a publication"),
    ("list_online_minters", "who is online at the moment"),
    ("list_pending_approvals", "two lists without an order"),
    ("list_penalties", "all come at once, and none are added"),
    ("search_hosted_qdn", "what one node has at the moment"),
    ("search_qdn_index", "the best matches of one node"),
];

/// What goes on by heights or characters, in one publication, or with more of the same at once.
pub(super) const NOT_MOVED: [&str; 7] = [
    "fetch",
    "get_asset_market",
    "get_chat_stats",
    "get_qdn_metadata",
    "get_qdn_resource",
    "list_block_range",
    "list_block_summaries",
];
