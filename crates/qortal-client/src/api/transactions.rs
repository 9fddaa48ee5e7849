//! Transactions (resource `/transactions`).

mod both;
mod confirmed;
mod newest;

pub(super) use newest::Span;
use qortal_types::{
    Address, Amount, BlockSignature, Height, PublicKey, Signature, Timestamp, TransactionType,
    open_enum,
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_json::{Map, Value};

use crate::{
    Endpoint, Node, NodeFuture, PageRequest,
    answer::{Answer, Unsigned},
    call::Call,
    options::options,
};

open_enum! {
    /// The state of a transaction's group approval (class `ApprovalStatus`).
    ApprovalStatus, "state of a group approval", "A value that this version does not know.";
    /// Not needed.
    NotRequired = "NOT_REQUIRED";
    /// Not yet decided.
    Pending = "PENDING";
    /// Approved, and in effect.
    Approved = "APPROVED";
    /// Rejected.
    Rejected = "REJECTED";
    /// Expired without a decision.
    Expired = "EXPIRED";
    /// Approved, but invalid by then.
    Invalid = "INVALID";
}

/// A transaction of any type (class `TransactionData`). Common fields are typed, and all others keep the Core's names.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Transaction {
    /// The type of the transaction, which determines [`details`](Self::details).
    pub transaction_type: TransactionType,
    /// The time it was created.
    pub timestamp: Timestamp,
    /// Another transaction of its creator, or any other bytes of that length, in Base58.
    pub reference: Option<String>,
    /// The fee.
    pub fee: Option<Amount>,
    /// The signature, which identifies the transaction. Absent only in decoded unsigned bytes.
    pub signature: Option<Signature>,
    /// The group of the transaction. 0 for none.
    pub group_id: u32,
    /// The recipient, for types that have one.
    pub recipient: Option<Address>,
    /// The height of the transaction's block. Absent if it is unconfirmed.
    pub block_height: Option<Height>,
    /// The state of the group approval. Absent in decoded bytes.
    pub approval_status: Option<ApprovalStatus>,
    /// The height at which that was decided.
    pub approval_height: Option<Height>,
    /// The creator's address. It is the null account for transactions of the genesis block and of automated transactions.
    pub creator_address: Option<Address>,
    /// The fields specific to this type. Keys, signatures and data are in Base58, and amounts are strings with eight decimal
    /// places. The types CANCEL_GROUP_INVITE, TRANSFER_PRIVS and PUBLICIZE have none, because the Core does not write them.
    pub details: Map<String, Value>,
}

impl Transaction {
    /// Returns `true` if the transaction is in a block.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        self.block_height.is_some()
    }

    /// Returns `true` if the transaction took effect in its block, because it needed no group approval or received it.
    #[must_use]
    pub const fn took_effect(&self) -> bool {
        matches!(
            self.approval_status,
            None | Some(ApprovalStatus::NotRequired | ApprovalStatus::Approved)
        )
    }

    /// Returns the account that pays the moved amount, or `None` for the genesis block, which creates it.
    ///
    /// Transactions of the genesis block and of automated transactions are signed with the null account, which pays nothing.
    #[must_use]
    pub fn payer(&self) -> Option<Address> {
        match &self.transaction_type {
            TransactionType::Genesis => None,
            TransactionType::At => self.detail("atAddress")?.parse().ok(),
            _ => self.creator_address,
        }
    }

    /// Returns a text among the details.
    #[must_use]
    pub fn detail(&self, name: &str) -> Option<&str> {
        self.details.get(name).and_then(Value::as_str)
    }

    /// Returns the amount among the details, in types that have one.
    #[must_use]
    pub fn amount(&self) -> Option<Amount> {
        self.detail("amount").and_then(|text| text.parse().ok())
    }
}

