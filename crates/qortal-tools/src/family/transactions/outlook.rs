//! The expected confirmation of an unconfirmed transaction.

use qortal_client::{NodeError, PageRequest, api::transactions::Transaction};
use qortal_types::{
    Address, AddressKind, Amount, Height, TransactionType,
    main_net::{BATCHES_FROM, BYTES_PER_UNIT_FEE},
};

use crate::declare::{Context, count};

/// Maximum number of unconfirmed transactions counted. The main network rarely has a hundred.
const COUNTED: u32 = 1_000;

record! {
    pub(crate) struct Outlook {
        /// The lowest fee of this type in QORT, for each 1024 bytes, at the time it was made.
        unit_fee: Option<Amount>,
        /// Whether it pays at least the required fee. No block takes less.
        fee_is_enough: Option<bool>,
        /// The number of unconfirmed transactions on this node, including this one. 1000 for 1000 or more.
        waiting: Option<u32>,
        /// Seconds from one block to the next, the mean of the last 1440.
        block_seconds: Option<u32>
    }
}

/// Sends three requests at once, and one after them. Each is an optional part of the answer.
pub(super) async fn outlook(cx: &Context, transaction: &Transaction) -> Outlook {
    let fee = cx
        .node
        .unit_fee(&transaction.transaction_type, Some(transaction.timestamp));
    let waiting = cx
        .node
        .unconfirmed_transactions(&[], None, PageRequest::first(COUNTED));
    let (fee, waiting, interval) = tokio::join!(fee, waiting, block_seconds(cx));
    let unit_fee = cx.part("The lowest fee is", fee);
    let waiting = cx.part("The number of waiting transactions is", waiting);
    Outlook {
        unit_fee,
        fee_is_enough: unit_fee
            .zip(transaction.fee)
            .map(|(least, fee)| fee >= least),
        waiting: waiting.map(|it| count(it.len())),
        block_seconds: cx.part("The time between blocks is", interval).flatten(),
    }
}

async fn block_seconds(cx: &Context) -> Result<Option<u32>, NodeError> {
    let last = cx.node.last_block().await?;
    let block_time = cx.node.block_time(&last).await?;
    Ok(block_time.map(|it| seconds(it.millis_of(1))))
}

/// Returns whether a type is kept out of the blocks that prepare and pay the rewards of a batch
/// (`isConfirmableAtHeight` of `RewardShareTransaction` and `TransferPrivsTransaction`).
fn waits_for_rewards(transaction_type: &TransactionType, tip: Option<Height>) -> bool {
    let waits = matches!(
        transaction_type,
        TransactionType::RewardShare | TransactionType::TransferPrivs
    );
    waits && tip.is_some_and(|it| it.number() >= BATCHES_FROM)
}

const PAUSE: &str = " Transactions of this type are not put into the blocks whose heights end in 975 to 999 or 000.";

/// Rounds to the nearest second.
fn seconds(millis: i64) -> u32 {
    u32::try_from(millis.saturating_add(500) / 1_000).unwrap_or(0)
}

impl Outlook {
    /// Returns the expectation in sentences.
    pub(super) fn text(&self, transaction: &Transaction, tip: Option<Height>) -> String {
        let is_message = transaction.transaction_type == TransactionType::Message;
        let to_an_account = |it: &Address| it.kind() == AddressKind::Account;
        if is_message && transaction.recipient.as_ref().is_some_and(to_an_account) {
            return "Messages from account to account are not put into blocks any more.".to_owned();
        }
        if let (Some(least), Some(false), Some(fee)) =
            (self.unit_fee, self.fee_is_enough, transaction.fee)
        {
            return format!(
                "Its fee of {fee} QORT is below the lowest one, {least} QORT for each {BYTES_PER_UNIT_FEE} bytes, so that no block takes it."
            );
        }
        let fee = match self.fee_is_enough {
            Some(_) => "Its fee is enough, and normally",
            None => "Normally",
        };
        let every = self.block_seconds.map_or_else(String::new, |it| {
            format!("; there is one about every {it} seconds")
        });
        let waiting = self
            .waiting
            .map_or_else(String::new, |it| format!(" {it} wait on this node."));
        let waits = waits_for_rewards(&transaction.transaction_type, tip);
        let pause = if waits { PAUSE } else { "" };
        format!("{fee} one of the next blocks takes it{every}.{waiting}{pause}")
    }
}
