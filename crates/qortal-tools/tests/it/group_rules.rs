//! Verdicts on groups, each by the class of the Core that it mirrors.

use qortal_testnode::Fault;
use serde_json::{Value, json};

use crate::{Chain, check};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const TRENT: &str = "QaRfMCN42yurmJNmkc5p9hR846vJgsTovB";
const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";

/// `Group.join` takes any invitation; `JoinGroupTransaction.isValid` takes a ban only until its end (`banExists`); both ends come
/// from 32-bit milliseconds (`Group.addInvite`, `Group.addBan`), so that 30 days end before they begin.
#[tokio::test]
async fn ends_of_invitations_and_bans_follow_the_group_class_of_the_core() {
    const MADE: i64 = 1_795_215_163_206;
    let thirty_days = 2_592_000_i32;
    let expiry = MADE + i64::from(thirty_days.wrapping_mul(1_000));
    assert!(expiry < MADE);
    let chain = Chain::recorded().await;
    let invite = json!([{"groupId": 4, "inviter": ALICE, "invitee": QUINN, "expiry": expiry}]);
    for target in ["/groups/invites/group/4", "/groups/invites/*"] {
        let invites = Fault::Status(200, invite.to_string());
        chain.node.fault(target, invites);
    }
    let ban = json!([{
        "groupId": 3, "offender": QUINN, "admin": ALICE, "banned": MADE, "reason": "", "expiry": expiry,
    }]);
    let bans = Fault::Status(200, ban.to_string());
    chain.node.fault("/groups/bans/3", bans);
    for (tool, arguments, pointer, consequence) in [
        (
            "get_group_invites_by_group",
            json!({"group_id": 4}),
            "/invites/0",
            "still admits the account",
        ),
        (
            "get_group_invites_by_address",
            json!({"address": QUINN}),
            "/invites/0",
            "still admits the account",
        ),
        (
            "get_group_requests",
            json!({"group_id": 4}),
            "/invites/0",
            "still admits the account",
        ),
        (
            "get_group_bans",
            json!({"group_id": 3}),
            "/bans/0",
            "keeps no one out",
        ),
    ] {
        let answer = chain.call(tool, arguments).await.unwrap();
        let row = answer.pointer(pointer).unwrap();
        assert_eq!(row["isExpired"], true, "{tool} {row}");
        let notes = answer["notes"].to_string();
        assert!(notes.contains(consequence), "{tool} {notes}");
        assert!(
            notes.contains("24.8 days ends at a wrong time"),
            "{tool} {notes}"
        );
    }
    chain.stop().await;
}

#[tokio::test]
async fn check_membership() {
    let cases = [
        (
            "request_is_open",
            json!({"group_id": 4, "address": "chloe"}),
        ),
        ("banned", json!({"group_id": 3, "address": "spam-name"})),
        ("owner", json!({"group_id": 4, "address": "trent"})),
        ("unknown_group", json!({"group_id": 99, "address": "trent"})),
    ];
    check("check_membership", cases).await;
}

