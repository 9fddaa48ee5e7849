//! Watch of a group: join requests, and actions of its members and admins.

use qortal_tools::ToolError;
use serde_json::{Value, json};

use super::{
    change::{Change, number, person, text},
    feed::{Feed, Listing},
    reader::Reader,
};

/// Types of transactions that concern one group, and their event types.
const EVENTS: [(&str, &str); 10] = [
    (JOIN, "member_joined"),
    ("LEAVE_GROUP", "member_left"),
    ("GROUP_INVITE", "invited"),
    ("CANCEL_GROUP_INVITE", "invitation_canceled"),
    ("GROUP_KICK", "member_removed"),
    ("GROUP_BAN", "banned"),
    ("CANCEL_GROUP_BAN", "ban_lifted"),
    ("ADD_GROUP_ADMIN", "admin_added"),
    ("REMOVE_GROUP_ADMIN", "admin_removed"),
    ("UPDATE_GROUP", "group_changed"),
];
const JOIN: &str = "JOIN_GROUP";

/// Ends the sentence of a transaction that may be either a join or a join request.
const EITHER: &str = ", or requests to.";

/// A group, by its ID.
#[derive(Debug)]
pub(super) struct Group {
    id: u32,
    state: String,
    feed: Feed,
}

impl Group {
    pub(super) async fn begin(reader: Reader<'_>, group: &Value) -> Result<Self, ToolError> {
        let id = number(group, "groupId");
        let types: Vec<_> = EVENTS.iter().map(|(it, _)| *it).collect();
        let listing = Listing {
            tool: "search_transactions",
            arguments: json!({ "tx_types": types }),
            height: "blockHeight",
            window: ["start_block", "block_limit"],
        };
        let feed = Feed::begin(reader, listing).await?;
        let asking = Self::asking(reader, id).await?.len();
        let members = number(group, "memberCount");
        Ok(Self {
            id,
            state: format!("members: {members}, requests to join: {asking}"),
            feed,
        })
    }

    pub(super) fn state(&self) -> String {
        self.state.clone()
    }

    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let Some(mut fresh) = self.feed.read(reader).await? else {
            return Ok(Vec::new());
        };
        let is_ours = |row: &Value| row.get("details").map(|it| number(it, "groupId"));
        let all = std::mem::take(&mut fresh.rows);
        let (ours, others): (Vec<_>, Vec<_>) =
            { all.into_iter() }.partition(|row| is_ours(row) == Some(self.id));
        let asking = match ours.iter().any(|row| text(row, "type") == JOIN) {
            true => Self::asking(reader, self.id).await?,
            false => Vec::new(),
        };
        let mut changes: Vec<_> = ours.iter().map(|row| event(row, &asking)).collect();
        fresh.rows = ours.into_iter().chain(others).collect();
        changes.splice(0..0, self.feed.accept(&fresh));
        Ok(changes)
    }

    /// Returns the accounts that have requested to join.
    async fn asking(reader: Reader<'_>, id: u32) -> Result<Vec<Value>, ToolError> {
        let arguments = json!({"group_id": id.to_string()});
        let found = reader.rows("get_group_join_requests", arguments, |_| false);
        Ok(found.await?.rows)
    }
}

/// Returns the change for a transaction of the group, given the accounts that have requested to join.
fn event(row: &Value, asking: &[Value]) -> Change {
    let kind = text(row, "type");
    let said = text(row, "text");
    let joins = said.strip_suffix(EITHER).filter(|_| kind == JOIN);
    if let Some(joins) = joins {
        let creator = text(row, "creatorAddress");
        return match asking.iter().find(|it| text(it, "joiner") == creator) {
            Some(joiner) => {
                let text = format!("{} asks to join the group.", person(joiner, "joiner"));
                Change::new("join_request", text, row)
            }
            None => Change::new("member_joined", format!("{joins}."), row),
        };
    }
    let named = EVENTS.iter().find(|(it, _)| *it == kind);
    Change::new(named.map_or("group_changed", |(_, what)| what), said, row)
}
