//! Pending join requests and invitations of groups and accounts.

use futures_util::TryFutureExt;
use qortal_client::{
    PageRequest,
    api::{
        groups::{GroupInvite, GroupJoinRequest},
        transactions::{Transaction, TransactionFilter},
    },
};
use qortal_types::{Address, Timestamp, TransactionType};
use serde_json::Value;

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, Flat, GroupRef, NextPage, Paging, Reply, Rows, Tool,
        ToolError, given,
    },
    family::groups::{
        label,
        requests::{Invite, expiry_note},
    },
    support::{
        groups::GroupNames,
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
    },
};

/// Maximum number of transactions that are read to find the time of a request or an invitation. For a group, these are
/// the transactions of all groups.
pub(super) const EVENTS_READ: u32 = 500;

params! {
    pub(super) struct GetGroupRequests {
        /// Group number or name, or use address.
        group_id: Option<GroupRef>,
        /// Account.
        address: Option<AccountRef>,
        #[flatten("Rows per list.")]
        page: Paging<20, 50>
    }
}

record! {
    pub(super) struct GroupRequests {
        /// The account, if one was requested.
        address: Option<Account>,
        /// Open requests to join.
        join_requests: Rows<OpenRequest>,
        /// The total number of requests.
        join_request_count: u32,
        /// Invitations, expired ones too.
        invites: Rows<OpenInvite>,
        /// The total number of invitations.
        invite_count: u32,
        /// Whether there are more than these.
        remainder: NextPage
    }

    pub(super) struct OpenRequest {
        /// The group's number.
        group_id: u32,
        /// The group's name.
        group_name: Option<Untrusted>,
        /// The account requesting to join.
        joiner: Person,
        /// The time of the request. Absent if long ago.
        requested: Option<Timestamp>
    }

    pub(super) struct OpenInvite {
        /// The invitation.
        invite: Flat<Invite>,
        /// The time of the invitation. Absent if long ago.
        invited: Option<Timestamp>
    }
}

impl Tool for GetGroupRequests {
    const NAME: &str = "get_group_requests";
    const TITLE: &str = "Open requests and invitations";
    const DESCRIPTION: &str =
        "Open join requests and invitations of a group or an account, with dates.";
    const EXAMPLE: &str = r#"{"group_id":"closed-council"}"#;
    const KEYWORDS: &str = "join request, my request, my open request, request to join, wants to join, who asks to join, invite, invitation, who is invited, group invite, was I let in";
    const MANY_LISTS: bool = true;
    type Output = Reply<GroupRequests>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = given(self.group_id, |it| cx.group("group_id", it)).await?;
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let types = [TransactionType::JoinGroup, TransactionType::GroupInvite];
        let events = TransactionFilter::default()
            .with_types(types)
            .with_address(account.as_ref().map(|it| it.address));
        let events = cx
            .node
            .search_transactions(&events, PageRequest::last(EVENTS_READ));
        let events = cx.optional("The dates are", events);
        let now = cx.node.network_time().map_err(ToolError::from);
        let (asked, events, now) =
            tokio::try_join!(open(cx, group_id, account.as_ref()), events, now)?;
        let (requests, invites) = asked;
        let events = events.unwrap_or_default();
        let requests = self.page.of_whole(cx, Cursor::Offset, requests);
        let invites = self.page.of_whole(cx, Cursor::Offset, invites);
        let asked = requests.items.iter().map(|it| (it.group_id, it.joiner));
        let invited = invites.items.iter();
        let invited = invited.flat_map(|it| [(it.group_id, it.inviter), (it.group_id, it.invitee)]);
        let (groups, people): (Vec<_>, Vec<_>) = asked.chain(invited).unzip();
        let (groups, names) =
            tokio::join!(GroupNames::of(cx, groups), PrimaryNames::of(cx, people));
        let requests = requests.map(|it| OpenRequest {
            group_id: it.group_id,
            group_name: groups.get(it.group_id),
            requested: when(&events, it.group_id, it.joiner, None),
            joiner: names.person(it.joiner),
        });
        let invites = invites.map(|it| OpenInvite {
            invited: when(&events, it.group_id, it.inviter, Some(it.invitee)),
            invite: Flat(Invite::of(it, now, &groups, &names)),
        });
        let note = expiry_note(invites.items.iter().map(|it| &it.invite.0));
        let mut reply = Reply::new(GroupRequests {
            address: account,
            join_requests: Rows(requests.items),
            join_request_count: requests.total,
            invites: Rows(invites.items),
            invite_count: invites.total,
            remainder: requests.remainder.or(invites.remainder),
        });
        reply.notes.extend(note);
        Ok(reply)
    }
}

/// Returns the requests and the invitations of a group, of an account, or of an account in a group.
async fn open(
    cx: &Context,
    group_id: Option<u32>,
    account: Option<&Account>,
) -> Result<(Vec<GroupJoinRequest>, Vec<GroupInvite>), ToolError> {
    let is_of = |it: u32| group_id.is_none_or(|group_id| it == group_id);
    match (group_id, account) {
        (_, Some(account)) => {
            let (mut requests, mut invites) = tokio::try_join!(
                cx.node.group_join_requests_of(&account.address),
                cx.node.group_invites_of(&account.address),
            )?;
            requests.retain(|it| is_of(it.group_id));
            invites.retain(|it| is_of(it.group_id));
            Ok((requests, invites))
        }
        (Some(group_id), None) => {
            // The lists of an unknown group are empty, so the group is requested as well.
            let (_, requests, invites) = tokio::try_join!(
                label(cx, group_id),
                cx.node
                    .group_join_requests(group_id)
                    .map_err(ToolError::from),
                cx.node.group_invites(group_id).map_err(ToolError::from),
            )?;
            Ok((requests, invites))
        }
        (None, None) => Err(ToolError::argument(
            "group_id",
            "Missing argument.",
            "and `address` are both missing",
            "at least one of them, a group's number or name, or an address or a registered name",
        )),
    }
}

/// Returns the time of the latest transaction about it: the account's own request, or its invitation of another account.
pub(super) fn when(
    newest_first: &[Transaction],
    group_id: u32,
    who: Address,
    invitee: Option<Address>,
) -> Option<Timestamp> {
    let found = newest_first.iter().find(|it| {
        let group = it.details.get("groupId").and_then(Value::as_u64);
        let other = it.detail("invitee").and_then(|it| it.parse().ok());
        group == Some(group_id.into()) && it.creator_address == Some(who) && other == invitee
    });
    found.map(|it| it.timestamp)
}
