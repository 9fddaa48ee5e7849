//! `/polls`.

use qortal_client::{PageRequest, api::polls::RatedService};

use crate::harness::{check, recorded, refused};

#[tokio::test]
async fn polls_are_listed_and_read() {
    let (_test_node, node) = recorded().await;
    let polls = node.polls(PageRequest::first(10)).await.unwrap();
    assert_eq!(polls.len(), 5);
    check(
        "polls",
        "poll",
        "A poll.",
        &node.poll("Favourite colour").await.unwrap(),
    );
    insta::assert_snapshot!(
        refused(node.poll("favourite colour").await),
        @"node refused GET /polls/{pollName} with HTTP 404, code 501 POLL_NO_EXISTS: !!en:ApiError.POLL_NO_EXISTS!!"
    );
    insta::assert_snapshot!(
        refused(node.poll("Budget 2026/27").await),
        @"GET /polls/{pollName} was not sent because its pollName contains a slash, which the node does not accept there"
    );
}

#[tokio::test]
async fn votes_are_counted() {
    let (_test_node, node) = recorded().await;
    let votes = node.poll_votes("Favourite colour").await.unwrap();
    check("polls", "votes", "Votes of a poll.", &votes);
    let counts = node.poll_counts("Favourite colour").await.unwrap();
    assert_eq!((counts.votes.is_none(), counts.total_votes), (true, 6));
}

#[tokio::test]
async fn ratings_are_unpacked() {
    let (_test_node, node) = recorded().await;
    let ratings = node.app_ratings(RatedService::App).await.unwrap();
    check("polls", "ratings", "The ratings of an app.", &ratings);
    let websites = node.app_ratings(RatedService::Website).await.unwrap();
    assert_eq!(websites.len(), 1);
}
