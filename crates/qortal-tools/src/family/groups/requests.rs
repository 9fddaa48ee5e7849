//! Invitations, join requests and bans of groups, and what awaits the approval of their admins.

use std::collections::BTreeMap;

use futures_util::TryFutureExt;
use qortal_client::{
    PageRequest,
    api::{
        block_time::BlockTime,
        blocks::Block,
        groups::{GroupBan, GroupInvite},
        transactions::{Transaction, TransactionFilter},
    },
};
use qortal_types::{Amount, Height, Timestamp, TransactionType};

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, Flat, GroupRef, NextPage, Page, Paging, Reply, Rows,
        Tool, ToolError, TransactionId, count,
    },
    family::groups::{
        GroupLabel, label,
        open::{EVENTS_READ, when},
    },
    support::{
        groups::GroupNames,
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
    },
};

params! {
    pub(super) struct GetGroupBans {
        /// Group number or name.
        group_id: GroupRef,
        #[flatten]
        page: Paging<50>
    }
}

record! {
    pub(super) struct Invite
        from(it: GroupInvite, now: Timestamp, groups: &GroupNames, names: &PrimaryNames)
    {
        /// The group's number.
        group_id: u32,
        /// The group's name.
        group_name: Option<Untrusted> = groups.get(it.group_id),
        /// The inviting account.
        inviter: Person = names.person(it.inviter),
        /// The invited account.
        invitee: Person = names.person(it.invitee),
        /// Its end. Absent if it has none.
        expiry: Option<Timestamp>,
        /// Whether its end has passed. The invitation still admits: the Core does not check its end.
        is_expired: bool = it.expiry.is_some_and(|expiry| expiry <= now)
    }
}

impl Invite {
    /// Adds account and group names to a page, with at most two requests.
    async fn named(
        cx: &Context,
        page: Page<GroupInvite, u32>,
        now: Timestamp,
        asked: Option<u32>,
    ) -> Page<Self, u32> {
        let groups = page.items.iter().map(|it| it.group_id);
        let groups = groups.filter(|it| Some(*it) != asked);
        let accounts = page.items.iter().flat_map(|it| [it.inviter, it.invitee]);
        let (groups, names) = tokio::join!(
            GroupNames::of(cx, groups.collect::<Vec<_>>()),
            PrimaryNames::of(cx, accounts.collect::<Vec<_>>()),
        );
        page.map(|it| Self::of(it, now, &groups, &names))
    }
}

/// Returns the note on the end of invitations, which `Group.join` of the Core does not check.
pub(super) fn expiry_note<'a>(invites: impl IntoIterator<Item = &'a Invite>) -> Option<String> {
    let has_expired = invites.into_iter().any(|it| it.is_expired);
    has_expired.then(|| {
        format!("An invitation whose end has passed still admits the account: the Core does not check the end on joining, and removes the invitation only on joining, on a ban or when an admin cancels it. {TERM_OVERFLOWS}")
    })
}

/// `Group.addInvite` and `Group.addBan` of the Core add `timeToLive * 1000` in 32 bits to the time of the transaction.
const TERM_OVERFLOWS: &str = "The Core computes terms in 32 bits: one of more than 24.8 days ends at a wrong time, often before it began.";

params! {
    pub(super) struct GetGroupInvitesByAddress {
        /// Account.
        address: AccountRef,
        #[flatten]
        page: Paging<50>
    }
}

record! {
    pub(super) struct InvitesOfAddress {
        /// The account's address.
        address: Account,
        /// The invitations.
        invites: Page<Invite, u32>
    }
}

impl Tool for GetGroupInvitesByAddress {
    const NAME: &str = "get_group_invites_by_address";
    const TITLE: &str = "Account invitations";
    const DESCRIPTION: &str = "One account's invitations to groups, expired ones too. A group's: get_group_invites_by_group.";
    const EXAMPLE: &str = r#"{"address":"QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}"#;
    const KEYWORDS: &str = "invite, my invite, was I invited";
    type Output = Reply<InvitesOfAddress>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let (invites, now) = tokio::try_join!(
            cx.node.group_invites_of(&found.address),
            cx.node.network_time()
        )?;
        let invites = self.page.of_whole(cx, Cursor::Offset, invites);
        let invites = Invite::named(cx, invites, now, None).await;
        let note = expiry_note(&invites.items);
        let mut reply = Reply::new(InvitesOfAddress {
            address: found,
            invites,
        });
        reply.notes.extend(note);
        Ok(reply)
    }
}

