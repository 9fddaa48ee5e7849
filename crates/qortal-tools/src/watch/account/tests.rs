//! Payments and minting: what is told of two looks.

use super::*;

const US: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
const THEM: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

#[test]
fn what_pays_the_account_is_told_and_nothing_else() {
    let part = |to: &str, amount: &str| json!({"recipient": to, "assetId": 0, "amount": amount});
    for (row, expected) in [
        (
            json!({"text": "A pays.", "recipient": US, "amount": "1.00000000"}),
            Some("A pays."),
        ),
        (
            json!({"text": "We pay.", "recipient": THEM, "amount": "1.00000000"}),
            None,
        ),
        // A message without money, whose amount is left out or zero.
        (json!({"text": "A writes.", "recipient": US}), None),
        (
            json!({"text": "A writes.", "recipient": US, "details": {"amount": "0.00000000"}}),
            None,
        ),
        (
            json!({"text": "A buys.", "amount": "5.00000000", "details": {"seller": US}}),
            Some("A buys."),
        ),
        (
            json!({"text": "A pays.", "details": {"payments": [part(US, "1.00000000")]}}),
            Some("A pays."),
        ),
        (
            json!({"text": "Two.", "details": {"payments": [part(THEM, "2.00000000"), part(US, "1.00000000")]}}),
            Some("Two. This account receives 1.00000000 QORT."),
        ),
        (
            json!({"text": "Two.", "details": {"payments": [part(US, "2.00000000"), part(US, "1.00000000")]}}),
            Some("Two. This account receives 2.00000000 QORT, and more."),
        ),
        (
            json!({"text": "Many.", "creatorAddress": THEM, "details": {"payments": [part(THEM, "1.00000000")]}}),
            Some("Many. This account receives a part."),
        ),
        (
            json!({"text": "We pay.", "creatorAddress": US, "details": {"payments": [part(THEM, "1.00000000")]}}),
            None,
        ),
    ] {
        let told = payment(&row, US);
        assert_eq!(told.as_ref().map(|it| it.text.as_str()), expected, "{row}");
    }
}

#[test]
fn levels_and_minting_are_told_when_they_change() {
    let status = |level: u32, key: bool, online: Option<bool>| {
        let mut status = json!({"level": level, "hasMintingKey": key});
        if let Some(online) = online {
            status[ONLINE] = online.into();
        }
        status
    };
    for (before, now, expected) in [
        (status(1, false, None), status(1, false, None), vec![]),
        (
            status(1, true, Some(true)),
            status(2, true, Some(true)),
            vec!["level_reached"],
        ),
        (
            status(2, true, Some(true)),
            status(1, true, Some(false)),
            vec!["level_lost", "minting_stopped"],
        ),
        (
            status(1, true, Some(false)),
            status(1, true, Some(true)),
            vec!["minting_started"],
        ),
        (
            status(1, true, Some(true)),
            status(1, false, None),
            vec!["minting_stopped"],
        ),
        (
            status(1, false, None),
            status(1, true, Some(true)),
            vec!["minting_key_made"],
        ),
        // The node did not say who is online.
        (status(1, true, Some(true)), status(1, true, None), vec![]),
    ] {
        let told = minting_changes(&before, &now);
        let told: Vec<_> = told.iter().map(|it| it.what).collect();
        assert_eq!(told, expected, "{before} {now}");
    }
}

#[test]
fn who_is_not_seen_once_is_still_believed_to_be_online() {
    let online = |is: bool| json!({ ONLINE: is });
    let (mut before, mut unseen, mut told) = (online(true), 0, Vec::new());
    for seen in [true, false, true, false, false, false, true] {
        let mut now = online(seen);
        unseen = believed(&before, &mut now, unseen);
        told.push(flag(&now, ONLINE));
        before = now;
    }
    assert_eq!(told, [true, true, true, true, false, false, true]);
}
