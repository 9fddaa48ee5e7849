//! Accounts and their minting (resource `/addresses`).

use qortal_types::{Address, Amount, AssetId, PublicKey, Signature, Timestamp};

use crate::{
    Endpoint, Node, NodeFuture, PageRequest, Rows,
    answer::{Answer, LeftOut, Record, answers},
    call::Call,
    options::options,
};

answers! {
    /// An account that has appeared on the chain (class `AccountData`).
    pub struct Account {
        /// The address.
        pub address: Address,
        /// The signature of the account's latest transaction. Absent if it has made none.
        pub reference: Option<Signature>,
        /// The public key. Absent until it has sent a transaction.
        pub public_key: Option<PublicKey>,
        /// The default group of its transactions. 0 for none.
        pub default_group_id: u32,
        /// Bit 0 is set for founders.
        pub flags: i32,
        /// The minting level, 0 to 10.
        pub level: u32,
        /// Blocks it has minted.
        pub blocks_minted: i64,
        /// Blocks added, for example by a transfer of privileges.
        pub blocks_minted_adjustment: i64,
        /// Blocks deducted as a penalty, 0 or negative. Absent before release 4.
        pub blocks_minted_penalty: Option<i64>,
    }

    /// An account that is minting now (class `ApiOnlineAccount`).
    pub struct OnlineAccount {
        /// The beginning of the period in which it is online.
        pub timestamp: Timestamp,
        /// The proof, in Base58.
        pub signature: String,
        /// The key that it mints with.
        pub reward_share_public_key: PublicKey,
        /// The minter.
        pub minter_address: Address,
        /// The recipient of the rewards.
        pub recipient_address: Address,
        /// The minter's level. Absent before release 5.
        pub minter_level: Option<u32>,
        /// Whether the minter is in the minting group of the main network. Absent before release 5.
        pub is_minter_member: Option<bool>,
    }

    /// The number of minting accounts of one level (class `OnlineAccountLevel`).
    #[derive(Copy, PartialEq, Eq)]
    pub struct OnlineLevel {
        /// The level.
        pub level: u32,
        /// The number of accounts.
        pub count: u32,
    }

    /// An agreement to share rewards (class `RewardShareData`).
    pub struct RewardShare {
        /// The minter.
        pub minter_public_key: PublicKey,
        /// The recipient of the rewards.
        pub recipient: Address,
        /// The key that mints.
        pub reward_share_public_key: PublicKey,
        /// The recipient's share in percent with two decimal places, such as `12.34`. It is `0.00` for a self-share.
        pub share_percent: String,
        /// The minter's address.
        pub minting_account: Option<Address>,
    }

    /// An account with a penalty (class `AccountPenaltyData`).
    pub struct Penalty {
        /// The account.
        pub address: Address,
        /// Blocks deducted, negative.
        pub blocks_minted_penalty: i64,
    }

    /// Activity of an account's sponsees (class `SponsorshipReport`). Amounts are whole QORT, truncated.
    pub struct Sponsorship {
        /// The sponsor.
        pub address: Address,
        /// The level.
        pub level: u32,
        /// Blocks it has minted.
        pub blocks_minted: i64,
        /// Blocks added.
        pub adjustments: i64,
        /// Blocks deducted as a penalty.
        pub penalties: i64,
        /// Whether the account's privileges came from another account.
        pub transfer: bool,
        /// The sponsees' names.
        #[serde(default)]
        pub names: Rows<String>,
        /// The number of sponsees.
        pub sponsee_count: i64,
        /// The number of sponsees without a name. It can be -1 if one sponsee has several names.
        pub non_registered_count: i64,
        /// The sponsees' mean balance.
        pub avg_balance: i64,
        /// QDN transactions of the sponsees.
        pub arbitrary_count: i64,
        /// Transfers of assets by the sponsees.
        pub transfer_asset_count: i64,
        /// Transfers of privileges by the sponsees.
        pub transfer_privs_count: i64,
        /// Trades in which sponsees sold QORT.
        pub sell_count: i64,
        /// The amount sold.
        pub sell_amount: i64,
        /// Trades in which sponsees bought QORT.
        pub buy_count: i64,
        /// The amount bought.
        pub buy_amount: i64,
    }

    /// Activity of a minter (class `MintershipReport`). Amounts are whole QORT, truncated.
    pub struct Mintership {
        /// The minter.
        pub address: Address,
        /// The level.
        pub level: u32,
        /// Blocks it has minted.
        pub blocks_minted: i64,
        /// Blocks added.
        pub adjustments: i64,
        /// Blocks deducted as a penalty.
        pub penalties: i64,
        /// Whether the account's privileges came from another account.
        pub transfer: bool,
        /// The primary name, if the account has one.
        pub name: Option<String>,
        /// The number of accounts it sponsors.
        pub sponsee_count: i64,
        /// The balance.
        pub balance: i64,
        /// The number of QDN transactions.
        pub arbitrary_count: i64,
        /// The number of asset transfers.
        pub transfer_asset_count: i64,
        /// The number of transfers of privileges.
        pub transfer_privs_count: i64,
        /// Trades in which it sold QORT.
        pub sell_count: i64,
        /// The amount sold.
        pub sell_amount: i64,
        /// Trades in which it bought QORT.
        pub buy_count: i64,
        /// The amount bought.
        pub buy_amount: i64,
    }

    /// An account and its level (class `AddressLevelPairing`).
    pub struct AccountLevel {
        /// The account.
        pub address: Address,
        /// The level.
        pub level: u32,
    }
}

