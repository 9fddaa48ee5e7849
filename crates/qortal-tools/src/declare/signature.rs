//! Transactions and blocks in parameters: by signature, or by a shorter form.

use std::fmt;

use qortal_client::{ApiError, api::transactions::Transaction};
use qortal_types::{BlockSignature, Height, Signature};
use serde_json::Value;
use tool_schema::{
    InvalidValue, JsonWriter, Object, Output, Param, Property, excerpt, number_as_text,
    schema_with_type, text,
};

use crate::{ToolError, context::Context, declare::Qortal, error::NodeResult};

const INVALID_SIGNATURE: &str = "Invalid signature.";
const A_TRANSACTION: &str = "the signature of a transaction, 64 bytes in Base58 (86 to 88 characters), or the short form of a transaction in a block, such as 468/2sNaWjar";
const A_SIGNATURE: &str = "a signature, 64 bytes in Base58 (86 to 88 characters)";
const A_BLOCK: &str =
    "the height of a block, or its signature, 128 bytes in Base58 (about 174 characters)";
/// The highest block height: the Core counts blocks in 31 bits.
const HIGHEST: u32 = i32::MAX.cast_unsigned();

/// Number of characters of a signature that distinguish a transaction within its block. They hold 46 bits, and blocks
/// have a few hundred transactions at most.
const BEGINNING: usize = 8;

/// Returns the short form of a confirmed transaction in answers and parameters: the height of its block and the first
/// characters of its signature.
///
/// The Core does not return the position of a transaction in its block, and a reorganization could assign a position to
/// another transaction. With the signature, the short form no longer matches in that case.
#[must_use]
pub fn handle(height: Height, signature: &Signature) -> String {
    let signature = signature.to_string();
    let beginning = signature.get(..BEGINNING).unwrap_or(&signature);
    format!("{height}/{beginning}")
}

/// The ID of a transaction in answers, which tools accept: its [`handle`], or its signature while it is unconfirmed.
#[derive(Debug)]
pub(crate) struct TransactionId {
    height: Option<Height>,
    signature: Option<Signature>,
}

impl TransactionId {
    pub(crate) const fn new(height: Option<Height>, signature: Option<Signature>) -> Self {
        Self { height, signature }
    }
}

impl From<&Transaction> for TransactionId {
    fn from(it: &Transaction) -> Self {
        Self::new(it.block_height, it.signature)
    }
}

impl Output<Qortal> for TransactionId {
    fn schema() -> Object {
        schema_with_type("string")
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        match (self.height, &self.signature) {
            (Some(height), Some(signature)) => json.ascii_string(&handle(height, signature)),
            (None, Some(signature)) => json.ascii_string(signature),
            (_, None) => json.null(),
        }
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        if self.signature.is_some() {
            json.begin_field(name);
            self.write(name, json);
        }
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        let schema = <Self as Output<Qortal>>::schema();
        members.push(Property::new(name, doc.trim(), schema).into_optional());
    }
}

/// A transaction in a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TransactionRef {
    /// By its signature.
    Signature(Signature),
    /// By its block and the first characters of its signature.
    Beginning(Height, String),
    /// By its block and its position in it, counted from 1.
    Place(Height, usize),
}

impl fmt::Display for TransactionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature(signature) => write!(f, "{signature}"),
            Self::Beginning(height, beginning) => write!(f, "{height}/{beginning}"),
            Self::Place(height, place) => write!(f, "{height}/{place}"),
        }
    }
}

impl TransactionRef {
    /// Parses a transaction from a text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        Self::read(&text.into()).ok()
    }
}