/// How an account stands to a group, and what the Core answers: `JoinGroupTransaction`, `GroupInviteTransaction`,
/// `GroupKickTransaction`, `GroupBanTransaction` and `LeaveGroupTransaction`, each by the checks of its `isValid`.
#[tokio::test]
async fn check_membership_follows_the_classes_of_the_core() {
    const OK: &str = "";
    let owned = TRENT;
    let ownerless = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";
    let (ended, later) = (1_i64, 4_000_000_000_000_i64);
    // Owner of the group, how the account stands to it, and the errors of join, invite, kick, ban and leave.
    for (owner, standing, errors) in [
        (
            owned,
            "",
            [OK, OK, "NOT_GROUP_MEMBER", OK, "NOT_GROUP_MEMBER"],
        ),
        (
            owned,
            "member",
            ["ALREADY_GROUP_MEMBER", "ALREADY_GROUP_MEMBER", OK, OK, OK],
        ),
        // The owner kicks and bans admins too.
        (
            owned,
            "admin",
            ["ALREADY_GROUP_MEMBER", "ALREADY_GROUP_MEMBER", OK, OK, OK],
        ),
        (
            QUINN,
            "admin",
            [
                "ALREADY_GROUP_MEMBER",
                "ALREADY_GROUP_MEMBER",
                "INVALID_GROUP_OWNER",
                "INVALID_GROUP_OWNER",
                "GROUP_OWNER_CANNOT_LEAVE",
            ],
        ),
        // A kick refuses the request.
        (
            owned,
            "requested",
            ["JOIN_REQUEST_EXISTS", OK, OK, OK, "NOT_GROUP_MEMBER"],
        ),
        (
            owned,
            "invited",
            [OK, OK, "NOT_GROUP_MEMBER", OK, "NOT_GROUP_MEMBER"],
        ),
        (
            owned,
            "banned",
            [
                "BANNED_FROM_GROUP",
                "BANNED_FROM_GROUP",
                "NOT_GROUP_MEMBER",
                OK,
                "NOT_GROUP_MEMBER",
            ],
        ),
        (
            owned,
            "ban ended",
            [OK, OK, "NOT_GROUP_MEMBER", OK, "NOT_GROUP_MEMBER"],
        ),
        (
            ownerless,
            "member",
            ["ALREADY_GROUP_MEMBER", "ALREADY_GROUP_MEMBER", OK, OK, OK],
        ),
        (
            ownerless,
            "admin",
            [
                "ALREADY_GROUP_MEMBER",
                "ALREADY_GROUP_MEMBER",
                "INVALID_GROUP_OWNER",
                "INVALID_GROUP_OWNER",
                OK,
            ],
        ),
    ] {
        let chain = Chain::recorded().await;
        let answer = |path: &str, body: Value| {
            let body = Fault::Status(200, body.to_string());
            chain.node.fault(path, body);
        };
        answer(
            "/groups/7",
            json!({
                "groupId": 7, "owner": owner, "groupName": "g", "description": "", "created": 1, "isOpen": false,
                "approvalThreshold": "PCT40", "minimumBlockDelay": 0, "maximumBlockDelay": 1, "memberCount": 1,
            }),
        );
        let (is_admin, is_member) = (standing == "admin", ["member", "admin"].contains(&standing));
        let members = json!([{"address": QUINN, "isMember": is_member, "isAdmin": is_admin}]);
        answer("/groups/members/7/validate", members);
        let some = |is: bool, row: Value| if is { json!([row]) } else { json!([]) };
        let expiry = if standing == "banned" { later } else { ended };
        let ban = json!({"groupId": 7, "offender": QUINN, "admin": TRENT, "banned": 1, "reason": "", "expiry": expiry});
        answer("/groups/bans/7", some(standing.starts_with("ban"), ban));
        let request = json!({"groupId": 7, "joiner": QUINN});
        answer(
            "/groups/joinrequests/address/*",
            some(standing == "requested", request),
        );
        // Its end has passed, which does not matter.
        let invite = json!({"groupId": 7, "inviter": TRENT, "invitee": QUINN, "expiry": ended});
        answer("/groups/invites/*", some(standing == "invited", invite));
        let arguments = json!({"group_id": 7, "address": QUINN});
        let found = chain.call("check_membership", arguments).await.unwrap();
        let verdicts = ["join", "invite", "kick", "ban", "leave"].map(|it| &found[it]);
        let found_errors = verdicts.map(|it| it["error"].as_str().unwrap_or(OK));
        assert_eq!(found_errors, errors, "{owner} {standing}");
        for verdict in verdicts {
            let has_error = verdict.get("error").is_some();
            assert_eq!(verdict["isPossible"], !has_error, "{owner} {standing}");
        }
        let who = found["ban"]["text"].as_str().unwrap();
        if errors[3] == OK {
            let expected = if owner == ownerless {
                "its admins approve"
            } else {
                "Only the owner"
            };
            assert!(who.contains(expected), "{who}");
        }
        if standing == "invited" {
            let text = found["join"]["text"].as_str().unwrap();
            assert!(
                text.contains("at once") && text.contains("does not check the end"),
                "{text}"
            );
        }
        chain.stop().await;
    }
}
