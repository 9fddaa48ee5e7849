//! Tools about polls.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{Chain, check, check_on};

#[tokio::test]
async fn list_polls() {
    let cases = [
        ("all", json!({})),
        ("page", json!({"limit": 2, "offset": 1})),
        ("reversed", json!({"limit": 1, "reverse": true})),
        ("by_words", json!({"query": "COLOUR favourite"})),
        ("by_words_page", json!({"query": "rating", "limit": 1})),
        ("by_words_none", json!({"query": "zzz"})),
        ("query_too_long", json!({"query": "x".repeat(101)})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_polls", cases, elsewhere).await;
}

#[tokio::test]
async fn get_poll() {
    let cases = [
        ("votes", json!({"poll_name": "Favourite colour"})),
        (
            "who_voted",
            json!({"poll_name": "Favourite colour", "detail": "full"}),
        ),
        (
            "page_of_who_voted",
            json!({"poll_name": "Favourite colour", "detail": "full", "limit": 2, "offset": 1}),
        ),
        (
            "who_voted_for_an_option",
            json!({"poll_name": "Favourite colour", "option": 2}),
        ),
        (
            "who_voted_for_an_option_in_other_case",
            json!({"poll_name": "Favourite colour", "option": "BLUE"}),
        ),
        (
            "unknown_option",
            json!({"poll_name": "Favourite colour", "option": "mauve"}),
        ),
        (
            "option_number_beyond_the_last",
            json!({"poll_name": "Favourite colour", "option": "4"}),
        ),
        ("no_votes", json!({"poll_name": "Umfrage für Käufer?"})),
        ("other_case", json!({"poll_name": "favourite colour"})),
        ("slash", json!({"poll_name": "Budget 2026/27"})),
        ("dots", json!({"poll_name": ".."})),
        ("no_name", json!({})),
    ];
    check("get_poll", cases).await;
}

#[tokio::test]
async fn get_app_ratings() {
    let cases = [
        ("apps", json!({})),
        ("websites", json!({"service": "website"})),
        ("beyond_the_end", json!({"offset": 5})),
        ("unknown_service", json!({"service": "IMAGE"})),
    ];
    check("get_app_ratings", cases).await;
}

/// The Core pages the options of all polls, of which most have five; here 41 apps are rated.
#[tokio::test]
async fn every_rating_is_whole_on_every_page() {
    let chain = Chain::of(Scenario::large()).await;
    let names = (0..40).map(|app| format!("app-library-APP-rating-App{app:02}"));
    let best = "app-library-APP-rating-Q-Demo".to_owned();
    let names: Vec<_> = [best].into_iter().chain(names).collect();
    for (limit, offset) in [
        (1, 0),
        (1, 40),
        (7, 0),
        (7, 35),
        (20, 0),
        (100, 0),
        (100, 3),
    ] {
        let arguments = json!({"limit": limit, "offset": offset});
        let found = chain.call("get_app_ratings", arguments).await.unwrap();
        let case = format!("limit {limit}, offset {offset}");
        let ratings = found["ratings"].as_array().unwrap();
        let listed: Vec<_> = ratings.iter().map(|it| it["pollName"].clone()).collect();
        let end = names.len().min(limit + offset);
        assert_eq!(json!(listed), json!(names[offset..end]), "{case}");
        for rating in ratings {
            let is_recorded = rating["appName"] == "Q-Demo";
            let (votes, average) = if is_recorded {
                (3, "4.67")
            } else {
                (20, "3.00")
            };
            assert_eq!(rating["totalVotes"], votes, "{case}: {rating}");
            assert_eq!(rating["average"], average, "{case}: {rating}");
        }
        assert_eq!(found["total"], 41, "{case}");
        assert_eq!(found["truncated"], end < names.len(), "{case}");
        assert_eq!(found.get("next").is_some(), end < names.len(), "{case}");
    }
    let rows = chain
        .rows("get_app_ratings", "ratings", json!({"limit": 9}))
        .await;
    assert_eq!(rows.len(), 41);
    chain.stop().await;
}

/// `VoteOnPollTransaction.isValid`: the poll and the option exist, and it is not the option that the account has voted for.
#[tokio::test]
async fn check_vote() {
    let of = |option: &str, address: &str| json!({"poll_name": "Favourite colour", "option": option, "address": address});
    let cases = [
        ("first_vote", of("Blue", "trent")),
        ("the_same_again", of("3", "Bób-Name")),
        ("another_option", of("1", "Bób-Name")),
        ("unknown_option", of("4", "trent")),
        (
            "unknown_poll",
            json!({"poll_name": "Favourite color", "option": "1", "address": "trent"}),
        ),
        (
            "slash",
            json!({"poll_name": "Budget 2026/27", "option": "1", "address": "trent"}),
        ),
    ];
    check("check_vote", cases).await;
}
