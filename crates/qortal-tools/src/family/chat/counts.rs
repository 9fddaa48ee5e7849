//! The number of messages in a room.

use qortal_client::api::chat::Encoding;
use tool_schema::{ArgumentReader, CappedInt, Params, Property};

use crate::{
    declare::{Context, Flat, Reply, Tool, ToolError},
    family::chat::selection::{Selected, Selection, ShownRoom},
};

params! {
    pub(super) struct CountChatMessages {
        #[flatten]
        selection: Selection,
        /// Most messages to count.
        limit: Option<CappedInt<1, 1_000_000>>,
        /// Messages to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0),
        #[flatten]
        texts: TextsIgnored
    }
}

/// The parameters of get_chat_messages that change no count.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextsIgnored;

impl Params for TextsIgnored {
    fn properties() -> Vec<Property> {
        Vec::new()
    }

    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self> {
        for name in ["order", "reverse", "encoding", "decode_text"] {
            arguments.ignore(name, "a count is the same with any");
        }
        Some(Self)
    }
}

record! {
    pub(super) struct MessageCount {
        /// The room of the counted messages.
        room: Flat<ShownRoom>,
        /// The number of matching messages of the last 24 hours.
        count: u64,
        /// The number of matching edits and reactions. They are not counted as messages.
        change_count: Option<u64>
    }
}

impl Tool for CountChatMessages {
    const NAME: &str = "count_chat_messages";
    const TITLE: &str = "Chat message count";
    const DESCRIPTION: &str = "Count chat messages of the last 24 hours in a group or between two accounts. By sender: get_chat_activity.";
    const EXAMPLE: &str = r#"{"group_id":"3"}"#;
    const KEYWORDS: &str = "count chat, how many messages, number of chat";
    type Output = Reply<MessageCount>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let selected = Selected::of(cx, self.selection, Encoding::Base64).await?;
        let filter = &selected.filter;
        let is_one = filter.reference.is_some() || filter.chat_reference.is_some();
        let (count, changes) = if cx.is_older() || is_one || filter.has_chat_reference.is_some() {
            let count = cx.node.chat_count(selected.room, filter).await?;
            (count, None)
        } else {
            let count = |changes: bool| {
                let filter = filter.clone().with_has_chat_reference(changes);
                cx.node.chat_count(selected.room, &filter)
            };
            let (messages, changes) = tokio::try_join!(count(false), count(true))?;
            (messages, Some(changes))
        };
        if count == 0 && changes.is_none_or(|it| it == 0) {
            selected.room_exists(cx).await?;
        }
        let rest = count.saturating_sub(self.offset.value().into());
        let most = self.limit.map_or(u64::MAX, |it| it.value().into());
        Ok(selected.with_notes(Reply::new(MessageCount {
            room: Flat(selected.shown_room()),
            count: rest.min(most),
            change_count: changes,
        })))
    }
}
