//! The columns of the lists of tools, in order of importance, and the units of their values.

use std::iter;

use super::answer::ISO;

/// The end of the name of the member that has the name of an account whose address another member has.
const NAME: &str = "Name";
/// Separates the columns that are always shown from those that are left out where there is no room, the last ones first.
const ESSENTIAL: &str = "|";
/// The number of columns that a list without declared columns always shows.
const MOST_ESSENTIAL: usize = 3;

/// The columns of lists: the list, the tools (all others if there are none), and the columns.
///
/// A column is `heading=member/member:unit`: the first of the members that has a value. The heading, other members and the unit may be
/// left out, and a member in an object is `object.member`. A member after `-` repeats others and is not shown. Members without a
/// column come last.
const COLUMNS: &[(&str, &[&str], &str)] = &[
    (
        "accounts",
        &["get_group_rankings"],
        "account=name/address count",
    ),
    ("activities", &[], "timestamp text | type fee"),
    ("assets", &[], "assetId name quantity description | owner"),
    (
        "balances",
        &["get_asset_balances"],
        "account=name/address asset=assetName/assetId balance",
    ),
    ("bans", &[], "offender reason banned | expiry admin"),
    (
        "blocks",
        &[],
        "height timestamp transactionCount | minterAddress totalFees minterLevel",
    ),
    (
        "candles",
        &[],
        "start close high low | open trades volumeQort volumeForeign",
    ),
    (
        "coins",
        &["get_market_overview"],
        "coin=symbol/foreignBlockchain lastPrice bestAsk | openOffers offeredQort trades24h lastTraded volumeQort24h lowestAsk",
    ),
    ("direct", &[], "account=name/address timestamp | sender"),
    (
        "events",
        &["get_group_history"],
        "timestamp text | reason kind -actor -actorName -member -memberName",
    ),
    (
        "events",
        &["get_name_history"],
        "timestamp kind price:QORT | owner seller name",
    ),
    (
        "groups",
        &["get_active_chats"],
        "group=groupName/groupId timestamp sender text | isEncrypted",
    ),
    (
        "groups",
        &["get_groups_by_member"],
        "groupId groupName isAdmin | memberCount isOpen owner=ownerPrimaryName/owner description",
    ),
    (
        "groups",
        &["list_groups", "get_groups_by_owner"],
        "groupId groupName memberCount isOpen | owner=ownerPrimaryName/owner description",
    ),
    (
        "hosted",
        &[],
        "service name identifier totalSpace | timestamp kind",
    ),
    (
        "incomplete",
        &[],
        "service name identifier status | size created kind -link",
    ),
    (
        "invites",
        &[],
        "group=groupName/groupId invitee invited | inviter expiry",
    ),
    (
        "joinRequests",
        &[],
        "group=groupName/groupId joiner requested",
    ),
    (
        "kicks",
        &[],
        "timestamp group=groupName/groupId member reason",
    ),
    (
        "levels",
        &["get_trade_order_book"],
        "pricePerQort qortAmount foreignAmount | offers online=offersOnline seller cumulativeQort",
    ),
    (
        "members",
        &["get_group_members"],
        "member=primaryName/member isAdmin joined",
    ),
    (
        "messages",
        &["get_chat_messages"],
        "timestamp sender text=text/attachments | replyTo=replyTo.senderName/replyTo.sender",
    ),
    (
        "names",
        &["list_names_for_sale"],
        "name salePrice/isForSale | owner registered",
    ),
    (
        "names",
        &["list_names", "search_names"],
        "name owner forSale=salePrice/isForSale:QORT | registered",
    ),
    ("months", &[], "month coin net | received paid fees rows"),
    (
        "nodes",
        &["compare_nodes"],
        "node height blocksBehind | timestamp signature",
    ),
    (
        "offers",
        &["list_hidden_trade_offers", "list_trade_offers"],
        OFFERS,
    ),
    ("openOffers", &[], OFFERS),
    (
        "orders",
        &[],
        "timestamp state amount price | have=haveAssetName/haveAssetId want=wantAssetName/wantAssetId fulfilled",
    ),
    (
        "payments",
        &["find_payments"],
        "timestamp sender recipient amount:QORT | fee confirmations transaction height",
    ),
    (
        "polls",
        &[],
        "pollName description | published optionCount owner",
    ),
    (
        "publications",
        &[],
        "service name identifier timestamp | size method",
    ),
    (
        "ratings",
        &["get_app_ratings"],
        "appName average totalVotes | published -pollName -stars",
    ),
    ("recentActivity", &[], "timestamp text | type fee"),
    ("recentTrades", &[], "time=tradeTimestamp role qortAmount"),
    (
        "resources",
        &["search_qdn_resources"],
        "service name identifier title=title/kind | created size description -link",
    ),
    ("results", &["search"], "title id | -url"),
    (
        "rows",
        &["get_account_ledger"],
        "timestamp kind amount coin | counterparty fee balance",
    ),
    (
        "rows",
        &["get_trade_ledger"],
        "time=timestamp/dateTime received=receivedAmount coin=received paid=paidAmount coin=paid | counterparty fee",
    ),
    ("senders", &[], "sender messageCount last"),
    ("signers", &[], "minter blockCount"),
    ("totals", &[], "coin received paid net | fees rows"),
    (
        "traders",
        &["get_trade_rankings"],
        "trader=name/address qortAmount trades | foreignAmount pricePerQort",
    ),
    (
        "trades",
        &["list_account_trades"],
        "created=creationTimestamp coin=symbol QORT=qortAmount state=state/mode | for=expectedForeignAmount pricePerQort receiver",
    ),
    (
        "trades",
        &["list_completed_trades"],
        "time=tradeTimestamp coin=symbol QORT=qortAmount pricePerQort | for=foreignAmount seller=sellerName/sellerAddress buyer=buyerReceivingName/buyerReceivingAddress",
    ),
    (
        "transactions",
        &["list_pending_approvals"],
        "transaction type=transactionType creator=creatorName/creatorAddress amount:QORT | until=lastTime/lastHeight group=groupName/groupId timestamp",
    ),
    (
        "transactions",
        &[],
        "timestamp text | type transaction fee amount",
    ),
    (
        "transfers",
        &[],
        "timestamp sender recipient amount | transaction",
    ),
];

