//! What is told of two states of a group.

use super::*;

#[test]
fn who_asks_is_told_from_who_has_joined() {
    let asking = [
        json!({"joiner": "Q1", "joinerName": "zebra"}),
        json!({"joiner": "Q2"}),
    ];
    let row = |kind: &str, creator: &str, text: &str| json!({"type": kind, "creatorAddress": creator, "text": text});
    let joins = "\"x\" joins group 4 (\"a\"), or asks to.";
    for (row, expected) in [
        (
            row(JOIN, "Q1", joins),
            ("join_request", "\"zebra\" asks to join the group."),
        ),
        (
            row(JOIN, "Q2", joins),
            ("join_request", "Q2 asks to join the group."),
        ),
        (
            row(JOIN, "Q3", joins),
            ("member_joined", "\"x\" joins group 4 (\"a\")."),
        ),
        (
            row("GROUP_KICK", "Q1", "\"x\" removes \"y\"."),
            ("member_removed", "\"x\" removes \"y\"."),
        ),
    ] {
        let told = event(&row, &asking);
        assert_eq!((told.what, told.text.as_str()), expected);
    }
}
