//! Payments between accounts.

use qortal_client::{
    NodeError, NodeErrorKind, PageRequest,
    api::transactions::{Confirmation, PaymentFilter, Transaction},
};
use qortal_types::{Address, Amount, Height, Timestamp};
use tool_schema::{JsonWriter, Object, Output};

use crate::{
    declare::{
        Account, AccountRef, ConfirmationStatus, Context, Continued, Cursor, NextPage, Order, Page,
        Qortal, Range, Reply, Rows, Slice, SortKey, Tool, ToolError, TransactionId, all_waiting,
        confirmations, given,
    },
    support::{
        primary_names::PrimaryNames,
        sums::{CoinName, CoinTotal, MonthTotal, Moved, Sums, SumsBy},
        untrusted::Untrusted,
    },
};

/// Maximum number of payments that are added up: some megabytes.
const MOST_SUMMED: u32 = 5_000;

params! {
    pub(super) struct FindPayments {
        /// Payer. Required without recipient.
        sender: Option<AccountRef>,
        /// Payee.
        recipient: Option<AccountRef>,
        /// Exact amount in QORT.
        amount: Option<Amount>,
        /// By confirmation.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Both,
        /// Sums of all matches.
        totals: Option<SumsBy>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<20>,
        #[flatten]
        order: Order<false>
    }
}

record! {
    pub(super) struct Payments {
        /// The payer.
        sender: Option<Account>,
        /// The payee.
        recipient: Option<Account>,
        /// The sums of all payments in the range, on all pages, for the sender, or without one for the recipient. With `totals`, or if
        /// all are shown.
        totals: Option<Vec<CoinTotal>>,
        /// The same by month, the latest first.
        months: Option<Vec<MonthTotal>>,
        /// The payments, in this order.
        payments: Rows<Payment>,
        /// The sum of the payments shown, in QORT.
        total_shown: SumShown,
        /// Whether there are more.
        remainder: NextPage
    }

    pub(super) struct Payment from(it: &Transaction, tip: Option<Height>, names: &PrimaryNames) {
        /// The time of its creation.
        timestamp: Timestamp,
        /// The payer.
        sender: Option<Address> = it.creator_address,
        /// The account's primary name.
        sender_name: Option<Untrusted> = it.creator_address.and_then(|it| names.get(&it)),
        /// The payee.
        recipient: Option<Address>,
        /// The account's primary name.
        recipient_name: Option<Untrusted> = it.recipient.and_then(|it| names.get(&it)),
        /// The amount in QORT.
        amount: Option<Amount> = it.amount(),
        /// The fee, in QORT.
        fee: Option<Amount>,
        /// The block it is in. Absent if it is not in one yet.
        height: Option<Height> = it.block_height,
        /// Blocks since and including its own. 0 while it is in none.
        confirmations: Option<u32> = confirmations(it, tip),
        /// The transaction.
        transaction: TransactionId = it.into()
    }
}

/// The sum of the amounts whose rows are in the answer.
#[derive(Debug)]
pub(super) struct SumShown(Vec<Amount>);

impl Output<Qortal> for SumShown {
    fn schema() -> Object {
        <Amount as Output<Qortal>>::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        let shown = json.pages.cut.unwrap_or(usize::MAX);
        let amounts = self.0.iter().take(shown);
        let sum = amounts.fold(Amount::ZERO, |sum, it| {
            sum.checked_add(*it).unwrap_or(Amount::MAX)
        });
        Output::<Qortal>::write(&sum, member, json);
    }
}

