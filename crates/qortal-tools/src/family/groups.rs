//! Tools about groups and their members.

mod history;
mod kicks;
mod membership;
mod open;
mod rankings;
mod requests;

use std::cmp::Reverse;

use parking_lot::Mutex;
use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::groups::{Group, GroupMember, GroupRole, MemberRole},
};
use qortal_types::{Address, Timestamp};
use tool_schema::{BoundedString, choice};

use crate::{
    declare::{
        Account, AccountRef, By, Context, Continued, Cursor, GroupRef, Page, Paging, Range,
        SortKey, Tool, ToolError,
    },
    family::groups::requests::{
        GetGroupBans, GetGroupInvitesByAddress, GetGroupInvitesByGroup, GetGroupJoinRequests,
        ListPendingApprovals,
    },
    support::{
        groups::MOST,
        untrusted::Untrusted,
        words::{Words, note_searched},
    },
};

family! {
    "groups", "Who is in a group, and who wants to join?":
    ListGroups,
    GetGroupsByOwner,
    GetGroupsByMember,
    GetGroup,
    GetGroupMembers,
    GetGroupInvitesByAddress,
    GetGroupInvitesByGroup,
    GetGroupJoinRequests,
    GetGroupBans,
    ListPendingApprovals,
    kicks::ListGroupKicks,
    open::GetGroupRequests,
    rankings::GetGroupRankings,
    history::GetGroupHistory,
    membership::CheckMembership,
}

/// Returns the error for a group that does not exist.
pub(super) fn group_error(group_id: u32) -> impl FnOnce(NodeError) -> ToolError {
    move |err| {
        if err.is(ApiError::GROUP_UNKNOWN) {
            return ToolError::not_found(
                "Group not found.",
                format!("No group has the number {group_id}. list_groups lists all groups."),
            );
        }
        err.into()
    }
}

/// Returns the label of a group, which must exist. Its name is an optional part of the answer.
async fn label(cx: &Context, group_id: u32) -> Result<GroupLabel, ToolError> {
    let group = cx.node.group(group_id).await;
    let group = match group {
        Err(err) if err.is(ApiError::GROUP_UNKNOWN) => return Err(group_error(group_id)(err)),
        group => cx.part("The group's name is", group),
    };
    Ok(GroupLabel {
        group_id,
        group_name: group.map(|it| it.group_name.into()),
    })
}

record! {
    /// A group's number and name.
    struct GroupLabel {
        /// The group's number.
        group_id: u32,
        /// The group's name.
        group_name: Option<Untrusted>
    }

    struct GroupSummary from(it: Group) {
        /// Its number.
        group_id: u32,
        /// Its name.
        group_name: Untrusted = it.group_name.into(),
        /// The owner.
        owner: Address,
        /// The name the owner goes by.
        owner_primary_name: Option<Untrusted> = it.owner_primary_name.map(Untrusted),
        /// The owner's description.
        description: Untrusted = it.description.into(),
        /// Whether anyone can join without an admin's approval.
        is_open: bool,
        /// The number of members.
        member_count: u32,
        /// Whether the account is an admin of it, where groups are listed by member.
        is_admin: Option<bool>,
        /// The time of its creation.
        created: Timestamp
    }
}

params! {
    struct ListGroups {
        /// Search words, best match first.
        query: Option<BoundedString<1, 100>>,
        /// Sort order.
        order: GroupOrder = GroupOrder::Name,
        #[flatten]
        page: Continued<20>,
        /// Reverse the order.
        reverse: bool = false
    }
}

choice! {
    /// How groups are ordered.
    enum GroupOrder {
        /// By name.
        Name = "name",
        /// Those of most members first.
        Largest = "largest",
        /// The newest groups first.
        Newest = "newest",
    }
}

record! {
    struct Groups {
        /// The groups in this order, unless reversed. By name with `query`, the best match first.
        groups: Page<GroupSummary, Option<u32>>
    }
}

fn known_groups(by: By, reverse: bool) -> SortKey<Group> {
    SortKey::new(by, reverse, |it| it.group_name.as_str().into())
}

