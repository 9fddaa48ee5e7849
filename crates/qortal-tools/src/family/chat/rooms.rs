//! The chat rooms of one account, and the chat volume of each group and sender.

use std::cmp::Reverse;

use qortal_apps::chat::Content;
use qortal_client::api::chat::{ActiveDirectChat, ActiveGroupChat, ChatGroupSize, ChatSenderSize};
use qortal_types::{Address, Timestamp};
use tool_schema::CappedInt;

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, Full, NextPage, Paging, Reply, Rows, Tool, ToolError,
    },
    family::chat::{
        bytes::{FIXED_BYTES, cut, within_bytes},
        message::{A_DAY, DataEncoding, Form, Said, is_ciphertext, name_unless_address},
        room::content,
        shown::{Shown, ShownAttachment},
    },
    support::{groups::GroupNames, untrusted::Untrusted},
};

params! {
    pub(super) struct GetActiveChats {
        /// Account.
        address: AccountRef,
        /// Encoding of bytes.
        encoding: DataEncoding = DataEncoding::Base64,
        /// true: only edits and reactions.
        has_chat_reference: Option<bool>,
        /// Show text, not bytes.
        decode_text: bool = true,
        #[flatten("Rows per list.")]
        page: Paging<15>
    }
}

record! {
    pub(super) struct ActiveChatsOfAccount {
        /// The account's address.
        address: Account,
        /// The account's groups, those with the latest message first, those without any last.
        groups: Rows<GroupChat>,
        /// The total number of groups.
        group_count: u32,
        /// The accounts it exchanged direct messages with, the latest first.
        direct: Rows<DirectChat>,
        /// The total number of such accounts.
        direct_count: u32,
        /// Whether there are more than these.
        remainder: NextPage
    }

    pub(super) struct GroupChat {
        /// The group's number.
        group_id: u32,
        /// Its name.
        group_name: Option<Untrusted>,
        /// The time of its latest message. Absent if there is none.
        timestamp: Option<Timestamp>,
        /// The sender.
        sender: Option<Address>,
        /// The name the sender goes by.
        sender_name: Option<Untrusted>,
        /// The kind of the message, unless it is plain: forwarded, group_key_created, unknown_form, edit, reaction or
        /// reaction_removed.
        kind: Option<&'static str>,
        /// Its text, in the first version. Absent if it has none or looks encrypted.
        text: Option<Untrusted>,
        /// Its bytes, on request or if they are not text.
        data: Option<String>,
        /// The encoding of `data`.
        encoding: Option<&'static str>,
        /// Its pictures, files and polls.
        attachments: Option<Vec<ShownAttachment>>,
        /// Whether it looks encrypted: the node does not report it here. Absent without a message.
        is_encrypted: Option<bool>,
        /// Its signature in Base58.
        signature: Full<Option<String>>
    }

    pub(super) struct DirectChat from(it: ActiveDirectChat) {
        /// The other account.
        address: Address,
        /// The name it goes by.
        name: Option<Untrusted> = name_unless_address(it.name, &it.address),
        /// The time of the latest message.
        timestamp: Timestamp,
        /// The sender.
        sender: Address
    }
}

impl GroupChat {
    fn of(it: ActiveGroupChat, form: Form, as_sent: bool) -> Self {
        let shown = { it.data.clone() }.map(|data| last_message(data, form, as_sent));
        let is_encrypted = shown.as_ref().map(|it| it.is_encrypted);
        let shown = shown.unwrap_or_default();
        Self {
            group_id: it.group_id,
            group_name: it.group_name.map(Untrusted),
            timestamp: it.timestamp,
            sender_name: it
                .sender
                .as_ref()
                .and_then(|sender| name_unless_address(it.sender_name, sender)),
            sender: it.sender,
            kind: shown.kind,
            text: shown.text.map(Untrusted),
            encoding: shown.data.is_some().then(|| form.name()),
            data: shown.data,
            attachments: shown.attachments,
            is_encrypted,
            signature: Full(it.signature.map(|it| it.to_string())),
        }
    }
}

/// Shows a message in the form of the official apps, or in its original form.
fn last_message(data: String, form: Form, as_sent: bool) -> Shown {
    let looks_encrypted = is_ciphertext(&data, form);
    if as_sent {
        let said = Said::of(data, looks_encrypted, form);
        return Shown::as_sent(said, looks_encrypted);
    }
    let content = content(&data, looks_encrypted);
    let mut shown = Shown::of_content(&content);
    if matches!(&content, Content::Message(message) if message.is_edit) {
        shown.kind = Some("edit");
    }
    shown.data = shown.data.map(|_| form.written(&data));
    shown
}

impl GroupChat {
    /// Returns its approximate size in an answer, in bytes.
    fn bytes(&self) -> usize {
        let texts = [&self.group_name, &self.sender_name, &self.text];
        let texts: usize = texts.into_iter().flatten().map(Untrusted::bytes).sum();
        let attachments = self.attachments.iter().flatten();
        let attachments: usize = attachments.map(ShownAttachment::bytes).sum();
        FIXED_BYTES + texts + self.data.as_ref().map_or(0, String::len) + attachments
    }
}

