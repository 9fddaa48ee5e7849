//! The selection of messages: the rules for combined arguments, and the accounts behind names.

use qortal_client::{
    ApiError,
    api::chat::{ChatFilter, ChatRoom, Encoding},
};
use qortal_types::{Address, Signature, Timestamp};
use tool_schema::BoundedVec;

use crate::{
    declare::{Account, AccountRef, Context, GroupRef, Reply, TimeArg, ToolError, given},
    family::{chat::message::A_DAY, groups::group_error},
};

/// The earliest time that the Core accepts (`ChatResource`): July 2017.
const EARLIEST: Timestamp = Timestamp::from_millis(1_500_000_000_000);

params! {
    /// The messages that a client asks for.
    pub(super) struct Selection {
        /// Group number or name, or use involving.
        group_id: Option<GroupRef<0>>,
        /// Two accounts of a direct chat.
        involving: Option<BoundedVec<AccountRef, 2>>,
        /// Sent before.
        before: Option<TimeArg>,
        /// Sent after.
        after: Option<TimeArg>,
        /// Only the message with this reference.
        reference: Option<Signature>,
        /// The last edit of this message, or reaction.
        chat_reference: Option<Signature>,
        /// true: only edits and reactions.
        has_chat_reference: Option<bool>,
        /// Only this account.
        sender: Option<AccountRef>
    }
}

record! {
    /// A room as answers show it.
    pub(super) struct ShownRoom {
        /// The group, for messages of a group.
        group_id: Option<u32>,
        /// The two accounts, for direct messages.
        involving: Option<Vec<Address>>,
        /// The registered names given instead of addresses, in the order of the arguments.
        resolved_from: Option<Vec<String>>
    }
}

/// The request to the node.
pub(super) struct Selected {
    pub(super) room: ChatRoom,
    pub(super) filter: ChatFilter,
    resolved_from: Vec<String>,
}

impl Selected {
    /// Checks for requests that the Core would refuse, and looks up names concurrently.
    pub(super) async fn of(
        cx: &Context,
        selection: Selection,
        encoding: Encoding,
    ) -> Result<Self, ToolError> {
        let (before, after) = tokio::try_join!(
            given(selection.before, |it| cx.moment("before", it)),
            given(selection.after, |it| cx.moment("after", it)),
        )?;
        for (parameter, time) in [("before", before), ("after", after)] {
            if time.is_some_and(|it| it < EARLIEST) {
                return Err(ToolError::argument(
                    parameter,
                    "Invalid timestamp.",
                    "is before July 2017",
                    "a later time, the node has chat of the last 24 hours",
                ));
            }
        }
        let sender = given(selection.sender, |it| cx.account("sender", it));
        let room = room(
            cx,
            selection.group_id,
            selection.involving.map(BoundedVec::into_vec),
        );
        let ((room, mut resolved_from), sender) = tokio::try_join!(room, sender)?;
        let sender = sender.map(|it| {
            resolved_from.extend(it.resolved_from);
            it.address
        });
        Ok(Self {
            room,
            filter: ChatFilter::default()
                .with_before(before)
                .with_after(after)
                .with_reference(selection.reference)
                .with_chat_reference(selection.chat_reference)
                .with_has_chat_reference(selection.has_chat_reference)
                .with_sender(sender)
                .with_encoding(encoding),
            resolved_from,
        })
    }

    pub(super) fn shown_room(&self) -> ShownRoom {
        let (group_id, involving) = match self.room {
            ChatRoom::Group(group_id) => (Some(group_id), None),
            ChatRoom::Direct(one, other) => (None, Some(vec![one, other])),
        };
        ShownRoom {
            group_id,
            involving,
            resolved_from: Some(self.resolved_from.clone()).filter(|it| !it.is_empty()),
        }
    }

    /// Checks that a group without messages exists, because the Core does not report an unknown one.
    pub(super) async fn room_exists(&self, cx: &Context) -> Result<(), ToolError> {
        let ChatRoom::Group(group_id @ 1..) = self.room else {
            return Ok(());
        };
        match cx.node.group(group_id).await {
            Err(err) if err.is(ApiError::GROUP_UNKNOWN) => Err(group_error(group_id)(err)),
            group => {
                cx.part("Whether the group exists is", group);
                Ok(())
            }
        }
    }

    /// Adds notes on the messages that the Core leaves out.
    pub(super) fn with_notes<T>(&self, reply: Reply<T>) -> Reply<T> {
        let mut reply = reply.note(A_DAY);
        if let ChatRoom::Group(0) = self.room {
            reply = reply.note("Group 0, formerly the general chat, is always empty.");
        }
        if self.filter.chat_reference.is_some() {
            reply = reply.note(
                "Of the edits of a message and the reactions to it, the node finds only the last.",
            );
        }
        reply
    }
}

async fn room(
    cx: &Context,
    group: Option<GroupRef<0>>,
    involving: Option<Vec<AccountRef>>,
) -> Result<(ChatRoom, Vec<String>), ToolError> {
    let expected = "either a group as group_id or two accounts as involving";
    let invalid = |parameter: &str, what: String| {
        ToolError::argument(parameter, "Invalid argument.", what, expected)
    };
    match (group, involving.map(<[AccountRef; 2]>::try_from)) {
        (Some(group), None) => {
            let group = cx.group("group_id", group).await?;
            Ok((ChatRoom::Group(group), Vec::new()))
        }
        (None, Some(Ok([one, other]))) => {
            let (one, other): (Account, Account) =
                tokio::try_join!(cx.account("involving", one), cx.account("involving", other))?;
            if one.address == other.address {
                return Err(invalid(
                    "involving",
                    "names the same account twice".to_owned(),
                ));
            }
            let names = one.resolved_from.into_iter().chain(other.resolved_from);
            Ok((
                ChatRoom::Direct(one.address, other.address),
                names.collect(),
            ))
        }
        (None, Some(Err(accounts))) => {
            let what = format!("has {} accounts", accounts.len());
            Err(invalid("involving", what))
        }
        (Some(_), Some(_)) => Err(invalid(
            "involving",
            "is given together with group_id".to_owned(),
        )),
        (None, None) => Err(invalid("group_id", "and involving are missing".to_owned())),
    }
}
