//! What people ask about blocks, transactions, assets, and texts they do not know.

use super::{Question, questions};

pub(super) static QUESTIONS: &[Question] = questions! {
    Core {
        "What is in this block, and who minted it?":
            get_block_by_height {"height": 200} => {
                "/minterAddress": "QMu8e6kPdCx4pCBgwuEEBPkZ8qXMyV4q92",
                "/transactionCount": 0
            }
        "Which payments, or transactions of another type, did this account make?":
            search_transactions {"address": "Alice Test", "tx_types": ["PAYMENT"], "reverse": true, "limit": 1} => {
                "/transactions/0/type": "PAYMENT"
            }
        "Why is my transaction not confirmed?":
            explain_transaction {
                "signature": "3EP9qYCvdpdcfHjV3ojhbyUBCHJk48dhkne5fVhz4EjA5aQJY4fcsGujTqsLApX6uaxYFQwxpMCudUsadJP4igXb"
            } => {
                "/confirmations": 0,
                "/outlook/unitFee": "1.25000000",
                "/outlook/feeIsEnough": true,
                "/outlook/waiting": 6,
                "/outlook/blockSeconds": 65
            }
        "What happened to my name registration?":
            explain_transaction {
                "signature": "2NKGPhvoS6HbfTtLeRuT5LtgxYWEQJW1K8iPMu55JXSmob78pG5hvvSTJNrxYGs7B6Q3nx2RDuMtyEWp3qFoATLC"
            } => {
                "/approvalStatus": "REJECTED",
                "/state": "It is in block 76, but never took effect: group 6 rejected it in block 79."
            }
        "What is this text?":
            inspect_identifier {"text": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"} => {
                "/kind": "account address"
            }
        "Did I mistype this address?":
            inspect_identifier {"text": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9w"} => {
                "/kind": "unknown",
                "/nearMisses/0/kind": "address"
            }
    }
    Standard {
        "Which block is the last one?":
            get_block_at_timestamp {"timestamp": "now"} => {
                "/height": 468
            }
        "Which block was the last one before a day began?":
            get_block_at_timestamp {"timestamp": "2026-11-21"} => {
                "/height": 112
            }
        "What exactly is in this transaction?":
            explain_transaction {
                "signature": "2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko",
                "detail": "full"
            } => {
                "/type": "BUY_NAME",
                "/blockHeight": 42,
                "/details/amount": "42.50000000"
            }
        "What does a payment cost?":
            get_fee {"tx_type": "PAYMENT"} => {
                "/unitFee": "0.01000000"
            }
        "Who are the richest holders?":
            get_asset_balances {"asset_ids": ["QORT"], "reverse": true, "limit": 1} => {
                "/balances/0/address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"
            }
        "Is there an asset called gold?":
            list_assets {"query": "gold"} => {
                "/assets/0/name": "GOLD",
                "/assets/0/assetId": 5
            }
        "How many QORT are 125000000 units?":
            convert_units {"value": "125000000", "from": "units"} => {
                "/coins": "1.25000000"
            }
        "What do these words mean?":
            explain_topic {"topic": "glossary"} => {
                "/title": "Glossary"
            }
        "What is there of this name or about this word?":
            search {"query": "lounge"} => {
                "/results/0/id": "group:3"
            }
        "What does the annual report say?":
            search {"query": "annual report"},
            fetch {"id": "qdn:DOCUMENT/victor/report-2026"} => {
                "/id": "qdn:DOCUMENT/victor/report-2026"
            }
    }
    Full {
        "What waits for a block since last night?":
            list_unconfirmed_transactions {"after": "2026-11-21"} => {
                "/transactions/0/type": "REGISTER_NAME"
            }
        "Which transactions wait for a block?":
            list_unconfirmed_transactions {} => {
                "/transactions/0/type": "REGISTER_NAME"
            }
        "Who offers this asset?":
            get_asset_market {"asset_id": "3"} => {
                "/offersOfAsset/0/creator": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v",
                "/offersOfAsset/0/unfulfilled": "9.00000000"
            }
        "Which of my asset orders are still open?":
            list_asset_orders {"address": "Alice Test", "state": "open"} => {
                "/orders/0/haveAssetName": "GOLD",
                "/orders/0/price": "1.23456789",
                "/orders/1/fulfilled": "1.00000000"
            }
        "Was my order cancelled?":
            list_asset_orders {"address": "chloe", "state": "cancelled"} => {
                "/orders/0/state": "cancelled"
            }
        "Which of my orders for this pair were filled?":
            list_asset_orders {"address": "Bób-Name", "have_asset_id": "0", "want_asset_id": "3"} => {
                "/orders/0/state": "fulfilled"
            }
        "What did this order trade?":
            get_asset_order {
                "order_id": "pVravVAHx961rrcFKJk3SHT7HZUBhS3Re3GfSA6XSQMP8exqELxbKxKdXqMziDkrc5k79HpDRuwGzih4D1j2iTX"
            } => {
                "/creatorName": "rita-trades",
                "/fulfilled": "10.00000000",
                "/trades/0/gaveAmount": "10.00000000"
            }
        "How did TEST trade lately?":
            get_asset_market {"asset_id": "TEST"} => {
                "/exchanges/0/otherAmount": "2.00000000"
            }
        "Who sent Gizmos to whom?":
            list_asset_transfers {"asset_id": "6"} => {
                "/assetName": "Gizmo",
                "/transfers/1/senderName": "rita-trades",
                "/transfers/1/recipientName": "Bób-Name",
                "/transfers/1/amount": "25.00000000"
            }
        "What would this raw transaction do?":
            decode_transaction {
                "raw": "1112FnMwF1x8ZcycFhCzvfMg4EMr454i32vEjPg1tJobN1f7SoYhwXJLECaMurTXU7xNdZ35THG5J69UoJciA5HtC7P7jYcmuVaC7D4mrbo6NwKyjqa4NnKD43ktrmiiFD3r2UAPQCqZAgJdGqEQ8usnwt2DCbz7zNYiakxBnJ5EhoEi9w9JM3MQjGJDhD52hC2bHKKP6CsaECHwrNV7gWx6oE9ypAf2aggf2thZEj4ZtbwPmavhhSfKFpuu547Jfy6TCULXgqymAC3oxLFnKiXmoP2t2C1BkGocf6K"
            } => {
                "/type": "PAYMENT",
                "/amount": "1.23456789",
                "/fee": "0.01000000",
                "/isSigned": true
            }
    }
};
