//! Kicks out of groups.

use qortal_client::{
    PageRequest,
    api::{
        groups::{GroupKick, KickFilter},
        transactions::{Transaction, TransactionFilter},
    },
};
use qortal_types::{Address, Timestamp, TransactionType};

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, GroupRef, Page, Paging, Range, Tool, ToolError, given,
    },
    family::groups::group_error,
    support::{
        groups::GroupNames,
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
    },
};

/// Maximum number of kicks from all groups that are read to find those from one group.
const KICKS_READ: u32 = 500;

params! {
    pub(crate) struct ListGroupKicks {
        /// Kicked account. Required without group_id.
        address: Option<AccountRef>,
        /// Group number or name.
        group_id: Option<GroupRef>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<25>
    }
}

record! {
    pub(crate) struct GroupKicks {
        /// The kicked account, if one was requested.
        address: Option<Account>,
        /// The kicks, the latest first.
        kicks: Page<Kick>
    }

    pub(crate) struct Kick from(it: Bare, groups: &GroupNames, names: &PrimaryNames) {
        /// The time.
        timestamp: Timestamp,
        /// The group's number.
        group_id: u32,
        /// The group's name. Absent if it no longer exists.
        group_name: Option<Untrusted> = groups.get(it.group_id),
        /// The kicked account.
        member: Person = names.person(it.member),
        /// The kicking admin. Absent where kicks are listed by account.
        admin: Option<Person> = it.admin.map(|it| names.person(it)),
        /// The admin's reason.
        reason: Option<Untrusted> = it.reason.filter(|it| !it.is_empty()).map(Untrusted)
    }
}

/// A kick before its names are resolved.
struct Bare {
    timestamp: Timestamp,
    group_id: u32,
    member: Address,
    admin: Option<Address>,
    reason: Option<String>,
}

impl Tool for ListGroupKicks {
    const NAME: &str = "list_group_kicks";
    const TITLE: &str = "Group kicks";
    const DESCRIPTION: &str =
        "Kicks out of a group, or of an account, with reason and time. Bans: get_group_bans.";
    const EXAMPLE: &str = r#"{"address":"QZajYTTmxtjX7C2YgytGgNKXDVvxFgZWHg"}"#;
    const KEYWORDS: &str = "kick, kicked, why kicked, removed from group";
    const TABLE: Option<&str> = Some("kicks");
    type Output = GroupKicks;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = given(self.group_id, |it| cx.group("group_id", it)).await?;
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let period = self.range.period(cx).await?;
        let page = match (&account, group_id) {
            (None, None) => {
                return Err(ToolError::argument(
                    "address",
                    "Missing argument.",
                    "and `group_id` are both missing",
                    "at least one of them, an address or a registered name, or the number or name of a group",
                ));
            }
            (Some(account), group_id) => {
                // Both bounds of the Core are exclusive.
                let after = period.after.map(|it| it.millis().saturating_sub(1));
                let filter = KickFilter::new(account.address)
                    .with_group_id(group_id)
                    .with_after(after.map(Timestamp::from_millis))
                    .with_before(period.before);
                let page = self.page.one_more(true);
                let kicks = cx.node.group_kicks(&filter, page).await?;
                let by_time = Cursor::Pinned(true, |it: &GroupKick| Some(it.timestamp));
                self.page.of(cx, by_time, kicks).map(|it| Bare {
                    timestamp: it.timestamp,
                    group_id: it.group_id,
                    member: it.member,
                    admin: None,
                    reason: it.reason,
                })
            }
            (None, Some(group_id)) => {
                let group = async { cx.node.group(group_id).await.map_err(group_error(group_id)) };
                let (_, mut kicks) = tokio::try_join!(group, kicks_out_of(cx, group_id))?;
                kicks.retain(|it| period.has(it.timestamp));
                let by_time = Cursor::Pinned(true, |it: &Bare| Some(it.timestamp));
                self.page.of_whole(cx, by_time, kicks)
            }
        };
        let kicks = named(cx, page).await;
        Ok(GroupKicks {
            address: account,
            kicks,
        })
    }
}

/// Returns the kicks out of one group from their transactions, because the Core lists kicks by member only.
async fn kicks_out_of(cx: &Context, group_id: u32) -> Result<Vec<Bare>, ToolError> {
    let filter = TransactionFilter::default().with_types([TransactionType::GroupKick]);
    let found = cx
        .node
        .search_transactions(&filter, PageRequest::last(KICKS_READ))
        .await?;
    if found.len() >= KICKS_READ as usize {
        cx.note(format!(
            "Only the latest {KICKS_READ} kicks of all groups were read, there may be older ones."
        ));
    }
    let kicks = found.into_iter().filter_map(kick);
    Ok(kicks.filter(|it| it.group_id == group_id).collect())
}

/// Returns the kick of a transaction, if it took effect.
fn kick(it: Transaction) -> Option<Bare> {
    let group_id = it.details.get("groupId")?.as_u64()?;
    it.took_effect().then_some(Bare {
        timestamp: it.timestamp,
        group_id: group_id.try_into().ok()?,
        member: it.detail("member")?.parse().ok()?,
        admin: it.creator_address,
        reason: it.detail("reason").map(str::to_owned),
    })
}

async fn named(cx: &Context, page: Page<Bare>) -> Page<Kick> {
    let accounts: Vec<_> = page
        .items
        .iter()
        .flat_map(|it| [Some(it.member), it.admin])
        .flatten()
        .collect();
    let groups: Vec<_> = page.items.iter().map(|it| it.group_id).collect();
    let (names, groups) = tokio::join!(PrimaryNames::of(cx, accounts), GroupNames::of(cx, groups),);
    page.map(|it| Kick::of(it, &groups, &names))
}
