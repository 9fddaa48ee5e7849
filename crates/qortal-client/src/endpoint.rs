//! The allow-list of endpoints. The client cannot send any other request.

use std::fmt;

use crate::CoreVersion;

/// The HTTP method of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// A read with arguments in the path and query.
    Get,
    /// A read with long arguments in the body. Endpoints of this method change nothing.
    Post,
    /// A GET request that becomes a websocket, on which the node sends updates.
    Socket,
}

/// The expected duration of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// The node responds from memory or an index.
    Quick,
    /// The node computes over many rows, or contacts other machines.
    Slow,
}

/// The nodes that can answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// The response is about the chain, so any node can answer.
    AnyNode,
    /// The response is about the node itself, so another node's would be wrong.
    OwnNode,
    /// Like [`OwnNode`](Self::OwnNode), and the API key is sent.
    OwnNodeWithKey,
    /// The response is about the chain, but a node returns it only to its owner. Each node is queried with its own API key.
    OwnNodesWithKey,
}

impl Access {
    /// Returns `true` if the queried node's API key is sent to it.
    #[must_use]
    pub const fn needs_key(self) -> bool {
        match self {
            Self::AnyNode | Self::OwnNode => false,
            Self::OwnNodeWithKey | Self::OwnNodesWithKey => true,
        }
    }

    /// Whether only the configured node can answer.
    pub(crate) const fn is_of_one(self) -> bool {
        matches!(self, Self::OwnNode | Self::OwnNodeWithKey)
    }
}

/// Whether the API key was sent with a request.
///
/// A key is sent only to the node that it is configured for, and only for endpoints that [need it](Access::needs_key).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyUse {
    /// No key is configured.
    NotConfigured,
    /// A key is configured but was not sent, because the endpoint does not need it or another node was queried.
    Withheld,
    /// The key was sent.
    Sent,
}

/// The first release that has an endpoint, if some since 4.0.0 have not.
macro_rules! first_release {
    () => {
        None
    };
    ($major:literal, $minor:literal, $patch:literal) => {
        Some(CoreVersion::new($major, $minor, $patch))
    };
}

/// Declares a variant and its properties for each endpoint, in one list. `since` is the release of the Core that brought
/// it, from the sources of all releases since 4.0.0.
macro_rules! endpoints {
    ($($variant:ident: $method:ident $template:literal, $tier:ident, $access:ident $(, since($($since:literal),+))?;)+) => {
        /// An endpoint of a node.
        ///
        /// The crate can request only these endpoints. Endpoints that act on a node or reveal its secrets or configuration are
        /// excluded, even where the Core makes them GET requests (such as `/admin/stop`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Endpoint {
            $(#[doc = concat!("`", stringify!($method), " ", $template, "`")] $variant,)+
        }

        impl Endpoint {
            /// All endpoints.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the HTTP method.
            #[must_use]
            pub const fn method(self) -> Method {
                match self { $(Self::$variant => Method::$method,)+ }
            }

            /// Returns the path with `{parameter}` placeholders, such as `/names/{name}`.
            #[must_use]
            pub const fn template(self) -> &'static str {
                match self { $(Self::$variant => $template,)+ }
            }

            /// Returns the expected duration of a response.
            #[must_use]
            pub const fn tier(self) -> Tier {
                match self { $(Self::$variant => Tier::$tier,)+ }
            }

            /// Returns the nodes that can answer.
            #[must_use]
            pub const fn access(self) -> Access {
                match self { $(Self::$variant => Access::$access,)+ }
            }

            /// Returns the Core release that introduced the endpoint, or `None` if all releases since 4.0.0 have it.
            #[must_use]
            pub const fn since(self) -> Option<CoreVersion> {
                match self { $(Self::$variant => first_release!($($($since),+)?),)+ }
            }
        }
    };
}

