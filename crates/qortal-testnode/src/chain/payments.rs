//! Payments of one account, too many for a table.

use std::ops::{Range, RangeInclusive};

use serde_json::{Value, json};

use super::{Row, amount_text, pseudo_random};
use crate::codec::{base58_decode, base58_encode};

/// The time of the genesis block, from which rows are numbered.
pub(super) const GENESIS: i64 = 1_795_212_000_000;

/// The paying account and its key.
pub(super) const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
pub(super) const PAYER_KEY: &str = "2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP";
/// The recipients in turn.
const RECIPIENTS: [&str; 3] = [
    "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK",
    "QSsBRjKobUenghATsCnodVRfYGDACzreCC",
    "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC",
];
const PAYMENTS_IN_A_BLOCK: i64 = 500;
/// The first block with payments.
const FIRST_BLOCK: i64 = 160;
/// Time between two payments in ms.
const PAYMENT_TIME: i64 = 200;
/// The purpose passed to [`drawn`].
const SIGNATURE: u64 = 11;

/// Payments of one account, made on demand. As rows they would take hundreds of megabytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Payments(i64);

impl Payments {
    #[cfg(feature = "scenarios")]
    pub(super) const ALL: i64 = 150_000;

    #[cfg(feature = "scenarios")]
    pub(super) const fn of(count: i64) -> Self {
        Self(count)
    }

    /// Returns the last block with payments.
    #[cfg(feature = "scenarios")]
    pub(super) const fn last_block(self) -> i64 {
        FIRST_BLOCK + self.0 / PAYMENTS_IN_A_BLOCK
    }

    /// Returns the time of the last payment in a block, or the time right after the genesis for earlier blocks.
    #[cfg(feature = "scenarios")]
    pub(super) fn end_of_block(height: i64) -> i64 {
        let since = (height + 1 - FIRST_BLOCK) * PAYMENTS_IN_A_BLOCK * PAYMENT_TIME;
        GENESIS + since.max(height)
    }

    /// Returns the time of a payment.
    pub(crate) fn time(index: i64) -> i64 {
        GENESIS + index * PAYMENT_TIME
    }

    /// Returns the transaction of a payment.
    pub(crate) fn row(index: i64) -> Value {
        let mut row = template(index);
        set(&mut row, index);
        row.with("signature", signature(index))
            .with("reference", signature(index - 1))
    }

    /// Returns the payments in these blocks whose transactions match. The predicate cannot check signature and reference.
    pub(crate) fn matching(
        self,
        heights: &RangeInclusive<i64>,
        fits: impl Fn(&Value) -> bool,
    ) -> Vec<i64> {
        let before = |height: i64| {
            let blocks = height.saturating_sub(FIRST_BLOCK);
            blocks.saturating_mul(PAYMENTS_IN_A_BLOCK).clamp(0, self.0)
        };
        let indices = before(*heights.start())..before(heights.end().saturating_add(1));
        let mut templates: Vec<Value> = (0..3).map(template).collect();
        let mut found = Vec::new();
        for index in indices {
            let place = usize::try_from(index % 3).unwrap_or_default();
            let Some(row) = templates.get_mut(place) else {
                continue;
            };
            set(row, index);
            if fits(row) {
                found.push(index);
            }
        }
        found
    }

    /// Returns the payments in a block.
    pub(crate) fn in_block(self, height: i64) -> Range<i64> {
        let first = (height - FIRST_BLOCK) * PAYMENTS_IN_A_BLOCK;
        if first < 0 || first >= self.0 {
            return 0..0;
        }
        first..(first + PAYMENTS_IN_A_BLOCK).min(self.0)
    }

    /// Returns the payment with a signature.
    pub(crate) fn named(self, text: &str) -> Option<Value> {
        let bytes = base58_decode(text)?;
        let (_, index) = bytes.split_last_chunk::<4>()?;
        let index = i64::from(u32::from_be_bytes(*index));
        (index < self.0 && signature(index) == text).then(|| Self::row(index))
    }
}

/// Returns a generated signature that ends in the payment's number.
fn signature(index: i64) -> String {
    let mut bytes = pseudo_random(index, SIGNATURE, 60);
    let [.., a, b, c, d] = index.to_be_bytes();
    bytes.extend([a, b, c, d]);
    base58_encode(&bytes)
}

/// Returns the fields that all payments to one recipient share, in order.
fn template(index: i64) -> Value {
    let recipient = usize::try_from(index % 3).unwrap_or_default();
    json!({
        "type": "PAYMENT",
        "timestamp": 0,
        "reference": "",
        "fee": "0.01000000",
        "signature": "",
        "txGroupId": 0,
        "recipient": RECIPIENTS.get(recipient),
        "blockHeight": 0,
        "approvalStatus": "NOT_REQUIRED",
        "creatorAddress": PAYER,
        "senderPublicKey": PAYER_KEY,
        "amount": "",
    })
}

fn set(row: &mut Value, index: i64) {
    for (member, value) in [
        ("timestamp", Payments::time(index).into()),
        (
            "blockHeight",
            (FIRST_BLOCK + index / PAYMENTS_IN_A_BLOCK).into(),
        ),
        ("amount", amount_text(index + 1).into()),
    ] {
        if let Some(place) = row.get_mut(member) {
            *place = value;
        }
    }
}
