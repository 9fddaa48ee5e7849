//! A filter for transactions by whether a block includes them.

use qortal_client::api::transactions::Confirmation;
use tool_schema::choice;

choice! {
    /// The confirmation of transactions.
    pub(crate) enum ConfirmationStatus {
        /// Those in a block.
        Confirmed = "CONFIRMED",
        /// Those not in a block.
        Unconfirmed = "UNCONFIRMED",
        /// All.
        Both = "BOTH",
    }
}

impl From<ConfirmationStatus> for Confirmation {
    fn from(it: ConfirmationStatus) -> Self {
        match it {
            ConfirmationStatus::Confirmed => Self::Confirmed,
            ConfirmationStatus::Unconfirmed => Self::Unconfirmed,
            ConfirmationStatus::Both => Self::Both,
        }
    }
}
