//! Transfers of an asset between accounts.

use qortal_client::{PageRequest, api::transactions::Transaction};
use qortal_types::{Address, Amount, AssetId, Height, Timestamp};

use crate::{
    declare::{
        Account, AccountRef, AssetRef, Blocks, Context, Cursor, Page, Paging, Range, Slice, Tool,
        ToolError, TransactionId, given,
    },
    family::assets::asset_error,
    support::{
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
        words::note_searched,
    },
};

/// Maximum number of latest transfers that are read to find those in a range.
const MOST_TRANSFERS: u32 = 5_000;

params! {
    pub(super) struct ListAssetTransfers {
        /// Any asset but QORT.
        asset_id: AssetRef,
        /// Only this account.
        address: Option<AccountRef>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<20>
    }
}

record! {
    pub(super) struct AssetTransfers {
        /// The asset's number.
        asset_id: AssetId,
        /// The asset's name.
        asset_name: Untrusted,
        /// The requested account.
        address: Option<Account>,
        /// The transfers, the latest first.
        transfers: Page<Transfer>
    }

    pub(super) struct Transfer from(it: &Transaction, names: &PrimaryNames) {
        /// The time of its creation.
        timestamp: Timestamp,
        /// The sender.
        sender: Option<Person> = it.creator_address.map(|it| names.person(it)),
        /// The recipient.
        recipient: Option<Person> = it.recipient.map(|it| names.person(it)),
        /// The amount, in the asset's unit.
        amount: Option<Amount> = it.amount(),
        /// The block it is in. Absent while it is in none.
        height: Option<Height> = it.block_height,
        /// The transaction.
        transaction: TransactionId = it.into()
    }
}

impl Tool for ListAssetTransfers {
    const NAME: &str = "list_asset_transfers";
    const TITLE: &str = "Asset transfers";
    const DESCRIPTION: &str =
        "The transfers of one asset, of all or of one account. QORT: find_payments.";
    const EXAMPLE: &str = r#"{"asset_id":"Gizmo"}"#;
    const KEYWORDS: &str = "asset transfer, who got asset, asset sent";
    const TABLE: Option<&str> = Some("transfers");
    type Output = AssetTransfers;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let asset_id = cx.asset("asset_id", self.asset_id).await?;
        if asset_id == AssetId::QORT {
            return Err(ToolError::argument(
                "asset_id",
                "Invalid argument.",
                "is QORT, which is not moved by transfers of assets",
                "another asset, or for QORT the tool find_payments",
            ));
        }
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let address = account.as_ref().map(|it| &it.address);
        let blocks = self.range.settled_blocks(cx, true).await?;
        let unknown = || format!("No asset has the number {asset_id}.");
        let (asset, transfers) = tokio::try_join!(
            async {
                let asset = cx.node.asset(asset_id).await;
                asset.map_err(asset_error(unknown))
            },
            found(cx, (asset_id, address), blocks, &self.page),
        )?;
        let accounts = transfers
            .items
            .iter()
            .flat_map(|it| [it.creator_address, it.recipient]);
        let names = PrimaryNames::of(cx, accounts.flatten().collect::<Vec<_>>()).await;
        Ok(AssetTransfers {
            asset_id,
            asset_name: asset.name.into(),
            address: account,
            transfers: transfers.map(|it| Transfer::of(&it, &names)),
        })
    }
}

/// Returns a page of the transfers of an asset, of all accounts or of one, in a range of blocks.
async fn found(
    cx: &Context,
    (asset, address): (AssetId, Option<&Address>),
    blocks: Blocks,
    slice: &Slice,
) -> Result<Page<Transaction>, ToolError> {
    if let Some(last) = blocks.last().filter(|_| blocks.begins_at_genesis()) {
        let page = slice.one_more(true);
        let found = cx.node.asset_transfers_up_to(asset, address, last, page);
        if let Some(found) = found.await? {
            return Ok(slice.of(cx, Cursor::Offset, found));
        }
    }
    let all = PageRequest::last(MOST_TRANSFERS);
    let mut transfers = cx.node.asset_transfers(asset, address, all).await?;
    note_searched(cx, transfers.len(), MOST_TRANSFERS);
    // Unconfirmed transfers come after all confirmed ones.
    transfers.retain(|it| blocks.has(it.block_height.unwrap_or(Height::new(u32::MAX))));
    Ok(slice.of_whole(cx, Cursor::Offset, transfers))
}