impl<'de> Deserialize<'de> for Transaction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut members = Map::deserialize(deserializer)?;
        // They stay among the details as the node wrote them.
        for (name, value) in members
            .iter()
            .filter(|(name, _)| IS_UNSIGNED.contains(&name.as_str()))
        {
            Option::<Unsigned>::deserialize(value)
                .map_err(|error| D::Error::custom(format_args!("{name}: {error}")))?;
        }
        Ok(Self {
            transaction_type: required(&mut members, "type")?,
            timestamp: required(&mut members, "timestamp")?,
            reference: optional(&mut members, "reference")?,
            fee: optional::<Unsigned, _>(&mut members, "fee")?.map(Unsigned::amount),
            signature: optional(&mut members, "signature")?,
            group_id: optional(&mut members, "txGroupId")?.unwrap_or_default(),
            recipient: optional(&mut members, "recipient")?,
            block_height: optional(&mut members, "blockHeight")?,
            approval_status: optional(&mut members, "approvalStatus")?,
            approval_height: optional(&mut members, "approvalHeight")?,
            creator_address: optional(&mut members, "creatorAddress")?,
            details: members,
        })
    }
}

/// Details that are what is paid or asked for.
const IS_UNSIGNED: [&str; 2] = ["amount", "price"];

fn required<T: DeserializeOwned, E: Error>(
    members: &mut Map<String, Value>,
    name: &'static str,
) -> Result<T, E> {
    optional(members, name)?.ok_or_else(|| E::missing_field(name))
}

fn optional<T: DeserializeOwned, E: Error>(
    members: &mut Map<String, Value>,
    name: &'static str,
) -> Result<Option<T>, E> {
    let value = members.get_mut(name).map(Value::take);
    // Unlike `remove`, this keeps the order of the others if the program enables `preserve_order`.
    members.retain(|member, _| member != name);
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => serde_json::from_value(value)
            .map(Some)
            .map_err(|error| E::custom(format_args!("{name}: {error}"))),
    }
}

/// A filter by confirmation.
///
/// It is always sent, because the Core fails with a bare status 500 without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a transaction is in a block or it is not"
)]
pub enum Confirmation {
    /// Confirmed transactions.
    #[default]
    Confirmed,
    /// Unconfirmed transactions.
    Unconfirmed,
    /// All transactions.
    Both,
}

impl Confirmation {
    /// Returns the Core's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "CONFIRMED",
            Self::Unconfirmed => "UNCONFIRMED",
            Self::Both => "BOTH",
        }
    }
}

options! {
    /// A filter for transactions. Absent or empty fields do not restrict it.
    #[derive(Debug, Clone, Default)]
    pub struct TransactionFilter {
        /// The first height. Only with [`Confirmation::Confirmed`].
        start_block: Option<Height> => into with_start_block,
        /// The number of blocks from there on, or the last or first ones. Only with [`Confirmation::Confirmed`].
        block_limit: Option<u32> => into with_block_limit,
        /// With this group.
        group_id: Option<u32> => into with_group_id,
        /// Of one of these types.
        types: Vec<TransactionType> => into with_types,
        /// In which this account is involved.
        address: Option<Address> => into with_address,
        /// By confirmation.
        confirmation: Confirmation => with_confirmation,
        /// Only transactions made before this time. Applies only with [`Confirmation::Both`], to pages of the newest transactions.
        made_before: Option<Timestamp> => into with_made_before,
    }
}

impl TransactionFilter {
    pub(super) fn call(&self) -> Call {
        Call::to(Endpoint::TransactionsSearch)
            .query_if("startBlock", self.start_block)
            .query_if("blockLimit", self.block_limit)
            .query_if("txGroupId", self.group_id)
            .query_each("txType", &self.types)
            .query_if("address", self.address)
            .query("confirmationStatus", self.confirmation.as_str())
    }
}

