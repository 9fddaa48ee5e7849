//! `/at`.

use qortal_client::{Page, api::at::AtState};

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

#[tokio::test]
async fn those_that_run_are_listed() {
    let (_test_node, node) = recorded().await;
    let running = node.executable_ats().await.unwrap();
    check(
        "at",
        "executable",
        "The first that has not come to its end.",
        &running[0],
    );
}

#[tokio::test]
async fn those_with_the_same_program_are_listed() {
    let (_test_node, node) = recorded().await;
    let program = node
        .at(&address("AbW9TcMRwhBNPgNPcowmeMv3c1Jbu4TPwT"))
        .await
        .unwrap()
        .unwrap()
        .code_hash;
    let all = node
        .ats_by_code(&program, AtState::Any, Page::first(100))
        .await
        .unwrap();
    let finished = node
        .ats_by_code(&program, AtState::Finished, Page::first(100))
        .await
        .unwrap();
    let running = node
        .ats_by_code(&program, AtState::Executable, Page::first(100))
        .await
        .unwrap();
    assert!(finished.iter().all(|at| at.is_finished) && running.iter().all(|at| !at.is_finished));
    assert_eq!(all.len(), finished.len() + running.len());
    insta::assert_snapshot!(
        refused(node.ats_by_code("abc", AtState::Any, Page::first(1)).await),
        @"node refused GET /at/byfunction/{codehash} with HTTP 400, code 125 INVALID_CRITERIA: invalid search criteria"
    );
}