impl Account {
    /// Returns `true` if the account is a founder.
    #[must_use]
    pub const fn is_founder(&self) -> bool {
        self.flags & 1 != 0
    }
}

options! {
    /// A filter for reward shares. Empty lists do not restrict.
    #[derive(Debug, Clone, Default)]
    pub struct RewardShareFilter {
        /// By minter.
        minters: Vec<Address> => into with_minters,
        /// By recipient.
        recipients: Vec<Address> => into with_recipients,
        /// By either.
        involving: Vec<Address> => into with_involving,
    }
}

impl Record for Sponsorship {
    fn left_out(&self) -> LeftOut {
        self.names.left_out.clone()
    }
}

impl Node {
    /// Returns an account.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// let address = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v".parse()?;
    /// let account = node.account(&address).await?;
    /// println!("level {}, {} blocks minted", account.level, account.blocks_minted);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if it never appeared on the chain.
    #[doc(alias = "/addresses/{address}")]
    pub fn account(&self, address: &Address) -> NodeFuture<'_, Account> {
        self.json(Call::to(Endpoint::Account).with(address))
    }

    /// Returns the confirmed balance. It is zero for an account that never appeared on the chain.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// use qortal_types::AssetId;
    ///
    /// let address = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v".parse()?;
    /// let balance = node.balance(&address, AssetId::QORT).await?;
    /// println!("{balance} QORT");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_ASSET_ID`](crate::ApiError::INVALID_ASSET_ID) if there is no such asset.
    #[doc(alias = "/addresses/balance/{address}")]
    pub fn balance(&self, address: &Address, asset: AssetId) -> NodeFuture<'_, Amount> {
        let asset = (asset != AssetId::QORT).then_some(asset);
        let call = Call::to(Endpoint::AccountBalance)
            .with(address)
            .query_if("assetId", asset);
        self.plain(call, Answer::amount)
    }

    /// Returns the account's public key, or `None` if the chain does not hold it (yet).
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/addresses/publickey/{address}")]
    pub fn public_key(&self, address: &Address) -> NodeFuture<'_, Option<PublicKey>> {
        let call = Call::to(Endpoint::AccountPublicKey).with(address);
        self.plain(call, |it| it.value_or_false("a public key or false"))
    }

    /// Returns the accounts that are minting now, in arbitrary order: thousands on the main network, 1 to 2 MB.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/addresses/online")]
    pub fn online_accounts(&self) -> NodeFuture<'_, Vec<OnlineAccount>> {
        self.list(Call::to(Endpoint::AccountsOnline))
    }

    /// Returns the number of minting accounts of each level, by level.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/addresses/online/levels")]
    pub fn online_levels(&self) -> NodeFuture<'_, Vec<OnlineLevel>> {
        self.list(Call::to(Endpoint::AccountsOnlineLevels))
    }

    /// Returns reward shares by recipient and percentage.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/addresses/rewardshares")]
    pub fn reward_shares(
        &self,
        filter: &RewardShareFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<RewardShare>> {
        let call = Call::to(Endpoint::AccountRewardShares)
            .query_each("minters", &filter.minters)
            .query_each("recipients", &filter.recipients)
            .query_each("involving", &filter.involving)
            .page(page);
        self.list(call)
    }

    /// Returns all accounts with a penalty. The Core has no paging here.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/addresses/penalties")]
    pub fn penalties(&self) -> NodeFuture<'_, Vec<Penalty>> {
        self.list(Call::to(Endpoint::AccountPenalties))
    }

    /// Returns a report on an account's sponsees. This request is slow.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`REPOSITORY_ISSUE`](crate::ApiError::REPOSITORY_ISSUE) if the account never appeared on the
    /// chain.
    #[doc(alias = "/addresses/sponsorship/{address}")]
    pub fn sponsorship(&self, address: &Address) -> NodeFuture<'_, Sponsorship> {
        self.record(Call::to(Endpoint::AccountSponsorship).with(address))
    }

    /// Returns a report on the sponsees of the account's sponsor. This request is slow.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if it has none.
    #[doc(alias = "/addresses/sponsorship/{address}/sponsor")]
    pub fn sponsor(&self, address: &Address) -> NodeFuture<'_, Sponsorship> {
        self.record(Call::to(Endpoint::AccountSponsor).with(address))
    }

    /// Returns a report on an account as a minter. This request is slow.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`REPOSITORY_ISSUE`](crate::ApiError::REPOSITORY_ISSUE) if the account never appeared on the
    /// chain.
    #[doc(alias = "/addresses/mintership/{address}")]
    pub fn mintership(&self, address: &Address) -> NodeFuture<'_, Mintership> {
        self.json(Call::to(Endpoint::AccountMintership).with(address))
    }

    /// Returns all accounts of at least this level, in arbitrary order. The Core has no paging here, and level 1 has very many
    /// accounts.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/addresses/levels/{minLevel}")]
    pub fn accounts_of_level(&self, min_level: u32) -> NodeFuture<'_, Vec<AccountLevel>> {
        self.list(Call::to(Endpoint::AccountsOfLevel).with(min_level))
    }
}
