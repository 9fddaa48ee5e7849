//! The surface `python`: what programs read that were written for the Python server.

use qortal_testnode::{API_KEY, Scenario};
use qortal_tools::{Catalog, Surface};
use serde_json::{Value, json};

use crate::Chain;

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";

/// A transaction of the Core.
const TRANSACTION: &str = "signature type timestamp creatorAddress fee blockHeight details";
/// A block of the Core.
const BLOCK: &str = "height signature reference timestamp minterPublicKey transactionCount totalFees atCount atFees version";
const NAME: &str = "name owner registered isForSale";
const GROUP: &str = "groupId groupName owner description created isOpen memberCount";
const MESSAGE: &str = "timestamp sender signature";
const OFFER: &str = "qortalAtAddress qortalCreator qortAmount expectedForeignAmount foreignBlockchain mode creationTimestamp";
const ASSET: &str = "assetId name description owner quantity";

/// The tools of the Python server with arguments instead of the example, where rows are, and what they have.
fn rows() -> Vec<(&'static str, Option<Value>, &'static str, &'static str)> {
    let block = |tool| (tool, None, "", BLOCK);
    let transactions = |tool| (tool, None, "/transactions/0", TRANSACTION);
    vec![
        (
            "get_node_status",
            None,
            "",
            "height isSynchronizing isMintingPossible numberOfConnections",
        ),
        (
            "get_node_info",
            None,
            "",
            "buildVersion buildTimestamp uptime currentTimestamp nodeId",
        ),
        (
            "get_node_summary",
            None,
            "",
            "blockCount totalTransactionCount transactionCountByType",
        ),
        ("get_node_uptime", None, "", "uptime"),
        (
            "get_account_overview",
            None,
            "",
            "address publicKey blocksMinted level balance names",
        ),
        ("get_balance", None, "", "address assetId balance"),
        ("validate_address", None, "", "isValid"),
        (
            "get_name_info",
            None,
            "",
            "name owner data isForSale registered",
        ),
        ("get_primary_name", None, "", "address name"),
        ("search_names", None, "/names/0", NAME),
        ("list_names", None, "/names/0", NAME),
        (
            "list_names_for_sale",
            None,
            "/names/0",
            "name owner registered isForSale salePrice",
        ),
        ("get_names_by_address", None, "", "address names"),
        ("list_trade_offers", None, "/offers/0", OFFER),
        ("list_hidden_trade_offers", None, "/offers/0", OFFER),
        ("get_trade_detail", None, "", OFFER),
        (
            "list_completed_trades",
            None,
            "/trades/0",
            "atAddress tradeTimestamp qortAmount foreignAmount",
        ),
        (
            "get_trade_ledger",
            None,
            "/rows/0",
            "dateTime received receivedAmount paid paidAmount",
        ),
        ("get_trade_price", None, "", "price"),
        ("list_groups", None, "/groups/0", GROUP),
        ("get_groups_by_owner", None, "/groups/0", GROUP),
        (
            "get_groups_by_member",
            None,
            "/groups/0",
            "groupId groupName owner created isOpen memberCount isAdmin",
        ),
        ("get_group", None, "", GROUP),
        (
            "get_group_members",
            None,
            "/members/0",
            "member joined isAdmin",
        ),
        (
            "get_group_invites_by_address",
            Some(json!({"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"})),
            "/invites/0",
            "groupId inviter invitee expiry",
        ),
        (
            "get_group_invites_by_group",
            None,
            "/invites/0",
            "groupId inviter invitee expiry",
        ),
        ("get_group_join_requests", None, "", "groupId joiners"),
        (
            "get_group_bans",
            None,
            "/bans/0",
            "offender admin banned expiry reason",
        ),
        ("get_chat_messages", None, "/messages/0", MESSAGE),
        ("count_chat_messages", None, "", "count"),
        (
            "get_chat_message_by_signature",
            None,
            "",
            "timestamp sender signature isText isEncrypted",
        ),
        (
            "get_active_chats",
            None,
            "/groups/0",
            "groupId groupName timestamp sender senderName signature",
        ),
        block("get_block_at_timestamp"),
        ("get_block_height", None, "", "height"),
        block("get_block_by_height"),
        (
            "list_block_summaries",
            None,
            "/blocks/0",
            "height signature minterPublicKey transactionCount timestamp",
        ),
        ("list_block_range", None, "/blocks/0", BLOCK),
        transactions("search_transactions"),
        block("get_block_by_signature"),
        ("get_block_height_by_signature", None, "", "height"),
        block("get_first_block"),
        block("get_last_block"),
        ("get_transaction_by_signature", None, "", TRANSACTION),
        ("get_transaction_by_reference", None, "", TRANSACTION),
        transactions("list_transactions_by_block"),
        transactions("list_transactions_by_address"),
        transactions("list_transactions_by_creator"),
        (
            "search_qdn",
            None,
            "/publications/0",
            "signature service timestamp name",
        ),
        ("list_assets", None, "/assets/0", ASSET),
        ("get_asset_info", None, "", ASSET),
        (
            "get_asset_balances",
            None,
            "/balances/0",
            "address assetId balance",
        ),
    ]
}

