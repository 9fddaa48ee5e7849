//! Tools for publishers on QDN.

use serde_json::json;

use crate::check;

#[tokio::test]
async fn check_publications() {
    let cases = [
        (
            "some_incomplete",
            json!({"name": "rita-trades", "limit": 1}),
        ),
        ("many", json!({"name": "victor"})),
        ("none", json!({"name": "chloe"})),
    ];
    check("check_publications", cases).await;
}

#[tokio::test]
async fn search_qdn_index() {
    let cases = [
        ("one_word", json!({"terms": ["weather"]})),
        (
            "two_words",
            json!({"terms": ["weather", "report"], "limit": 1}),
        ),
        ("nothing", json!({"terms": ["qortal"]})),
    ];
    check("search_qdn_index", cases).await;
}
