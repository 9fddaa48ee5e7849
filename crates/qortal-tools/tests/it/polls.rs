//! Tools about polls.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{check, check_on};

#[tokio::test]
async fn list_polls() {
    for (case, arguments) in [
        ("all", json!({})),
        ("page", json!({"limit": 2, "offset": 1})),
        ("reversed", json!({"limit": 1, "reverse": true})),
    ] {
        check("list_polls", case, arguments).await;
    }
    check_on(Scenario::empty(), "list_polls", "empty_chain", json!({})).await;
}

#[tokio::test]
async fn get_poll() {
    for (case, arguments) in [
        ("votes", json!({"poll_name": "Favourite colour"})),
        (
            "who_voted",
            json!({"poll_name": "Favourite colour", "detail": "full"}),
        ),
        (
            "page_of_who_voted",
            json!({"poll_name": "Favourite colour", "detail": "full", "limit": 2, "offset": 1}),
        ),
        ("no_votes", json!({"poll_name": "Umfrage für Käufer?"})),
        ("other_case", json!({"poll_name": "favourite colour"})),
        ("slash", json!({"poll_name": "Budget 2026/27"})),
        ("dots", json!({"poll_name": ".."})),
        ("no_name", json!({})),
    ] {
        check("get_poll", case, arguments).await;
    }
}

#[tokio::test]
async fn get_app_ratings() {
    for (case, arguments) in [
        ("apps", json!({})),
        ("websites", json!({"service": "website"})),
        ("beyond_the_end", json!({"offset": 5})),
        ("unknown_service", json!({"service": "IMAGE"})),
    ] {
        check("get_app_ratings", case, arguments).await;
    }
}
