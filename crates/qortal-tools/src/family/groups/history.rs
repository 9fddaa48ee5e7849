//! The history of a group: members who joined, left, or were kicked, banned or unbanned, and changes of admins.

use qortal_client::{
    PageRequest,
    api::transactions::{Transaction, TransactionFilter},
};
use qortal_types::{Address, Height, Timestamp, TransactionType};
use serde_json::Value;
use tool_schema::{BoundedVec, choice};

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, GroupRef, Order, Page, Paging, Range, Tool,
        ToolError, TransactionId, given,
    },
    family::{
        groups::{GroupLabel, label},
        transactions::narrate::narrate,
    },
    support::{
        groups::GroupNames,
        labels::Labels,
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
    },
};

/// Maximum number of transactions about all groups that are read to find those about one group. The node cannot search
/// by group.
const READ: u32 = 2_000;

choice! {
    /// An event in a group.
    enum Kind {
        /// Joined, or requested to join.
        Join = "join",
        /// Left.
        Leave = "leave",
        /// Kicked, or refused.
        Kick = "kick",
        /// Banned.
        Ban = "ban",
        /// Ban lifted.
        Unban = "unban",
        /// Invited.
        Invite = "invite",
        /// Became an admin.
        AddAdmin = "add_admin",
        /// No longer an admin.
        RemoveAdmin = "remove_admin",
        /// Group created or changed.
        Update = "update",
    }
}

/// All transaction types with their kinds.
const KINDS: [(TransactionType, Kind, &str); 10] = [
    (TransactionType::JoinGroup, Kind::Join, "join"),
    (TransactionType::LeaveGroup, Kind::Leave, "leave"),
    (TransactionType::GroupKick, Kind::Kick, "kick"),
    (TransactionType::GroupBan, Kind::Ban, "ban"),
    (TransactionType::CancelGroupBan, Kind::Unban, "unban"),
    (TransactionType::GroupInvite, Kind::Invite, "invite"),
    (TransactionType::AddGroupAdmin, Kind::AddAdmin, "add_admin"),
    (
        TransactionType::RemoveGroupAdmin,
        Kind::RemoveAdmin,
        "remove_admin",
    ),
    (TransactionType::UpdateGroup, Kind::Update, "update"),
    (TransactionType::CreateGroup, Kind::Update, "update"),
];

params! {
    pub(super) struct GetGroupHistory {
        /// Group number or name.
        group_id: GroupRef,
        /// Only these events.
        kinds: Option<BoundedVec<Kind, 9>>,
        /// Only by or about this account.
        address: Option<AccountRef>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<20>,
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct GroupHistory {
        /// The group's number.
        group_id: u32,
        /// The group's name.
        group_name: Option<Untrusted>,
        /// The requested account.
        address: Option<Account>,
        /// The events, in this order.
        events: Page<GroupEvent, u32>
    }

    pub(super) struct GroupEvent from(it: &Transaction, names: &PrimaryNames, labels: &Labels) {
        /// The time of the transaction.
        timestamp: Timestamp,
        /// The event: join, leave, kick, ban, unban, invite, add_admin, remove_admin or update.
        kind: Option<&'static str> = kind(it),
        /// The same in a sentence.
        text: Untrusted = narrate(it, &|address| names.label(address), labels).into(),
        /// The acting account.
        actor: Option<Person> = it.creator_address.map(|it| names.person(it)),
        /// The affected account. Absent if it is the acting one.
        member: Option<Person> = member(it).map(|it| names.person(it)),
        /// The admin's reason.
        reason: Option<Untrusted> = reason(it),
        /// The block it is in.
        height: Option<Height> = it.block_height,
        /// The transaction.
        transaction: TransactionId = it.into()
    }
}

fn kind(it: &Transaction) -> Option<&'static str> {
    let mut kinds = KINDS.iter();
    let found = kinds.find(|(of_type, ..)| *of_type == it.transaction_type);
    found.map(|(.., kind)| *kind)
}

/// Returns the account that an event is about, from the fields of the Core's classes.
fn member(it: &Transaction) -> Option<Address> {
    let fields = ["member", "admin", "offender", "invitee", "newOwner"];
    fields
        .iter()
        .find_map(|field| it.detail(field)?.parse().ok())
}

fn reason(it: &Transaction) -> Option<Untrusted> {
    let reason = it.detail("reason").filter(|it| !it.is_empty());
    reason.map(|it| Untrusted(it.to_owned()))
}

impl Tool for GetGroupHistory {
    const NAME: &str = "get_group_history";
    const TITLE: &str = "Group history";
    const DESCRIPTION: &str = "Events in one group: members who joined, left, were kicked, banned or unbanned, and former admins. Now: get_group_members.";
    const EXAMPLE: &str = r#"{"group_id":"open-lounge"}"#;
    const KEYWORDS: &str = "group history, who joined, who joined this week, who left, left group, who lifted ban, unban, ban lifted, former admin, previous admin, removed admin, no longer admin, former member";
    const TABLE: Option<&str> = Some("events");
    type Output = GroupHistory;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = cx.group("group_id", self.group_id).await?;
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let kinds = self.kinds.map(BoundedVec::into_vec);
        let is_wanted = |kind: &Kind| kinds.as_ref().is_none_or(|it| it.contains(kind));
        let types = KINDS.iter().filter(|(_, kind, _)| is_wanted(kind));
        let types: Vec<_> = types.map(|(of_type, ..)| of_type.clone()).collect();
        let blocks = self
            .range
            .settled_blocks(cx, self.order.is_newest_first())
            .await?;
        let filter = TransactionFilter::default()
            .with_types(types)
            .with_address(account.as_ref().map(|it| it.address))
            .with_start_block(blocks.start)
            .with_block_limit(blocks.limit);
        let newest_first = self.order.is_newest_first();
        let page = PageRequest::first(READ).with_reverse(newest_first);
        let (group, found) = tokio::try_join!(label(cx, group_id), async {
            let found = cx.node.search_transactions(&filter, page).await;
            found.map_err(ToolError::from)
        })?;
        if found.len() >= READ as usize {
            cx.note(format!("Only {READ} transactions about all groups were read, so there may be more events: ask for a range with `after` and `before`, or for fewer `kinds`."));
        }
        let is_of_group = |it: &Transaction| {
            let group = it.details.get("groupId").and_then(Value::as_u64);
            group == Some(group_id.into()) && it.took_effect()
        };
        let events: Vec<_> = found.into_iter().filter(is_of_group).collect();
        self.range.note_times(cx, &events);
        let events = self.page.of_whole(cx, Cursor::Offset, events);
        let names = PrimaryNames::of_transactions(cx, &events.items, None).await;
        let GroupLabel { group_name, .. } = &group;
        let labels = Labels::of_groups(GroupNames::of_one(group_id, group_name.as_ref()));
        Ok(GroupHistory {
            group_id,
            group_name: group.group_name,
            address: account,
            events: events.map(|it| GroupEvent::of(&it, &names, &labels)),
        })
    }
}
