//! The most active senders of one room: a day's chat in a few lines.

use std::{cmp::Reverse, collections::HashMap};

use qortal_apps::chat::{Change, Content};
use qortal_client::{
    PageRequest,
    api::chat::{ChatMessage, Encoding},
};
use qortal_types::{Address, Timestamp};
use tool_schema::BoundedVec;

use crate::{
    declare::{
        AccountRef, Context, Cursor, Flat, GroupRef, Page, Paging, Reply, TimeArg, Tool, ToolError,
        count,
    },
    family::chat::{
        message::name_unless_address,
        room::{Place, Room},
        selection::{Selected, Selection, ShownRoom},
    },
    support::untrusted::Untrusted,
};

/// Maximum number of messages that are read to count them. A busy group has some hundreds a day.
const MOST_READ: u32 = 5_000;

params! {
    pub(super) struct GetChatActivity {
        /// Group number or name, or use involving.
        group_id: Option<GroupRef<0>>,
        /// Two accounts of a direct chat.
        involving: Option<BoundedVec<AccountRef, 2>>,
        /// Sent before.
        before: Option<TimeArg>,
        /// Sent after.
        after: Option<TimeArg>,
        #[flatten]
        page: Paging<15>
    }
}

record! {
    pub(super) struct ChatActivity {
        /// The room of the counted messages.
        room: Flat<ShownRoom>,
        /// The number of messages, without edits, reactions and key notices.
        message_count: u32,
        /// The number of encrypted ones.
        encrypted_count: u32,
        /// The number of edits.
        edit_count: u32,
        /// The number of reactions, given or taken back.
        reaction_count: u32,
        /// The number of key notices, and of changes hidden by the official apps.
        other_count: u32,
        /// The time of the first one.
        first: Option<Timestamp>,
        /// The time of the last one.
        last: Option<Timestamp>,
        /// The senders, those of most messages first.
        senders: Page<SenderActivity, u32>
    }

    pub(super) struct SenderActivity {
        /// The account.
        sender: Address,
        /// The name the sender goes by.
        sender_name: Option<Untrusted>,
        /// The number of its messages.
        message_count: u32,
        /// The number of edits and reactions it sent.
        change_count: Option<u32>,
        /// The time of its last transaction.
        last: Timestamp
    }
}

impl Tool for GetChatActivity {
    const NAME: &str = "get_chat_activity";
    const TITLE: &str = "Chat participants";
    const DESCRIPTION: &str = "Count chat messages of the last 24 hours in a group or between two accounts by sender. Read them: get_chat_messages.";
    const EXAMPLE: &str = r#"{"group_id":"open-lounge"}"#;
    const KEYWORDS: &str = "active in chat, most active, who talks most, chatter, spam, spammer";
    type Output = Reply<ChatActivity>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let selection = Selection {
            group_id: self.group_id,
            involving: self.involving,
            before: self.before,
            after: self.after,
            reference: None,
            chat_reference: None,
            has_chat_reference: None,
            sender: None,
        };
        let selected = Selected::of(cx, selection, Encoding::Base64).await?;
        let messages = cx
            .node
            .chat_messages(
                selected.room,
                &selected.filter,
                PageRequest::last(MOST_READ),
            )
            .await?;
        if messages.is_empty() {
            selected.room_exists(cx).await?;
        }
        if messages.len() >= MOST_READ as usize {
            cx.note(format!(
                "Only the latest {MOST_READ} messages were counted."
            ));
        }
        let room = Room::of(messages);
        let kinds: Vec<Kind> = room.places_of_all().map(|it| Kind::of(&room, it)).collect();
        let counted = |kind: Kind| count(kinds.iter().filter(|it| **it == kind).count());
        let encrypted_count = counted(Kind::Encrypted);
        let times = || {
            let messages = { room.rows().iter().zip(&kinds) }.filter(|(_, kind)| kind.is_message());
            messages.map(|(it, _)| it.timestamp)
        };
        let reply = Reply::new(ChatActivity {
            room: Flat(selected.shown_room()),
            message_count: counted(Kind::Message).saturating_add(encrypted_count),
            encrypted_count,
            edit_count: counted(Kind::Edit),
            reaction_count: counted(Kind::Reaction),
            other_count: counted(Kind::Other),
            first: times().min(),
            last: times().max(),
            senders: self
                .page
                .of_whole(cx, Cursor::Offset, by_sender(room.rows(), &kinds)),
        });
        Ok(selected.with_notes(reply))
    }
}

/// The kind of a transaction, for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Encrypted,
    Edit,
    Reaction,
    Other,
}

impl Kind {
    fn of(room: &Room, place: Place) -> Self {
        let conversation = room.conversation();
        let content = conversation.get(place).map(|it| &it.content);
        match (conversation.change(place), content) {
            (Some(Change::Edit), _) => Self::Edit,
            (Some(Change::Reaction), _) => Self::Reaction,
            (Some(_), _) | (None, Some(Content::KeyNotice) | None) => Self::Other,
            (None, Some(Content::Encrypted(_))) => Self::Encrypted,
            (None, Some(_)) => Self::Message,
        }
    }

    const fn is_message(self) -> bool {
        matches!(self, Self::Message | Self::Encrypted)
    }
}

/// Counts messages by sender: the most messages first, and the latest first among equals.
fn by_sender(rows: &[ChatMessage], kinds: &[Kind]) -> Vec<SenderActivity> {
    let mut senders: HashMap<Address, SenderActivity> = HashMap::new();
    for (it, kind) in rows.iter().zip(kinds) {
        let sender = senders.entry(it.sender).or_insert_with(|| SenderActivity {
            sender: it.sender,
            sender_name: name_unless_address(it.sender_name.clone(), &it.sender),
            message_count: 0,
            change_count: None,
            last: it.timestamp,
        });
        if kind.is_message() {
            sender.message_count = sender.message_count.saturating_add(1);
        } else if matches!(kind, Kind::Edit | Kind::Reaction) {
            let changes = sender.change_count.unwrap_or(0);
            sender.change_count = Some(changes.saturating_add(1));
        }
        sender.last = sender.last.max(it.timestamp);
    }
    let mut senders: Vec<_> = senders.into_values().collect();
    senders.sort_by_cached_key(|it| Reverse((it.message_count, it.last, it.sender)));
    senders
}
