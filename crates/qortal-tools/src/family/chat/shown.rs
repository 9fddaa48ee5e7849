//! A transaction in the form of the official apps.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_apps::chat::{Attachment, AttachmentKind, Change, Content, Count, Reaction};
use qortal_types::{Address, Timestamp};
use tool_schema::{JsonWriter, Object, Output, schema_with_type};

use crate::{
    declare::{Full, Qortal},
    family::chat::{
        message::{Form, Said},
        room::{Place, Room},
    },
    support::untrusted::{Untrusted, clean, json_bytes, mark_untrusted},
};

/// Maximum number of characters shown of a message that another one refers to.
const FIRST_WORDS: usize = 80;
/// Maximum number of characters of an emoji.
const EMOJI: usize = 16;
/// The substitute for an emoji without visible characters.
const UNKNOWN_EMOJI: &str = "?";
/// The name for the count of reactions whose emoji only the members of a private group can read.
const ENCRYPTED: &str = "encrypted";

record! {
    /// Another message, referred to by this one.
    pub(super) struct Referred {
        /// Its sender. Absent if the message was not found.
        sender: Option<Address>,
        /// The sender's name.
        sender_name: Option<Untrusted>,
        /// The first words of its text.
        text: Option<Untrusted>,
        /// Its signature in Base58.
        signature: Full<String>
    }

    /// A picture, file or poll in a message.
    pub(super) struct ShownAttachment {
        /// picture, gif, file, video, poll or other.
        kind: &'static str,
        /// The name of the file or poll.
        name: Option<Untrusted>,
        /// The size in bytes.
        size: Option<u64>,
        /// The link of the resource.
        link: Option<Untrusted>,
        /// Whether the sender removed it.
        is_deleted: Option<bool>,
        /// Whether only chosen accounts can read it.
        is_encrypted: Option<bool>
    }
}

impl ShownAttachment {
    fn of(it: &Attachment) -> Self {
        let kind = match it.kind {
            AttachmentKind::Picture => "picture",
            AttachmentKind::Gif => "gif",
            AttachmentKind::File => "file",
            AttachmentKind::Video => "video",
            AttachmentKind::Poll => "poll",
            _ => "other",
        };
        Self {
            kind,
            name: it.name.clone().map(Untrusted),
            size: it.size,
            link: { it.resource.as_ref() }.map(|it| Untrusted(it.link())),
            is_deleted: it.is_deleted.then_some(true),
            is_encrypted: it.is_encrypted.then_some(true),
        }
    }

    /// Returns its approximate size in an answer, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let texts = [&self.name, &self.link].into_iter().flatten();
        100 + texts.map(Untrusted::bytes).sum::<usize>()
    }
}

/// The number of accounts that gave each reaction. Anyone can send any text as a reaction.
#[derive(Debug)]
pub(super) struct Reactions(Vec<(String, u32)>);

impl Reactions {
    /// Counts reactions. Returns `None` if there are none.
    fn of(counts: Vec<Count>, encrypted: u32) -> Option<Self> {
        let mut shown: Vec<(String, u32)> = Vec::new();
        let counts = counts.into_iter().map(|it| (emoji(&it.emoji), it.count));
        let encrypted = (encrypted > 0).then(|| (ENCRYPTED.to_owned(), encrypted));
        for (emoji, count) in counts.chain(encrypted) {
            match shown.iter_mut().find(|(known, _)| *known == emoji) {
                Some((_, known)) => *known = known.saturating_add(count),
                None => shown.push((emoji, count)),
            }
        }
        (!shown.is_empty()).then_some(Self(shown))
    }
}

fn kind_of_reaction(reaction: &Reaction) -> &'static str {
    if reaction.is_given {
        "reaction"
    } else {
        "reaction_removed"
    }
}

/// Returns an emoji without hidden characters. It may consist entirely of these.
fn emoji(text: &str) -> String {
    let visible: String = clean(text).chars().take(EMOJI).collect();
    if visible.trim().is_empty() {
        return UNKNOWN_EMOJI.to_owned();
    }
    visible
}

impl Output<Qortal> for Reactions {
    fn schema() -> Object {
        let mut schema = schema_with_type("object");
        let counts = schema_with_type("integer");
        schema.insert("additionalProperties".to_owned(), counts.into());
        schema
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        mark_untrusted(member, json);
        json.object(|json| {
            for (emoji, count) in &self.0 {
                json.begin_field(emoji);
                json.integer((*count).into());
            }
        });
    }
}

/// The content of a transaction: a message with its latest version and its reactions, or one change.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) kind: Option<&'static str>,
    pub(super) reply_to: Option<Referred>,
    pub(super) change_of: Option<Referred>,
    pub(super) text: Option<String>,
    pub(super) data: Option<String>,
    pub(super) edited: Option<Timestamp>,
    pub(super) reactions: Option<Reactions>,
    pub(super) attachments: Option<Vec<ShownAttachment>>,
    pub(super) is_encrypted: bool,
    pub(super) raw: Option<String>,
}

