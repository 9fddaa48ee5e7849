//! `/at`.

use crate::harness::{address, check, recorded, refused};

const FROZEN: &str = "AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE";
const UNKNOWN: &str = "ALBYQ17dXkrc7P17U9sqk3SyqCgzyAsVg8";

#[tokio::test]
async fn an_automated_transaction_is_read() {
    let (_test_node, node) = recorded().await;
    let frozen = node.at(&address(FROZEN)).await.unwrap().unwrap();
    check("at", "frozen", "One that has run out of funds.", &frozen);
    assert!(node.at(&address(UNKNOWN)).await.unwrap().is_none());
    assert!(node.at_state(&address(FROZEN)).await.unwrap().len() >= 32);
    insta::assert_snapshot!(
        refused(node.at_state(&address(UNKNOWN)).await),
        @"node refused GET /at/{ataddress}/data with HTTP 500"
    );
}

#[tokio::test]
async fn a_sleeper_tells_the_height_after_which_a_message_wakes_it() {
    let (_test_node, node) = recorded().await;
    let offer = address("AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo");
    let offer = node.at(&offer).await.unwrap().unwrap();
    // The offer was deployed about then.
    let height = offer.sleeps_until_message_after().unwrap();
    assert_eq!(height.number(), 407);
}
