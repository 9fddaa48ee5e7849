//! Groups (resource `/groups`).

use qortal_types::{Address, Timestamp};

use crate::{
    Endpoint, Node, NodeFuture, PageRequest, Rows,
    answer::{LeftOut, Record, answers},
    call::Call,
    options::options,
};

answers! {
    /// A group (class `GroupData`).
    pub struct Group {
        /// The ID of the group.
        pub group_id: u32,
        /// The owner's address.
        pub owner: Address,
        /// The name.
        pub group_name: String,
        /// Free text by the owner.
        pub description: String,
        /// The time it was created.
        pub created: Timestamp,
        /// The time it was last changed. Absent if never.
        pub updated: Option<Timestamp>,
        /// Whether anyone can join without approval.
        pub is_open: bool,
        /// The share of admins that must approve transactions with this group: `NONE`, `ONE`, `PCT20` to `PCT100`.
        #[serde(deserialize_with = "crate::answer::read_code")]
        pub approval_threshold: String,
        /// Blocks that must pass before an approval takes effect.
        pub minimum_block_delay: u32,
        /// Blocks after which an undecided transaction expires.
        pub maximum_block_delay: u32,
        /// The number of members. Always 0 in lists by owner and in lists of an admin's requests.
        pub member_count: u32,
        /// Whether the requested account is an admin. Present only in lists by member.
        pub is_admin: Option<bool>,
        /// The owner's primary name. Absent before release 6 and if it has none.
        pub owner_primary_name: Option<String>,
    }

    /// Members of a group (class `GroupMembers`).
    pub struct GroupMembers {
        /// The number of members in total.
        pub member_count: u32,
        /// The number of admins.
        pub admin_count: u32,
        /// The members of this page, by address.
        #[serde(default)]
        pub members: Rows<GroupMember>,
    }

    /// A member of a group.
    pub struct GroupMember {
        /// The address.
        pub member: Address,
        /// The time the member joined. Absent in lists of admins.
        pub joined: Option<Timestamp>,
        /// Whether the member is an admin. The Core checks only the admins of the **same page**, so `false` can be wrong if there
        /// is more than one page. List the admins separately.
        #[serde(default)]
        pub is_admin: bool,
        /// The member's primary name, if it has one.
        pub primary_name: Option<String>,
    }

    /// The membership of an account in a group (class `GroupMemberValidation`).
    #[derive(PartialEq, Eq)]
    pub struct Membership {
        /// The account.
        pub address: Address,
        /// Whether the account is a member.
        pub is_member: bool,
        /// Whether the account is an admin. Present only for members.
        pub is_admin: Option<bool>,
    }

    /// A kick of a member.
    pub struct GroupKick {
        /// The member.
        pub member: Address,
        /// The group.
        pub group_id: u32,
        /// Free text by the admin.
        pub reason: Option<String>,
        /// The time it was kicked.
        pub timestamp: Timestamp,
    }

    /// An invitation (class `GroupInviteData`). Expired ones may still be listed.
    pub struct GroupInvite {
        /// The group.
        pub group_id: u32,
        /// The inviting admin.
        pub inviter: Address,
        /// The invitee.
        pub invitee: Address,
        /// The expiry time. Absent if never. The Core miscounts if an invitation is valid for more than about 24 days.
        pub expiry: Option<Timestamp>,
    }

    /// A request to join a group (class `GroupJoinRequestData`).
    #[derive(PartialEq, Eq)]
    pub struct GroupJoinRequest {
        /// The group.
        pub group_id: u32,
        /// The account.
        pub joiner: Address,
    }

    /// The requests for one group.
    pub struct GroupJoinRequests {
        /// The group. Its member count is always 0 here.
        pub group: Group,
        /// The requests, possibly none.
        #[serde(default)]
        pub join_requests: Rows<GroupJoinRequest>,
    }

    /// The number of times that an account joined or left groups, was kicked or was banned in a year.
    #[derive(PartialEq, Eq)]
    pub struct RankedAccount {
        /// The number of times.
        pub count: u32,
        /// The account.
        pub address: Address,
        /// The primary name, if it has one.
        pub name: Option<String>,
    }

    /// A ban (class `GroupBanData`).
    pub struct GroupBan {
        /// The group.
        pub group_id: u32,
        /// The banned account.
        pub offender: Address,
        /// The admin.
        pub admin: Address,
        /// The time it was banned.
        pub banned: Timestamp,
        /// Free text by the admin.
        pub reason: Option<String>,
        /// The expiry time. Absent if never.
        pub expiry: Option<Timestamp>,
    }
}

impl Record for GroupMembers {
    fn left_out(&self) -> LeftOut {
        self.members.left_out.clone()
    }
}

impl Record for GroupJoinRequests {
    fn left_out(&self) -> LeftOut {
        self.join_requests.left_out.clone()
    }
}

/// A filter for members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemberRole {
    /// All members.
    Any,
    /// Admins, the owner included.
    Admin,
}

/// A filter for the groups of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupRole {
    /// Groups that the account is a member of.
    Member,
    /// Groups in which it is an admin.
    Admin,
    /// Groups that it owns.
    Owner,
}

/// The action that accounts are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GroupRanking {
    /// Groups joined, or requested to join.
    Joins,
    /// Groups they left.
    Leaves,
    /// Groups they were kicked out of.
    Kicks,
    /// Groups they were banned from.
    Bans,
}

options! {
    /// A filter for kicks.
    #[derive(Debug, Clone)]
    pub struct KickFilter {
        /// Of this account.
        member: Address,
        /// Only this group.
        group_id: Option<u32> => into with_group_id,
        /// Before this.
        before: Option<Timestamp> => into with_before,
        /// After this.
        after: Option<Timestamp> => into with_after,
    }
}