params! { pub(super) struct GetGroupInvitesByGroup(GetGroupBans); }

record! {
    pub(super) struct InvitesOfGroup {
        /// The group.
        group: Flat<GroupLabel>,
        /// The invitations.
        invites: Page<Invite, u32>
    }
}

impl Tool for GetGroupInvitesByGroup {
    const NAME: &str = "get_group_invites_by_group";
    const TITLE: &str = "Group invitations";
    const DESCRIPTION: &str =
        "Invitations to one group, with inviters. An account's: get_group_invites_by_address.";
    const EXAMPLE: &str = r#"{"group_id":"4"}"#;
    const KEYWORDS: &str = "invite, who is invited, group invite";
    type Output = Reply<InvitesOfGroup>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.0.group_id).await?;
        // The list of an unknown group is empty, so the group is requested as well.
        let (group, invites, now) = tokio::try_join!(
            label(cx, group_id),
            cx.node.group_invites(group_id).map_err(ToolError::from),
            cx.node.network_time().map_err(ToolError::from),
        )?;
        let invites = self.0.page.of_whole(cx, Cursor::Offset, invites);
        let invites = Invite::named(cx, invites, now, Some(group_id)).await;
        let note = expiry_note(&invites.items);
        let mut reply = Reply::new(InvitesOfGroup {
            group: Flat(group),
            invites,
        });
        reply.notes.extend(note);
        Ok(reply)
    }
}

params! { pub(super) struct GetGroupJoinRequests(GetGroupBans); }

record! {
    pub(super) struct JoinRequestsOfGroup {
        /// The group.
        group: Flat<GroupLabel>,
        /// The accounts requesting to join.
        joiners: Page<Joiner, u32>
    }

    pub(super) struct Joiner {
        /// The account requesting to join.
        joiner: Person
    }
}

impl Tool for GetGroupJoinRequests {
    const NAME: &str = "get_group_join_requests";
    const TITLE: &str = "Group join requests";
    const DESCRIPTION: &str =
        "Requests to join one group. All groups of an admin: list_pending_approvals.";
    const EXAMPLE: &str = r#"{"group_id":"4"}"#;
    const KEYWORDS: &str = "join request, request to join, wants to join, group join";
    type Output = JoinRequestsOfGroup;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.0.group_id).await?;
        let requests = cx.node.group_join_requests(group_id);
        let (group, requests) =
            tokio::try_join!(label(cx, group_id), requests.map_err(ToolError::from))?;
        let requests = self.0.page.of_whole(cx, Cursor::Offset, requests);
        let names = PrimaryNames::of(cx, requests.items.iter().map(|it| it.joiner)).await;
        Ok(JoinRequestsOfGroup {
            group: Flat(group),
            joiners: requests.map(|it| Joiner {
                joiner: names.person(it.joiner),
            }),
        })
    }
}

record! {
    pub(super) struct BansOfGroup {
        /// The group.
        group: Flat<GroupLabel>,
        /// The bans.
        bans: Page<Ban, u32>
    }

    pub(super) struct Ban from(it: GroupBan, now: Timestamp, names: &PrimaryNames) {
        /// The banned account.
        offender: Person = names.person(it.offender),
        /// The banning admin.
        admin: Person = names.person(it.admin),
        /// The admin's reason.
        reason: Option<Untrusted> = it.reason.map(Untrusted),
        /// Since when.
        banned: Timestamp,
        /// Its end. Absent if it has none.
        expiry: Option<Timestamp>,
        /// Whether its end has passed: the account can join again.
        is_expired: bool = it.expiry.is_some_and(|expiry| expiry <= now)
    }
}

/// Returns the note on the end of bans, which `JoinGroupTransaction.isValid` checks (`banExists`).
fn ban_note<'a>(bans: impl IntoIterator<Item = &'a Ban>) -> Option<String> {
    let has_expired = bans.into_iter().any(|it| it.is_expired);
    has_expired.then(|| {
        format!(
            "A ban whose end has passed keeps no one out, but stays in the list. {TERM_OVERFLOWS}"
        )
    })
}

