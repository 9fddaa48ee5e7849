//! Questions of people who trade coins and names.

use serde_json::json;

use super::{case, check};

#[tokio::test]
async fn traders() {
    check(vec![
        case(
            "What is QORT worth, and how much is traded?",
            &["get_market_overview"],
            [
                // 500 QORT for 0.002 BTC and 150 for 0.0164 LTC were the last trades, 10 for 42 DOGE the only one.
                ("/coins/0/lastPrice", json!("0.00000400")),
                ("/coins/1/symbol", json!("LTC")),
                ("/coins/1/lastPrice", json!("0.00010933")),
                ("/coins/1/trades24h", json!(7)),
                ("/coins/1/volumeQort24h", json!("680.60200000")),
                ("/coins/1/openOffers", json!(4)),
                // Chloe asks 0.000108 and is offline.
                ("/coins/1/bestAsk", json!("0.00011250")),
                (
                    "/coins/1/bestAskAtAddress",
                    json!("AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP"),
                ),
                ("/coins/1/lowestAsk", json!("0.00010800")),
                ("/coins/2/lastPrice", json!("4.20000000")),
                ("/coins/4/openOffers", json!(0)),
            ],
        ),
        case(
            "Who sells cheapest, and can I buy it now?",
            &["get_trade_order_book", "blockchain=LITECOIN"],
            [
                ("/bestAsk", json!("0.00011250")),
                ("/levels/0/pricePerQort", json!("0.00010800")),
                ("/levels/0/sellerName", json!("chloe")),
                ("/levels/0/offersOnline", json!(0)),
                (
                    "/levels/2/atAddress",
                    json!("AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP"),
                ),
                ("/levels/2/sellerName", json!("rita-trades")),
            ],
        ),
        case(
            "Which offers are worth a try?",
            &["list_trade_offers", "blockchain=LITECOIN"],
            [
                ("/offers/0/sellerOnline", json!(true)),
                ("/offers/3/sellerOnline", json!(false)),
            ],
        ),
        case(
            "How did the price move?",
            &["get_price_history", "blockchain=ltc"],
            [
                ("/unit", json!("LTC for one QORT")),
                ("/candles/0/open", json!("0.00010748")),
                ("/candles/1/close", json!("0.00010933")),
                ("/candles/1/high", json!("0.00011250")),
                ("/candles/1/trades", json!(5)),
            ],
        ),
        case(
            "My trade is in TRADING and nothing happens; will I get refunded?",
            &[
                "explain_trade",
                "at_address=Aes2JuboJupax6uybgMa2was61y7MRiDJS",
            ],
            [
                ("/mode", json!("TRADING")),
                ("/isFinal", json!(false)),
                ("/qortAmount", json!("300.00000000")),
                ("/expectedForeignAmount", json!("0.03300000")),
                ("/sellerName", json!("rita-trades")),
                ("/refundHeight", json!(1119)),
                ("/blocksUntilRefund", json!(651)),
            ],
        ),
        case(
            "And the one of steve?",
            &[
                "explain_trade",
                "at_address=AKo2qnR7JERZbduzkPRMwiXLiE7yeTv78R",
            ],
            [
                ("/mode", json!("REFUNDED")),
                ("/isFinal", json!(true)),
                ("/buyerName", json!("new-name")),
            ],
        ),
        case(
            "What did I trade, for my taxes?",
            &["get_trade_ledger", "address=rita-trades"],
            [
                ("/total", json!(8)),
                ("/truncated", json!(false)),
                ("/rows/0/receivedAmount", json!("0.00864200")),
                ("/rows/0/paidAmount", json!("80.40200000")),
                ("/rows/3/received", json!("BTC")),
                ("/rows/3/paidAmount", json!("1234.56789000")),
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn buyers_of_names() {
    check(vec![
        case(
            "Is this name free?",
            &["check_name", "name=brand-new-name"],
            [
                ("/isAvailable", json!(true)),
                ("/registrationFee", json!("1.25000000")),
                (
                    "/rules/0",
                    json!("A name has 3 to 40 bytes in UTF-8, this one 14."),
                ),
            ],
        ),
        case(
            "And one that a user waits for?",
            &["check_name", "name=gina-pending"],
            [
                ("/isAvailable", json!(false)),
                (
                    "/underWay/0/address",
                    json!("QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh"),
                ),
            ],
        ),
        case(
            "Who owns it, and is it for sale?",
            &["get_name_info", "name=alice-shop"],
            [
                ("/owner", json!("QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v")),
                ("/isForSale", json!(true)),
                ("/salePrice", json!("250.00000000")),
            ],
        ),
        case(
            "Since when is it registered?",
            &["search_names", "query=alice-shop"],
            [("/names/0/registeredIso", json!("2026-11-20T22:27:37.407Z"))],
        ),
        case(
            "Which is the cheapest one for sale?",
            &["list_names_for_sale", "order=price", "limit=1"],
            [
                ("/names/0/name", json!("zebra")),
                ("/names/0/salePrice", json!("0.00000005")),
                ("/total", json!(3)),
            ],
        ),
        case(
            "What did it sell for?",
            &["get_name_info", "name=collectible"],
            [
                ("/owner", json!("QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6")),
                ("/isForSale", json!(false)),
                ("/salePrice", json!(null)),
                ("/lastSalePrice", json!("42.50000000")),
            ],
        ),
    ])
    .await;
}