impl Shown {
    /// Shows a transaction of a room, with its raw form if wanted.
    pub(super) fn of(room: &Room, place: Place, form: Form, with_raw: bool) -> Self {
        let (version, mut shown) = Self::in_room(room, place).unwrap_or_default();
        if shown.data.is_some() {
            shown.data = room.data(version).map(|it| form.written(it));
        }
        if let Some(reply) = room.conversation().reply_to(place) {
            let signature = reply.signature.to_owned();
            shown.reply_to = Some(Referred::of(room, reply.place, signature, false));
        }
        if with_raw {
            let bytes = room.data(version).and_then(|it| STANDARD.decode(it).ok());
            let raw = bytes.and_then(|it| qortal_apps::chat::without_keys(&it));
            shown.raw = raw.filter(|it| Some(it) != shown.text.as_ref());
        }
        shown
    }

    /// Shows a transaction, and returns the place of the version that is shown.
    fn in_room(room: &Room, place: Place) -> Option<(Place, Self)> {
        let conversation = room.conversation();
        let sent = conversation.get(place)?;
        let Some(change) = conversation.change(place) else {
            let current = conversation.current(place)?;
            let mut shown = Self::of_content(current.content);
            shown.edited = current.edited.map(Timestamp::from_millis);
            shown.reactions = Reactions::of(current.reactions, current.encrypted_reactions);
            return Some((current.version, shown));
        };
        let mut shown = Self::of_content(&sent.content);
        let (kind, is_edit) = match (change, &sent.content) {
            (Change::Edit, _) => ("edit", true),
            (Change::Reaction, Content::Reaction(reaction)) => (kind_of_reaction(reaction), false),
            (Change::Reaction, Content::Message(copy)) => {
                let given: Vec<String> = copy.reactions_of(&sent.sender).map(emoji).collect();
                shown = Self::default();
                shown.text = Some(given.join(" ")).filter(|it| !it.is_empty());
                ("reaction", false)
            }
            (Change::Reaction, _) => ("reaction", false),
            _ => ("other_change", false),
        };
        shown.kind = Some(kind);
        let signature = sent.chat_reference.clone().unwrap_or_default();
        let original = conversation.original(place);
        shown.change_of = Some(Referred::of(room, original, signature, is_edit));
        Some((place, shown))
    }

    /// Shows a transaction in its original form.
    pub(super) fn as_sent(said: Said, is_encrypted: bool) -> Self {
        Self {
            text: said.text,
            data: said.data,
            is_encrypted,
            ..Self::default()
        }
    }

    /// Shows the content of a transaction without others of its room. Bytes are left to the caller, who has them.
    pub(super) fn of_content(content: &Content) -> Self {
        let mut shown = Self::default();
        match content {
            Content::Message(message) => {
                shown.kind = message.is_forwarded.then_some("forwarded");
                shown.text = Some(message.text.text.clone()).filter(|it| !it.is_empty());
                let attachments = message.attachments.iter().map(ShownAttachment::of);
                shown.attachments = Some(attachments.collect::<Vec<_>>());
                shown.attachments = shown.attachments.filter(|it| !it.is_empty());
            }
            Content::Reaction(reaction) => {
                shown.kind = Some(kind_of_reaction(reaction));
                shown.text = Some(emoji(&reaction.emoji));
            }
            Content::KeyNotice => shown.kind = Some("group_key_created"),
            Content::Encrypted(_) => shown.is_encrypted = true,
            Content::Unknown(text) => {
                shown.kind = Some("unknown_form");
                shown.text = Some(text.clone()).filter(|it| !it.is_empty());
            }
            Content::Binary => shown.data = Some(String::new()),
            _ => {}
        }
        shown
    }

    /// Returns the approximate size of texts in an answer, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let referred = [&self.reply_to, &self.change_of].into_iter().flatten();
        let referred: usize = referred.map(|_| FIRST_WORDS + 200).sum();
        let attachments = self.attachments.iter().flatten();
        let raw = self.raw.as_deref().map_or(0, json_bytes);
        referred + raw + attachments.map(ShownAttachment::bytes).sum::<usize>()
    }
}

impl Referred {
    /// Describes a message, with the text of its first version or of its latest.
    fn of(room: &Room, place: Option<Place>, signature: String, is_first: bool) -> Self {
        let row = place.and_then(|it| room.row(it));
        let content = place.and_then(|place| {
            let first = room.conversation().get(place).map(|it| &it.content);
            let latest = room.conversation().current(place).map(|it| it.content);
            first.filter(|_| is_first).or(latest)
        });
        let text = content.and_then(|it| Shown::of_content(it).text);
        Self {
            sender: row.map(|it| it.sender),
            sender_name: row.and_then(|it| room.sender_name(it)),
            text: text.map(|it| Untrusted(first_words(&it))),
            signature: Full(row.map_or(signature, |it| it.signature.to_string())),
        }
    }
}

/// Returns the beginning of a text in one line.
fn first_words(text: &str) -> String {
    let words = clean(text);
    let mut line = String::new();
    for word in words.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(FIRST_WORDS) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}