options! {
    /// A filter for payments: sender or recipient is required.
    #[derive(Debug, Clone, Default)]
    pub struct PaymentFilter {
        /// The sender.
        sender: Option<Address> => into with_sender,
        /// The recipient.
        recipient: Option<Address> => into with_recipient,
        /// Exactly this much.
        amount: Option<Amount> => into with_amount,
        /// By confirmation.
        confirmation: Confirmation => with_confirmation,
        /// The first height. Only with [`Confirmation::Confirmed`].
        start_block: Option<Height> => into with_start_block,
        /// The number of blocks from there on. Only with [`Confirmation::Confirmed`].
        block_limit: Option<u32> => into with_block_limit,
        /// Only payments made before this time. Applies only with [`Confirmation::Both`], to pages of the newest payments.
        made_before: Option<Timestamp> => into with_made_before,
    }
}

impl PaymentFilter {
    /// Whether a payment is between these accounts, of this amount.
    fn fits(&self, payment: &Transaction) -> bool {
        let (sender, recipient) = (payment.creator_address, payment.recipient);
        let is_of = |asked: Option<Address>, it| asked.is_none() || asked == it;
        let is_amount = self.amount.is_none_or(|it| payment.amount() == Some(it));
        is_amount && is_of(self.sender, sender) && is_of(self.recipient, recipient)
    }

    fn call(&self) -> Call {
        Call::to(Endpoint::PaymentsBetween)
            .query_if("senderAddress", self.sender)
            .query_if("recipientAddress", self.recipient)
            .query_if("amount", self.amount)
            .query_if("startBlock", self.start_block)
            .query_if("blockLimit", self.block_limit)
            .query("confirmationStatus", self.confirmation.as_str())
    }
}