impl Tool for GetGroupBans {
    const NAME: &str = "get_group_bans";
    const TITLE: &str = "Group bans";
    const DESCRIPTION: &str =
        "Accounts banned from one group, with reason and end. Kicks: list_group_kicks.";
    const EXAMPLE: &str = r#"{"group_id":"3"}"#;
    const KEYWORDS: &str = "ban, banned member, banned, kicked";
    type Output = Reply<BansOfGroup>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.group_id).await?;
        let (group, bans, now) = tokio::try_join!(
            label(cx, group_id),
            cx.node.group_bans(group_id).map_err(ToolError::from),
            cx.node.network_time().map_err(ToolError::from),
        )?;
        let bans = self.page.of_whole(cx, Cursor::Offset, bans);
        let accounts = bans.items.iter().flat_map(|it| [it.offender, it.admin]);
        let names = PrimaryNames::of(cx, accounts.collect::<Vec<_>>()).await;
        let bans = bans.map(|it| Ban::of(it, now, &names));
        let note = ban_note(&bans.items);
        let mut reply = Reply::new(BansOfGroup {
            group: Flat(group),
            bans,
        });
        reply.notes.extend(note);
        Ok(reply)
    }
}

params! {
    pub(super) struct ListPendingApprovals {
        /// Account.
        address: AccountRef,
        #[flatten("Rows per list.")]
        page: Paging<20, 50>
    }
}

record! {
    pub(super) struct PendingApprovals {
        /// The admin's address.
        address: Account,
        /// The groups it is an admin of.
        group_count: u32,
        /// Accounts requesting to join one of these groups.
        join_requests: Rows<JoinRequest>,
        /// The total number of join requests.
        join_request_count: u32,
        /// Transactions awaiting the approval of one of these groups' admins, the oldest first.
        transactions: Option<Rows<PendingTransaction>>,
        /// The total number of these transactions.
        transaction_count: Option<u32>,
        /// Whether there are more than these.
        remainder: NextPage
    }

    pub(super) struct JoinRequest {
        /// The group.
        group: Flat<GroupLabel>,
        /// The account requesting to join.
        joiner: Person,
        /// The time of the request. Absent if long ago. A request has no end.
        requested: Option<Timestamp>
    }

    pub(super) struct PendingTransaction
        from(it: Transaction, group: GroupLabel, names: &PrimaryNames, end: (Option<Height>, Option<Timestamp>))
    {
        /// The short form of its signature, or the signature while unconfirmed. Tools accept both.
        transaction: TransactionId = (&it).into(),
        /// Its type, by the Core's name.
        transaction_type: String = it.transaction_type.to_string(),
        /// The deciding group.
        group: Flat<GroupLabel> = Flat(group),
        /// The creator.
        creator_address: Option<Person> = it.creator_address.map(|it| names.person(it)),
        /// The name it is about, if it is about one.
        name: Option<Untrusted> = it.detail("name").map(|name| Untrusted(name.to_owned())),
        /// The amount it moves, if any.
        amount: Option<Amount> = it.amount(),
        /// The block it is in.
        block_height: Option<Height>,
        /// The time of its creation.
        timestamp: Timestamp,
        /// The last block for a decision. The transaction is void afterwards.
        last_height: Option<Height> = end.0,
        /// The estimated time of the last block.
        last_time: Option<Timestamp> = end.1
    }
}

/// Returns the latest requests to join any group, which contain the dates, if any dates are needed.
async fn requests_made(cx: &Context, is_needed: bool) -> Vec<Transaction> {
    if !is_needed {
        return Vec::new();
    }
    let filter = TransactionFilter::default().with_types([TransactionType::JoinGroup]);
    let made = cx
        .node
        .search_transactions(&filter, PageRequest::last(EVENTS_READ));
    cx.part("The dates are", made.await).unwrap_or_default()
}

/// The last block of the chain, and the block time.
struct Clock {
    last: Block,
    block_time: BlockTime,
}

impl Clock {
    /// Sends two requests if the time of a future block is needed.
    async fn of(cx: &Context, is_needed: bool) -> Option<Self> {
        const PART: &str = "The times of last blocks are";
        if !is_needed {
            return None;
        }
        let last = cx.part(PART, cx.node.last_block().await)?;
        let block_time = cx.part(PART, cx.node.block_time(&last).await)??;
        Some(Self { last, block_time })
    }

