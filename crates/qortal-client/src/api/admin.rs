//! The node itself (resource `/admin`).

use std::{collections::BTreeMap, str::FromStr};

use qortal_types::{Address, Height, PublicKey, Timestamp, is_code};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::{
    Endpoint, Node, NodeFuture, Socket,
    answer::{Record, answers},
    call::Call,
};

answers! {
    /// The node's state (class `NodeStatus`).
    pub struct NodeStatus {
        /// Whether the node is able to mint.
        pub is_minting_possible: bool,
        /// Whether the node is synchronizing.
        pub is_synchronizing: bool,
        /// The progress of synchronization in percent. Absent if unknown.
        pub sync_percent: Option<u32>,
        /// Connected chain peers.
        pub number_of_connections: u32,
        /// Connected QDN peers. Absent before release 6.
        pub number_of_data_connections: Option<u32>,
        /// The height of the node's chain. 0 until it has started.
        pub height: Height,
    }

    /// Facts about the node (class `NodeInfo`).
    pub struct NodeInfo {
        /// The network's time. Absent until the node's clock is synchronized.
        pub current_timestamp: Option<Timestamp>,
        /// The node's uptime by the clock of its machine, in milliseconds. Negative if the clock was set back since the start.
        pub uptime: i64,
        /// The version, such as `qortal-6.1.8-bb6b1bf`.
        #[serde(deserialize_with = "crate::answer::read_code")]
        pub build_version: String,
        /// The time of the build, in **seconds** since 1970.
        pub build_timestamp: i64,
        /// The node's ID in the network. It starts with `N`.
        pub node_id: Option<String>,
        /// Whether the node is on a test network.
        pub is_test_net: bool,
        /// The type of node: `full`, `topOnly` or `lite`. Absent before release 4.
        #[serde(rename = "type", default, deserialize_with = "crate::answer::read_code_if_any")]
        pub node_type: Option<String>,
    }

    /// Activity on a part of the chain (class `ActivitySummary`).
    pub struct ActivitySummary {
        /// Blocks minted.
        pub block_count: u64,
        /// Assets issued.
        pub assets_issued: u64,
        /// Names registered.
        pub names_registered: u64,
        /// The number of transactions by type. Types without transactions are absent.
        #[serde(default, deserialize_with = "counts")]
        pub transaction_count_by_type: BTreeMap<String, u64>,
        /// The number of transactions of all types.
        pub total_transaction_count: u64,
    }

    /// A key that the node mints with (class `MintingAccountData`).
    pub struct MintingAccount {
        /// The reward-share key.
        pub public_key: PublicKey,
        /// The minter, if the key is a known reward share.
        pub minting_account: Option<Address>,
        /// The recipient of the rewards, if the key is a known reward share.
        pub recipient_account: Option<Address>,
        /// The address of the key itself otherwise.
        pub address: Option<Address>,
    }
}

/// A setting of the node that can be requested, named as in `settings.json` (class `Settings` of Core 6.1.8).
///
/// None of these settings contains a path, an address or a secret. Settings that do cannot be requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeSetting {
    /// Whether the API is read-only: it does not build transactions for other programs.
    ApiRestricted,
    /// Whether only listed addresses can access the API.
    ApiWhitelistEnabled,
    /// Whether programs on the node's machine need no API key.
    LocalAuthBypassEnabled,
    /// Whether QDN data needs no API key.
    QdnAuthBypassEnabled,
    /// Whether the node updates itself.
    AutoUpdateEnabled,
    /// Whether the node may replace its database with a downloaded one.
    Bootstrap,
    /// Whether the node moves old blocks to the archive.
    ArchiveEnabled,
    /// Whether the node records balances over time.
    BalanceRecorderEnabled,
    /// Whether the node takes part in QDN.
    QdnEnabled,
    /// The QDN data that the node stores, such as `FOLLOWED_OR_VIEWED`.
    StoragePolicy,
    /// The maximum size of stored QDN data, in bytes. If it is not set, only the disk limits it.
    MaxStorageCapacity,
    /// Whether the node relays QDN data that it does not store.
    RelayModeEnabled,
    /// Whether the node stores public data.
    PublicDataEnabled,
    /// Whether the node stores encrypted data.
    PrivateDataEnabled,
    /// Fewest outgoing connections that it tries to have.
    MinOutboundPeers,
    /// Most chain peers.
    MaxPeers,
    /// Most QDN peers.
    MaxDataPeers,
    /// The oldest release that a peer may have.
    MinPeerVersion,
}

/// The text of a setting: a number, a version or a word, so that a page of something else is not taken for one.
struct Word(String);

impl FromStr for Word {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        let is_word = (1..=MAX_WORD).contains(&text.len()) && text.bytes().all(is_plain);
        is_word.then(|| Self(text.to_owned())).ok_or(())
    }
}

/// The longest known value has 19 characters.
const MAX_WORD: usize = 64;

