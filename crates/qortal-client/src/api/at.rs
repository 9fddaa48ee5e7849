//! Automated transactions (resource `/at`).

use bytes::Bytes;
use qortal_types::{Address, Amount, AssetId, Height, PublicKey, Timestamp};
use serde::Deserialize;

use crate::{Endpoint, Node, NodeFuture, call::Call};

/// An automated transaction: a program on the chain (class `ATData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct At {
    /// The address of the automated transaction.
    #[serde(rename = "ATAddress")]
    pub at_address: Address,
    /// The creator's public key.
    pub creator_public_key: PublicKey,
    /// The deployment time.
    pub creation: Timestamp,
    /// The version of its format.
    pub version: u32,
    /// The asset that it uses.
    pub asset_id: AssetId,
    /// The code in Base58.
    pub code_bytes: String,
    /// SHA-256 of its code in Base58.
    pub code_hash: String,
    /// Whether it is sleeping.
    pub is_sleeping: bool,
    /// The height until which it sleeps, if it does.
    pub sleep_until_height: Option<Height>,
    /// Whether it has finished.
    pub is_finished: bool,
    /// Whether it finished because of a fatal error.
    pub had_fatal_error: bool,
    /// Whether it has run out of funds.
    pub is_frozen: bool,
    /// The balance at which it froze.
    pub frozen_balance: Option<Amount>,
    /// The chain position after which a message wakes it. Despite its name, the value is not a time: the upper half is a height,
    /// and the lower half counts transactions in that block (class `Timestamp` of CIYAM AT).
    pub sleep_until_message_timestamp: Option<i64>,
}

impl At {
    /// Returns the height of the block after which a message wakes it, if it sleeps until a message comes.
    #[must_use]
    pub fn sleeps_until_message_after(&self) -> Option<Height> {
        let place = self.sleep_until_message_timestamp?;
        u32::try_from(place >> 32).ok().map(Height::new)
    }
}

impl Node {
    /// Returns an automated transaction, or `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/at/{ataddress}")]
    pub fn at(&self, at_address: &Address) -> NodeFuture<'_, Option<At>> {
        self.json_if_any(Call::to(Endpoint::At).with(at_address))
    }

    /// Returns the data of an automated transaction as big-endian eight-byte numbers.
    ///
    /// # Errors
    ///
    /// Returns an error with a bare status 500 if there is none.
    #[doc(alias = "/at/{ataddress}/data")]
    pub fn at_state(&self, at_address: &Address) -> NodeFuture<'_, Bytes> {
        let call = Call::to(Endpoint::AtState).with(at_address);
        self.plain(call, |it| Ok(it.body().clone()))
    }
}
