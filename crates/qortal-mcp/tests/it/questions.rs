//! Questions that people ask about Qortal: the call that answers each, and the facts of the recorded chain.

mod markets;
mod owners;

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
            "Who is online, and may they mint?",
            &["list_online_minters", "detail=full"],
            [
                ("/total", json!(7)),
                ("/minters/0/isMinterMember", json!(false)),
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
            "Who keeps my video?",
            &[
                "get_qdn_resource_status",
                "service=VIDEO",
                "name=rita-trades",
                "identifier=clip",
                "include_peers=true",
            ],
            [("/peers/peerCount", json!(0))],
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
            &["count_chat_messages", "group_id=3"],
            [("/count", json!(20))],
        ),
        case(
            "Which group is the lounge, and who is in it?",
            &["list_groups", "query=lounge"],
            [
                ("/groups/0/groupName", json!("open-lounge")),
                ("/groups/0/groupId", json!(3)),
                ("/total", json!(1)),
            ],
        ),
        case(
            "Who are its members?",
            &["get_group_members", "group_id=open-lounge", "limit=1"],
            [("/groupId", json!(3)), ("/memberCount", json!(8))],
        ),
        case(
            "Which group waits with an approval?",
            &["list_pending_transactions"],
            [("/transactions/0/txGroupName", json!("approval-desk"))],
        ),
        case(
            "Who talks most in the lounge?",
            &["get_chat_activity", "group_id=open-lounge"],
            [
                ("/messageCount", json!(20)),
                ("/senders/0/senderName", json!("rita-trades")),
                ("/senders/0/messageCount", json!(7)),
                ("/total", json!(7)),
            ],
        ),
        case(
            "What was said last?",
            &["get_chat_messages", "group_id=3", "limit=1"],
            [
                ("/messages/0/senderName", json!("rita-trades")),
                ("/messages/0/text", json!("Message number 11")),
            ],
        ),
        case(
            "And in the closed group?",
            &["get_chat_messages", "group_id=4"],
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
            "Who offers this asset?",
            &["get_asset_market", "asset_id=3"],
            [
                (
                    "/offersOfAsset/0/creator",
                    json!("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"),
                ),
                ("/offersOfAsset/0/unfulfilled", json!("9.00000000")),
            ],
        ),
        case(
            "Who paid Bob?",
            &["find_payments", "recipient=Bób-Name", "limit=1"],
            [
                ("/payments/0/senderName", json!("Alice Test")),
                ("/payments/0/recipientName", json!("Bób-Name")),
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
            "When will my registration be confirmed?",
            &[
                "explain_transaction",
                "signature=3EP9qYCvdpdcfHjV3ojhbyUBCHJk48dhkne5fVhz4EjA5aQJY4fcsGujTqsLApX6uaxYFQwxpMCudUsadJP4igXb",
            ],
            [
                ("/confirmations", json!(0)),
                ("/outlook/unitFee", json!("1.25000000")),
                ("/outlook/feeIsEnough", json!(true)),
                ("/outlook/waiting", json!(6)),
                ("/outlook/blockSeconds", json!(64)),
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
            "Which poll was about colours?",
            &["list_polls", "query=colour"],
            [("/polls/0/pollName", json!("Favourite colour"))],
        ),
        case(
            "Is there an asset called gold?",
            &["list_assets", "query=gold"],
            [
                ("/assets/0/name", json!("GOLD")),
                ("/assets/0/assetId", json!(5)),
            ],
        ),
        case(
            "Where is the lounge?",
            &["search", "query=lounge"],
            [("/results/0/id", json!("group:3"))],
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
