//! A report on one account, bounded in size.

use qortal_client::{
    NodeError, PageRequest,
    api::{
        addresses::{Account as NodeAccount, RewardShare, RewardShareFilter},
        crosschain::{CompletedTrade, Trade, TradeFilter},
        groups::{Group, GroupRole},
    },
};
use qortal_types::{Address, Amount, AssetId, PublicKey, Timestamp};

use super::{
    activity::{Activity, activity},
    overview::{known_account, texts},
};
use crate::{
    declare::{Account, AccountRef, Context, Page, Reply, Tool, ToolError, count},
    support::{labels::Labels, primary_names::PrimaryNames, untrusted::Untrusted},
};

/// Maximum length of each list.
const NAMES_SHOWN: u32 = 20;
const GROUPS_SHOWN: usize = 20;
const SHARES_SHOWN: u32 = 10;
const OFFERS_SHOWN: usize = 10;
const TRADES_SHOWN: u32 = 5;
const TRANSACTIONS_SHOWN: u32 = 5;
/// Number of days searched for trades. Without a bound, the Core reads all trades.
const TRADES_DAYS: i64 = 30;
const DAY_MILLIS: i64 = 86_400_000;

params! {
    pub(super) struct GetAccountReport {
        /// Account.
        address: AccountRef
    }
}

record! {
    pub(super) struct AccountReport {
        /// The account's address.
        address: Account,
        /// Whether the account has ever appeared on the chain.
        is_known: bool,
        /// Confirmed balance in QORT.
        balance: Amount,
        /// The name the account goes by.
        primary_name: Option<Untrusted>,
        /// The names it owns, the oldest first, at most 20.
        names: Option<Vec<Untrusted>>,
        /// Minting level, 0 to 10.
        level: u32,
        /// Blocks it has minted.
        blocks_minted: i64,
        /// Blocks taken off as a penalty, 0 or less.
        blocks_minted_penalty: i64,
        /// Whether it is a founder of the chain.
        is_founder: bool,
        /// Groups it is a member of, at most 20.
        groups: Option<Vec<GroupOfAccount>>,
        /// The number of groups in total.
        total_groups: Option<u32>,
        /// Its agreements to share minting rewards, at most 10.
        reward_shares: Option<Vec<Share>>,
        /// Its open offers to sell QORT, the oldest first, at most 10.
        open_offers: Option<Vec<Offer>>,
        /// The number of open offers in total.
        total_open_offers: Option<u32>,
        /// Trades completed in the last 30 days, the latest first, at most 5 of each role.
        recent_trades: Option<Vec<RecentTrade>>,
        /// The latest confirmed transactions, at most 5.
        recent_activity: Option<Vec<Activity>>,
        /// The lists longer than shown.
        truncated: Vec<&'static str>
    }

    pub(super) struct GroupOfAccount from(it: Group, address: &Address) {
        /// The group's number.
        group_id: u32,
        /// Its name.
        group_name: Untrusted = it.group_name.into(),
        /// Whether the account owns it.
        is_owner: bool = it.owner == *address,
        /// Whether the account is one of its admins.
        is_admin: Option<bool>
    }

    pub(super) struct Share from(it: RewardShare) {
        /// The minter.
        minter: Option<Address> = it.minting_account,
        /// The recipient of the share.
        recipient: Address,
        /// The share of the reward, in percent. 0.00 from an account to itself is its minting key.
        share_percent: String
    }

    pub(super) struct Offer from(it: Trade) {
        /// Identifies the offer.
        qortal_at_address: Address,
        /// QORT for sale.
        qort_amount: Amount,
        /// The price of all of it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// The foreign coin's blockchain.
        foreign_blockchain: String = it.foreign_blockchain.to_string()
    }

    pub(super) struct RecentTrade from(it: CompletedTrade, role: &'static str) {
        /// `seller` or `buyer` of the QORT.
        role: &'static str = role,
        /// The time of its completion.
        trade_timestamp: Timestamp,
        /// QORT sold or bought.
        qort_amount: Amount,
        /// Identifies the trade. get_trade_detail returns the coin and its amount.
        at_address: Address
    }
}

impl Tool for GetAccountReport {
    const NAME: &str = "get_account_report";
    const TITLE: &str = "Account report";
    const DESCRIPTION: &str = "Summarize an account: balance, names, level, groups, reward shares, offers, recent trades and activity.";
    const EXAMPLE: &str = r#"{"address":"rita-trades"}"#;
    const KEYWORDS: &str = "everything about an account, account summary, wallet, portfolio, profile, account created, account age";
    type Output = Reply<AccountReport>;