impl Node {
    /// Returns a transaction by its signature. A transaction far enough below the highest known block may come from the cache.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// let signature = "2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1".parse()?;
    /// let transaction = node.transaction(&signature).await?;
    /// println!("{}, confirmed: {}", transaction.transaction_type, transaction.is_confirmed());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with code [`TRANSACTION_UNKNOWN`](crate::ApiError::TRANSACTION_UNKNOWN) if there is none.
    #[doc(alias = "/transactions/signature/{signature}")]
    pub fn transaction(&self, signature: &Signature) -> NodeFuture<'_, Transaction> {
        let call = Call::to(Endpoint::Transaction).with(signature);
        self.immutable_json(call, |transaction: &Transaction| {
            // Its group decides later, without changing the transaction.
            let is_decided = transaction.approval_status != Some(ApprovalStatus::Pending);
            transaction.block_height.filter(|_| is_decided)
        })
    }

    /// Returns the transaction that references this one.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`TRANSACTION_UNKNOWN`](crate::ApiError::TRANSACTION_UNKNOWN) if there is none.
    #[doc(alias = "/transactions/reference/{reference}")]
    pub fn transaction_after(&self, reference: &Signature) -> NodeFuture<'_, Transaction> {
        self.json(Call::to(Endpoint::TransactionAfter).with(reference))
    }

    /// Returns **all** transactions of a block by time. The Core declares paging here but ignores it.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`BLOCK_UNKNOWN`](crate::ApiError::BLOCK_UNKNOWN) if there is no such block.
    #[doc(alias = "/blocks/signature/{signature}/transactions")]
    pub fn block_transactions(
        &self,
        signature: &BlockSignature,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        self.list(Call::to(Endpoint::BlockTransactions).with(signature))
    }

    /// Returns unconfirmed transactions by time.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/transactions/unconfirmed")]
    pub fn unconfirmed_transactions(
        &self,
        types: &[TransactionType],
        creator: Option<&PublicKey>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        let call = Call::to(Endpoint::TransactionsUnconfirmed).query_each("txType", types);
        self.list(call.query_if("creator", creator).page(page))
    }

    /// Returns confirmed transactions that await group approval, by time.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/transactions/pending")]
    pub fn pending_transactions(
        &self,
        group_id: Option<u32>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        self.list(
            Call::to(Endpoint::TransactionsPending)
                .query_if("txGroupId", group_id)
                .page(page),
        )
    }

    /// Returns transactions by time.
    ///
    /// For the newest ones, the client first requests the transactions of the newest blocks, which spares the node a long list.
    /// This takes more requests, but returns the same page as the complete list.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// use qortal_client::{PageRequest, api::transactions::TransactionFilter};
    /// use qortal_types::TransactionType;
    ///
    /// let filter = TransactionFilter::default().with_types([TransactionType::Payment]);
    /// for payment in node.search_transactions(&filter, PageRequest::last(20)).await? {
    ///     println!("{}: {:?}", payment.timestamp, payment.amount());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the filter has neither types nor an
    /// address and the limit is above 20, or if blocks are given with another status than confirmed.
    #[doc(alias = "/transactions/search")]
    pub fn search_transactions(
        &self,
        filter: &TransactionFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        if let (Confirmation::Both, Some(before), true) =
            (filter.confirmation, filter.made_before, page.reverse)
        {
            return Box::pin(self.transactions_made_before(filter.clone(), before, page));
        }
        let is_list = !filter.types.is_empty() || filter.address.is_some();
        let span = Span::of(filter.start_block, filter.block_limit);
        let Some(span) = span.filter(|_| is_list && filter.confirmation == Confirmation::Confirmed)
        else {
            return self.list(filter.call().page(page));
        };
        let mut filter = filter.clone();
        (filter.start_block, filter.block_limit) = (None, None);
        Box::pin(self.newest(move || filter.call(), span, page))
    }

    /// Returns the confirmed transactions that involve an account, by time.
    ///
    /// For the newest ones, the client first requests the transactions of the newest blocks, which spares the node a long list.
    /// This takes more requests, but returns the same page as the complete list.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/transactions/address/{address}")]
    pub fn transactions_of(
        &self,
        address: &Address,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        if page.reverse {
            // The Core has transactions of one moment in another order here, and pages follow each other.
            let filter = TransactionFilter::default().with_address(*address);
            return self.search_transactions(&filter, page);
        }
        let call = Call::to(Endpoint::TransactionsOfAddress).with(address);
        self.list(call.page(page))
    }

    /// Returns the transactions created with a key, by time.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/transactions/creator/{publickey}")]
    pub fn transactions_by(
        &self,
        creator: &PublicKey,
        confirmation: Confirmation,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        let call = Call::to(Endpoint::TransactionsOfCreator).with(creator);
        self.list(
            call.query("confirmationStatus", confirmation.as_str())
                .page(page),
        )
    }

    /// Returns payments by time.
    ///
    /// For the newest ones, the client first requests the transactions of the newest blocks, which spares the node a long list.
    /// This takes more requests, but returns the same page as the complete list.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the filter has neither sender nor
    /// recipient.
    #[doc(alias = "/transactions/payments/between")]
    pub fn payments(
        &self,
        filter: &PaymentFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Transaction>> {
        let mut filter = filter.clone();
        // Of one amount there are few, which no window has enough of.
        let span = Span::of(filter.start_block, filter.block_limit);
        match (filter.confirmation, filter.amount, span) {
            (Confirmation::Confirmed, None, Some(span)) => {
                (filter.start_block, filter.block_limit) = (None, None);
                Box::pin(self.newest(move || filter.call(), span, page))
            }
            (Confirmation::Both, _, _) if page.reverse => match (filter.made_before, filter.amount)
            {
                (Some(before), _) => Box::pin(self.payments_made_before(filter, before, page)),
                (None, None) => Box::pin(self.newest_payments(filter, page)),
                (None, Some(_)) => self.list(filter.call().page(page)),
            },
            _ => self.list(filter.call().page(page)),
        }
    }

    /// Returns the unit fee of a transaction type, now or at another time.
    ///
    /// # Errors
    ///
    /// Returns an error with a bare status 500 for AIRDROP and ENABLE_FORGING, which do not exist.
    #[doc(alias = "/transactions/unitfee")]
    pub fn unit_fee(
        &self,
        transaction_type: &TransactionType,
        at: Option<Timestamp>,
    ) -> NodeFuture<'_, Amount> {
        let call = Call::to(Endpoint::TransactionUnitFee)
            .query("txType", transaction_type)
            .query_if("timestamp", at.map(Timestamp::millis));
        self.plain(call, Answer::units)
    }
}
