//! Payments between accounts.

use qortal_client::api::transactions::{Confirmation, PaymentFilter, Transaction};
use qortal_types::{Address, Amount, Height, Timestamp};
use tool_schema::{JsonWriter, Object, Output};

use crate::{
    declare::{
        Account, AccountRef, ConfirmationStatus, Context, Continued, NextPage, Order, Page, Qortal,
        Range, Reply, Rows, Slice, SortKey, Tool, ToolError, TransactionId, all_waiting,
        confirmations, given,
    },
    support::{primary_names::PrimaryNames, untrusted::Untrusted},
};

params! {
    pub(super) struct FindPayments {
        /// Who paid. One of both is needed.
        sender: Option<AccountRef>,
        /// Who was paid.
        recipient: Option<AccountRef>,
        /// Exactly this many QORT.
        amount: Option<Amount>,
        /// Whether they are in a block.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Both,
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
        /// Who paid.
        sender: Option<Account>,
        /// Who was paid.
        recipient: Option<Account>,
        /// The payments, in this order.
        payments: Rows<Payment>,
        /// The sum of the payments shown, in QORT.
        total_shown: SumShown,
        /// Whether there are more.
        remainder: NextPage
    }

    pub(super) struct Payment from(it: &Transaction, tip: Option<Height>, names: &PrimaryNames) {
        /// When it was made.
        timestamp: Timestamp,
        /// Who paid.
        sender: Option<Address> = it.creator_address,
        /// The name that account goes by.
        sender_name: Option<Untrusted> = it.creator_address.and_then(|it| names.get(&it)),
        /// Who was paid.
        recipient: Option<Address>,
        /// The name that account goes by.
        recipient_name: Option<Untrusted> = it.recipient.and_then(|it| names.get(&it)),
        /// How much, in QORT.
        amount: Option<Amount> = it.amount(),
        /// The fee, in QORT.
        fee: Option<Amount>,
        /// The block it is in; left out if it is not in one yet.
        height: Option<Height> = it.block_height,
        /// Blocks since and including its own; 0 while it is in none.
        confirmations: Option<u32> = confirmations(it, tip),
        /// The transaction.
        transaction: TransactionId = it.into()
    }
}

/// The sum of those amounts whose rows are in the answer.
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
        };
        let ((payments, left_out), tip) = tokio::try_join!(
            query.found(cx, filter),
            cx.optional("The confirmations are", cx.node.height()),
        )?;
        let accounts = payments.items.iter();
        let accounts = accounts.flat_map(|it| [it.creator_address, it.recipient]);
        let accounts: Vec<Address> = accounts.flatten().collect();
        let names = PrimaryNames::of(cx, accounts).await;
        let payments = payments.map(|it| Payment::of(&it, tip, &names));
        let amounts = payments.items.iter().map(|it| it.amount);
        let reply = Reply::new(Payments {
            sender,
            recipient,
            total_shown: SumShown(amounts.map(Option::unwrap_or_default).collect()),
            payments: Rows(payments.items),
            remainder: payments.remainder,
        });
        let reply = reply.note_if(left_out, "The range is one of blocks, so payments that are in none yet are left out; `confirmation_status` UNCONFIRMED lists them.");
        Ok(reply.note("Only transactions of type PAYMENT are searched: not multi-payments, payouts of automated transactions and trades, or amounts sent with messages. get_account_activity shows those."))
    }
}

/// What is asked for besides the filter.
struct Query<'a> {
    status: ConfirmationStatus,
    range: Range,
    slice: &'a Slice,
    order: Order<false>,
}

impl Query<'_> {
    /// A page of the payments that fit, and whether those that wait are left out of it.
    async fn found(
        self,
        cx: &Context,
        filter: PaymentFilter,
    ) -> Result<(Page<Transaction>, bool), ToolError> {
        let filter = filter.with_confirmation(self.status.into());
        let is_newest_first = self.order.is_newest_first();
        let left_out = match self.status {
            ConfirmationStatus::Unconfirmed => {
                let period = self.range.period_of_waiting(cx).await?;
                let waiting = cx.node.payments(&filter, all_waiting(is_newest_first));
                let waiting = waiting.await?;
                let page = self.slice.of_waiting(cx, waiting, period, is_newest_first);
                return Ok((page, false));
            }
            ConfirmationStatus::Both if !self.range.is_given() => {
                let payments = self.page(cx, &filter, is_newest_first).await?;
                return Ok((payments, false));
            }
            ConfirmationStatus::Both if is_newest_first => {
                let before = self.range.made_before(cx).await?;
                if before.is_some() {
                    let filter = filter.with_made_before(before);
                    return Ok((self.page(cx, &filter, false).await?, false));
                }
                true
            }
            ConfirmationStatus::Both => true,
            ConfirmationStatus::Confirmed => false,
        };
        let blocks = self.range.settled_blocks(cx, self.order).await?;
        let filter = filter
            .with_confirmation(Confirmation::Confirmed)
            .with_start_block(blocks.start)
            .with_block_limit(blocks.limit);
        let payments = self.page(cx, &filter, false).await?;
        self.range.note_times(cx, &payments.items);
        Ok((payments, left_out))
    }

    /// A page of the payments that the node finds, of which the newest is pinned or not.
    async fn page(
        &self,
        cx: &Context,
        filter: &PaymentFilter,
        pins: bool,
    ) -> Result<Page<Transaction>, ToolError> {
        let key = SortKey::by_time(self.order.is_newest_first());
        let ask = |page| {
            let rows = cx.node.payments(filter, page);
            cx.pinning(rows, pins && page.offset == 0)
        };
        self.slice.read(cx, key, ask).await
    }
}
