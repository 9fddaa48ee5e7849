//! Possible actions of an account in a group, and possible actions on it.

use futures_util::TryFutureExt;
use qortal_client::api::groups::GroupBan;
use qortal_types::Timestamp;

use crate::{
    declare::{Account, AccountRef, Context, GroupRef, Reply, Tool, ToolError},
    family::{groups::group_error, transactions::narrate::NULL_ACCOUNT, verdict::Verdict},
    support::untrusted::Untrusted,
};

params! {
    pub(super) struct CheckMembership {
        /// Group number or name.
        group_id: GroupRef,
        /// Account.
        address: AccountRef
    }
}

record! {
    pub(super) struct MembershipCheck {
        /// The account's address.
        address: Account,
        /// The group's number.
        group_id: u32,
        /// The group's name.
        group_name: Untrusted,
        /// Whether the account is a member.
        is_member: bool,
        /// Whether it is an admin.
        is_admin: bool,
        /// Whether it owns the group.
        is_owner: bool,
        /// Whether its request to join is open.
        has_requested: bool,
        /// Whether it is invited, whatever the end of the invitation.
        is_invited: bool,
        /// Whether it is banned now.
        is_banned: bool,
        /// Whether it can join, by the Core's JoinGroupTransaction.
        join: Verdict,
        /// Whether it can be invited, by GroupInviteTransaction.
        invite: Verdict,
        /// Whether it can be kicked, by GroupKickTransaction.
        kick: Verdict,
        /// Whether it can be banned, by GroupBanTransaction.
        ban: Verdict,
        /// Whether it can leave, by LeaveGroupTransaction.
        leave: Verdict
    }
}

impl Tool for CheckMembership {
    const NAME: &str = "check_membership";
    const TITLE: &str = "Group membership check";
    const DESCRIPTION: &str = "Can an account join a group, be invited, kicked or banned, or leave, and who may do it? Open requests: get_group_requests.";
    const EXAMPLE: &str = r#"{"group_id":"closed-council","address":"chloe"}"#;
    const KEYWORDS: &str = "can I join, may I join, can join group, can be invited, can be kicked, who may kick, who may ban, is banned, am I banned, is member, leave group";
    type Output = Reply<MembershipCheck>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.group_id).await?;
        let account = cx.account("address", self.address).await?;
        let address = account.address;
        let asked = [address];
        let (group, members, bans, requests, invites, now) = tokio::try_join!(
            cx.node.group(group_id).map_err(group_error(group_id)),
            cx.node
                .memberships(group_id, &asked)
                .map_err(group_error(group_id)),
            cx.node.group_bans(group_id).map_err(ToolError::from),
            cx.node
                .group_join_requests_of(&address)
                .map_err(ToolError::from),
            cx.node.group_invites_of(&address).map_err(ToolError::from),
            cx.node.network_time().map_err(ToolError::from),
        )?;
        let membership = members.first();
        let standing = Standing {
            is_member: membership.is_some_and(|it| it.is_member),
            is_admin: membership.is_some_and(|it| it.is_admin == Some(true)),
            is_owner: group.owner == address,
            has_requested: requests.iter().any(|it| it.group_id == group_id),
            is_invited: invites.iter().any(|it| it.group_id == group_id),
            ban: bans
                .into_iter()
                .find(|it| it.offender == address && holds(it, now)),
            has_owner: group.owner.as_str() != NULL_ACCOUNT,
            is_open: group.is_open,
        };
        let reply = Reply::new(MembershipCheck {
            address: account,
            group_id,
            is_member: standing.is_member,
            is_admin: standing.is_admin,
            is_owner: standing.is_owner,
            has_requested: standing.has_requested,
            is_invited: standing.is_invited,
            is_banned: standing.ban.is_some(),
            join: standing.join(),
            invite: standing.invite(),
            kick: standing.kick(),
            ban: standing.ban(),
            leave: standing.leave(),
            group_name: group.group_name.into(),
        });
        Ok(reply.note("As Core 6.1.8 checks transactions. Each costs the fee (get_fee), without which it is NO_BALANCE."))
    }
}

/// Returns whether a ban is in force (`banExists` of the Core's group repository).
fn holds(ban: &GroupBan, now: Timestamp) -> bool {
    ban.expiry.is_none_or(|it| it > now)
}

/// The standing of an account in a group.
struct Standing {
    is_member: bool,
    is_admin: bool,
    is_owner: bool,
    has_requested: bool,
    is_invited: bool,
    ban: Option<GroupBan>,
    /// Whether the group belongs to an account other than the null account.
    has_owner: bool,
    is_open: bool,
}

