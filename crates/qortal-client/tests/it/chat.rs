//! `/chat`.

use qortal_client::{
    PageRequest,
    api::chat::{ChatFilter, ChatRoom, Encoding},
};

use crate::harness::{ALICE, BOB, PENNY, address, check, recorded, refused};

#[tokio::test]
async fn messages_of_a_group_are_listed() {
    let (_test_node, node) = recorded().await;
    let room = ChatRoom::Group(3);
    let messages = node
        .chat_messages(room, &ChatFilter::default(), PageRequest::first(3))
        .await
        .unwrap();
    check(
        "chat",
        "group",
        "The first three messages of a group.",
        &messages,
    );
    assert_eq!(
        node.chat_count(room, &ChatFilter::default()).await.unwrap(),
        20
    );
    let answers = ChatFilter::default().with_has_chat_reference(true);
    let answers = node
        .chat_messages(room, &answers, PageRequest::first(100))
        .await
        .unwrap();
    assert!(
        !answers.is_empty()
            && answers
                .iter()
                .all(|message| message.chat_reference.is_some())
    );
    let later = ChatFilter::default().with_after(messages[1].timestamp);
    assert_eq!(
        node.chat_messages(room, &later, PageRequest::first(1))
            .await
            .unwrap()[0]
            .signature,
        messages[2].signature
    );
    let general = node
        .chat_messages(
            ChatRoom::Group(0),
            &ChatFilter::default(),
            PageRequest::first(1),
        )
        .await
        .unwrap();
    assert!(general.is_empty());
}

#[tokio::test]
async fn messages_between_two_accounts_are_listed() {
    let (_test_node, node) = recorded().await;
    let room = ChatRoom::Direct(address(ALICE), address(BOB));
    let messages = node
        .chat_messages(room, &ChatFilter::default(), PageRequest::first(100))
        .await
        .unwrap();
    assert_eq!(messages.len(), 3);
    assert!(
        messages
            .iter()
            .all(|message| message.group_id == 0 && message.recipient.is_some())
    );
}

#[tokio::test]
async fn a_message_is_found_by_its_signature() {
    let (_test_node, node) = recorded().await;
    let messages = node
        .chat_messages(
            ChatRoom::Group(3),
            &ChatFilter::default(),
            PageRequest::first(1),
        )
        .await
        .unwrap();
    let message = node
        .chat_message(&messages[0].signature, Encoding::Base58)
        .await
        .unwrap();
    assert_eq!(message.encoding.as_deref(), Some("BASE58"));
    let unknown = qortal_types::Signature::from_bytes([7; 64]);
    insta::assert_snapshot!(
        refused(node.chat_message(&unknown, Encoding::Base64).await),
        @"node refused GET /chat/message/{signature} with HTTP 400, code 125 INVALID_CRITERIA: Message not found"
    );
}

#[tokio::test]
async fn active_chats_are_listed() {
    let (_test_node, node) = recorded().await;
    let mut chats = node
        .active_chats(&address(ALICE), Encoding::Base64, None)
        .await
        .unwrap();
    chats.groups.sort_by_key(|group| group.group_id);
    chats.direct.sort_by_key(|chat| chat.address);
    check(
        "chat",
        "active",
        "Where alice chats, ordered by group and address here.",
        &chats,
    );
    let answers = node
        .active_chats(&address(ALICE), Encoding::Base64, Some(true))
        .await
        .unwrap();
    assert_eq!((chats.direct.len(), answers.direct.len()), (2, 1));
    let none = node
        .active_chats(&address(PENNY), Encoding::Base64, None)
        .await
        .unwrap();
    assert!(none.groups.is_empty() && none.direct.is_empty());
}

#[tokio::test]
async fn sizes_are_listed() {
    let (_test_node, node) = recorded().await;
    assert_eq!(node.chat_stats(3).await.unwrap().len(), 3);
    assert_eq!(node.chat_group_stats(1).await.unwrap()[0].group_id, 3);
    assert!(node.chat_memory().await.unwrap().chat_memory > 0);
}