    /// Sends nine requests at once, and three that depend on earlier ones.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let (node, address) = (&cx.node, found.address);
        let shares = RewardShareFilter::default().with_involving(vec![address]);
        let account_and_trades = async {
            let now = cx.optional("Recent trades are", node.network_time());
            let (account, now) = tokio::try_join!(known_account(node, &address), now)?;
            let key = account.as_ref().and_then(|it| it.public_key);
            let trades = match (key, now) {
                (Some(key), Some(now)) => {
                    // Begins at midnight, so that all calls of one day send the same request.
                    let midnight = now.millis() - now.millis().rem_euclid(DAY_MILLIS);
                    let since = Timestamp::from_millis(midnight - TRADES_DAYS * DAY_MILLIS);
                    let trades = tokio::try_join!(
                        trades(cx, key, since, "seller"),
                        trades(cx, key, since, "buyer"),
                    );
                    cx.part("Recent trades are", trades)
                }
                _ => None,
            };
            Ok::<_, NodeError>((account, trades))
        };
        let transactions_and_names = async {
            let page = PageRequest::last(TRANSACTIONS_SHOWN + 1);
            let transactions = node.transactions_of(&address, page).await;
            let transactions = cx.part("Recent activity is", transactions);
            let transactions = transactions.map(|it| Page::first(cx, TRANSACTIONS_SHOWN, it));
            let shown = transactions.as_ref().map_or(&[][..], |it| &it.items);
            let (names, labels) = tokio::join!(
                PrimaryNames::of_transactions(cx, shown, Some(&address)),
                Labels::of_transactions(cx, shown, Some(address)),
            );
            Ok::<_, NodeError>((transactions, names, labels))
        };
        let names_of = node.names_of(&address, PageRequest::first(NAMES_SHOWN + 1));
        let shares_of = node.reward_shares(&shares, PageRequest::first(SHARES_SHOWN + 1));
        let (account, transactions, balance, primary_name, owned, groups, shares, offers) = tokio::try_join!(
            account_and_trades,
            transactions_and_names,
            node.balance(&address, AssetId::QORT),
            cx.optional("The primary name is", node.primary_name(&address)),
            cx.optional("The names are", names_of),
            cx.optional(
                "The groups are",
                node.groups_of(&address, GroupRole::Member)
            ),
            cx.optional("The reward shares are", shares_of),
            cx.optional("Open offers are", node.all_trade_offers(None)),
        )?;
        let (account, trades) = account;
        let (transactions, names, labels) = transactions;
        let public_key = account.as_ref().and_then(|it| it.public_key);
        let mut truncated = Vec::new();
        let mut cut = |is_cut: bool, what| {
            if is_cut {
                truncated.push(what);
            }
        };
        let owned = owned.map(|it| Page::first(cx, NAMES_SHOWN, it));
        cut(is_cut(owned.as_ref()), "names");
        let group_count = groups.as_ref().map(Vec::len);
        cut(group_count.is_some_and(|it| it > GROUPS_SHOWN), "groups");
        let shares = shares.map(|it| Page::first(cx, SHARES_SHOWN, it));
        cut(is_cut(shares.as_ref()), "rewardShares");
        let is_theirs = |it: &Trade| it.qortal_creator == address;
        let offers: Option<Vec<Trade>> =
            offers.map(|it| it.into_iter().filter(is_theirs).collect());
        let offer_count = offers.as_ref().map(Vec::len);
        cut(
            offer_count.is_some_and(|it| it > OFFERS_SHOWN),
            "openOffers",
        );
        let trades = trades.map(|(sold, bought)| {
            let [sold, bought] = [sold, bought].map(|it| Page::first(cx, TRADES_SHOWN, it));
            let is_cut = sold.remainder.truncated || bought.remainder.truncated;
            let mut trades: Vec<RecentTrade> = sold.items.into_iter().chain(bought.items).collect();
            trades.sort_by_cached_key(|it| std::cmp::Reverse(it.trade_timestamp));
            (trades, is_cut)
        });
        cut(
            trades.as_ref().is_some_and(|(_, is_cut)| *is_cut),
            "recentTrades",
        );
        cut(is_cut(transactions.as_ref()), "recentActivity");
        let known = account.as_ref();
        let reply = Reply::new(AccountReport {
            address: found,
            is_known: known.is_some(),
            balance,
            primary_name: primary_name.flatten().map(Untrusted),
            names: owned.map(texts),
            level: known.map_or(0, |it| it.level),
            blocks_minted: known.map_or(0, |it| it.blocks_minted),
            blocks_minted_penalty: known.and_then(|it| it.blocks_minted_penalty).unwrap_or(0),
            is_founder: known.is_some_and(NodeAccount::is_founder),
            total_groups: group_count.map(count),
            groups: groups.map(|it| {
                let shown = it.into_iter().take(GROUPS_SHOWN);
                shown.map(|it| GroupOfAccount::of(it, &address)).collect()
            }),
            reward_shares: shares.map(|it| it.items.into_iter().map(Share::of).collect()),
            total_open_offers: offer_count.map(count),
            open_offers: offers.map(|it| {
                let shown = it.into_iter().take(OFFERS_SHOWN);
                shown.map(Offer::of).collect()
            }),
            recent_trades: trades.map(|(trades, _)| trades),
            recent_activity: transactions.map(|it| {
                let items = it.items.iter();
                items
                    .map(|it| activity(it, &address, &names, &labels))
                    .collect()
            }),
            truncated,
        });
        Ok(reply.note_if(public_key.is_none(), "Recent trades are unknown: the node finds them by the account's public key, which is not on the chain yet."))
    }
}

fn is_cut<T>(list: Option<&Page<T>>) -> bool {
    list.is_some_and(|it| it.remainder.truncated)
}

/// Returns the latest trades in one role, one more than is shown. The node finds them by the public key.
async fn trades(
    cx: &Context,
    key: PublicKey,
    since: Timestamp,
    role: &'static str,
) -> Result<Vec<RecentTrade>, NodeError> {
    let filter = TradeFilter::default()
        .with_since(since)
        .with_seller((role == "seller").then_some(key))
        .with_buyer((role == "buyer").then_some(key));
    // Limits apply to each contract type before the lists are merged in order, so the first page is correct.
    let trades = cx
        .node
        .trades(&filter, PageRequest::last(TRADES_SHOWN + 1))
        .await?;
    Ok(trades
        .into_iter()
        .map(|it| RecentTrade::of(it, role))
        .collect())
}
