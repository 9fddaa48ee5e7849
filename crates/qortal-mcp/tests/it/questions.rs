//! Questions that people ask about Qortal: the call that answers each, and the facts of the recorded chain.

use serde_json::{Value, json};

use crate::run_words;

/// A question, the call, and the expected members of its answer by JSON pointer.
struct Case {
    question: &'static str,
    call: &'static [&'static str],
    facts: Vec<(&'static str, Value)>,
}

fn case(
    question: &'static str,
    call: &'static [&'static str],
    facts: impl IntoIterator<Item = (&'static str, Value)>,
) -> Case {
    Case {
        question,
        call,
        facts: facts.into_iter().collect(),
    }
}

async fn check(rows: Vec<Case>) {
    for Case {
        question,
        call,
        facts,
    } in rows
    {
        let words = ["call"].into_iter().chain(call.iter().copied());
        let ended = run_words(words.chain(["--demo"])).await;
        assert_eq!(ended.code, Some(0), "{question} {}", ended.errors);
        let answer: Value = serde_json::from_str(&ended.output).unwrap();
        for (pointer, fact) in facts {
            let actual = answer.pointer(pointer).unwrap_or(&Value::Null);
            assert_eq!(
                *actual, fact,
                "{question} {call:?}: {pointer} in {answer:#}"
            );
        }
    }
}