endpoints! {
    AdminStatus: Get "/admin/status", Quick, OwnNode;
    AdminInfo: Get "/admin/info", Quick, OwnNode;
    AdminUptime: Get "/admin/uptime", Quick, OwnNode;
    AdminSummary: Get "/admin/summary", Slow, AnyNode;
    AdminSummaryAllTime: Get "/admin/summary/alltime", Slow, OwnNodesWithKey;
    AdminEngineStats: Get "/admin/enginestats", Quick, OwnNodeWithKey;
    AdminSetting: Get "/admin/settings/{setting}", Quick, OwnNode;
    AdminMintingAccounts: Get "/admin/mintingaccounts", Quick, OwnNode;
    AdminApiKeyTest: Get "/admin/apikey/test", Quick, OwnNodeWithKey;

    Account: Get "/addresses/{address}", Quick, AnyNode;
    AccountBalance: Get "/addresses/balance/{address}", Quick, AnyNode;
    AccountPublicKey: Get "/addresses/publickey/{address}", Quick, AnyNode;
    AccountsOnline: Get "/addresses/online", Slow, AnyNode;
    AccountsOnlineLevels: Get "/addresses/online/levels", Slow, AnyNode;
    AccountRewardShares: Get "/addresses/rewardshares", Slow, AnyNode;
    AccountPenalties: Get "/addresses/penalties", Slow, AnyNode;
    AccountSponsorship: Get "/addresses/sponsorship/{address}", Slow, AnyNode, since(4, 6, 0);
    AccountSponsor: Get "/addresses/sponsorship/{address}/sponsor", Slow, AnyNode, since(4, 6, 0);
    AccountMintership: Get "/addresses/mintership/{address}", Slow, AnyNode, since(4, 6, 0);
    AccountsOfLevel: Get "/addresses/levels/{minLevel}", Slow, AnyNode, since(4, 6, 0);

    Names: Get "/names", Slow, AnyNode;
    NamesOfAddress: Get "/names/address/{address}", Quick, AnyNode;
    NamePrimary: Get "/names/primary/{address}", Quick, AnyNode, since(5, 0, 0);
    NamesPrimary: Post "/names/list", Quick, AnyNode, since(6, 1, 5);
    Name: Get "/names/{name}", Quick, AnyNode;
    NamesSearch: Get "/names/search", Slow, AnyNode, since(4, 0, 2);
    NamesForSale: Get "/names/forsale", Quick, AnyNode;

    Block: Get "/blocks/signature/{signature}", Quick, AnyNode;
    BlockTransactions: Get "/blocks/signature/{signature}/transactions", Slow, AnyNode;
    BlockFirst: Get "/blocks/first", Quick, AnyNode;
    BlockLast: Get "/blocks/last", Quick, AnyNode;
    BlocksHeight: Get "/blocks/height", Quick, AnyNode;
    BlockHeight: Get "/blocks/height/{signature}", Quick, AnyNode;
    BlockAtHeight: Get "/blocks/byheight/{height}", Quick, AnyNode;
    BlockMinting: Get "/blocks/byheight/{height}/mintinginfo", Quick, AnyNode;
    BlockAtTime: Get "/blocks/timestamp/{timestamp}", Quick, AnyNode;
    BlockRange: Get "/blocks/range/{height}", Slow, AnyNode;
    BlocksOfSigner: Get "/blocks/signer/{address}", Slow, AnyNode;
    BlockSigners: Get "/blocks/signers", Slow, AnyNode;
    BlockSummaries: Get "/blocks/summaries", Slow, AnyNode;

    TradeOffers: Get "/crosschain/tradeoffers", Slow, AnyNode;
    TradeOffersHidden: Get "/crosschain/tradeoffers/hidden", Slow, OwnNode, since(4, 1, 0);
    Trade: Get "/crosschain/trade/{ataddress}", Quick, AnyNode;
    Trades: Get "/crosschain/trades", Slow, AnyNode;
    TradePrice: Get "/crosschain/price/{blockchain}", Slow, AnyNode;
    TradeLedger: Get "/crosschain/ledger/{publicKey}", Slow, AnyNode, since(4, 7, 1);
    CoinStatus: Get "/crosschain/{coin}/status", Quick, OwnNode, since(6, 0, 0);
    CoinHeight: Get "/crosschain/{coin}/height", Slow, OwnNode;
    CoinServers: Get "/crosschain/{coin}/serverinfos", Quick, OwnNode, since(4, 4, 1);
    CoinFeePerKb: Get "/crosschain/{coin}/feekb", Quick, OwnNode, since(4, 5, 2);
    CoinFeeRequired: Get "/crosschain/{coin}/feerequired", Quick, OwnNode, since(5, 0, 0);

    Transaction: Get "/transactions/signature/{signature}", Quick, AnyNode;
    TransactionAfter: Get "/transactions/reference/{reference}", Quick, AnyNode;
    TransactionsUnconfirmed: Get "/transactions/unconfirmed", Slow, AnyNode;
    TransactionsPending: Get "/transactions/pending", Slow, AnyNode;
    TransactionsSearch: Get "/transactions/search", Slow, AnyNode;
    TransactionsOfAddress: Get "/transactions/address/{address}", Slow, AnyNode;
    TransactionsOfCreator: Get "/transactions/creator/{publickey}", Slow, AnyNode;
    PaymentsBetween: Get "/transactions/payments/between", Slow, AnyNode, since(5, 0, 7);
    TransactionUnitFee: Get "/transactions/unitfee", Quick, AnyNode;

    Assets: Get "/assets", Quick, AnyNode;
    Asset: Get "/assets/info", Quick, AnyNode;
    AssetBalances: Get "/assets/balances", Slow, AnyNode;
    AssetOpenOrders: Get "/assets/openorders/{assetid}/{otherassetid}", Quick, AnyNode;
    AssetTrades: Get "/assets/trades/{assetid}/{otherassetid}", Slow, AnyNode;
    AssetOrder: Get "/assets/order/{orderid}", Quick, AnyNode;
    AssetOrderTrades: Get "/assets/order/{orderid}/trades", Quick, AnyNode;
    AssetOrdersOfAddress: Get "/assets/orders/{address}", Quick, AnyNode;
    AssetOrdersOfAddressAndPair: Get "/assets/orders/{address}/{assetid}/{otherassetid}", Quick, AnyNode;
    AssetTransfers: Get "/assets/transfers/{assetid}", Slow, AnyNode;

    Groups: Get "/groups", Slow, AnyNode;
    GroupsOfMember: Get "/groups/member/{address}", Quick, AnyNode;
    Group: Get "/groups/{groupid}", Quick, AnyNode;
    GroupMembers: Get "/groups/members/{groupid}", Slow, AnyNode;
    GroupMembersValidate: Post "/groups/members/{groupid}/validate", Quick, AnyNode, since(6, 1, 7);
    GroupKicksOfMember: Get "/groups/kicks/member", Slow, AnyNode, since(6, 1, 4);
    GroupInvitesOfAddress: Get "/groups/invites/{address}", Quick, AnyNode;
    GroupInvites: Get "/groups/invites/group/{groupid}", Quick, AnyNode;
    GroupJoinRequests: Get "/groups/joinrequests/{groupid}", Quick, AnyNode;
    GroupJoinRequestsOfAddress: Get "/groups/joinrequests/address/{address}", Quick, AnyNode, since(5, 0, 7);
    GroupJoinRequestsForAdmin: Get "/groups/joinrequests/admin/{address}", Slow, AnyNode, since(6, 1, 0);
    GroupBans: Get "/groups/bans/{groupid}", Quick, AnyNode;
    GroupTopJoins: Get "/groups/topjoins/{year}", Slow, AnyNode, since(6, 1, 5);
    GroupTopLeaves: Get "/groups/topleaves/{year}", Slow, AnyNode, since(6, 1, 5);
    GroupTopKicks: Get "/groups/topkicks/{year}", Slow, AnyNode, since(6, 1, 5);
    GroupTopBans: Get "/groups/topbans/{year}", Slow, AnyNode, since(6, 1, 5);

    ChatMessages: Get "/chat/messages", Quick, AnyNode;
    ChatMessagesCount: Get "/chat/messages/count", Quick, AnyNode, since(4, 0, 2);
    ChatMessage: Get "/chat/message/{signature}", Quick, AnyNode;
    ChatActive: Get "/chat/active/{address}", Quick, AnyNode;
    ChatMemory: Get "/chat/memory", Quick, OwnNode, since(6, 1, 6);
    ChatStats: Get "/chat/stats", Quick, OwnNode, since(6, 1, 6);
    ChatGroupStats: Get "/chat/groupstats", Quick, OwnNode, since(6, 1, 6);

    Resources: Get "/arbitrary/resources", Slow, AnyNode;
    ResourcesSearch: Get "/arbitrary/resources/search", Slow, AnyNode;
    ResourceStatus: Get "/arbitrary/resource/status/{service}/{name}", Quick, OwnNode;
    ResourceStatusWithIdentifier: Get "/arbitrary/resource/status/{service}/{name}/{identifier}", Quick, OwnNode;
    ResourceMetadata: Get "/arbitrary/metadata/{service}/{name}/{identifier}", Slow, AnyNode;
    ResourceRaw: Get "/arbitrary/{service}/{name}", Slow, AnyNode;
    ResourceRawWithIdentifier: Get "/arbitrary/{service}/{name}/{identifier}", Slow, AnyNode;
    ResourcePeers: Get "/arbitrary/resource/request/peers/{service}/{name}", Slow, OwnNode, since(6, 0, 0);
    ResourcePeersWithIdentifier: Get "/arbitrary/resource/request/peers/{service}/{name}/{identifier}", Slow, OwnNode, since(6, 0, 0);
    ResourcesOnChain: Post "/arbitrary/resources/onchain/data", Slow, AnyNode, since(6, 1, 4);
    Indices: Get "/arbitrary/indices", Quick, AnyNode, since(4, 7, 1);
    ArbitraryTransactions: Get "/arbitrary/search", Slow, AnyNode;
    HostedTransactions: Get "/arbitrary/hosted/transactions", Quick, OwnNode;
    HostedResources: Get "/arbitrary/hosted/resources", Quick, OwnNodeWithKey;

    Polls: Get "/polls", Slow, AnyNode;
    Poll: Get "/polls/{pollName}", Quick, AnyNode;
    PollVotes: Get "/polls/votes/{pollName}", Slow, AnyNode, since(4, 1, 0);
    AppRatings: Get "/polls/apps/ratings", Slow, AnyNode, since(6, 1, 4);

    At: Get "/at/{ataddress}", Quick, AnyNode;
    AtState: Get "/at/{ataddress}/data", Quick, AnyNode;

    Peers: Get "/peers", Quick, OwnNode;
    PeersOfData: Get "/peers/data", Quick, OwnNode, since(6, 0, 0);

    CirculatingSupply: Get "/stats/supply/circulating", Slow, AnyNode, since(4, 1, 0);

    NodeTime: Get "/utils/timestamp", Quick, OwnNode;

    ListEntries: Get "/lists/{listName}", Quick, OwnNodeWithKey;

    StatusSocket: Socket "/websockets/admin/status", Quick, OwnNode;
    BlockSocket: Socket "/websockets/blocks", Quick, AnyNode;
    ChatSocket: Socket "/websockets/chat/messages", Quick, AnyNode;
    TradePresenceSocket: Socket "/websockets/crosschain/tradepresence", Quick, AnyNode;
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = match self.method() {
            Method::Get | Method::Socket => "GET",
            Method::Post => "POST",
        };
        write!(f, "{method} {}", self.template())
    }
}

#[cfg(test)]
mod tests;
