//! The newest transactions of a room, with edits, reactions and replies in their place.

use std::collections::HashMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_apps::chat::{Change, Content, Conversation, Sent};
use qortal_client::{
    NodeError, PageRequest,
    api::chat::{ChatFilter, ChatMessage, ChatRoom, Encoding},
};
use qortal_types::{Signature, Timestamp};

use crate::{
    declare::{Context, Slice},
    family::chat::message::name_unless_address,
    support::untrusted::Untrusted,
};

/// Number of transactions that are read at once. A busy group has some hundreds in the 24 hours for which a node keeps
/// them, so most rooms take one request.
const NEWEST: u32 = 500;

/// The place of a transaction among those that were read.
pub(super) type Place = usize;

/// Transactions of a room.
#[derive(Debug)]
pub(super) struct Room {
    rows: Vec<ChatMessage>,
    conversation: Conversation,
    /// Number of the newest transactions, which come first. Others were read in addition.
    newest: usize,
    /// Whether the newest transactions are all transactions of the room.
    is_whole: bool,
    /// The time since which all changes were read, if earlier ones were not.
    changes_since: Option<Timestamp>,
}

/// The transactions that a call selects.
#[derive(Debug)]
pub(super) struct RoomQuery<'a> {
    filter: &'a ChatFilter,
    newest_first: bool,
}

impl<'a> RoomQuery<'a> {
    pub(super) const fn new(filter: &'a ChatFilter, newest_first: bool) -> Self {
        Self {
            filter,
            newest_first,
        }
    }

    /// Returns whether only changes are selected, or only messages. A reference selects either.
    pub(super) fn changes(&self) -> Option<bool> {
        let of_reference = { self.filter.chat_reference }.map(|_| true);
        let has = self.filter.has_chat_reference.or(of_reference);
        has.or_else(|| self.filter.reference.is_none().then_some(false))
    }

    /// Returns whether at most one transaction is selected, as the node finds one by a reference.
    fn is_one(&self) -> bool {
        self.filter.reference.is_some() || self.filter.chat_reference.is_some()
    }

    fn has(&self, row: &ChatMessage) -> bool {
        let filter = self.filter;
        let is_change = row.chat_reference.is_some();
        let reference = || row.reference.as_deref().unwrap_or_default();
        self.changes().is_none_or(|changes| changes == is_change)
            && filter.before.is_none_or(|before| row.timestamp < before)
            && filter.after.is_none_or(|after| row.timestamp > after)
            && filter.sender.is_none_or(|sender| row.sender == sender)
            && { filter.reference }.is_none_or(|it| it.to_string() == reference())
            && (filter.chat_reference).is_none_or(|it| row.chat_reference == Some(it))
    }
}

impl Room {
    /// Reads the newest transactions of a room.
    pub(super) async fn read(cx: &Context, room: ChatRoom) -> Result<Self, NodeError> {
        let filter = ChatFilter::default().with_encoding(Encoding::Base64);
        let page = PageRequest::last(NEWEST);
        let rows = cx.node.chat_messages(room, &filter, page).await?;
        let sent = rows.len().saturating_add(cx.rows_left_out());
        let is_whole = sent < NEWEST as usize;
        Ok(Self {
            newest: rows.len(),
            is_whole,
            changes_since: rows.last().filter(|_| !is_whole).map(|it| it.timestamp),
            ..Self::of(rows)
        })
    }

    /// Reads the newest changes of a room, also those before its newest transactions.
    pub(super) async fn read_changes(
        cx: &Context,
        room: ChatRoom,
    ) -> Result<Vec<ChatMessage>, NodeError> {
        let filter = ChatFilter::default().with_encoding(Encoding::Base64);
        let filter = filter.with_has_chat_reference(true);
        let rows = cx
            .node
            .chat_messages(room, &filter, PageRequest::last(NEWEST));
        rows.await
    }

    /// Creates a room of these transactions only.
    pub(super) fn of(rows: Vec<ChatMessage>) -> Self {
        Self {
            conversation: Conversation::new(rows.iter().map(sent).collect()),
            newest: 0,
            is_whole: false,
            changes_since: None,
            rows,
        }
    }

