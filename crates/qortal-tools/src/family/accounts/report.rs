//! A report on one account, bounded in size.

use qortal_client::{
    NodeError, Page,
    api::{
        addresses::{Account as NodeAccount, RewardShare, RewardShareFilter},
        crosschain::{CompletedTrade, Trade, TradeFilter},
        groups::{Group, GroupRole},
    },
};
use qortal_types::{Address, Amount, AssetId, PublicKey, Timestamp};

use super::{
    activity::{Activity, activity, names},
    known_account,
};
use crate::{
    catalog::Surface,
    context::{Account, Context},
    declare::{AccountRef, Reply, Slice, Tool, count},
    error::ToolError,
    untrusted::Untrusted,
};

/// The length of each list.
const NAMES_SHOWN: u32 = 20;
const GROUPS_SHOWN: usize = 20;
const SHARES_SHOWN: u32 = 10;
const OFFERS_SHOWN: usize = 10;
const TRADES_SHOWN: u32 = 5;
const TRANSACTIONS_SHOWN: u32 = 5;
/// Older trades are not looked for: without a bound the Core reads all trades.
const TRADES_DAYS: i64 = 30;
const DAY_MILLIS: i64 = 86_400_000;

pub(super) struct GetAccountReport;

params! {
    pub(super) struct GetAccountReportParams {
        /// The account: an address, or a registered name.
        address: AccountRef
    }
}

record! {
    pub(super) struct AccountReport {
        /// The account's address.
        address: Account,
        /// Whether the account has ever appeared on the chain.
        is_known: bool,
        /// Its public key in Base58; left out until it has sent something.
        public_key: Option<String>,
        /// Confirmed balance in QORT.
        balance: Amount,
        /// The name the account goes by.
        primary_name: Option<Untrusted>,
        /// The names it owns, the oldest first, at most 20.
        names: Vec<Untrusted>,
        /// Minting level, 0 to 10.
        level: u32,
        /// Blocks it has minted.
        blocks_minted: i64,
        /// Blocks taken off as a penalty, 0 or less.
        blocks_minted_penalty: i64,
        /// Whether it is a founder of the chain.
        is_founder: bool,
        /// Groups it is a member of, at most 20.
        groups: Vec<GroupOfAccount>,
        /// How many groups there are in all.
        total_groups: u32,
        /// Agreements to share minting rewards in which it takes part, at most 10.
        reward_shares: Vec<Share>,
        /// Its open offers to sell QORT, the oldest first, at most 10.
        open_offers: Vec<Offer>,
        /// How many open offers there are in all.
        total_open_offers: u32,
        /// Trades completed in the last 30 days, the latest first, at most 5 of each role.
        recent_trades: Vec<RecentTrade>,
        /// The latest confirmed transactions, at most 5.
        recent_activity: Vec<Activity>,
        /// Which of these lists are longer than shown.
        truncated: Vec<&'static str>
    }
}

record! {
    pub(super) struct GroupOfAccount {
        /// The group's number.
        group_id: u32,
        /// Its name.
        group_name: Untrusted,
        /// Whether the account owns it.
        is_owner: bool,
        /// Whether the account is one of its admins.
        is_admin: Option<bool>
    }
}

record! {
    pub(super) struct Share {
        /// Who mints.
        minter: Option<Address>,
        /// Who receives the share.
        recipient: Address,
        /// How much of the reward, in percent; 0.00 from an account to itself is the key it mints with.
        share_percent: String
    }
}

record! {
    pub(super) struct Offer {
        /// Identifies the offer.
        qortal_at_address: Address,
        /// QORT for sale.
        qort_amount: Amount,
        /// What is wanted for it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// The foreign coin's blockchain.
        foreign_blockchain: String
    }
}

record! {
    pub(super) struct RecentTrade {
        /// `seller` or `buyer` of the QORT.
        role: &'static str,
        /// When it was completed.
        trade_timestamp: Timestamp,
        /// QORT sold or bought.
        qort_amount: Amount,
        /// Identifies the trade; get_trade_detail returns the coin and its amount.
        at_address: Address
    }
}

impl Tool for GetAccountReport {
    const NAME: &'static str = "get_account_report";
    const TITLE: &'static str = "Account report";
    const DESCRIPTION: &'static str = "Return a report on one account: balance, names, level, groups, reward shares, open offers, recent trades and recent activity.";
    const EXAMPLE: &'static str = r#"{"address":"rita-trades"}"#;
    const SURFACE: Surface = Surface::Core;
    type Params = GetAccountReportParams;
    type Output = Reply<AccountReport>;

