//! The messages of a room.

use std::mem;

use qortal_client::{
    NodeError,
    api::chat::{ChatFilter, ChatMessage, Encoding},
};
use qortal_types::{Address, Timestamp};

use crate::{
    declare::{Context, Cursor, Flat, Full, Order, Page, Paging, Reply, Slice, Tool, ToolError},
    family::chat::{
        bytes::{FIXED_BYTES, cut, within_bytes},
        message::{DataEncoding, Form, Said, name_unless_address},
        room::{Place, Room, RoomQuery},
        selection::{Selected, Selection, ShownRoom},
        shown::{Reactions, Referred, Shown, ShownAttachment},
    },
    support::untrusted::{Untrusted, WholeUntrusted},
};

params! {
    pub(super) struct GetChatMessages {
        #[flatten]
        selection: Selection,
        /// Encoding of bytes.
        encoding: DataEncoding = DataEncoding::Base64,
        #[flatten]
        page: Paging<15>,
        #[flatten]
        order: Order,
        /// Show text, not bytes.
        decode_text: bool = true
    }
}

record! {
    pub(super) struct Messages {
        /// The room of these messages.
        room: Flat<ShownRoom>,
        /// The messages, in this order.
        messages: Page<Message>
    }

    pub(super) struct Message {
        /// The time it was sent.
        timestamp: Timestamp,
        /// The sender.
        sender: Address,
        /// The name the sender goes by.
        sender_name: Option<Untrusted>,
        /// The recipient of a direct message.
        recipient: Option<Address>,
        /// The message it edits or reacts to.
        chat_reference: Full<Option<String>>,
        /// Its kind, unless it is a plain message: forwarded, group_key_created, unknown_form, edit, reaction, reaction_removed or other_change.
        kind: Option<&'static str>,
        /// The message it replies to.
        reply_to: Option<Referred>,
        /// The message it changes, for edits and reactions.
        change_of: Option<Referred>,
        /// Its text, in the latest version. Absent if it has none or is encrypted.
        text: Option<Untrusted>,
        /// Its bytes, on request or if they are not text.
        data: Option<String>,
        /// The encoding of `data`.
        encoding: Option<&'static str>,
        /// The time of its last edit.
        edited: Option<Timestamp>,
        /// The number of accounts per reaction. encrypted counts unreadable ones.
        reactions: Option<Reactions>,
        /// Its pictures, files and polls.
        attachments: Option<Vec<ShownAttachment>>,
        /// Whether it is encrypted and cannot be read here.
        is_encrypted: bool,
        /// Its data as it was sent, with keys replaced by ….
        raw: Full<Option<WholeUntrusted>>,
        /// Its signature in Base58.
        signature: Full<String>
    }
}

impl Message {
    fn of(it: ChatMessage, shown: Shown, form: Form) -> Self {
        Self {
            timestamp: it.timestamp,
            sender_name: name_unless_address(it.sender_name, &it.sender),
            sender: it.sender,
            recipient: it.recipient,
            chat_reference: Full(it.chat_reference.map(|it| it.to_string())),
            kind: shown.kind,
            reply_to: shown.reply_to,
            change_of: shown.change_of,
            text: shown.text.map(Untrusted),
            encoding: shown.data.is_some().then(|| form.name()),
            data: shown.data,
            edited: shown.edited,
            reactions: shown.reactions,
            attachments: shown.attachments,
            is_encrypted: shown.is_encrypted,
            raw: Full(shown.raw.map(WholeUntrusted)),
            signature: Full(it.signature.to_string()),
        }
    }
}

/// A message and its approximate size in an answer, in bytes.
struct Measured(Message, usize);

impl Measured {
    fn of(it: ChatMessage, shown: Shown, form: Form) -> Self {
        let others = shown.bytes();
        let message = Message::of(it, shown, form);
        let texts = [&message.text, &message.sender_name].into_iter().flatten();
        let texts: usize = texts.map(Untrusted::bytes).sum();
        let data = message.data.as_ref().map_or(0, String::len);
        Self(message, FIXED_BYTES + texts + data + others)
    }
}