impl Param<Qortal> for TransactionRef {
    fn description_hint() -> &'static str {
        "Signature, or short as 468/2sNaWjar."
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, A_TRANSACTION)
            .map_err(|it| it.with_short_message(INVALID_SIGNATURE))?
            .trim();
        let invalid =
            |problem: String| InvalidValue::new(INVALID_SIGNATURE, problem, A_TRANSACTION);
        let Some((height, rest)) = text.split_once('/') else {
            let signature = text.parse().map(Self::Signature);
            return signature.map_err(|err| invalid(format!("is {}, but {err}", excerpt(value))));
        };
        let height = height.trim().parse().ok();
        let height = height.filter(|it| (1..=HIGHEST).contains(it));
        let rest = rest.trim();
        let transaction = height.and_then(|height| {
            let height = Height::new(height);
            match rest.len() {
                BEGINNING if rest.bytes().all(|it| it.is_ascii_alphanumeric()) => {
                    Some(Self::Beginning(height, rest.to_owned()))
                }
                1..BEGINNING => {
                    let place = rest.parse().ok().filter(|it| *it > 0);
                    place.map(|it| Self::Place(height, it))
                }
                _ => None,
            }
        });
        transaction.ok_or_else(|| {
            invalid(format!(
                "is {}, which has not a height, a slash, and the first {BEGINNING} characters of a signature or a place",
                excerpt(value)
            ))
        })
    }

    fn to_value(&self) -> Value {
        self.to_string().into()
    }
}

/// The signature of a chat message, which is never in a block.
impl Param<Qortal> for Signature {
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, A_SIGNATURE)?.trim();
        text.parse().map_err(|err| {
            let problem = format!("is {}, but {err}", excerpt(value));
            InvalidValue::new(INVALID_SIGNATURE, problem, A_SIGNATURE)
        })
    }

    fn to_value(&self) -> Value {
        self.to_string().into()
    }
}

/// A block in a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockRef {
    /// By its signature.
    Signature(BlockSignature),
    /// By its height.
    Height(Height),
}

impl Param<Qortal> for BlockRef {
    fn description_hint() -> &'static str {
        "Height or signature."
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let text = text(value, A_BLOCK)
            .map_err(|it| it.with_short_message(INVALID_SIGNATURE))?
            .trim();
        let height = text.parse().ok().filter(|it| (1..=HIGHEST).contains(it));
        if let Some(height) = height {
            return Ok(Self::Height(Height::new(height)));
        }
        text.parse().map(Self::Signature).map_err(|err| {
            let problem = format!("is {}, but {err}", excerpt(value));
            InvalidValue::new(INVALID_SIGNATURE, problem, A_BLOCK)
        })
    }

    /// Accepts the digits of a height.
    fn coerce_json(value: &Value) -> Option<Value> {
        number_as_text(value)
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Signature(signature) => signature.to_string().into(),
            Self::Height(height) => height.to_string().into(),
        }
    }
}

impl Context {
    /// Returns the signature of the transaction. Any other form than a signature takes two requests to the node, one
    /// after the other.
    pub(crate) async fn signature(
        &self,
        transaction: TransactionRef,
    ) -> Result<Signature, ToolError> {
        let height = match &transaction {
            TransactionRef::Signature(signature) => return Ok(*signature),
            TransactionRef::Beginning(height, _) | TransactionRef::Place(height, _) => *height,
        };
        let block = self.block_signature(BlockRef::Height(height)).await?;
        let signatures = self.node.block_transactions(&block).await?.into_iter();
        let mut signatures = signatures.filter_map(|it| it.signature);
        let found = match &transaction {
            TransactionRef::Signature(signature) => Some(*signature),
            TransactionRef::Beginning(_, beginning) => {
                signatures.find(|it| it.to_string().starts_with(beginning))
            }
            TransactionRef::Place(_, place) => signatures.nth(place.saturating_sub(1)),
        };
        found.ok_or_else(|| {
            ToolError::not_found(
                "Transaction not found.",
                format!(
                    "Block {height} has no transaction {transaction}. list_transactions_by_block lists those it has, search_transactions finds transactions by account or type."
                ),
            )
        })
    }

    /// Returns the signature of the block. A height takes one request to the node.
    pub(crate) async fn block_signature(
        &self,
        block: BlockRef,
    ) -> Result<BlockSignature, ToolError> {
        let height = match block {
            BlockRef::Signature(signature) => return Ok(signature),
            BlockRef::Height(height) => height,
        };
        let found = self.node.block_at(height).await;
        let found = found.error_if(ApiError::BLOCK_UNKNOWN, || {
            ToolError::not_found(
                "Block not found.",
                format!("This node has no block at height {height}. get_last_block returns the last one."),
            )
        })?;
        Ok(found.signature)
    }
}
