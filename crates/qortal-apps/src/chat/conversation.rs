//! Edits, reactions and replies in their place.
//!
//! A transaction with a chat reference changes the message with that signature: it is an edit or a reaction, never a reply
//! (Qortal/Qortal-Hub `src/components/Chat/ChatGroup.tsx`, `setChatReferences`, commit c93f78a2). Qortal Hub does not check
//! the sender of an edit and qortal-ui asks for edits by the author only, so only the author's edits count here.

use std::collections::{HashMap, HashSet};

use super::{Content, Message};

/// References that are followed from a change to the first version of its message. The apps write one.
const MOST_REFERENCES: usize = 8;
/// Different emojis that are counted of one message.
const MOST_EMOJIS: usize = 20;

/// A chat transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers create it")]
pub struct Sent {
    /// The signature.
    pub signature: String,
    /// The random reference.
    pub reference: Option<String>,
    /// The signature of the changed message.
    pub chat_reference: Option<String>,
    /// The address of the sender.
    pub sender: String,
    /// The time in milliseconds.
    pub timestamp: i64,
    /// The content.
    pub content: Content,
}

/// The kind of a change to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// A new version of the message, by its author.
    Edit,
    /// A reaction to the message.
    Reaction,
    /// A change without effect in the apps, or an unreadable one.
    Other,
}

/// A message as the apps show it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Current<'a> {
    /// The content of the latest version.
    pub content: &'a Content,
    /// The place of the latest version.
    pub version: usize,
    /// The time of the latest effective edit.
    pub edited: Option<i64>,
    /// The reactions, in the order of their first appearance.
    pub reactions: Vec<Count>,
    /// The number of encrypted reactions, readable by the members of the group.
    pub encrypted_reactions: u32,
}

/// The target of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyTo<'a> {
    /// The signature of its first version. Up to version 2 of the envelope it can be its reference.
    pub signature: &'a str,
    /// The place of its first version, or of its latest edit if the first version is not known.
    pub place: Option<usize>,
}

/// The number of accounts with a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// The emoji.
    pub emoji: String,
    /// The number of accounts.
    pub count: u32,
}

/// Transactions of one chat. Each is named by its place in the list the conversation was made from.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    sent: Vec<Sent>,
    by_signature: HashMap<String, usize>,
    by_reference: HashMap<String, usize>,
    /// The changes of each message, by time.
    changes: HashMap<usize, Vec<usize>>,
    /// The latest edit of each message that is not known, by the signature of its first version.
    edits_of_unknown: HashMap<String, usize>,
}

impl Conversation {
    /// Creates a conversation from transactions in any order.
    #[must_use]
    pub fn new(sent: Vec<Sent>) -> Self {
        let mut conversation = Self::default();
        for (place, it) in sent.iter().enumerate() {
            let by_signature = &mut conversation.by_signature;
            by_signature.entry(it.signature.clone()).or_insert(place);
            if let Some(reference) = &it.reference {
                let by_reference = &mut conversation.by_reference;
                by_reference.entry(reference.clone()).or_insert(place);
            }
        }
        conversation.sent = sent;
        let mut places: Vec<usize> = (0..conversation.sent.len()).collect();
        places.sort_by_key(|it| conversation.sent.get(*it).map(|it| it.timestamp));
        for place in places {
            if let Some(original) = conversation.original(place) {
                let changes = conversation.changes.entry(original);
                changes.or_default().push(place);
            } else if conversation.change(place) == Some(Change::Edit) {
                let sent = conversation.get(place);
                let reference = sent.and_then(|it| it.chat_reference.clone());
                let edits = &mut conversation.edits_of_unknown;
                edits.extend(reference.map(|reference| (reference, place)));
            }
        }
        conversation
    }

