//! Tools about trading.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{check, check_on};

#[tokio::test]
async fn list_trade_offers() {
    for (case, arguments) in [
        ("page", json!({"limit": 2})),
        ("one_coin", json!({"foreign_blockchain": "DOGECOIN"})),
        ("by_symbol", json!({"foreign_blockchain": "doge"})),
        (
            "last_page",
            json!({"foreign_blockchain": "LITECOIN", "limit": 3, "offset": 3}),
        ),
        ("reversed", json!({"limit": 1, "reverse": true})),
        ("unknown_coin", json!({"foreign_blockchain": "LITECOINS"})),
        ("as_text", json!({"limit": "1"})),
    ] {
        check("list_trade_offers", case, arguments).await;
    }
    check_on(
        Scenario::empty(),
        "list_trade_offers",
        "empty_chain",
        json!({}),
    )
    .await;
    check_on(
        Scenario::newer_core(),
        "list_trade_offers",
        "newer_core",
        json!({"limit": 1}),
    )
    .await;
}