    /// Returns the estimated time of a future block.
    fn time_of(&self, height: Height) -> Option<Timestamp> {
        let blocks = height.number().checked_sub(self.last.height.number())?;
        let millis = self.block_time.millis_of(blocks);
        Some(Timestamp::from_millis(
            self.last.timestamp.millis().saturating_add(millis),
        ))
    }
}

/// Maximum number of pending transactions of all groups that are read. The main network has a few.
const PENDING_SEEN: u32 = 500;

impl Tool for ListPendingApprovals {
    const NAME: &str = "list_pending_approvals";
    const TITLE: &str = "Pending approvals";
    const DESCRIPTION: &str = "List what awaits a group admin, and how long: join requests and transactions to approve. Everyone's: list_pending_transactions.";
    const EXAMPLE: &str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str = "pending approval, waits for me, approve, wants to join my group, join request, admin tasks";
    const MANY_LISTS: bool = true;
    type Output = Reply<PendingApprovals>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let pending = cx
            .node
            .pending_transactions(None, PageRequest::first(PENDING_SEEN));
        let (groups, pending) = tokio::try_join!(
            cx.node.group_join_requests_for(&found.address),
            cx.optional("The pending transactions are", pending),
        )?;
        let saw_all = pending
            .as_ref()
            .is_none_or(|it| it.len() < PENDING_SEEN as usize);
        let delays: BTreeMap<u32, u32> = groups
            .iter()
            .map(|it| (it.group.group_id, it.group.maximum_block_delay))
            .collect();
        let names: BTreeMap<u32, String> = groups
            .iter()
            .map(|it| (it.group.group_id, it.group.group_name.clone()))
            .collect();
        let requests = groups.into_iter().flat_map(|it| it.join_requests);
        let group_label = |group_id: u32| GroupLabel {
            group_id,
            group_name: names.get(&group_id).cloned().map(Untrusted),
        };
        let requests: Vec<_> = requests.collect();
        let is_mine = |it: &Transaction| names.contains_key(&it.group_id);
        let mine = pending.map(|it| it.into_iter().filter(is_mine).collect());
        let requests = self.page.of_whole(cx, Cursor::Offset, requests);
        let mine: Option<Page<Transaction, u32>> =
            mine.map(|it| self.page.of_whole(cx, Cursor::Offset, it));
        let transaction_count = mine.as_ref().map(|it| it.total);
        let creators = mine.iter().flat_map(|it| &it.items);
        let creators = creators.filter_map(|it| it.creator_address);
        let joiners = requests.items.iter().map(|it| it.joiner);
        let accounts: Vec<_> = joiners.chain(creators).collect();
        let is_pending = mine.as_ref().is_some_and(|it| !it.items.is_empty());
        let (people, asked, clock) = tokio::join!(
            PrimaryNames::of(cx, accounts),
            requests_made(cx, !requests.items.is_empty()),
            Clock::of(cx, is_pending),
        );
        let requests = requests.map(|it| JoinRequest {
            group: Flat(group_label(it.group_id)),
            joiner: people.person(it.joiner),
            requested: when(&asked, it.group_id, it.joiner, None),
        });
        let (transactions, rest): (Option<Vec<_>>, _) =
            mine.map(|it| (it.items, it.remainder)).unzip();
        let reply = Reply::new(PendingApprovals {
            address: found,
            group_count: count(names.len()),
            join_requests: Rows(requests.items),
            join_request_count: requests.total,
            transaction_count,
            transactions: transactions.map(|it| {
                let labeled = it.into_iter().map(|it| {
                    let group = group_label(it.group_id);
                    let delay = delays.get(&it.group_id);
                    // `getApprovalExpiringTransactions` of the Core finds it in the block after this one.
                    let last = it.block_height.zip(delay);
                    let last =
                        last.map(|(it, delay)| Height::new(it.number().saturating_add(*delay)));
                    let time = last.and_then(|it| clock.as_ref()?.time_of(it));
                    PendingTransaction::of(it, group, &people, (last, time))
                });
                labeled.collect()
            }),
            remainder: match rest {
                Some(rest) => requests.remainder.or(rest),
                None => requests.remainder,
            },
        });
        Ok(if saw_all {
            reply
        } else {
            reply.note(format!("Only the oldest {PENDING_SEEN} pending transactions of the chain were read, there may be more of these groups."))
        })
    }
}