    /// Adds transactions that were read in addition, and returns their places. `changes` are the newest changes.
    pub(super) fn add(&mut self, rows: Vec<ChatMessage>, changes: Vec<ChatMessage>) -> Vec<Place> {
        let is_full = changes.len() >= NEWEST as usize;
        self.changes_since = changes.last().filter(|_| is_full).map(|it| it.timestamp);
        let known = self.rows.iter().enumerate();
        let mut known: HashMap<Signature, Place> =
            known.map(|(place, it)| (it.signature, place)).collect();
        let mut add = |row: ChatMessage| {
            let place = known.entry(row.signature).or_insert(self.rows.len());
            if *place == self.rows.len() {
                self.rows.push(row);
            }
            *place
        };
        let places = rows.into_iter().map(&mut add).collect();
        for change in changes {
            add(change);
        }
        self.conversation = Conversation::new(self.rows.iter().map(sent).collect());
        places
    }

    /// Returns the time since which all changes are known, if earlier ones are not.
    pub(super) const fn changes_since(&self) -> Option<Timestamp> {
        self.changes_since
    }

    pub(super) const fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    pub(super) fn rows(&self) -> &[ChatMessage] {
        &self.rows
    }

    pub(super) fn places_of_all(&self) -> impl Iterator<Item = Place> {
        0..self.rows.len()
    }

    pub(super) fn row(&self, place: Place) -> Option<&ChatMessage> {
        self.rows.get(place)
    }

    /// Returns the data of a transaction, in Base64.
    pub(super) fn data(&self, place: Place) -> Option<&str> {
        Some(&self.row(place)?.data)
    }

    /// Returns the name of a sender, unless it has none.
    pub(super) fn sender_name(&self, row: &ChatMessage) -> Option<Untrusted> {
        name_unless_address(row.sender_name.clone(), &row.sender)
    }

    /// Returns the selected transactions among the newest ones, in order.
    pub(super) fn places(&self, wanted: &RoomQuery<'_>) -> Vec<Place> {
        let is_wanted = |place: &Place| self.row(*place).is_some_and(|it| wanted.has(it));
        let mut places: Vec<Place> = (0..self.newest).filter(is_wanted).collect();
        if wanted.is_one() {
            places.truncate(1);
        }
        if !wanted.newest_first {
            places.reverse();
        }
        places
    }

    /// Returns whether a page of the selected transactions, and one more, is certain to be among the newest ones.
    pub(super) fn covers(&self, wanted: &RoomQuery<'_>, found: usize, slice: &Slice) -> bool {
        let end = slice.offset.saturating_add(slice.limit) as usize;
        let since = wanted.filter.after.zip(self.oldest());
        self.is_whole
            || (wanted.newest_first && found > end)
            || (wanted.is_one() && found == 1)
            || since.is_some_and(|(after, oldest)| after >= oldest)
    }

    /// Returns the number of transactions that refer to a message without a change that the official apps show.
    pub(super) fn other_changes(&self) -> usize {
        let is_other = |place: &Place| {
            let sent = self.conversation.get(*place);
            let is_readable = sent.is_some_and(|it| !matches!(it.content, Content::Encrypted(_)));
            is_readable && self.conversation.change(*place) == Some(Change::Other)
        };
        (0..self.newest).filter(is_other).count()
    }

    /// Returns the time of the oldest of the newest transactions if there are older ones.
    fn oldest(&self) -> Option<Timestamp> {
        let last = self.rows.get(self.newest.checked_sub(1)?)?;
        (!self.is_whole).then_some(last.timestamp)
    }
}

fn sent(row: &ChatMessage) -> Sent {
    Sent {
        signature: row.signature.to_string(),
        reference: row.reference.clone(),
        chat_reference: { row.chat_reference.as_ref() }.map(ToString::to_string),
        sender: row.sender.to_string(),
        timestamp: row.timestamp.millis(),
        content: content(&row.data, row.is_encrypted),
    }
}

/// Reads the data of a transaction in Base64.
pub(super) fn content(data: &str, is_encrypted: bool) -> Content {
    match STANDARD.decode(data) {
        Ok(data) if is_encrypted => Content::encrypted(&data),
        Ok(data) => Content::read(&data),
        Err(_) if is_encrypted => Content::Encrypted(None),
        Err(_) => Content::Binary,
    }
}