impl Tool for GetActiveChats {
    const NAME: &str = "get_active_chats";
    const TITLE: &str = "Account chats";
    const DESCRIPTION: &str = "Where an account chats: groups with their last message, and who wrote it direct messages. Read them: get_chat_messages.";
    const EXAMPLE: &str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str = "chat, inbox, unread, direct message, who wrote to me, private";
    const MANY_LISTS: bool = true;
    type Output = Reply<ActiveChatsOfAccount>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let form = Form::of(self.encoding, self.decode_text);
        let as_sent = cx.is_older() || !self.decode_text;
        // Edits and reactions do not count as last messages, unless a call requests them.
        let changes = { self.has_chat_reference }.or((!as_sent).then_some(false));
        let found = cx.account("address", self.address).await?;
        let mut chats = cx
            .node
            .active_chats(&found.address, form.encoding, changes)
            .await?;
        // The Core lists these in no particular order.
        chats.direct.sort_by_cached_key(|it| Reverse(it.timestamp));
        let groups = chats
            .groups
            .into_iter()
            .map(|it| GroupChat::of(it, form, as_sent));
        let page = self.page.of_whole(cx, Cursor::Offset, groups.collect());
        let (groups, left_out) = within_bytes(page, GroupChat::bytes);
        let mut direct = self.page.of_whole(cx, Cursor::Offset, chats.direct.into());
        if left_out > 0 {
            // Both lists continue at the same place.
            direct = direct.shortened_to(groups.items.len());
        }
        let reply = Reply::new(ActiveChatsOfAccount {
            address: found,
            remainder: groups.remainder.or(direct.remainder),
            groups: Rows(groups.items),
            group_count: groups.total,
            direct_count: direct.total,
            direct: direct.items.into_iter().map(DirectChat::of).collect(),
        });
        Ok(cut(reply, left_out).note(A_DAY))
    }
}

/// The largest limit.
const MOST: u32 = 100;

params! {
    pub(super) struct GetChatStats {
        /// Groups and senders to return.
        limit: CappedInt<1, MOST> = CappedInt::from_const(10)
    }
}

record! {
    pub(super) struct ChatStats {
        /// Size in bytes of all messages of the last 24 hours on this node.
        chat_memory: Option<u64>,
        /// The groups with the most bytes of messages.
        groups: Option<Rows<GroupSize>>,
        /// The senders with the most bytes of messages.
        senders: Option<Rows<SenderSize>>,
        /// Whether there are more groups or senders.
        remainder: NextPage
    }

    pub(super) struct GroupSize from(it: ChatGroupSize, names: &GroupNames) {
        /// The group's number. 0 stands for direct messages.
        group_id: u32,
        /// Its name.
        group_name: Option<Untrusted> = names.get(it.group_id),
        /// Bytes of its messages.
        size: u64
    }

    pub(super) struct SenderSize from(it: ChatSenderSize) {
        /// The account.
        sender: Address,
        /// The name the sender goes by.
        sender_name: Option<Untrusted> = name_unless_address(it.sender_name, &it.sender),
        /// Bytes of its messages.
        size: u64
    }
}

impl Tool for GetChatStats {
    const NAME: &str = "get_chat_stats";
    const TITLE: &str = "Chat statistics";
    const DESCRIPTION: &str =
        "Groups and senders with the most bytes in the node's chat. One group: get_chat_activity.";
    const KEYWORDS: &str = "chat memory, spam, chat bytes, spammer";
    const MANY_LISTS: bool = true;
    type Output = Reply<ChatStats>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let limit = self.limit.value();
        let wanted = limit.saturating_add(1);
        let (memory, groups, senders) = tokio::join!(
            cx.node.chat_memory(),
            cx.node.chat_group_stats(wanted),
            cx.node.chat_stats(wanted),
        );
        let memory = cx.part("The size of all messages is", memory);
        let groups = cx.part("The groups are", groups);
        let senders = cx.part("The senders are", senders);
        cx.need_any(&[memory.is_some(), groups.is_some(), senders.is_some()])?;
        let most = limit as usize;
        let truncated = groups.as_ref().is_some_and(|it| it.len() > most)
            || senders.as_ref().is_some_and(|it| it.len() > most);
        let shown = groups.iter().flatten().take(most).map(|it| it.group_id);
        let names = GroupNames::of(cx, shown).await;
        let largest = cx.next().with([("limit", MOST.into())]);
        Ok(Reply::new(ChatStats {
            chat_memory: memory.map(|it| it.chat_memory),
            remainder: NextPage::new(truncated, limit, move |rows| {
                (rows < MOST).then(|| largest.with([]))
            }),
            groups: groups.map(|it| {
                let shown = it.into_iter().take(most);
                shown.map(|it| GroupSize::of(it, &names)).collect()
            }),
            senders: senders.map(|it| it.into_iter().take(most).map(SenderSize::of).collect()),
        })
        .note(A_DAY))
    }
}