/// The columns of open offers.
const OFFERS: &str = "coin=symbol/foreignBlockchain QORT=qortAmount for=expectedForeignAmount pricePerQort | online=sellerOnline seller=qortalCreatorName/qortalCreator created=creationTimestamp";

/// The units of members that have the same one in every answer.
const UNITS: &[(&str, &str)] = &[
    ("averageResponseTime", "ms"),
    ("blockReward", "QORT"),
    ("circulatingSupply", "QORT"),
    ("clockSkew", "ms"),
    ("closingBalance", "QORT"),
    ("estimatedEach", "QORT"),
    ("estimatedPerDay", "QORT"),
    ("fee", "QORT"),
    ("fileSize", "bytes"),
    ("openingBalance", "QORT"),
    ("registrationFee", "QORT"),
    ("salePrice", "QORT"),
    ("sharePercent", "%"),
    ("size", "bytes"),
    ("totalFees", "QORT"),
    ("totalSpace", "bytes"),
    ("unitFee", "QORT"),
];

/// The unit of a member.
#[must_use]
pub(super) fn unit(member: &str) -> Option<&'static str> {
    let found = UNITS.iter().find(|(name, _)| *name == member);
    found.map(|(_, unit)| *unit)
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) unit: Option<String>,
    /// The members that it shows: of each row the first that has a value.
    pub(super) members: Vec<String>,
    /// Whether it is shown however little room there is.
    pub(super) is_essential: bool,
}

impl Column {
    /// Returns the name with the unit.
    #[must_use]
    pub(super) fn heading(&self) -> String {
        let name = &self.name;
        self.unit
            .as_ref()
            .map_or_else(|| name.clone(), |it| format!("{name} ({it})"))
    }
}

/// The columns of a list.
#[derive(Debug)]
pub(super) struct Columns {
    declared: &'static str,
}

impl Columns {
    /// Returns the columns that are declared for a list of a tool.
    #[must_use]
    pub(super) fn of(tool: &str, list: &str) -> Self {
        let lines = COLUMNS.iter().filter(|(name, ..)| *name == list);
        let of_tool = lines.clone().find(|(_, tools, _)| tools.contains(&tool));
        let mut of_all = lines.filter(|(_, tools, _)| tools.is_empty());
        let declared = of_tool.or_else(|| of_all.next());
        Self {
            declared: declared.map_or("", |(.., columns)| columns),
        }
    }

    /// Whether the list is a table even if its rows have parts.
    #[must_use]
    pub(super) const fn are_declared(&self) -> bool {
        !self.declared.is_empty()
    }

    /// Returns the columns of rows with these members, the most important first.
    #[must_use]
    pub(super) fn with(&self, members: &[&str]) -> Vec<Column> {
        let (first, rest) = self
            .declared
            .split_once(ESSENTIAL)
            .unwrap_or((self.declared, ""));
        let words = |words: &'static str, is_essential| {
            words.split_whitespace().map(move |it| (it, is_essential))
        };
        let mut taken: Vec<String> = Vec::new();
        let mut columns = Vec::new();
        for (word, is_essential) in words(first, true).chain(words(rest, false)) {
            if let Some(member) = word.strip_prefix('-') {
                taken.push(member.to_owned());
                continue;
            }
            let column = column(word, is_essential, members);
            let tops = column.members.iter().filter_map(|it| it.split('.').next());
            let tops: Vec<_> = tops.map(str::to_owned).collect();
            if tops.iter().any(|it| members.contains(&it.as_str())) {
                columns.push(column);
            }
            taken.extend(tops);
        }
        for member in members {
            // The address is in the column of its name.
            let is_name = member
                .strip_suffix(NAME)
                .is_some_and(|it| members.contains(&it));
            if !is_name && !taken.iter().any(|it| it == member) {
                let is_essential = !self.are_declared() && columns.len() < MOST_ESSENTIAL;
                columns.push(column(member, is_essential, members));
            }
        }
        columns
    }
}

/// The column of a word of [`COLUMNS`].
fn column(word: &str, is_essential: bool, members: &[&str]) -> Column {
    let (heading, rest) = match word.split_once('=') {
        Some((heading, rest)) => (Some(heading), rest),
        None => (None, word),
    };
    let (rest, own_unit) = match rest.split_once(':') {
        Some((rest, unit)) => (rest, Some(unit)),
        None => (rest, None),
    };
    let first = rest.split('/').next().unwrap_or(rest);
    let named = |member: &str| {
        let name = format!("{member}{NAME}");
        let name = Some(name).filter(|it| members.contains(&it.as_str()));
        name.into_iter()
            .chain(iter::once(member.to_owned()))
            .collect::<Vec<_>>()
    };
    let heading = heading.unwrap_or(first);
    let unit = own_unit.or_else(|| unit(first));
    Column {
        name: heading.to_owned(),
        unit: unit.map(str::to_owned),
        members: rest.split('/').flat_map(named).collect(),
        is_essential,
    }
}

/// The names of a member with its time in ISO 8601, and of the member.
pub(super) fn twins(member: &str) -> [String; 2] {
    [format!("{member}{ISO}"), member.to_owned()]
}
