//! Tools about chat. The node keeps the messages of the last 24 hours in memory and none older.

mod activity;
mod bytes;
mod counts;
mod message;
mod messages;
mod room;
mod rooms;
mod selection;
mod shown;
mod single;

use crate::family::chat::{
    activity::GetChatActivity,
    counts::CountChatMessages,
    messages::GetChatMessages,
    rooms::{GetActiveChats, GetChatStats},
    single::GetChatMessageBySignature,
};

family! {
    "chat", "What was said in the last 24 hours?":
    GetChatMessages,
    CountChatMessages,
    GetChatActivity,
    GetChatMessageBySignature,
    GetActiveChats,
    GetChatStats,
}
