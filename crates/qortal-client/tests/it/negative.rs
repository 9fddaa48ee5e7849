//! Fees, prices, amounts and votes: the Core accepts no negative one, so none of its answers has one.

use qortal_client::{
    Node, NodeError, NodeErrorKind, Observation, PageRequest,
    api::{
        crosschain::{PriceOf, TradeFilter},
        polls::RatedService,
        transactions::{Confirmation, PaymentFilter, Transaction},
    },
};
use qortal_testnode::{Fault, TestNode};
use qortal_types::{AssetId, Blockchain, Height, TransactionType};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::{ALICE, BOB, address, config, recorded};

/// The asset of the recorded orders.
const TEST: AssetId = AssetId::new(3);
/// An offer that waits for a buyer.
const OFFER: &str = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo";
const PAGE: PageRequest = PageRequest::first(20);

/// Also as the Core writes negative amounts: with a sign on each side of the point.
const AMOUNTS: &[&str] = &[r#""-0.00000001""#, r#""-1.-50000000""#, r#""0.-5000000""#];
const NUMBERS: &[&str] = &["-1"];

/// What the node answered to the last request.
async fn last_answer(test_node: &TestNode) -> Value {
    let target = test_node.journal().pop().unwrap().target;
    let authority = test_node.url().trim_start_matches("http://");
    let authority = authority.trim_end_matches('/');
    let mut stream = TcpStream::connect(authority).await.unwrap();
    let request = format!("GET {target} HTTP/1.0\r\nHost: {authority}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

/// Lets the node answer as ever, but for the member at this place.
fn with_member(answer: &Value, place: &str, value: &str) -> Fault {
    let (object, member) = place.rsplit_once('/').unwrap();
    let mut answer = answer.clone();
    let object = answer.pointer_mut(object).and_then(Value::as_object_mut);
    let value = serde_json::from_str(value).unwrap();
    object.unwrap().insert(member.to_owned(), value);
    Fault::Status(200, answer.to_string())
}

#[track_caller]
fn is_unreadable<T>(asked: Result<T, NodeError>, what: &str) {
    let error = asked.err();
    let kind = error.as_ref().map(NodeError::kind);
    assert!(
        matches!(kind, Some(NodeErrorKind::Unreadable { .. })),
        "{what} makes {error:?}"
    );
}

/// An object with such a member is no answer.
async fn check<T>(
    places: &[&str],
    values: &[&str],
    ask: impl AsyncFn(&Node) -> Result<T, NodeError>,
) {
    let (test_node, node) = recorded().await;
    ask(&node).await.map(drop).unwrap();
    let answer = last_answer(&test_node).await;
    for (place, value) in places
        .iter()
        .flat_map(|it| values.iter().map(move |value| (it, value)))
    {
        test_node.fault("/*", with_member(&answer, place, value));
        // What was answered before may be kept.
        let node = Node::new(config(&test_node)).unwrap();
        is_unreadable(ask(&node).await, &format!("{place} of {value}"));
    }
}

/// A row with such a member is left out, and noted.
async fn check_rows<T>(
    places: &[&str],
    values: &[&str],
    ask: impl AsyncFn(&Node) -> Result<Vec<T>, NodeError>,
) {
    let (test_node, node) = recorded().await;
    let before = ask(&node).await.unwrap().len();
    let answer = last_answer(&test_node).await;
    for (place, value) in places
        .iter()
        .flat_map(|it| values.iter().map(move |value| (it, value)))
    {
        test_node.fault("/*", with_member(&answer, place, value));
        let (node, seen) = Node::new(config(&test_node)).unwrap().observed();
        let what = format!("{place} of {value}");
        assert_eq!(ask(&node).await.unwrap().len(), before - 1, "{what}");
        let noted = seen.all();
        assert!(
            matches!(noted.as_slice(), [Observation::OddRows { rows: 1, .. }]),
            "{what}: {noted:?}"
        );
    }
}

#[tokio::test]
async fn no_fee_is_negative() {
    check(&["/totalFees", "/atFees"], AMOUNTS, async |node| {
        node.block_at(Height::new(300)).await
    })
    .await;
    let payments = async |node: &Node| -> Result<Vec<Transaction>, NodeError> {
        let filter = PaymentFilter::default()
            .with_sender(address(ALICE))
            .with_confirmation(Confirmation::Confirmed);
        node.payments(&filter, PAGE).await
    };
    check_rows(&["/0/fee", "/0/amount"], AMOUNTS, payments).await;
}

#[tokio::test]
async fn no_price_is_negative() {
    check(&["/salePrice"], AMOUNTS, async |node| {
        node.name("chloe").await
    })
    .await;
    check_rows(&["/0/salePrice"], AMOUNTS, async |node| {
        node.names(None, PAGE).await
    })
    .await;
    check_rows(
        &["/0/price", "/0/amount", "/0/fulfilled"],
        AMOUNTS,
        async |node| {
            node.orders_of_pair(&address(BOB), AssetId::QORT, TEST, None, PAGE)
                .await
        },
    )
    .await;
}

#[tokio::test]
async fn no_trade_is_of_a_negative_amount() {
    check(
        &["/qortAmount", "/expectedForeignAmount", "/qortBalance"],
        AMOUNTS,
        async |node| node.trade(&address(OFFER)).await,
    )
    .await;
    check_rows(
        &["/0/qortAmount", "/0/foreignAmount"],
        AMOUNTS,
        async |node| node.trades(&TradeFilter::default(), PAGE).await,
    )
    .await;
}

#[tokio::test]
async fn no_vote_is_negative_and_none_is_left_out() {
    check(
        &["/totalVotes", "/voteCounts/0/voteCount"],
        NUMBERS,
        async |node| node.poll_counts("Favourite colour").await,
    )
    .await;
    check_rows(
        &[
            "/ratings/entry/0/value/totalVotes",
            "/ratings/entry/0/value/voteCounts/0/voteCount",
        ],
        NUMBERS,
        async |node| node.app_ratings(RatedService::App).await,
    )
    .await;
}

#[tokio::test]
async fn no_plain_fee_or_price_is_negative() {
    let (test_node, node) = recorded().await;
    test_node.fault("/*", Fault::Status(200, "-1".to_owned()));
    let litecoin = Blockchain::Litecoin;
    let payment = TransactionType::Payment;
    is_unreadable(node.unit_fee(&payment, None).await, "a unit fee");
    is_unreadable(node.coin_fee_per_kb(&litecoin).await, "a fee for bytes");
    is_unreadable(node.coin_fee_required(&litecoin).await, "a fee");
    let price = node.trade_price(&litecoin, PriceOf::Qort, None).await;
    is_unreadable(price, "a price");
}
