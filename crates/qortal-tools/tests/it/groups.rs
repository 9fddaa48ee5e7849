//! Tools about groups.

use qortal_testnode::Scenario;
use serde_json::json;

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
const PENNY: &str = "QSsBRjKobUenghATsCnodVRfYGDACzreCC";
const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";

#[tokio::test]
async fn list_groups() {
    for (case, arguments) in [
        ("all", json!({})),
        ("page", json!({"limit": 2, "offset": 1})),
        ("reversed", json!({"limit": 1, "reverse": true})),
        ("beyond_the_end", json!({"offset": 6})),
    ] {
        check("list_groups", case, arguments).await;
    }
    check_on(Scenario::empty(), "list_groups", "empty_chain", json!({})).await;
}

#[tokio::test]
async fn get_groups_by_owner() {
    for (case, arguments) in [
        ("members_are_counted", json!({"address": "trent"})),
        ("page", json!({"address": ALICE, "limit": 1})),
        ("none", json!({"address": QUINN})),
        (
            "wrong_checksum",
            json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e"}),
        ),
    ] {
        check("get_groups_by_owner", case, arguments).await;
    }
}

#[tokio::test]
async fn get_groups_by_member() {
    for (case, arguments) in [
        ("admin_in_some", json!({"address": ALICE})),
        (
            "last_page",
            json!({"address": ALICE, "limit": 2, "offset": 4}),
        ),
        ("none", json!({"address": QUINN})),
        ("unknown_name", json!({"address": "no-such-name"})),
    ] {
        check("get_groups_by_member", case, arguments).await;
    }
}

#[tokio::test]
async fn get_group() {
    for (case, group_id) in [
        ("open", json!(3)),
        ("not_ascii", json!(5)),
        ("owned_by_the_null_account", json!(1)),
        ("unknown", json!(99)),
        ("zero", json!(0)),
        ("overflow", json!(2_147_483_648_u64)),
    ] {
        check("get_group", case, json!({"group_id": group_id})).await;
    }
}

#[tokio::test]
async fn get_group_members() {
    for (case, arguments) in [
        ("all", json!({"group_id": 2})),
        ("admins", json!({"group_id": 2, "only_admins": true})),
        // lvl10 and alice are admins; the Core would say so on one of these pages only.
        ("page", json!({"group_id": 2, "limit": 4, "offset": 1})),
        ("first_page_of_one", json!({"group_id": 3, "limit": 1})),
        (
            "reversed",
            json!({"group_id": 4, "limit": 2, "reverse": true}),
        ),
        ("beyond_the_end", json!({"group_id": 4, "offset": 3})),
        ("unknown", json!({"group_id": 99})),
    ] {
        check("get_group_members", case, arguments).await;
    }
}

#[tokio::test]
async fn admins_are_the_same_on_every_page() {
    let chain = Chain::recorded().await;
    for group_id in 1..=6 {
        let admins = async |arguments| -> Vec<String> {
            let members = chain.rows("get_group_members", "members", arguments).await;
            let admins = members.iter().filter(|it| it["isAdmin"] == true);
            admins.map(|it| it["member"].to_string()).collect()
        };
        let known = admins(json!({"group_id": group_id, "only_admins": true})).await;
        let found = admins(json!({"group_id": group_id, "limit": 1})).await;
        assert_eq!(found, known, "group {group_id}");
    }
    chain.stop().await;
}

#[tokio::test]
async fn get_group_invites_by_address() {
    for (case, arguments) in [
        ("for_ever", json!({"address": OSCAR})),
        ("expired", json!({"address": PENNY})),
        ("none", json!({"address": "victor"})),
        ("not_an_address", json!({"address": "Q"})),
    ] {
        check("get_group_invites_by_address", case, arguments).await;
    }
}

#[tokio::test]
async fn get_group_invites_by_group() {
    for (case, arguments) in [
        ("some", json!({"group_id": 4})),
        ("page", json!({"group_id": 4, "limit": 1, "offset": 1})),
        ("none", json!({"group_id": 3})),
        ("unknown_group", json!({"group_id": 99})),
    ] {
        check("get_group_invites_by_group", case, arguments).await;
    }
}

#[tokio::test]
async fn get_group_join_requests() {
    for (case, arguments) in [
        ("some", json!({"group_id": 4})),
        ("page", json!({"group_id": 4, "limit": 1})),
        ("none", json!({"group_id": 3})),
        ("unknown_group", json!({"group_id": 99})),
    ] {
        check("get_group_join_requests", case, arguments).await;
    }
}

#[tokio::test]
async fn get_group_bans() {
    for (case, arguments) in [
        ("for_ever_and_for_a_while", json!({"group_id": 3})),
        ("page", json!({"group_id": 3, "limit": 1})),
        ("none", json!({"group_id": 2})),
        ("unknown_group", json!({"group_id": 99})),
    ] {
        check("get_group_bans", case, arguments).await;
    }
}

#[tokio::test]
async fn list_pending_approvals() {
    for (case, arguments) in [
        ("transactions_and_requests", json!({"address": ALICE})),
        ("requests", json!({"address": "trent", "limit": 1})),
        ("admin_of_nothing", json!({"address": OSCAR})),
    ] {
        check("list_pending_approvals", case, arguments).await;
    }
}