async fn python() -> Chain {
    Chain::listing(Surface::Python, Scenario::recorded(), Some(API_KEY)).await
}

#[tokio::test]
async fn every_row_has_what_the_python_server_gave_and_what_is_published() {
    let chain = python().await;
    let mut problems = Vec::new();
    let rows = rows();
    for (tool, arguments, place, members) in &rows {
        let entry = chain.catalog.entry(tool).unwrap();
        let example = || serde_json::from_str(entry.example).unwrap();
        let answer = chain
            .call(tool, arguments.clone().unwrap_or_else(example))
            .await
            .unwrap();
        let published = entry.output_schema_on(Surface::Python);
        let schema_place = place
            .replace("/0", "/items")
            .replacen('/', "/properties/", 1);
        let published = &published.pointer(&schema_place).unwrap()["properties"];
        for member in members.split(' ') {
            if answer.pointer(place).is_none_or(|it| it[member].is_null()) {
                problems.push(format!("{tool} answers no {member}"));
            }
            if published[member].is_null() {
                problems.push(format!("{tool} publishes no {member}"));
            }
        }
    }
    chain.stop().await;
    assert!(problems.is_empty(), "{problems:#?}");
    let listed = Catalog::entries().filter(|it| Surface::Python.lists(it));
    let own: Vec<_> = listed
        .filter(|it| !it.name.ends_with("_tool") && it.name != "find_tools")
        .collect();
    assert_eq!(own.len(), rows.len());
    assert!(
        own.iter()
            .all(|it| rows.iter().any(|(tool, ..)| *tool == it.name))
    );
}

/// The first row of a list, by one of its members.
async fn first(chain: &Chain, tool: &str, arguments: Value, place: &str) -> Value {
    let answer = chain.call(tool, arguments).await.unwrap();
    answer.pointer(place).unwrap().clone()
}

#[tokio::test]
async fn what_a_call_leaves_open_means_what_it_meant_there() {
    let (older, usual) = (python().await, Chain::recorded().await);
    for (tool, place, arguments) in [
        (
            "list_transactions_by_address",
            "/transactions/0/transaction",
            json!({"address": ALICE, "limit": 1}),
        ),
        (
            "get_names_by_address",
            "/names/0",
            json!({"address": ALICE}),
        ),
        (
            "list_completed_trades",
            "/trades/0/atAddress",
            json!({"foreign_blockchain": "LITECOIN"}),
        ),
        (
            "search_qdn",
            "/publications/0/transaction",
            json!({"service": 777}),
        ),
        (
            "get_chat_messages",
            "/messages/0/timestampIso",
            json!({"tx_group_id": 3}),
        ),
    ] {
        let with = |name: &str, value: Value| {
            let mut arguments = arguments.clone();
            arguments[name] = value;
            arguments
        };
        let open = first(&older, tool, arguments.clone(), place).await;
        let forward = first(&older, tool, with("reverse", false.into()), place).await;
        let backward = first(&older, tool, with("reverse", true.into()), place).await;
        assert_eq!(open, forward, "{tool}");
        assert_ne!(open, backward, "{tool}");
        assert_eq!(
            first(&usual, tool, arguments.clone(), place).await,
            backward,
            "{tool}"
        );
    }
    let price = async |chain: &Chain, arguments: Value| {
        first(chain, "get_trade_price", arguments, "/unit").await
    };
    let litecoin = json!({"blockchain": "LITECOIN"});
    assert_eq!(price(&older, litecoin.clone()).await, "QORT for one LTC");
    assert_eq!(
        price(&older, json!({"blockchain": "LITECOIN", "inverse": true})).await,
        "LTC for one QORT"
    );
    assert_eq!(price(&usual, litecoin).await, "LTC for one QORT");
    // What is asked for is given.
    let brief = json!({"address": RITA, "detail": "summary"});
    let brief = first(
        &older,
        "list_transactions_by_address",
        brief,
        "/transactions/0",
    )
    .await;
    assert_eq!(brief.get("signature"), None);
    older.stop().await;
    usual.stop().await;
}

#[test]
fn its_defaults_are_published() {
    let schema = |tool: &str, surface| Catalog::find(tool).unwrap().input_schema_on(surface);
    let said = |tool: &str, parameter: &str, surface| {
        let described = schema(tool, surface)["properties"][parameter]["description"].clone();
        described.as_str().unwrap_or_default().to_owned()
    };
    let (python, usual) = (Surface::Python, Surface::Extended);
    assert_eq!(
        said("get_names_by_address", "order", python),
        "Default oldest."
    );
    assert_eq!(
        said("get_names_by_address", "order", usual),
        "Default newest."
    );
    assert_eq!(said("search_names", "detail", python), "");
    assert!(said("search_qdn", "detail", python).ends_with("Default full."));
    assert!(said("search_transactions", "detail", python).ends_with("Default full."));
    let price = schema("get_trade_price", python);
    assert_eq!(price["properties"]["price_of"]["default"], "coin");
    // Tools that the older server did not have are as everywhere.
    assert_eq!(
        schema("get_price_history", python),
        schema("get_price_history", usual)
    );
}
