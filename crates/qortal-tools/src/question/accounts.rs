//! What people ask about accounts, payments and names.

use super::{Question, questions};

pub(super) static QUESTIONS: &[Question] = questions! {
    Core {
        "What has this account: balance, names, level, offers?":
            get_account_report {"address": "rita-trades"} => {
                "/balance": "45835.00006873",
                "/totalOpenOffers": 4,
                "/totalGroups": 2
            }
        "How much QORT do I have?":
            get_balance {"address": "rita-trades"} => {
                "/balance": "45835.00006873"
            }
        "Whose address or name is this?":
            resolve_identity {"identity": "victor"} => {
                "/address": "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq",
                "/primaryName": "victor"
            }
        "Is this name free, and what does it cost?":
            check_name {"name": "brand-new-name"} => {
                "/isAvailable": true,
                "/registrationFee": "1.25000000",
                "/rules/0": "A name has 3 to 40 bytes in UTF-8, this one 14."
            }
        "Who owns this name, and is it for sale?":
            get_name_info {"name": "alice-shop"} => {
                "/owner": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
                "/isForSale": true,
                "/salePrice": "250.00000000"
            }
        "What did this name sell for?":
            get_name_info {"name": "collectible"} => {
                "/owner": "QPxkbALbBSkWAhiqj8KnNftQ7b2QbCy3U6",
                "/isForSale": false,
                "/salePrice": null,
                "/lastSalePrice": "42.50000000"
            }
        "Which names contain this word, and since when?":
            search_names {"query": "alice-shop"} => {
                "/names/0/registeredIso": "2026-11-20T22:27:37.407Z"
            }
    }
    Standard {
        "What did this account do lately?":
            get_account_activity {"address": "victor", "limit": 1} => {
                "/activities/0/type": "REGISTER_NAME",
                "/activities/0/approvalStatus": "PENDING"
            }
        "Who paid me last?":
            find_payments {"recipient": "Bób-Name", "limit": 1} => {
                "/payments/0/senderName": "Alice Test",
                "/payments/0/recipientName": "Bób-Name"
            }
        "Who paid me that day?":
            find_payments {"recipient": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC", "after": "2026-11-20", "before": "2026-11-21"} => {
                "/payments/0/senderName": "Alice Test",
                "/totalShown": "42.00000005",
                "/truncated": false
            }
        "Which payments came in since this block, and how often are they confirmed?":
            find_payments {"recipient": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC", "after": "height 14"} => {
                "/payments/0/height": 14,
                "/payments/0/confirmations": 455,
                "/truncated": false
            }
        "What did I receive and pay, for my taxes?":
            get_account_ledger {"address": "QSsBRjKobUenghATsCnodVRfYGDACzreCC"} => {
                "/openingBalance": "0.00000000",
                "/closingBalance": "1999.99999999",
                "/rows/0/kind": "PAYMENT",
                "/rows/0/amount": "999.99999999",
                "/rows/0/counterpartyName": "Bób-Name"
            }
        "What did minting bring me?":
            get_account_ledger {"address": "zebra"} => {
                "/rewards": "321.49000000",
                "/closingBalance": "320.20000000"
            }
        "Did Alice pay Oscar?":
            find_payments {"sender": "Alice Test", "recipient": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"} => {
                "/totalShown": "42.00000005",
                "/payments/1/amount": "42.00000000",
                "/truncated": false
            }
        "Is someone else registering this name?":
            check_name {"name": "gina-pending"} => {
                "/isAvailable": false,
                "/underWay/0/address": "QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh"
            }
        "Which is the cheapest name for sale?":
            list_names_for_sale {"order": "price", "limit": 1} => {
                "/names/0/name": "zebra",
                "/names/0/salePrice": "0.00000005",
                "/total": 3
            }
        "Which of my name registrations were refused, or expired?":
            search_transactions {"address": "victor", "tx_types": ["REGISTER_NAME"], "order": "newest"} => {
                "/transactions/1/approvalStatus": "EXPIRED",
                "/transactions/2/approvalStatus": "REJECTED"
            }
        "May a name be an address?":
            check_name {"name": "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ"} => {
                "/isAvailable": false,
                "/rejection": "INVALID_ADDRESS: a valid Qortal address cannot be a name, whether or not the address is in use."
            }
        "What does a name cost?":
            get_fee {"tx_type": "REGISTER_NAME"} => {
                "/unitFee": "1.25000000"
            }
        "How do I register, sell or buy a name?":
            explain_topic {"topic": "names"} => {
                "/title": "Registered names"
            }
    }
    Full {
        "Which names are new, or changed lately?":
            list_names {"after": "30d"} => {
                "/names/0/name": "Alice Test",
                "/names/0/registeredIso": "2026-11-20T22:25:38.586Z"
            }
        "Who owned this name before, and for how much was it sold?":
            get_name_history {"name": "collectible"} => {
                "/events/0/kind": "BUY_NAME",
                "/events/0/price": "42.50000000",
                "/events/0/sellerName": "chloe",
                "/events/2/kind": "REGISTER_NAME"
            }
        "Can the owner sell this name, and can I buy it?":
            check_name_sale {"name": "chloe"} => {
                "/sell/error": "NAME_ALREADY_FOR_SALE",
                "/buy/isPossible": true
            }
        "How many names are registered?":
            count_names {} => {
                "/registeredNames": 17
            }
        "What was this name before?":
            get_name_history {"name": "new-name"} => {
                "/events/0/name": "old-name",
                "/events/0/newName": "new-name"
            }
        "What became of a name that is no longer registered?":
            get_name_history {"name": "old-name"} => {
                "/name": "new-name",
                "/ownerName": "new-name",
                "/events/0/kind": "UPDATE_NAME"
            }
    }
};