    /// Returns the number of transactions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sent.len()
    }

    /// Returns whether there are no transactions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// Returns a transaction.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&Sent> {
        self.sent.get(place)
    }

    /// Returns whether a transaction is a message of its own. Otherwise it changes one.
    #[must_use]
    pub fn is_message(&self, place: usize) -> bool {
        self.get(place)
            .is_some_and(|it| it.chat_reference.is_none())
    }

    /// Returns the first version of the message that a transaction changes, if it is known.
    #[must_use]
    pub fn original(&self, place: usize) -> Option<usize> {
        let reference = self.get(place)?.chat_reference.as_deref()?;
        self.first_version(*self.by_signature.get(reference)?)
    }

    /// Returns the message that a message replies to. An edit keeps the reply of the first version, as the apps show it.
    #[must_use]
    pub fn reply_to(&self, place: usize) -> Option<ReplyTo<'_>> {
        let first = &self.get(place)?.content;
        let latest = self.current(place)?.content;
        let signature = match (first, latest) {
            (Content::Message(first), _) if first.replied_to.is_some() => {
                first.replied_to.as_deref()
            }
            (_, Content::Message(latest)) => latest.replied_to.as_deref(),
            _ => None,
        }?;
        let found =
            { self.by_signature.get(signature) }.or_else(|| self.by_reference.get(signature));
        let known = found.and_then(|it| self.first_version(*it));
        // The apps show an edit in place of a message that has expired.
        let place = known.or_else(|| self.edits_of_unknown.get(signature).copied());
        Some(ReplyTo { signature, place })
    }

    fn first_version(&self, mut place: usize) -> Option<usize> {
        for _ in 0..MOST_REFERENCES {
            match &self.get(place)?.chat_reference {
                None => return Some(place),
                Some(reference) => place = *self.by_signature.get(reference)?,
            }
        }
        None
    }

    /// Returns the kind of a change, or `None` for a message.
    #[must_use]
    pub fn change(&self, place: usize) -> Option<Change> {
        let it = self.get(place)?;
        it.chat_reference.as_ref()?;
        let author = { self.original(place) }.and_then(|it| self.get(it));
        let is_author = author.map(|author| author.sender == it.sender);
        Some(match &it.content {
            Content::Reaction(_) => Change::Reaction,
            Content::Encrypted(Some(ciphertext)) if ciphertext.is_reaction() => Change::Reaction,
            Content::Message(message) => match is_author {
                Some(true) => Change::Edit,
                Some(false) if message.reactions.is_some() => Change::Reaction,
                None if message.is_edit || message.reactions.is_none() => Change::Edit,
                None => Change::Reaction,
                Some(false) => Change::Other,
            },
            Content::Encrypted(Some(ciphertext))
                if ciphertext.kind.is_some() && is_author != Some(false) =>
            {
                Change::Edit
            }
            Content::Encrypted(_) | Content::KeyNotice | Content::Unknown(_) | Content::Binary => {
                Change::Other
            }
        })
    }

    /// Returns a message as the apps show it, with its latest version and its reactions.
    #[must_use]
    pub fn current(&self, place: usize) -> Option<Current<'_>> {
        let original = self.get(place)?;
        let mut current = Current {
            content: &original.content,
            version: place,
            edited: None,
            reactions: Vec::new(),
            encrypted_reactions: 0,
        };
        let mut reactions = Reactions::default();
        let changes = self.changes.get(&place).into_iter().flatten();
        for (version, it) in changes.filter_map(|it| Some((*it, self.get(*it)?))) {
            let is_author = it.sender == original.sender;
            match &it.content {
                Content::Reaction(reaction) => {
                    reactions.set(&reaction.emoji, &it.sender, reaction.is_given);
                }
                Content::Message(message) => {
                    if message.reactions.is_some() {
                        let given = message.reactions_of(&it.sender);
                        reactions.copy(&it.sender, given.collect());
                    }
                    if is_author && is_other_version(current.content, message) {
                        current.content = &it.content;
                        current.version = version;
                        current.edited = Some(it.timestamp);
                    }
                }
                Content::Encrypted(Some(ciphertext)) if ciphertext.is_reaction() => {
                    current.encrypted_reactions = current.encrypted_reactions.saturating_add(1);
                }
                Content::Encrypted(Some(ciphertext)) if is_author && ciphertext.kind.is_some() => {
                    current.version = version;
                    current.edited = Some(it.timestamp);
                }
                Content::Encrypted(_)
                | Content::KeyNotice
                | Content::Unknown(_)
                | Content::Binary => {}
            }
        }
        current.reactions = reactions.count();
        Some(current)
    }
}

/// Returns whether a new version differs in what people see. A copy that adds a reaction does not.
fn is_other_version(content: &Content, new: &Message) -> bool {
    let Content::Message(old) = content else {
        return true;
    };
    (&old.text, &old.attachments) != (&new.text, &new.attachments)
}

/// The reactions to one message while its changes are read in order.
#[derive(Debug, Default)]
struct Reactions<'a> {
    /// The emojis in the order in which they were first given.
    emojis: Vec<&'a str>,
    given: HashSet<(&'a str, &'a str)>,
    /// The emojis of each sender of copies.
    copied: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Reactions<'a> {
    fn set(&mut self, emoji: &'a str, sender: &'a str, is_given: bool) {
        if is_given && self.is_counted(emoji) {
            self.given.insert((emoji, sender));
        } else {
            self.given.remove(&(emoji, sender));
        }
    }

    fn copy(&mut self, sender: &'a str, mut emojis: Vec<&'a str>) {
        emojis.retain(|it| self.is_counted(it));
        self.copied.insert(sender, emojis);
    }

    /// Returns whether an emoji is one of those that are counted, which the first ones are.
    fn is_counted(&mut self, emoji: &'a str) -> bool {
        let is_known = self.emojis.contains(&emoji);
        if !is_known && self.emojis.len() < MOST_EMOJIS {
            self.emojis.push(emoji);
            return true;
        }
        is_known
    }

    fn count(mut self) -> Vec<Count> {
        for (sender, emojis) in self.copied {
            self.given.extend(emojis.into_iter().map(|it| (it, sender)));
        }
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for (emoji, _) in &self.given {
            let count = counts.entry(emoji).or_default();
            *count = count.saturating_add(1);
        }
        let count = |emoji: &str| {
            let count = *counts.get(emoji)?;
            let emoji = emoji.to_owned();
            Some(Count { emoji, count })
        };
        self.emojis.iter().filter_map(|it| count(it)).collect()
    }
}