    /// Nine requests at once, and three that depend on earlier ones.
    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", params.address).await?;
        let (node, address) = (&cx.node, found.address);
        let shares = RewardShareFilter::default().with_involving(vec![address]);
        let account_and_trades = async {
            let (account, now) = tokio::try_join!(known_account(node, &address), node.clock())?;
            let key = account.as_ref().and_then(|it| it.public_key);
            // Since midnight, so that all calls of one day send the same request.
            let midnight = now.millis() - now.millis().rem_euclid(DAY_MILLIS);
            let since = Timestamp::from_millis(midnight - TRADES_DAYS * DAY_MILLIS);
            let (sold, bought) = tokio::try_join!(
                trades(cx, key, since, "seller"),
                trades(cx, key, since, "buyer"),
            )?;
            Ok::<_, NodeError>((account, sold, bought))
        };
        let transactions_and_names = async {
            let page = Page::last(TRANSACTIONS_SHOWN + 1);
            let transactions = node.transactions_of(&address, page).await?;
            let transactions = Slice::first(TRANSACTIONS_SHOWN).of(cx, transactions);
            let names = names(node, &address, &transactions.items).await?;
            Ok::<_, NodeError>((transactions, names))
        };
        let (account, transactions, balance, primary_name, owned, groups, shares, offers) = tokio::try_join!(
            account_and_trades,
            transactions_and_names,
            node.balance(&address, AssetId::QORT),
            node.primary_name(&address),
            node.names_of(&address, Page::first(NAMES_SHOWN + 1)),
            node.groups_of(&address, GroupRole::Member),
            node.reward_shares(&shares, Page::first(SHARES_SHOWN + 1)),
            node.all_trade_offers(None),
        )?;
        let (account, sold, bought) = account;
        let (transactions, names) = transactions;
        let public_key = account.as_ref().and_then(|it| it.public_key);
        let mut truncated = Vec::new();
        let mut cut = |is_cut: bool, what| {
            if is_cut {
                truncated.push(what);
            }
        };
        let owned = Slice::first(NAMES_SHOWN).of(cx, owned);
        cut(owned.remainder.truncated, "names");
        cut(groups.len() > GROUPS_SHOWN, "groups");
        let shares = Slice::first(SHARES_SHOWN).of(cx, shares);
        cut(shares.remainder.truncated, "rewardShares");
        let offers: Vec<Trade> = offers
            .into_iter()
            .filter(|it| it.qortal_creator == address)
            .collect();
        cut(offers.len() > OFFERS_SHOWN, "openOffers");
        let (sold, bought) = (
            Slice::first(TRADES_SHOWN).of(cx, sold),
            Slice::first(TRADES_SHOWN).of(cx, bought),
        );
        cut(
            sold.remainder.truncated || bought.remainder.truncated,
            "recentTrades",
        );
        cut(transactions.remainder.truncated, "recentActivity");
        let mut recent_trades: Vec<RecentTrade> =
            sold.items.into_iter().chain(bought.items).collect();
        recent_trades.sort_by_key(|it| std::cmp::Reverse(it.trade_timestamp));
        let known = account.as_ref();
        let reply = Reply::new(AccountReport {
            address: found,
            is_known: known.is_some(),
            public_key: public_key.map(|it| it.to_string()),
            balance,
            primary_name: primary_name.map(Untrusted),
            names: owned
                .items
                .into_iter()
                .filter_map(|it| it.name.map(Untrusted))
                .collect(),
            level: known.map_or(0, |it| it.level),
            blocks_minted: known.map_or(0, |it| it.blocks_minted),
            blocks_minted_penalty: known.and_then(|it| it.blocks_minted_penalty).unwrap_or(0),
            is_founder: known.is_some_and(NodeAccount::is_founder),
            total_groups: count(groups.len()),
            groups: groups
                .into_iter()
                .take(GROUPS_SHOWN)
                .map(|it| group(it, &address))
                .collect(),
            reward_shares: shares.items.into_iter().map(Share::from).collect(),
            total_open_offers: count(offers.len()),
            open_offers: offers
                .into_iter()
                .take(OFFERS_SHOWN)
                .map(Offer::from)
                .collect(),
            recent_trades,
            recent_activity: transactions
                .items
                .iter()
                .map(|it| activity(it, &address, &names))
                .collect(),
            truncated,
        });
        Ok(reply.note_if(public_key.is_none(), "Recent trades are unknown: the node finds them by the account's public key, which is not on the chain yet."))
    }
}

fn group(it: Group, address: &Address) -> GroupOfAccount {
    GroupOfAccount {
        group_id: it.group_id,
        group_name: it.group_name.into(),
        is_owner: it.owner == *address,
        is_admin: it.is_admin,
    }
}

impl From<RewardShare> for Share {
    fn from(it: RewardShare) -> Self {
        Self {
            minter: it.minting_account,
            recipient: it.recipient,
            share_percent: it.share_percent,
        }
    }
}

impl From<Trade> for Offer {
    fn from(it: Trade) -> Self {
        Self {
            qortal_at_address: it.qortal_at_address,
            qort_amount: it.qort_amount,
            expected_foreign_amount: it.expected_foreign_amount,
            foreign_blockchain: it.foreign_blockchain.to_string(),
        }
    }
}

/// The latest trades in one role, one more than is shown; empty without the public key, by which the node finds them.
async fn trades(
    cx: &Context,
    key: Option<PublicKey>,
    since: Timestamp,
    role: &'static str,
) -> Result<Vec<RecentTrade>, NodeError> {
    let Some(key) = key else {
        return Ok(Vec::new());
    };
    let filter = TradeFilter::default()
        .with_since(since)
        .with_seller((role == "seller").then_some(key))
        .with_buyer((role == "buyer").then_some(key));
    // Limits count for each contract type and are then put together in order: the first page is right.
    let trades = cx
        .node
        .trades(&filter, Page::last(TRADES_SHOWN + 1))
        .await?;
    let of = |it: CompletedTrade| RecentTrade {
        role,
        trade_timestamp: it.trade_timestamp,
        qort_amount: it.qort_amount,
        at_address: it.at_address,
    };
    Ok(trades.into_iter().map(of).collect())
}