impl NodeSetting {
    /// All values.
    pub const ALL: &'static [Self] = &[
        Self::ApiRestricted,
        Self::ApiWhitelistEnabled,
        Self::LocalAuthBypassEnabled,
        Self::QdnAuthBypassEnabled,
        Self::AutoUpdateEnabled,
        Self::Bootstrap,
        Self::ArchiveEnabled,
        Self::BalanceRecorderEnabled,
        Self::QdnEnabled,
        Self::StoragePolicy,
        Self::MaxStorageCapacity,
        Self::RelayModeEnabled,
        Self::PublicDataEnabled,
        Self::PrivateDataEnabled,
        Self::MinOutboundPeers,
        Self::MaxPeers,
        Self::MaxDataPeers,
        Self::MinPeerVersion,
    ];

    /// Returns its name in `settings.json`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApiRestricted => "apiRestricted",
            Self::ApiWhitelistEnabled => "apiWhitelistEnabled",
            Self::LocalAuthBypassEnabled => "localAuthBypassEnabled",
            Self::QdnAuthBypassEnabled => "qdnAuthBypassEnabled",
            Self::AutoUpdateEnabled => "autoUpdateEnabled",
            Self::Bootstrap => "bootstrap",
            Self::ArchiveEnabled => "archiveEnabled",
            Self::BalanceRecorderEnabled => "balanceRecorderEnabled",
            Self::QdnEnabled => "qdnEnabled",
            Self::StoragePolicy => "storagePolicy",
            Self::MaxStorageCapacity => "maxStorageCapacity",
            Self::RelayModeEnabled => "relayModeEnabled",
            Self::PublicDataEnabled => "publicDataEnabled",
            Self::PrivateDataEnabled => "privateDataEnabled",
            Self::MinOutboundPeers => "minOutboundPeers",
            Self::MaxPeers => "maxPeers",
            Self::MaxDataPeers => "maxDataPeers",
            Self::MinPeerVersion => "minPeerVersion",
        }
    }
}

/// Groups of counters with unspecified names.
impl Record for Map<String, Value> {
    fn says_anything(&self) -> bool {
        let is_code = |it: &Value| it.as_i64().is_some_and(|code| i32::try_from(code).is_ok());
        !self.is_empty() && !self.get("error").is_some_and(is_code)
    }
}

/// Skips members that are not counts of a code, in case a newer Core adds others.
fn counts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, u64>, D::Error> {
    let members = Map::deserialize(deserializer)?;
    Ok(members
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_u64()?)).filter(|(name, _)| is_code(name)))
        .collect())
}

impl Node {
    /// Returns the node's state.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// let status = node.status().await?;
    /// if status.is_synchronizing {
    ///     println!("catching up, at block {}", status.height);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/status")]
    pub fn status(&self) -> NodeFuture<'_, NodeStatus> {
        self.read(Call::to(Endpoint::AdminStatus), |node, answer| {
            let status: NodeStatus = answer.json()?;
            node.observe_height(answer, status.height);
            Ok(status)
        })
    }

    /// Opens a socket that receives the node's state, immediately and after each change.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/websockets/admin/status")]
    pub fn status_socket(&self) -> NodeFuture<'_, Socket<NodeStatus>> {
        self.open(Call::to(Endpoint::StatusSocket))
    }

    /// Returns facts about the node.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/info")]
    pub fn info(&self) -> NodeFuture<'_, NodeInfo> {
        self.json(Call::to(Endpoint::AdminInfo))
    }

    /// Returns the node's uptime by the clock of its machine, in milliseconds. It is negative if the clock was set back since the
    /// start.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/uptime")]
    pub fn uptime(&self) -> NodeFuture<'_, i64> {
        let call = Call::to(Endpoint::AdminUptime);
        self.plain(call, |it| it.value("a number of milliseconds"))
    }

    /// Returns the activity on the chain in the last 24 hours.
    ///
    /// If the node's clock is not synchronized, it fails with a bare status 500.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/summary")]
    pub fn summary(&self) -> NodeFuture<'_, ActivitySummary> {
        self.json(Call::to(Endpoint::AdminSummary))
    }

    /// Returns the activity on the chain in the last 24 hours.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/summary/alltime")]
    pub fn summary_of_all_time(&self) -> NodeFuture<'_, ActivitySummary> {
        self.json(Call::to(Endpoint::AdminSummaryAllTime))
    }

    /// Returns the counters of the node's network code, groups of names and numbers. Needs the API key.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/enginestats")]
    pub fn engine_stats(&self) -> NodeFuture<'_, Map<String, Value>> {
        self.record(Call::to(Endpoint::AdminEngineStats))
    }

    /// Returns a setting of the node as text, or `None` if it is not set.
    ///
    /// # Errors
    ///
    /// Returns an error with a bare status 500 if this Core does not have the setting.
    #[doc(alias = "/admin/settings/{setting}")]
    pub fn setting(&self, setting: NodeSetting) -> NodeFuture<'_, Option<String>> {
        let call = Call::to(Endpoint::AdminSetting).with(setting.as_str());
        self.plain(call, |it| {
            let word: Word = it.value("a setting")?;
            Ok(Some(word.0).filter(|it| it != "null"))
        })
    }

    /// Returns the public keys that this node mints with.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/admin/mintingaccounts")]
    pub fn minting_accounts(&self) -> NodeFuture<'_, Vec<MintingAccount>> {
        self.list(Call::to(Endpoint::AdminMintingAccounts))
    }

    /// Checks whether the node accepts the configured API key.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`UNAUTHORIZED`](crate::ApiError::UNAUTHORIZED) if it is missing or wrong.
    #[doc(alias = "/admin/apikey/test")]
    pub fn api_key_test(&self) -> NodeFuture<'_, bool> {
        let call = Call::to(Endpoint::AdminApiKeyTest);
        self.plain(call, |it| it.value("true or false"))
    }
}