impl Tool for ListGroups {
    const NAME: &str = "list_groups";
    const TITLE: &str = "All groups";
    const DESCRIPTION: &str =
        "Find groups by words, or list all by size or age. An account's: get_groups_by_member.";
    const KEYWORDS: &str = "group, find group, all group, group about, largest group, biggest group, newest group, new group";
    const TABLE: Option<&str> = Some("groups");
    type Output = Groups;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let words = self.query.map(|it| Words::of(it.as_str()));
        if words.is_none() && self.order == GroupOrder::Name {
            let ask = |page| cx.node.groups(page);
            let key = known_groups(By::Letters, self.reverse);
            let groups = self.page.read(cx, key, ask).await?;
            return Ok(Groups {
                groups: groups.with_total(None).map(GroupSummary::of),
            });
        }
        let all =
            PageRequest::first(MOST).with_reverse(self.reverse && self.order == GroupOrder::Name);
        let mut found = cx.node.groups(all).await?;
        note_searched(cx, found.len(), MOST);
        let has_words = words.is_some();
        if let Some(words) = words {
            found = words.find(found, |it| (&it.group_name, &it.description));
        }
        // Equal groups stay in the order of their names.
        match self.order {
            GroupOrder::Name => {}
            GroupOrder::Largest => found.sort_by_key(|it| Reverse(it.member_count)),
            GroupOrder::Newest => found.sort_by_key(|it| Reverse(it.created)),
        }
        if self.reverse && self.order != GroupOrder::Name {
            found.reverse();
        }
        let known = match self.order {
            GroupOrder::Name if has_words => known_groups(By::Other, false),
            GroupOrder::Name => known_groups(By::Letters, self.reverse),
            GroupOrder::Largest => SortKey::new(By::Number, !self.reverse, |it: &Group| {
                format!("{} {}", it.member_count, it.group_id).into()
            }),
            // Numbers are assigned in sequence.
            GroupOrder::Newest => SortKey::new(By::Number, !self.reverse, |it: &Group| {
                it.group_id.to_string().into()
            }),
        };
        let groups = self.page.of_whole(cx, Cursor::AfterRow(known), found);
        Ok(Groups {
            groups: groups.map(GroupSummary::of),
        })
    }
}

params! {
    struct GetGroupsByMember {
        /// Account.
        address: AccountRef,
        #[flatten]
        page: Paging<25>
    }
}

record! {
    struct GroupsOfAccount {
        /// The account's address.
        address: Account,
        /// The groups, by name.
        groups: Page<GroupSummary, u32>
    }
}

async fn groups_of_account(
    cx: &Context,
    params: GetGroupsByMember,
    role: GroupRole,
) -> Result<GroupsOfAccount, ToolError> {
    let found = cx.account("address", params.address).await?;
    let groups = cx.node.groups_of(&found.address, role).await?;
    let groups = params.page.of_whole(cx, Cursor::Offset, groups);
    Ok(GroupsOfAccount {
        address: found,
        groups: groups.map(GroupSummary::of),
    })
}

params! { struct GetGroupsByOwner(GetGroupsByMember); }

impl Tool for GetGroupsByOwner {
    const NAME: &str = "get_groups_by_owner";
    const TITLE: &str = "Owned groups";
    const DESCRIPTION: &str = "Groups owned by one account. Groups it is in: get_groups_by_member.";
    const EXAMPLE: &str = r#"{"address":"trent"}"#;
    const KEYWORDS: &str = "group I own, owned group, group owner";
    type Output = GroupsOfAccount;

    /// Does not use `/groups/owner`, where the Core reports 0 members for every group.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        groups_of_account(cx, self.0, GroupRole::Owner).await
    }
}

impl Tool for GetGroupsByMember {
    const NAME: &str = "get_groups_by_member";
    const TITLE: &str = "Joined groups";
    const DESCRIPTION: &str = "Groups an account is in, and where it is an admin. Invitations: get_group_invites_by_address.";
    const EXAMPLE: &str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str =
        "my group, group I am in, member of, joined, am I admin, where I am admin";
    type Output = GroupsOfAccount;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        groups_of_account(cx, self, GroupRole::Member).await
    }
}

params! {
    struct GetGroup {
        /// Group number or name.
        group_id: GroupRef
    }
}

record! {
    struct GroupInfo from(it: Group) {
        /// Its number.
        group_id: u32,
        /// Its name.
        group_name: Untrusted = it.group_name.into(),
        /// The owner.
        owner: Address,
        /// The name the owner goes by.
        owner_primary_name: Option<Untrusted> = it.owner_primary_name.map(Untrusted),
        /// The owner's description.
        description: Untrusted = it.description.into(),
        /// Whether anyone can join without an admin's approval.
        is_open: bool,
        /// The number of members.
        member_count: u32,
        /// The admins needed to approve transactions meant for it: NONE, ONE, or PCT20 to PCT100.
        approval_threshold: String,
        /// Blocks before an approval takes effect.
        minimum_block_delay: u32,
        /// Blocks before an undecided transaction expires.
        maximum_block_delay: u32,
        /// The time of its creation.
        created: Timestamp,
        /// The time of the last change. Absent if never changed.
        updated: Option<Timestamp>
    }
}

