//! Answers that say nothing: an object without a known member is never an answer, even where each member may be absent.

use qortal_client::{
    NodeError, NodeErrorKind, PageRequest,
    api::{arbitrary::ResourceId, chat::Encoding, groups::MemberRole, polls::RatedService},
};
use qortal_testnode::{Fault, TestNode};
use qortal_types::{AssetId, Blockchain, Height, Service, Timestamp};

use crate::harness::{ALICE, address, recorded};

/// The Core's error object, what says nothing, and what belongs to something else.
const SAYING_NOTHING: [&str; 6] = [
    "{}",
    " { } ",
    r#"{"error":5,"message":"repository issue"}"#,
    r#"{"servlet":"x","message":"Not Found"}"#,
    r#"{"ratings":{}}"#,
    r#"[{"error":5}]"#,
];

/// What one call makes of each.
async fn check<T>(test_node: &TestNode, what: &str, ask: impl AsyncFn() -> Result<T, NodeError>) {
    for body in SAYING_NOTHING {
        test_node.fault("*", Fault::Status(200, body.to_owned()));
        let error = ask().await.err();
        let kind = error.as_ref().map(NodeError::kind);
        assert!(
            matches!(kind, Some(NodeErrorKind::Unreadable { .. })),
            "{what} makes {error:?} of {body}"
        );
    }
}

#[tokio::test]
async fn an_object_without_a_known_member_is_no_answer() {
    let (test_node, node) = recorded().await;
    let alice = address(ALICE);
    let signature = node.last_block().await.unwrap().signature;
    let transaction = "3".repeat(88).parse().unwrap();
    let id = ResourceId::new(Service::App, "Q-Demo", None);
    let page = PageRequest::first(2);
    let litecoin = Blockchain::Litecoin;
    macro_rules! check {
        ($($method:ident($($argument:expr),*);)+) => {
            $(check(&test_node, stringify!($method), async || node.$method($($argument),*).await).await;)+
        };
    }
    check! {
        status(); info(); summary(); summary_of_all_time();
        account(&alice); sponsorship(&alice); sponsor(&alice); mintership(&alice);
        name("chloe"); primary_name(&alice);
        block(&signature); first_block(); last_block(); block_at(Height::new(9));
        block_minting(Height::new(9)); block_at_time(Timestamp::from_millis(1_700_000_000_000));
        trade(&alice); coin_status(&litecoin); coin_servers(&litecoin);
        transaction(&transaction); transaction_after(&transaction);
        asset(AssetId::QORT); asset_named("QORT");
        group(3); group_members(3, MemberRole::Any, page);
        chat_message(&transaction, Encoding::Base58); active_chats(&alice, Encoding::Base58, None); chat_memory();
        resource_status(&id); resource_metadata(&id); hosted_transactions(None, page); resource_peers(&id);
        poll("x"); poll_votes("x"); poll_counts("x"); app_ratings(RatedService::App);
        at(&alice);
        peers(); data_peers();
    }
}

/// Its groups have no known names.
#[tokio::test]
async fn engine_statistics_are_no_error() {
    let (test_node, node) = recorded().await;
    for body in [SAYING_NOTHING[0], SAYING_NOTHING[2]] {
        test_node.fault("*", Fault::Status(200, body.to_owned()));
        node.engine_stats().await.unwrap_err();
    }
}
