//! What traders ask.

use super::{Question, questions};

pub(super) static QUESTIONS: &[Question] = questions! {
    Core {
        // 500 QORT for 0.002 BTC and 150 for 0.0164 LTC were the last trades, 10 for 42 DOGE the only one. Chloe asks
        // 0.000108 and is offline.
        "What is QORT worth, and how much is traded?":
            get_market_overview {} => {
                "/coins/0/lastPrice": "0.00000400",
                "/coins/1/symbol": "LTC",
                "/coins/1/lastPrice": "0.00010933",
                "/coins/1/trades24h": 7,
                "/coins/1/volumeQort24h": "680.60200000",
                "/coins/1/openOffers": 4,
                "/coins/1/bestAsk": "0.00011250",
                "/coins/1/bestAskAtAddress": "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP",
                "/coins/1/lowestAsk": "0.00010800",
                "/coins/2/lastPrice": "4.20000000",
                "/coins/4/openOffers": 0
            }
        "Who sells cheapest, and can I buy it now?":
            get_trade_order_book {"blockchain": "LITECOIN"} => {
                "/bestAsk": "0.00011250",
                "/levels/0/pricePerQort": "0.00010800",
                "/levels/0/sellerName": "chloe",
                "/levels/0/offersOnline": 0,
                "/levels/2/atAddress": "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP",
                "/levels/2/sellerName": "rita-trades"
            }
        "My trade is in TRADING and nothing happens. Will I get refunded?":
            explain_trade {"at_address": "Aes2JuboJupax6uybgMa2was61y7MRiDJS"} => {
                "/mode": "TRADING",
                "/isFinal": false,
                "/qortAmount": "300.00000000",
                "/expectedForeignAmount": "0.03300000",
                "/sellerName": "rita-trades",
                "/refundHeight": 1119,
                "/blocksUntilRefund": 651
            }
        "What became of this trade?":
            explain_trade {"at_address": "AKo2qnR7JERZbduzkPRMwiXLiE7yeTv78R"} => {
                "/mode": "REFUNDED",
                "/isFinal": true,
                "/buyerName": "new-name"
            }
        "Can you draw the price?":
            get_price_chart {"blockchain": "LITECOIN"} => {
                "/candles/0/trades": 2
            }
    }
    Standard {
        "What were the last trades for Litecoin?":
            list_completed_trades {"foreign_blockchain": "LITECOIN", "reverse": true, "limit": 1} => {
                "/trades/0/symbol": "LTC",
                "/trades/0/pricePerQort": "0.00010933"
            }
        "What was traded that day?":
            list_completed_trades {"after": "2026-11-20", "before": "2026-11-21"} => {
                "/trades/0/tradeTimestampIso": "2026-11-20T23:40:24.163Z",
                "/trades/0/pricePerQort": "0.00011000",
                "/truncated": false
            }
        "What did I trade, for my taxes?":
            get_trade_ledger {"address": "rita-trades"} => {
                "/total": 8,
                "/truncated": false,
                "/rows/0/receivedAmount": "0.01640000",
                "/rows/0/paidAmount": "150.00000000",
                "/rows/4/received": "BTC",
                "/rows/4/paidAmount": "1234.56789000"
            }
        "Does Pirate Chain work on my node, and are there offers?":
            get_foreign_chain_status {"blockchain": "PIRATECHAIN"},
            get_trade_order_book {"blockchain": "PIRATECHAIN"} => {
                "/lowestAsk": "0.33333333",
                "/totalOffers": 1
            }
        "Can you draw what is offered for Litecoin, or what an account received and spent?":
            get_picture {"of": "order_book", "blockchain": "LITECOIN"} => {
                "/title": "QORT offered for LTC"
            }
        "Which servers of a coin does my node use?":
            get_foreign_chain_status {"blockchain": "BITCOIN", "detail": "full"} => {
                "/symbol": "BTC",
                "/connectedServers": 0
            }
        "My coins came back to an address that I do not know. Why?":
            explain_topic {"topic": "trade_states"} => {
                "/title": "States of a trade"
            }
        "How do I tell two equal trades of the same minute apart?":
            get_trade_ledger {"address": "rita-trades"} => {
                "/rows/0/timestampIso": "2026-11-21T05:06:10.295Z",
                "/rows/0/atAddress": "AaaE8ew9nh1rr2NSJg6t5dv3R6nY4MAawm"
            }
        "How do I buy or sell QORT?":
            explain_topic {"topic": "buy_and_sell_qort"} => {
                "/title": "Buying and selling QORT"
            }
    }
    Full {
        "How did the price move?":
            get_price_history {"blockchain": "ltc"} => {
                "/unit": "LTC for one QORT",
                "/candles/0/open": "0.00010748",
                "/candles/1/close": "0.00010933",
                "/candles/1/high": "0.00011250",
                "/candles/1/trades": 5
            }
        "How did the price move that day?":
            get_price_history {"blockchain": "LITECOIN", "after": "2026-11-20", "before": "2026-11-21"} => {
                "/candles/0/close": "0.00011000",
                "/candles/0/trades": 2,
                "/candles/1": null
            }
        "Who offers QORT below this price?":
            list_trade_offers {"blockchain": "LITECOIN", "max_price": "0.0035"} => {
                "/offers/0/qortalCreatorName": "chloe",
                "/offers/0/pricePerQort": "0.00010800"
            }
        "Which offers has this seller, since when and at which price?":
            list_trade_offers {"seller": "chloe", "blockchain": "LITECOIN", "max_price": "0.0035"} => {
                "/offers/0/qortalCreatorName": "chloe",
                "/offers/0/pricePerQort": "0.00010800",
                "/total": 1
            }
        "What happened to each of my trades?":
            list_account_trades {"address": "rita-trades"} => {
                "/trades/0/mode": "REDEEMED",
                "/trades/0/symbol": "LTC"
            }
        "Which offers are worth a try?":
            list_trade_offers {"blockchain": "LITECOIN"} => {
                "/offers/0/sellerOnline": false,
                "/offers/3/sellerOnline": true
            }
    }
};
