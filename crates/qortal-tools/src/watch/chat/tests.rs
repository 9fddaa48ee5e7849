//! What is told of a message.

use super::*;

#[test]
fn messages_are_told_as_far_as_they_can_be_read() {
    for (row, expected) in [
        (
            json!({"sender": "Q1", "senderName": "zoe", "text": "Hi"}),
            ("message", "\"zoe\" says: Hi"),
        ),
        (
            json!({"sender": "Q1", "text": "Hi", "chatReference": "x"}),
            ("answer", "Q1 says: Hi"),
        ),
        (
            json!({"sender": "Q1", "data": "AA=="}),
            ("message", "Q1 sends bytes that are not text"),
        ),
        (
            json!({"sender": "Q1", "isEncrypted": true}),
            ("message", "Q1 sends an encrypted message"),
        ),
    ] {
        let told = message(&row);
        assert_eq!((told.what, told.text.as_str()), expected);
    }
}