impl Tool for FindPayments {
    const NAME: &str = "find_payments";
    const TITLE: &str = "Payments between accounts";
    const DESCRIPTION: &str =
        "Find payments of QORT by sender, recipient, time and exact amount, with confirmations.";
    const EXAMPLE: &str = r#"{"sender":"Alice Test","recipient":"Bób-Name"}"#;
    const KEYWORDS: &str = "payment, pay, who paid, send, received, incoming, outgoing, payment history, transfer, got a payment, wallet shows no payment";
    const TABLE: Option<&str> = Some("payments");
    type Output = Reply<Payments>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        if self.sender.is_none() && self.recipient.is_none() {
            return Err(ToolError::argument(
                "sender",
                "Missing argument.",
                "and `recipient` are both missing",
                "at least one of them, an address or a registered name",
            ));
        }
        let (sender, recipient) = tokio::try_join!(
            given(self.sender, |it| cx.account("sender", it)),
            given(self.recipient, |it| cx.account("recipient", it)),
        )?;
        let filter = PaymentFilter::default()
            .with_sender(sender.as_ref().map(|it| it.address))
            .with_recipient(recipient.as_ref().map(|it| it.address))
            .with_amount(self.amount);
        let query = Query {
            status: self.confirmation_status,
            range: self.range,
            slice: &self.page,
            order: self.order,
            sums_all: self.totals.is_some(),
            side: Side {
                pays: sender.is_some(),
                receives: sender.as_ref().is_none_or(|it| {
                    let recipient = recipient.as_ref();
                    recipient.is_some_and(|other| other.address == it.address)
                }),
            },
        };
        let ((payments, sums, left_out), tip) = tokio::try_join!(
            query.found(cx, filter),
            cx.optional("The confirmations are", cx.node.height()),
        )?;
        let accounts = payments.items.iter();
        let accounts = accounts.flat_map(|it| [it.creator_address, it.recipient]);
        let accounts: Vec<Address> = accounts.flatten().collect();
        let names = PrimaryNames::of(cx, accounts).await;
        let payments = payments.map(|it| Payment::of(&it, tip, &names));
        let amounts = payments.items.iter().map(|it| it.amount);
        let is_first = self.page.is_first();
        let is_short = payments.remainder.truncated && is_first && self.totals.is_none();
        let by = self.totals.unwrap_or(SumsBy::Coin);
        let coin = |_: &()| CoinName::Symbol("QORT".to_owned());
        let reply = Reply::new(Payments {
            sender,
            recipient,
            totals: sums.as_ref().map(|it| it.coins(coin)),
            months: sums.and_then(|it| it.months(cx, by, coin)),
            total_shown: SumShown(amounts.map(Option::unwrap_or_default).collect()),
            payments: Rows(payments.items),
            remainder: payments.remainder,
        });
        let reply = reply.note_if(left_out, "The range is one of blocks, so payments that are in none yet are left out; `confirmation_status` UNCONFIRMED lists them.");
        let reply = reply.note_if(is_short, "With `totals` the sums of all are returned.");
        Ok(reply.note("Only transactions of type PAYMENT are searched: not multi-payments, payouts of automated transactions and trades, or amounts sent with messages. get_account_activity shows those."))
    }
}

/// The query parameters beyond the filter.
struct Query<'a> {
    status: ConfirmationStatus,
    range: Range,
    slice: &'a Slice,
    order: Order<false>,
    /// Whether all payments are read for the sums, rather than those of the page only.
    sums_all: bool,
    side: Side,
}

/// The sides of payments that are added up for the account.
#[derive(Debug, Clone, Copy)]
struct Side {
    pays: bool,
    receives: bool,
}

impl Side {
    fn sums<'a>(self, payments: impl IntoIterator<Item = &'a Transaction>) -> Sums<()> {
        let mut sums = Sums::default();
        for it in payments {
            let amount = it.amount().unwrap_or_default();
            let of = |is: bool, amount: Amount| if is { amount } else { Amount::ZERO };
            let moved = Moved {
                received: of(self.receives, amount),
                paid: of(self.pays, amount),
                fees: of(self.pays, it.fee.unwrap_or_default()),
            };
            sums.add(it.timestamp, (), moved);
        }
        sums
    }
}