impl KickFilter {
    /// Creates a filter for all kicks of an account.
    #[must_use]
    pub const fn new(member: Address) -> Self {
        Self {
            member,
            group_id: None,
            before: None,
            after: None,
        }
    }
}

impl Node {
    /// Returns groups by name, ignoring case.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups")]
    pub fn groups(&self, page: PageRequest) -> NodeFuture<'_, Vec<Group>> {
        self.list(Call::to(Endpoint::Groups).page(page))
    }

    /// Returns the groups of an account, with member counts. The Core has no paging here.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/member/{address}")]
    pub fn groups_of(&self, member: &Address, role: GroupRole) -> NodeFuture<'_, Vec<Group>> {
        let call = Call::to(Endpoint::GroupsOfMember).with(member);
        let call = call.query_flag("adminOnly", role == GroupRole::Admin);
        self.list(call.query_flag("ownerOnly", role == GroupRole::Owner))
    }

    /// Returns a group.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`GROUP_UNKNOWN`](crate::ApiError::GROUP_UNKNOWN) if there is none.
    #[doc(alias = "/groups/{groupid}")]
    pub fn group(&self, group_id: u32) -> NodeFuture<'_, Group> {
        self.json(Call::to(Endpoint::Group).with(group_id))
    }

    /// Returns the members of a group by address. See also [`GroupMember::is_admin`].
    ///
    /// # Errors
    ///
    /// Returns an error with code [`GROUP_UNKNOWN`](crate::ApiError::GROUP_UNKNOWN) if there is no such group.
    #[doc(alias = "/groups/members/{groupid}")]
    pub fn group_members(
        &self,
        group_id: u32,
        role: MemberRole,
        page: PageRequest,
    ) -> NodeFuture<'_, GroupMembers> {
        let call = Call::to(Endpoint::GroupMembers).with(group_id);
        self.record(
            call.query_flag("onlyAdmins", role == MemberRole::Admin)
                .page(page),
        )
    }

    /// Returns the group membership of each account, in the requested order.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`GROUP_UNKNOWN`](crate::ApiError::GROUP_UNKNOWN) if there is no such group.
    #[doc(alias = "/groups/members/{groupid}/validate")]
    pub fn memberships(
        &self,
        group_id: u32,
        addresses: &[Address],
    ) -> NodeFuture<'_, Vec<Membership>> {
        self.list(
            Call::to(Endpoint::GroupMembersValidate)
                .with(group_id)
                .json_body(&addresses),
        )
    }

    /// Returns the kicks of an account.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if a time is before July 2017.
    #[doc(alias = "/groups/kicks/member")]
    pub fn group_kicks(
        &self,
        filter: &KickFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<GroupKick>> {
        let call = Call::to(Endpoint::GroupKicksOfMember)
            .query("address", filter.member)
            .query_if("groupId", filter.group_id)
            .query_if("before", filter.before.map(Timestamp::millis))
            .query_if("after", filter.after.map(Timestamp::millis));
        self.list(call.page(page))
    }

    /// Returns the invitations of an account. The Core has no paging here.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/invites/{address}")]
    pub fn group_invites_of(&self, invitee: &Address) -> NodeFuture<'_, Vec<GroupInvite>> {
        self.list(Call::to(Endpoint::GroupInvitesOfAddress).with(invitee))
    }

    /// Returns the invitations to a group, or an empty list if there is no such group.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/invites/group/{groupid}")]
    pub fn group_invites(&self, group_id: u32) -> NodeFuture<'_, Vec<GroupInvite>> {
        self.list(Call::to(Endpoint::GroupInvites).with(group_id))
    }

    /// Returns the requests to join a group, or an empty list if there is no such group.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/joinrequests/{groupid}")]
    pub fn group_join_requests(&self, group_id: u32) -> NodeFuture<'_, Vec<GroupJoinRequest>> {
        self.list(Call::to(Endpoint::GroupJoinRequests).with(group_id))
    }

    /// Returns an account's open requests to join groups.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/joinrequests/address/{address}")]
    pub fn group_join_requests_of(
        &self,
        joiner: &Address,
    ) -> NodeFuture<'_, Vec<GroupJoinRequest>> {
        self.list(Call::to(Endpoint::GroupJoinRequestsOfAddress).with(joiner))
    }

    /// Returns the accounts with the most group transactions of one kind in a year (UTC), highest count first.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/topjoins/{year}")]
    #[doc(alias = "/groups/topleaves/{year}")]
    #[doc(alias = "/groups/topkicks/{year}")]
    #[doc(alias = "/groups/topbans/{year}")]
    pub fn group_ranking(
        &self,
        ranking: GroupRanking,
        year: u32,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<RankedAccount>> {
        let endpoint = match ranking {
            GroupRanking::Joins => Endpoint::GroupTopJoins,
            GroupRanking::Leaves => Endpoint::GroupTopLeaves,
            GroupRanking::Kicks => Endpoint::GroupTopKicks,
            GroupRanking::Bans => Endpoint::GroupTopBans,
        };
        self.list(Call::to(endpoint).with(year).page(page))
    }

    /// Returns the join requests for all groups with the account as an admin, including groups without requests.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/joinrequests/admin/{address}")]
    pub fn group_join_requests_for(
        &self,
        admin: &Address,
    ) -> NodeFuture<'_, Vec<GroupJoinRequests>> {
        self.records(Call::to(Endpoint::GroupJoinRequestsForAdmin).with(admin))
    }

    /// Returns the bans of a group, or an empty list if there is no such group.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/groups/bans/{groupid}")]
    pub fn group_bans(&self, group_id: u32) -> NodeFuture<'_, Vec<GroupBan>> {
        self.list(Call::to(Endpoint::GroupBans).with(group_id))
    }
}