impl Tool for GetGroup {
    const NAME: &str = "get_group";
    const TITLE: &str = "Group";
    const DESCRIPTION: &str = "One group: owner, open or closed, member count, approval rules. Members: get_group_members.";
    const EXAMPLE: &str = r#"{"group_id":"open-lounge"}"#;
    const KEYWORDS: &str = "group, group info, about group, open or closed, approval threshold";
    type Output = GroupInfo;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.group_id).await?;
        let it = cx
            .node
            .group(group_id)
            .await
            .map_err(group_error(group_id))?;
        Ok(GroupInfo::of(it))
    }
}

/// Maximum number of members that are read to find those who joined in a range. The largest group of the main network
/// has fewer.
const MOST_MEMBERS: u32 = 10_000;

params! {
    struct GetGroupMembers {
        /// Group number or name.
        group_id: GroupRef,
        /// Only admins, with the owner.
        only_admins: bool = false,
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<50>,
        /// Reverse the order.
        reverse: bool = false
    }
}

record! {
    struct MembersOfGroup {
        /// The group's number.
        group_id: u32,
        /// The total number of members.
        member_count: u32,
        /// The number of admins among them.
        admin_count: u32,
        /// The members, by address unless reversed.
        members: Page<Member>
    }

    struct Member from(it: GroupMember, is_admin: Option<bool>) {
        /// The account.
        member: Address,
        /// The name the member goes by.
        primary_name: Option<Untrusted> = it.primary_name.map(Untrusted),
        /// Whether it is an admin.
        is_admin: Option<bool> = is_admin,
        /// The time it joined. Absent where only admins are listed.
        joined: Option<Timestamp>
    }
}

/// The counts that the node returns with a page of members.
#[derive(Default)]
struct Counts {
    members: u32,
    admins: u32,
    /// Whether the node compared the members with all admins.
    saw_all_admins: bool,
}

impl Tool for GetGroupMembers {
    const NAME: &str = "get_group_members";
    const TITLE: &str = "Group members";
    const DESCRIPTION: &str =
        "Members of a group with names, only its admins, or those who joined in a period.";
    const EXAMPLE: &str = r#"{"group_id":"open-lounge"}"#;
    const KEYWORDS: &str =
        "minter admin, dev admin, member, who is in group, group member, admin, group admin";
    const TABLE: Option<&str> = Some("members");
    type Output = MembersOfGroup;

    /// Sends a second request about these members if the node compares with some of the admins only.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.group_id).await?;
        let in_range = self.range.is_given();
        let period = self.range.period(cx).await?;
        // For admins, the node does not return the time of joining.
        let role = if self.only_admins && !in_range {
            MemberRole::Admin
        } else {
            MemberRole::Any
        };
        let key = SortKey::new(By::Characters, self.reverse, |it: &GroupMember| {
            it.member.as_str().into()
        });
        let counts = Mutex::new(Counts::default());
        let ask = async |page: PageRequest| {
            let found = cx.node.group_members(group_id, role, page).await;
            let found = found.map_err(group_error(group_id))?;
            *counts.lock() = Counts {
                members: found.member_count,
                admins: found.admin_count,
                saw_all_admins: page.offset == 0 && found.admin_count <= page.limit,
            };
            Ok::<Vec<_>, ToolError>(found.members.into())
        };
        let members: Page<_> = if in_range {
            let all = PageRequest::first(MOST_MEMBERS).with_reverse(self.reverse);
            let mut members = ask(all).await?;
            note_searched(cx, members.len(), MOST_MEMBERS);
            let is_asked = |it: &GroupMember| !self.only_admins || it.is_admin;
            members.retain(|it| it.joined.is_some_and(|it| period.has(it)) && is_asked(it));
            self.page.of_whole(cx, Cursor::AfterRow(key), members)
        } else {
            self.page.read(cx, key, ask).await?
        };
        let counts = counts.into_inner();
        let admins = if counts.saw_all_admins || self.only_admins || members.items.is_empty() {
            None
        } else {
            let addresses: Vec<_> = members.items.iter().map(|it| it.member).collect();
            let known = cx.node.memberships(group_id, &addresses).await;
            Some(cx.part("Who of them is an admin is", known))
        };
        let is_admin = |it: &GroupMember| match &admins {
            None => Some(self.only_admins || it.is_admin),
            Some(known) => {
                let mut known = known.as_ref()?.iter();
                let found = known.find(|known| known.address == it.member);
                Some(found.is_some_and(|it| it.is_admin == Some(true)))
            }
        };
        Ok(MembersOfGroup {
            group_id,
            member_count: counts.members,
            admin_count: counts.admins,
            members: members.map(|it| {
                let is_admin = is_admin(&it);
                Member::of(it, is_admin)
            }),
        })
    }
}