/// Returns the payments, or a note that they are too many to be added up.
fn unless_too_large(
    cx: &Context,
    payments: Result<Vec<Transaction>, NodeError>,
) -> Result<Option<Vec<Transaction>>, NodeError> {
    match payments {
        Err(err) if matches!(err.kind(), NodeErrorKind::TooLarge { .. }) => {
            cx.note("There are too many payments for their sums. Request a shorter range with `after` and `before`.");
            Ok(None)
        }
        payments => payments.map(Some),
    }
}

/// A page, the sums of all payments if known, and whether unconfirmed ones are left out.
type Found = (Page<Transaction>, Option<Sums<()>>, bool);

impl Query<'_> {
    async fn found(self, cx: &Context, filter: PaymentFilter) -> Result<Found, ToolError> {
        let filter = filter.with_confirmation(self.status.into());
        let is_newest_first = self.order.is_newest_first();
        let left_out = match self.status {
            ConfirmationStatus::Unconfirmed => {
                let period = self.range.period_of_waiting(cx).await?;
                let waiting = cx.node.payments(&filter, all_waiting(is_newest_first));
                let waiting = waiting.await?;
                let in_period = waiting.iter().filter(|it| period.has(it.timestamp));
                let sums = self.slice.is_first().then(|| self.side.sums(in_period));
                let page = self.slice.of_waiting(cx, waiting, period, is_newest_first);
                return Ok((page, sums, false));
            }
            ConfirmationStatus::Both if !self.range.is_given() => {
                let (page, sums) = self.page(cx, &filter, is_newest_first).await?;
                return Ok((page, sums, false));
            }
            ConfirmationStatus::Both if is_newest_first => {
                let before = self.range.made_before(cx).await?;
                if before.is_some() {
                    let filter = filter.with_made_before(before);
                    let (page, sums) = self.page(cx, &filter, false).await?;
                    return Ok((page, sums, false));
                }
                true
            }
            ConfirmationStatus::Both => true,
            ConfirmationStatus::Confirmed => false,
        };
        let blocks = self
            .range
            .settled_blocks(cx, self.order.is_newest_first())
            .await?;
        let filter = filter
            .with_confirmation(Confirmation::Confirmed)
            .with_start_block(blocks.start)
            .with_block_limit(blocks.limit);
        let (page, sums) = self.page(cx, &filter, false).await?;
        self.range.note_times(cx, &page.items);
        Ok((page, sums, left_out))
    }

    /// Returns a page of the payments that the node finds, whose newest may be pinned. The sums take no extra request:
    /// the node reads the complete list for each page.
    async fn page(
        &self,
        cx: &Context,
        filter: &PaymentFilter,
        pins: bool,
    ) -> Result<(Page<Transaction>, Option<Sums<()>>), ToolError> {
        let is_newest_first = self.order.is_newest_first();
        let key = SortKey::by_time(is_newest_first);
        let ask = |page: PageRequest| {
            let rows = cx.node.payments(filter, page);
            cx.pinning(rows, pins && page.offset == 0)
        };
        let all = PageRequest::first(MOST_SUMMED + 1).with_reverse(is_newest_first);
        let payments = match self.sums_all && self.slice.is_first() {
            true => unless_too_large(cx, ask(all).await)?,
            false => None,
        };
        let Some(payments) = payments else {
            let page = self.slice.read(cx, key, ask).await?;
            let is_all = self.slice.is_first() && !page.remainder.truncated;
            let sums = is_all.then(|| self.side.sums(&page.items));
            return Ok((page, sums));
        };
        let sums = self.side.sums(payments.iter().take(MOST_SUMMED as usize));
        if payments.len() > MOST_SUMMED as usize {
            cx.note(format!("The sums are of the first {MOST_SUMMED} payments of this list only. Request a shorter range with `after` and `before` for the others."));
        }
        Ok((
            self.slice.of(cx, Cursor::AfterRow(key), payments),
            Some(sums),
        ))
    }
}
