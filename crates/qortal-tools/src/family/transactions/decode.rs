//! Transactions read from their bytes, without a node.

use qortal_client::api::transactions::Transaction;
use qortal_types::{Address, Amount, RawTransaction, RawTransactionError, Timestamp};
use serde_json::Value;
use tool_schema::BoundedString;

use crate::{
    declare::{Context, Reply, Tool, ToolError},
    family::transactions::{
        explain::{Party, parties},
        info::Details,
        narrate::narrate,
    },
    support::{labels::Labels, primary_names::PrimaryNames, untrusted::Untrusted},
};

params! {
    pub(crate) struct DecodeTransaction {
        /// Signed or unsigned transaction in Base58.
        raw: BoundedString<1, { RawTransaction::MAX_CHARACTERS }>
    }
}

record! {
    pub(crate) struct DecodedTransaction {
        /// Its type.
        r#type: String,
        /// A sentence about its effect.
        text: Untrusted,
        /// The time stated in the transaction.
        timestamp: Timestamp,
        /// The creator: the account of the public key in it.
        creator_address: Address,
        /// The participating accounts.
        parties: Vec<Party>,
        /// The moved or requested amount, in the unit of `asset_id` among the details or in QORT. Absent if there is
        /// none.
        amount: Option<Amount>,
        /// Its fee in QORT.
        fee: Amount,
        /// The group it is meant for. Absent if there is none.
        tx_group_id: Option<u32>,
        /// Whether there is a signature. It is not verified.
        is_signed: bool,
        /// Its signature. Absent if it is not signed.
        signature: Option<String>,
        /// Another transaction of its creator, or any other bytes of the same length.
        reference: String,
        /// The fields of this type, by the names of the Core.
        details: Details
    }
}

impl Tool for DecodeTransaction {
    const NAME: &str = "decode_transaction";
    const TITLE: &str = "Decode a raw transaction";
    const DESCRIPTION: &str = "Decode the bytes of a transaction, signed or not, without a node. On the chain: explain_transaction.";
    const EXAMPLE: &str = r#"{"raw":"1112FnMwF1x8ZcycFhCzvfMg4EMr454i32vEjPg1tJobN1f7SoYhwXJLECaMurTXU7xNdZ35THG5J69UoJciA5HtC7P7jYcmuVaC7D4mrbo6NwKyjqa4NnKD43ktrmiiFD3r2UAPQCqZAgJdGqEQ8usnwt2DCbz7zNYiakxBnJ5EhoEi9w9JM3MQjGJDhD52hC2bHKKP6CsaECHwrNV7gWx6oE9ypAf2aggf2thZEj4ZtbwPmavhhSfKFpuu547Jfy6TCULXgqymAC3oxLFnKiXmoP2t2C1BkGocf6K"}"#;
    const KEYWORDS: &str = "decode, raw transaction, raw bytes, unsigned, base58 transaction";
    const USES_NODE: bool = false;
    type Output = Reply<DecodedTransaction>;

    async fn call(self, _: &Context) -> Result<Self::Output, ToolError> {
        let raw = self.raw.as_str().trim();
        let raw: RawTransaction = raw.parse().map_err(|err| invalid(&err))?;
        let transaction = as_answered(&raw)?;
        let is_signed = raw.signature.is_some();
        let names = PrimaryNames::default();
        let reply = Reply::new(DecodedTransaction {
            r#type: raw.transaction_type.to_string(),
            text: narrate(
                &transaction,
                &|address| address.to_owned(),
                &Labels::default(),
            )
            .into(),
            timestamp: raw.timestamp,
            creator_address: raw.creator.address(),
            parties: parties(&transaction)
                .into_iter()
                .map(|it| Party::of(it, &names))
                .collect(),
            amount: transaction.amount().filter(|it| *it != Amount::ZERO),
            fee: raw.fee,
            tx_group_id: Some(raw.group_id).filter(|it| *it != 0),
            is_signed,
            signature: raw.signature.map(|it| it.to_string()),
            reference: raw.reference.to_string(),
            details: Details {
                transaction_type: raw.transaction_type,
                members: transaction.details,
            },
        });
        Ok(reply.note("Only the bytes were read. Whether the signature is valid, whether the chain would accept the transaction, and whether it is on the chain already is not known."))
    }
}

/// Converts a transaction to the form of the Core's response.
fn as_answered(raw: &RawTransaction) -> Result<Transaction, ToolError> {
    let answer = serde_json::to_value(raw);
    let transaction = answer.and_then(serde_json::from_value::<Value>);
    transaction
        .and_then(serde_json::from_value)
        .map_err(|err| ToolError::Declaration(err.to_string()))
}

fn invalid(err: &RawTransactionError) -> ToolError {
    let problem = match err {
        RawTransactionError::Base58(err) => format!("is not Base58: {err}"),
        RawTransactionError::TooLong { .. } => format!("is too long: {err}"),
        _ => format!("does not stand for the bytes of a transaction: {err}"),
    };
    ToolError::argument(
        "raw",
        "Invalid transaction.",
        problem,
        "the whole transaction in Base58 as wallets and nodes exchange it, not its signature, which explain_transaction takes",
    )
}