#[tokio::test]
async fn operators_of_nodes() {
    check(vec![
        case(
            "Is my node synchronized, or stuck?",
            &["get_node_health"],
            [
                ("/height", json!(468)),
                ("/isSynchronizing", json!(false)),
                ("/lastBlockTimestampIso", json!("2026-11-21T06:22:49.424Z")),
                ("/verdict", json!("unhealthy")),
                ("/outboundPeers", json!(0)),
            ],
        ),
        case(
            "How does its chain compare with that of others?",
            &["compare_nodes"],
            [
                ("/verdict", json!("nothing to compare")),
                ("/nodes/0/height", json!(468)),
            ],
        ),
        case(
            "Which versions do its peers run?",
            &["list_peers"],
            [("/total", json!(0)), ("/versions", json!([]))],
        ),
        case(
            "Is the network alive?",
            &["get_network_stats"],
            [
                ("/onlineMinters", json!(7)),
                ("/transactionsLastDay", json!(332)),
                ("/blocksLastDay", json!(468)),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn minters() {
    check(vec![
        case(
            "Why am I not minting?",
            &[
                "get_minting_status",
                "address=QSsBRjKobUenghATsCnodVRfYGDACzreCC",
            ],
            [
                ("/level", json!(0)),
                ("/hasMintingKey", json!(false)),
                ("/blocksMintedPenalty", json!(-5000)),
                (
                    "/obstacles/0",
                    json!("It has no minting key: no reward share with itself is on the chain."),
                ),
            ],
        ),
        case(
            "And the founder?",
            &[
                "get_minting_status",
                "address=Alice Test",
                "include_online=true",
            ],
            [
                ("/level", json!(8)),
                ("/blocksMinted", json!(459)),
                ("/isFounder", json!(true)),
                ("/isOnline", json!(true)),
                ("/obstacles", json!([])),
            ],
        ),
        case(
            "Who mints for whom?",
            &["list_reward_shares", "address=chloe"],
            [
                (
                    "/rewardShares/0/minter",
                    json!("QMu8e6kPdCx4pCBgwuEEBPkZ8qXMyV4q92"),
                ),
                ("/rewardShares/0/sharePercent", json!("12.34")),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn traders() {
    check(vec![
        case(
            "What is QORT worth, and how much is traded?",
            &["get_market_overview"],
            [
                // 500 QORT for 0.002 BTC and 150 for 0.0164 LTC were the last trades, 10 for 42 DOGE the only one.
                ("/coins/0/lastPrice", json!("0.00000400")),
                ("/coins/1/symbol", json!("LTC")),
                ("/coins/1/lastPrice", json!("0.00010933")),
                ("/coins/1/trades24h", json!(7)),
                ("/coins/1/volumeQort24h", json!("680.60200000")),
                ("/coins/1/openOffers", json!(4)),
                ("/coins/1/bestAsk", json!("0.00010800")),
                ("/coins/2/lastPrice", json!("4.20000000")),
                ("/coins/4/openOffers", json!(0)),
            ],
        ),
        case(
            "How did the price move?",
            &["get_price_history", "blockchain=ltc"],
            [
                ("/unit", json!("LTC for one QORT")),
                ("/candles/0/open", json!("0.00010748")),
                ("/candles/1/close", json!("0.00010933")),
                ("/candles/1/high", json!("0.00011250")),
                ("/candles/1/trades", json!(5)),
            ],
        ),
        case(
            "My trade is in TRADING and nothing happens; will I get refunded?",
            &[
                "explain_trade",
                "at_address=Aes2JuboJupax6uybgMa2was61y7MRiDJS",
            ],
            [
                ("/mode", json!("TRADING")),
                ("/isFinal", json!(false)),
                ("/qortAmount", json!("300.00000000")),
                ("/expectedForeignAmount", json!("0.03300000")),
                ("/sellerName", json!("rita-trades")),
                ("/refundHeight", json!(1119)),
                ("/blocksUntilRefund", json!(651)),
            ],
        ),
        case(
            "And the one of steve?",
            &[
                "explain_trade",
                "at_address=AKo2qnR7JERZbduzkPRMwiXLiE7yeTv78R",
            ],
            [("/mode", json!("REFUNDED")), ("/isFinal", json!(true))],
        ),
        case(
            "What did I trade, for my taxes?",
            &[
                "get_trade_ledger",
                "public_key=CddYUrFeW4SV4GCpK7i1Vh34AmaqkHJGk9vqj6yeyVp7",
            ],
            [
                ("/total", json!(8)),
                ("/truncated", json!(false)),
                ("/rows/0/receivedAmount", json!("0.00864200")),
                ("/rows/0/paidAmount", json!("80.40200000")),
                ("/rows/3/received", json!("BTC")),
                ("/rows/3/paidAmount", json!("1234.56789000")),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn buyers_of_names() {
    check(vec![
        case(
            "Is this name free?",
            &["check_name", "name=brand-new-name"],
            [
                ("/isAvailable", json!(true)),
                ("/registrationFee", json!("1.25000000")),
            ],
        ),
        case(
            "And one that a user waits for?",
            &["check_name", "name=gina-pending"],
            [
                ("/isAvailable", json!(false)),
                (
                    "/underWay/0/address",
                    json!("QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh"),
                ),
            ],
        ),
        case(
            "Who owns it, and is it for sale?",
            &["get_name_info", "name=alice-shop"],
            [
                ("/owner", json!("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v")),
                ("/isForSale", json!(true)),
                ("/salePrice", json!("250.00000000")),
            ],
        ),
        case(
            "What did it sell for?",
            &["get_name_info", "name=collectible"],
            [
                ("/owner", json!("QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6")),
                ("/isForSale", json!(false)),
                ("/salePrice", json!(null)),
                ("/lastSalePrice", json!("42.50000000")),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn publishers() {
    check(vec![
        case(
            "Did my video publish? Why is it not there?",
            &[
                "get_qdn_resource_status",
                "service=VIDEO",
                "name=rita-trades",
                "identifier=clip",
            ],
            [
                ("/status", json!("MISSING_DATA")),
                ("/localChunkCount", json!(2)),
                ("/totalChunkCount", json!(6)),
                ("/isReadable", json!(false)),
            ],
        ),
        case(
            "What is in that blog?",
            &[
                "search_qdn_resources",
                "service=BLOG_POST",
                "name=rita-trades",
            ],
            [
                ("/resources/0/title", json!("Another post")),
                ("/resources/1/title", json!("First post (revised)")),
                ("/truncated", json!(false)),
            ],
        ),
        case(
            "And in this document?",
            &[
                "get_qdn_resource",
                "service=DOCUMENT",
                "name=victor",
                "identifier=doc1",
            ],
            [("/text", json!("hello qdn file contents 0123456789"))],
        ),
        case(
            "And in this mail?",
            &[
                "get_qdn_resource",
                "service=MAIL_PRIVATE",
                "name=Bób-Name",
                "identifier=mail-1",
            ],
            [("/isEncrypted", json!(true)), ("/text", json!(null))],
        ),
        case(
            "Which apps are best rated?",
            &["get_app_ratings"],
            [
                ("/ratings/0/appName", json!("Q-Demo")),
                ("/ratings/0/totalVotes", json!(3)),
                // One of 4 and two of 5.
                ("/ratings/0/average", json!("4.67")),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn members_of_groups() {
    check(vec![
        case(
            "Who wants into the groups that I administer?",
            &["list_pending_approvals", "address=trent"],
            [
                ("/joinRequestCount", json!(2)),
                ("/joinRequests/0/groupName", json!("closed-council")),
                ("/transactionCount", json!(0)),
            ],
        ),
        case(
            "And what waits for my approval?",
            &["list_pending_approvals", "address=Alice Test"],
            [
                ("/transactions/0/name", json!("pending-name")),
                ("/transactionCount", json!(1)),
            ],
        ),
        case(
            "How much was said in the chat since yesterday?",
            &["count_chat_messages", "tx_group_id=3"],
            [("/count", json!(20))],
        ),
        case(
            "What was said last?",
            &["get_chat_messages", "tx_group_id=3", "limit=1"],
            [
                ("/messages/0/senderName", json!("rita-trades")),
                ("/messages/0/text", json!("Message number 11")),
            ],
        ),
        case(
            "And in the closed group?",
            &["get_chat_messages", "tx_group_id=4"],
            [
                ("/messages/0/isEncrypted", json!(true)),
                ("/messages/0/text", json!(null)),
                ("/truncated", json!(false)),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn everyone_else() {
    check(vec![
        case(
            "What is this text?",
            &["inspect_identifier", "text=QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"],
            [("/kind", json!("account address"))],
        ),
        case(
            "And this one?",
            &["inspect_identifier", "text=QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9w"],
            [
                ("/kind", json!("unknown")),
                ("/nearMisses/0/kind", json!("address")),
            ],
        ),
        case(
            "What has this account?",
            &["get_account_report", "address=rita-trades"],
            [
                ("/balance", json!("45835.00006873")),
                ("/totalOpenOffers", json!(4)),
                ("/totalGroups", json!(2)),
            ],
        ),
        case(
            "Did Alice pay Oscar?",
            &[
                "find_payments",
                "sender=Alice Test",
                "recipient=QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC",
            ],
            [
                ("/totalShown", json!("42.00000005")),
                ("/payments/1/amount", json!("42.00000000")),
                ("/truncated", json!(false)),
            ],
        ),
        case(
            "What happened to my name registration?",
            &[
                "explain_transaction",
                "signature=2NKGPhvoS6HbfTtLeRuT5LtgxYWEQJW1K8iPMu55JXSmob78pG5hvvSTJNrxYGs7B6Q3nx2RDuMtyEWp3qFoATLC",
            ],
            [
                ("/approvalStatus", json!("REJECTED")),
                (
                    "/state",
                    json!("It is in block 76, but never took effect: group 6 rejected it in block 79."),
                ),
            ],
        ),
        case(
            "How did the vote end?",
            &["get_poll", "poll_name=Favourite colour"],
            [
                ("/totalVotes", json!(6)),
                ("/options/2/option", json!("Blue")),
                ("/options/2/votes", json!(4)),
            ],
        ),
    ])
    .await;
}