impl Tool for GetChatMessages {
    const NAME: &str = "get_chat_messages";
    const TITLE: &str = "Chat messages";
    const DESCRIPTION: &str = "Read the chat of the last 24 hours in a group or between two accounts. Where someone chats: get_active_chats.";
    const EXAMPLE: &str = r#"{"group_id":"3"}"#;
    const KEYWORDS: &str = "q-chat, chat, message, read chat, last chat, said, they say, people say in group, said in group, said today, conversation";
    type Output = Reply<Messages>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let form = Form::of(self.encoding, self.decode_text);
        let is_open = self.selection.before.is_none() && self.order.is_newest_first();
        let selected = Selected::of(cx, self.selection, form.encoding).await?;
        let list = List {
            selected: &selected,
            page: &self.page,
            order: self.order,
            form,
            is_open,
        };
        let page = if cx.is_older() || !self.decode_text {
            list.transactions(cx).await?
        } else {
            list.messages(cx).await?
        };
        if page.items.is_empty() {
            selected.room_exists(cx).await?;
        }
        let (messages, left_out) = within_bytes(page, |it| it.1);
        let reply = Reply::new(Messages {
            room: Flat(selected.shown_room()),
            messages: messages.map(|it| it.0),
        });
        Ok(selected.with_notes(cut(reply, left_out)))
    }
}

/// The requested page.
struct List<'a> {
    selected: &'a Selected,
    page: &'a Slice,
    order: Order,
    form: Form,
    /// Whether newer messages can come before the page.
    is_open: bool,
}

impl List<'_> {
    /// Returns transactions in the form of the node.
    async fn transactions(&self, cx: &Context) -> Result<Page<Measured>, ToolError> {
        let found = self.read(cx, &self.selected.filter).await?;
        self.pin(cx, found.first().filter(|_| self.page.offset == 0));
        let found = found.into_iter().map(|mut row| {
            let said = Said::of(mem::take(&mut row.data), row.is_encrypted, self.form);
            let shown = Shown::as_sent(said, row.is_encrypted);
            Measured::of(row, shown, self.form)
        });
        Ok(self.page.of(cx, Cursor::Offset, found.collect()))
    }

    /// Returns messages or changes as the official apps show them.
    async fn messages(&self, cx: &Context) -> Result<Page<Measured>, ToolError> {
        let filter = &self.selected.filter;
        let wanted = RoomQuery::new(filter, self.order.is_newest_first());
        let mut room = Room::read(cx, self.selected.room).await?;
        let found = room.places(&wanted);
        let page = if room.covers(&wanted, found.len(), self.page) {
            self.pin(cx, found.first().and_then(|it| room.row(*it)));
            self.page.of_whole(cx, Cursor::Offset, found)
        } else {
            let mut filter = filter.clone().with_encoding(Encoding::Base64);
            if let Some(changes) = wanted.changes() {
                filter = filter.with_has_chat_reference(changes);
            }
            let changes = Room::read_changes(cx, self.selected.room);
            let (rows, changes) = tokio::try_join!(self.read(cx, &filter), changes)?;
            self.pin(cx, rows.first().filter(|_| self.page.offset == 0));
            let places = room.add(rows, changes);
            note_unknown_changes(cx, &room, &places);
            self.page.of(cx, Cursor::Offset, places)
        };
        if wanted.changes() == Some(false) {
            note_other_changes(cx, &room);
        }
        let with_raw = cx.wants_full();
        Ok(page.filter_map(|place: Place| {
            let row = room.row(place)?.clone();
            let shown = Shown::of(&room, place, self.form, with_raw);
            Some(Measured::of(row, shown, self.form))
        }))
    }

    async fn read(&self, cx: &Context, filter: &ChatFilter) -> Result<Vec<ChatMessage>, NodeError> {
        let rows = self.order.one_more(self.page);
        let read = cx.node.chat_messages(self.selected.room, filter, rows);
        read.await
    }

    /// Lets further pages begin at the newest message of this list.
    fn pin(&self, cx: &Context, newest: Option<&ChatMessage>) {
        if let Some(newest) = newest.filter(|_| self.is_open) {
            cx.pin_newest(newest.timestamp);
        }
    }
}

/// Notes that messages are older than the changes that were read.
fn note_unknown_changes(cx: &Context, room: &Room, places: &[Place]) {
    let times = places.iter().filter_map(|it| room.row(*it));
    let first = times.map(|it| it.timestamp).min();
    let since = room.changes_since().zip(first);
    if let Some((since, _)) = since.filter(|(since, first)| first < since) {
        cx.note(format!(
            "Edits and reactions from before {since} are not shown."
        ));
    }
}

/// Notes that some transactions are neither messages nor changes that the official apps show.
fn note_other_changes(cx: &Context, room: &Room) {
    let others = room.other_changes();
    if others > 0 {
        cx.note(format!(
            "Left out, as in the official apps: transactions that refer to a message but are neither an edit by its author nor a reaction ({others}). has_chat_reference true lists them."
        ));
    }
}
