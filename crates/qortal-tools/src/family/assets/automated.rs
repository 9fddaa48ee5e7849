//! Automated transactions: programs on the chain holding and paying out an asset.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_client::api::at::At;
use qortal_types::{Address, Amount, AssetId, Height, Timestamp};

use crate::declare::{AtAddress, Context, Detail, Full, Tool, ToolError};

params! {
    pub(super) struct GetAt {
        /// AT address, starting with A.
        at_address: AtAddress,
        /// full adds program and data.
        detail: Detail = Detail::Summary
    }
}

record! {
    pub(super) struct AutomatedTransaction {
        /// Its address.
        at_address: Address,
        /// The deployer.
        creator_address: Address,
        /// The deployer's public key.
        creator_public_key: Full<String>,
        /// The time.
        creation: Timestamp,
        /// The asset it deals with. 0 is QORT.
        asset_id: AssetId,
        /// Its balance, in the asset's unit.
        balance: Option<Amount>,
        /// Its state: running, sleeping, frozen, finished or failed.
        state: &'static str,
        /// The block it sleeps until, if any.
        sleep_until_height: Option<Height>,
        /// A message after this block wakes it, if it sleeps until one.
        sleeps_until_message_after_height: Option<Height>,
        /// Its balance when it ran out of funds, in the same unit.
        frozen_balance: Option<Amount>,
        /// The version of the program's format.
        version: u32,
        /// SHA-256 of its program in Base58: the same for all of one kind.
        code_hash: String,
        /// Its program in Base58, on request.
        code_bytes: Option<String>,
        /// Its data in Base64, on request: big-endian numbers of eight bytes.
        data: Option<String>
    }
}

/// Returns the most important flag as a state.
fn state(at: &At) -> &'static str {
    match at {
        At {
            had_fatal_error: true,
            ..
        } => "failed",
        At {
            is_finished: true, ..
        } => "finished",
        At {
            is_frozen: true, ..
        } => "frozen",
        At {
            is_sleeping: true, ..
        } => "sleeping",
        _ => "running",
    }
}

impl Tool for GetAt {
    const NAME: &str = "get_at";
    const TITLE: &str = "Automated transaction";
    const DESCRIPTION: &str =
        "One automated transaction (AT): its deployer, balance and state. Trades: explain_trade.";
    const EXAMPLE: &str = r#"{"at_address":"AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE"}"#;
    const KEYWORDS: &str = "automated transaction, smart contract, at, contract";
    type Output = AutomatedTransaction;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let AtAddress(address) = self.at_address;
        let found = cx.node.at(&address).await?;
        let at = found.ok_or_else(|| {
            ToolError::not_found(
                "AT not found.",
                format!("No automated transaction has the address {address}. list_trade_offers shows those that are open trade offers."),
            )
        })?;
        let data = async {
            match self.detail {
                Detail::Summary => None,
                Detail::Full => cx.part("Its data are", cx.node.at_state(&address).await),
            }
        };
        let (balance, data) = tokio::join!(cx.node.balance(&address, at.asset_id), data);
        let balance = cx.part("Its balance is", balance);
        Ok(AutomatedTransaction {
            state: state(&at),
            at_address: at.at_address,
            creator_address: at.creator_public_key.address(),
            creator_public_key: Full(at.creator_public_key.to_string()),
            creation: at.creation,
            asset_id: at.asset_id,
            balance,
            sleep_until_height: at.sleep_until_height,
            sleeps_until_message_after_height: at.sleeps_until_message_after(),
            frozen_balance: at.frozen_balance,
            version: at.version,
            code_hash: at.code_hash,
            code_bytes: (self.detail == Detail::Full).then_some(at.code_bytes),
            data: data.map(|it| STANDARD.encode(&it)),
        })
    }
}
