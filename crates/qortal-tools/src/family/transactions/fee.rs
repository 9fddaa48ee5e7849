//! The fee of a transaction.

use qortal_types::{Amount, Timestamp, TransactionType, main_net::BYTES_PER_UNIT_FEE};

use crate::declare::{Context, Reply, TimeArg, Tool, ToolError, given};

params! {
    pub(crate) struct GetFee {
        /// Transaction type.
        tx_type: TransactionType = TransactionType::Payment,
        /// Time of the transaction. Default now.
        timestamp: Option<TimeArg>
    }
}

record! {
    pub(crate) struct Fee {
        /// The type of transaction.
        tx_type: String,
        /// The lowest fee, in QORT.
        unit_fee: Amount,
        /// The time of the fee.
        timestamp: Option<Timestamp>
    }
}

impl Tool for GetFee {
    const NAME: &str = "get_fee";
    const TITLE: &str = "Transaction fee";
    const DESCRIPTION: &str =
        "The fee of one type of transaction in QORT, now or at another time. Rules: explain_topic.";
    const EXAMPLE: &str = r#"{"tx_type":"REGISTER_NAME"}"#;
    const KEYWORDS: &str =
        "fee, transaction fee, cost of transaction, cost to send, unit fee, cost to pay";
    type Output = Reply<Fee>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        // The Core fails with a bare 500 for these.
        if matches!(
            self.tx_type,
            TransactionType::Airdrop | TransactionType::EnableForging
        ) {
            return Err(ToolError::argument(
                "tx_type",
                "Unused transaction type.",
                format!(
                    "is {}, a type that has a number but is not implemented",
                    self.tx_type
                ),
                "a type that is in use, such as PAYMENT or REGISTER_NAME",
            ));
        }
        let timestamp = given(self.timestamp, |it| cx.moment("timestamp", it)).await?;
        let unit_fee = cx.node.unit_fee(&self.tx_type, timestamp).await?;
        let reply = Reply::new(Fee {
            tx_type: self.tx_type.to_string(),
            unit_fee,
            timestamp,
        });
        Ok(reply.note(format!(
            "This pays for {BYTES_PER_UNIT_FEE} bytes; a longer transaction pays it once for each such part."
        )))
    }
}