const MEMBER: &str = "The account is a member already.";

impl Standing {
    /// Checks a request to join: `JoinGroupTransaction.isValid`, and `Group.join` for the effect.
    fn join(&self) -> Verdict {
        if self.is_member {
            return Verdict::rejected("ALREADY_GROUP_MEMBER", MEMBER);
        }
        if let Some(ban) = &self.ban {
            return self.banned(ban);
        }
        if self.has_requested {
            return Verdict::rejected(
                "JOIN_REQUEST_EXISTS",
                "Its request to join is open: an invitation by an admin completes it.",
            );
        }
        Verdict::possible(match (self.is_invited, self.is_open) {
            (true, _) => {
                "It becomes a member at once, because it is invited. The Core does not check the end of the invitation."
            }
            (false, true) => "It becomes a member at once, because the group is open.",
            (false, false) => {
                "It becomes a request to join, because the group is closed. An invitation by an admin completes it."
            }
        })
    }

    /// Checks an invitation: `GroupInviteTransaction.isValid`, and `Group.invite` for the effect.
    fn invite(&self) -> Verdict {
        if self.is_member {
            return Verdict::rejected("ALREADY_GROUP_MEMBER", MEMBER);
        }
        if let Some(ban) = &self.ban {
            return self.banned(ban);
        }
        let who = if self.has_owner {
            "Any admin of the group can invite it."
        } else {
            "Any admin of the group can propose it in a transaction of that group, which its admins approve."
        };
        let effect = if self.has_requested {
            "It then becomes a member at once, because its request to join is open."
        } else {
            "It then becomes a member by joining."
        };
        Verdict::possible(format!("{who} {effect}"))
    }

    /// Checks a kick: `GroupKickTransaction.isValid`.
    fn kick(&self) -> Verdict {
        if !self.is_member && !self.has_requested {
            return Verdict::rejected(
                "NOT_GROUP_MEMBER",
                "The account is not a member, and has no open request to refuse.",
            );
        }
        if let Some(verdict) = self.protected() {
            return verdict;
        }
        let effect = match self.has_requested {
            true => "That refuses its request to join.",
            false => "It can come back.",
        };
        Verdict::possible(format!("{} {effect}", self.who()))
    }

    /// Checks a ban: `GroupBanTransaction.isValid`. The Core does not check whether the account is a member, or already
    /// banned.
    fn ban(&self) -> Verdict {
        if let Some(verdict) = self.protected() {
            return verdict;
        }
        Verdict::possible(format!(
            "{} That also ends its membership, request or invitation. A term of more than 24.8 days ends at a wrong time, often before it began.",
            self.who()
        ))
    }

    /// Checks leaving: `LeaveGroupTransaction.isValid`.
    fn leave(&self) -> Verdict {
        if self.is_owner {
            return Verdict::rejected(
                "GROUP_OWNER_CANNOT_LEAVE",
                "The owner cannot leave, but can make another account the owner before.",
            );
        }
        if !self.is_member {
            return Verdict::rejected("NOT_GROUP_MEMBER", "The account is not a member.");
        }
        Verdict::possible(match self.is_admin {
            true => "It leaves, and is no longer an admin.",
            false => "It leaves, and can join again.",
        })
    }

    /// Returns a verdict for protected accounts: the owner, and the admins of a group without an owner.
    fn protected(&self) -> Option<Verdict> {
        if self.is_owner {
            let text = "The owner of the group can be neither kicked nor banned.";
            return Some(Verdict::rejected("INVALID_GROUP_OWNER", text));
        }
        (self.is_admin && !self.has_owner).then(|| {
            let text = "An admin of a group that no one owns can be neither kicked nor banned, only removed as an admin first.";
            Verdict::rejected("INVALID_GROUP_OWNER", text)
        })
    }

    /// Returns a description of the accounts that may kick and ban.
    fn who(&self) -> &'static str {
        if self.has_owner {
            "Only the owner of the group can do it; other admins cannot."
        } else {
            "Any admin of the group can propose it in a transaction of that group, which its admins approve."
        }
    }

    fn banned(&self, ban: &GroupBan) -> Verdict {
        let until = match ban.expiry {
            Some(expiry) => format!("until {expiry}"),
            None => "without an end".to_owned(),
        };
        Verdict::rejected(
            "BANNED_FROM_GROUP",
            format!("The account is banned {until}."),
        )
    }
}
