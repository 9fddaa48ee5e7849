//! The transactions of an account, in sentences.

use qortal_client::api::transactions::{Transaction, TransactionFilter};
use qortal_types::{Address, Amount, Height, Timestamp, TransactionType};

use crate::{
    declare::{
        Account, AccountRef, Context, Continued, Order, Page, Range, Tool, ToolError, TransactionId,
    },
    family::transactions::{info::shown_approval, narrate::narrate},
    support::{labels::Labels, primary_names::PrimaryNames, untrusted::Untrusted},
};

params! {
    pub(super) struct GetAccountActivity {
        /// Account.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<20>,
        #[flatten]
        order: Order<false>
    }
}

record! {
    pub(super) struct AccountActivity {
        /// The account's address.
        address: Account,
        /// The account's confirmed transactions, in this order.
        activities: Page<Activity>
    }

    pub(super) struct Activity {
        /// The time of its creation.
        timestamp: Timestamp,
        /// A sentence about the event.
        text: Untrusted,
        /// The transaction's type.
        r#type: String,
        /// Its fee in QORT. Absent if there was none.
        fee: Option<Amount>,
        /// The block it is in.
        height: Option<Height>,
        /// The state of its approval by a group, such as PENDING or EXPIRED. Absent if none is needed.
        approval_status: Option<String>,
        /// The transaction. get_transaction_by_signature returns all of it.
        transaction: TransactionId
    }
}

impl Tool for GetAccountActivity {
    const NAME: &str = "get_account_activity";
    const TITLE: &str = "Account activity";
    const DESCRIPTION: &str = "An account's transactions as sentences with names. One type: search_transactions. Payments: find_payments.";
    const EXAMPLE: &str = r#"{"address":"victor"}"#;
    const KEYWORDS: &str =
        "account activity, last transaction of account, what did account do, history, timeline";
    type Output = AccountActivity;

    /// Takes two round trips: the transactions, then the names of all accounts and groups that occur in them.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let filter = TransactionFilter::default().with_address(found.address);
        let list = self.range.transactions(cx, filter, &self.page, self.order);
        let transactions = list.await?;
        let (names, labels) = tokio::join!(
            PrimaryNames::of_transactions(cx, &transactions.items, Some(&found.address)),
            Labels::of_transactions(cx, &transactions.items, Some(found.address)),
        );
        Ok(AccountActivity {
            activities: transactions.map(|it| activity(&it, &found.address, &names, &labels)),
            address: found,
        })
    }
}

/// Describes a transaction from the side of the party `who`.
pub(super) fn activity(
    transaction: &Transaction,
    who: &Address,
    names: &PrimaryNames,
    labels: &Labels,
) -> Activity {
    let label = |address: &str| {
        if address == who.as_str() {
            return "this account".to_owned();
        }
        names.label(address)
    };
    let text = narrate(transaction, &label, labels);
    let text = match text.strip_prefix("this account") {
        Some(rest) => format!("This account{rest}"),
        None => text,
    };
    // An automated transaction pays from its own balance, and its fee is reported as zero.
    let pays = transaction.transaction_type != TransactionType::At;
    Activity {
        timestamp: transaction.timestamp,
        text: text.into(),
        r#type: transaction.transaction_type.to_string(),
        fee: transaction.fee.filter(|fee| pays && *fee != Amount::ZERO),
        height: transaction.block_height,
        approval_status: shown_approval(transaction.approval_status.as_ref()),
        transaction: transaction.into(),
    }
}
