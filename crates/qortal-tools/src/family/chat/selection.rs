//! Which messages are meant: the rules that the arguments keep together, and the accounts behind names.

use qortal_client::{
    ApiError,
    api::chat::{ChatFilter, ChatRoom, Encoding},
};
use qortal_types::{Address, Signature, Timestamp};

use crate::{
    context::{Account, Context},
    declare::{AccountRef, Reply},
    error::ToolError,
    family::chat::A_DAY,
    untrusted::Untrusted,
};

/// The Core refuses earlier times (`ChatResource`): July 2017.
const EARLIEST: Timestamp = Timestamp::from_millis(1_500_000_000_000);

/// What a client asks for.
pub(super) struct Selection {
    pub(super) group: Option<u32>,
    pub(super) involving: Option<Vec<AccountRef>>,
    pub(super) before: Option<Timestamp>,
    pub(super) after: Option<Timestamp>,
    pub(super) reference: Option<Signature>,
    pub(super) chat_reference: Option<Signature>,
    pub(super) has_chat_reference: Option<bool>,
    pub(super) sender: Option<AccountRef>,
    pub(super) encoding: Encoding,
}

/// What the node is asked for.
pub(super) struct Selected {
    pub(super) room: ChatRoom,
    pub(super) filter: ChatFilter,
    resolved_from: Vec<Untrusted>,
}

impl Selected {
    /// Checks what the Core would refuse, and looks up names, all at once.
    pub(super) async fn of(cx: &Context, selection: Selection) -> Result<Self, ToolError> {
        for (parameter, time) in [("before", selection.before), ("after", selection.after)] {
            if time.is_some_and(|it| it < EARLIEST) {
                return Err(ToolError::argument(
                    parameter,
                    "Invalid timestamp.",
                    "is before July 2017",
                    "milliseconds since 1970, at least 1500000000000",
                ));
            }
        }
        let sender = async {
            match selection.sender {
                Some(sender) => cx.account("sender", sender).await.map(Some),
                None => Ok(None),
            }
        };
        let room = room(cx, selection.group, selection.involving);
        let ((room, mut resolved_from), sender) = tokio::try_join!(room, sender)?;
        let sender = sender.map(|it| {
            resolved_from.extend(it.resolved_from);
            it.address
        });
        Ok(Self {
            room,
            filter: ChatFilter::default()
                .with_before(selection.before)
                .with_after(selection.after)
                .with_reference(selection.reference)
                .with_chat_reference(selection.chat_reference)
                .with_has_chat_reference(selection.has_chat_reference)
                .with_sender(sender)
                .with_encoding(selection.encoding),
            resolved_from,
        })
    }

    pub(super) fn shown(&self) -> (Option<u32>, Option<Vec<Address>>) {
        shown_room(self.room)
    }

    pub(super) fn resolved_from(&self) -> Option<Vec<Untrusted>> {
        Some(self.resolved_from.clone()).filter(|it| !it.is_empty())
    }

    /// A group without messages may be one that does not exist, which the Core does not tell.
    pub(super) async fn room_exists(&self, cx: &Context) -> Result<(), ToolError> {
        let ChatRoom::Group(group_id @ 1..) = self.room else {
            return Ok(());
        };
        match cx.node.group(group_id).await {
            Ok(_) => Ok(()),
            Err(err) if err.is(ApiError::GROUP_UNKNOWN) => Err(ToolError::not_found(
                "Group not found.",
                format!("No group has the number {group_id}. list_groups lists all groups."),
            )),
            Err(err) => Err(err.into()),
        }
    }

    /// Adds what the Core does not tell by itself.
    pub(super) fn remark_on<T>(&self, reply: Reply<T>) -> Reply<T> {
        let mut reply = reply.note(A_DAY);
        if let ChatRoom::Group(0) = self.room {
            reply = reply.note("Group 0, once the general chat, is always empty.");
        }
        if self.filter.chat_reference.is_some() {
            reply = reply.note("Of all messages that answer or edit one, the node finds the last.");
        }
        reply
    }
}

async fn room(
    cx: &Context,
    group: Option<u32>,
    involving: Option<Vec<AccountRef>>,
) -> Result<(ChatRoom, Vec<Untrusted>), ToolError> {
    let accepted = "either a group's number as tx_group_id or two accounts as involving";
    let wrong = |parameter: &str, what: String| {
        ToolError::argument(parameter, "Invalid argument.", what, accepted)
    };
    match (group, involving.map(<[AccountRef; 2]>::try_from)) {
        (Some(group), None) => Ok((ChatRoom::Group(group), Vec::new())),
        (None, Some(Ok([one, other]))) => {
            let (one, other): (Account, Account) =
                tokio::try_join!(cx.account("involving", one), cx.account("involving", other))?;
            if one.address == other.address {
                return Err(wrong("involving", "names one account twice".to_owned()));
            }
            let names = one.resolved_from.into_iter().chain(other.resolved_from);
            Ok((
                ChatRoom::Direct(one.address, other.address),
                names.collect(),
            ))
        }
        (None, Some(Err(accounts))) => {
            let what = format!("has {} accounts", accounts.len());
            Err(wrong("involving", what))
        }
        (Some(_), Some(_)) => Err(wrong(
            "involving",
            "is given together with tx_group_id".to_owned(),
        )),
        (None, None) => Err(wrong("tx_group_id", "and involving are missing".to_owned())),
    }
}

/// The two forms of a room, as answers show them.
fn shown_room(room: ChatRoom) -> (Option<u32>, Option<Vec<Address>>) {
    match room {
        ChatRoom::Group(group_id) => (Some(group_id), None),
        ChatRoom::Direct(one, other) => (None, Some(vec![one, other])),
    }
}
