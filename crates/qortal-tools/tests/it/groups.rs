//! Tools about groups.

use qortal_testnode::{Fault, Scenario};
use serde_json::{Value, json};

use crate::{Chain, check, check_on};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
const PENNY: &str = "QSsBRjKobUenghATsCnodVRfYGDACzreCC";
const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";

#[tokio::test]
async fn list_groups() {
    let cases = [
        ("all", json!({})),
        ("page", json!({"limit": 2, "offset": 1})),
        ("reversed", json!({"limit": 1, "reverse": true})),
        ("beyond_the_end", json!({"offset": 6})),
        ("by_words", json!({"query": "Lounge"})),
        ("largest", json!({"order": "largest", "limit": 2})),
        (
            "smallest",
            json!({"order": "largest", "reverse": true, "limit": 2}),
        ),
        (
            "newest_by_words",
            json!({"order": "newest", "query": "e", "limit": 2}),
        ),
        (
            "by_words_page",
            json!({"query": "e", "limit": 2, "offset": 2}),
        ),
        (
            "by_words_reversed",
            json!({"query": "e", "limit": 1, "reverse": true}),
        ),
        ("by_words_none", json!({"query": "zzz"})),
    ];
    let elsewhere = [(Scenario::empty(), "empty_chain", json!({}))];
    check_on("list_groups", cases, elsewhere).await;
}

#[tokio::test]
async fn get_groups_by_owner() {
    let cases = [
        ("members_are_counted", json!({"address": "trent"})),
        ("page", json!({"address": ALICE, "limit": 1})),
        ("none", json!({"address": QUINN})),
        (
            "wrong_checksum",
            json!({"address": "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e"}),
        ),
    ];
    check("get_groups_by_owner", cases).await;
}

#[tokio::test]
async fn get_groups_by_member() {
    let cases = [
        ("admin_in_some", json!({"address": ALICE})),
        (
            "last_page",
            json!({"address": ALICE, "limit": 2, "offset": 4}),
        ),
        ("none", json!({"address": QUINN})),
        ("unknown_name", json!({"address": "no-such-name"})),
    ];
    check("get_groups_by_member", cases).await;
}

#[tokio::test]
async fn get_group() {
    let cases = [
        ("open", json!(3)),
        ("not_ascii", json!(5)),
        ("owned_by_the_null_account", json!(1)),
        ("unknown", json!(99)),
        ("zero", json!(0)),
        ("overflow", json!(2_147_483_648_u64)),
        ("negative", json!(-3)),
        ("by_name", json!("open-lounge")),
        ("by_name_in_other_case", json!(" ÜNÏCODE gruppe ")),
        ("by_a_part_of_a_name", json!("lounge")),
        ("by_a_mistyped_name", json!("closed-counsil")),
        ("by_an_unknown_name", json!("zzzzzz")),
        ("blank", json!("  ")),
        ("control_character", json!("a\u{7}b")),
        ("too_long", json!("x".repeat(101))),
        ("digits", json!("3")),
        ("fraction_of_zero", json!(3.0)),
        ("fraction", json!(3.5)),
    ];
    let cases = cases.map(|(case, group_id)| (case, json!({"group_id": group_id})));
    check("get_group", cases).await;
}

/// Wherever a tool takes a group.
#[tokio::test]
async fn a_group_is_its_number_or_its_name() {
    let chain = Chain::recorded().await;
    for (tool, parameter, number, name) in [
        ("get_group", "group_id", 3, "Open-Lounge"),
        ("get_group_members", "group_id", 2, "minters"),
        (
            "get_group_invites_by_group",
            "group_id",
            4,
            "closed-council",
        ),
        ("get_group_join_requests", "group_id", 4, "closed-council"),
        ("get_group_bans", "group_id", 3, "open-lounge"),
        ("list_pending_transactions", "group_id", 6, "approval-desk"),
        ("get_chat_messages", "tx_group_id", 3, "open-lounge"),
        ("count_chat_messages", "tx_group_id", 3, "open-lounge"),
        ("search_qdn", "tx_group_id", 6, "approval-desk"),
    ] {
        let by = async |group: Value| {
            let mut answer = chain.call(tool, json!({ parameter: group })).await.unwrap();
            // The call that continues names the group as it was named.
            answer.as_object_mut().unwrap().remove("next");
            answer
        };
        let by_number = by(number.into()).await;
        assert_eq!(by(name.into()).await, by_number, "{tool}");
        assert_eq!(by(number.to_string().into()).await, by_number, "{tool}");
    }
    chain.stop().await;
}

/// Beside each number that was not asked for.
#[tokio::test]
async fn groups_have_their_names_beside_their_numbers() {
    let chain = Chain::recorded().await;
    for (tool, arguments, pointer, name) in [
        (
            "list_pending_transactions",
            json!({}),
            "/transactions/0/txGroupName",
            "approval-desk",
        ),
        (
            "get_group_invites_by_address",
            json!({"address": OSCAR}),
            "/invites/0/groupName",
            "closed-council",
        ),
        (
            "list_pending_approvals",
            json!({"address": ALICE}),
            "/transactions/0/groupName",
            "approval-desk",
        ),
        (
            "get_account_overview",
            json!({"address": "Bób-Name"}),
            "/defaultGroupName",
            "approval-desk",
        ),
        (
            "get_chat_stats",
            json!({}),
            "/groups/0/groupName",
            "open-lounge",
        ),
        (
            "search_transactions",
            json!({"tx_types": ["LEAVE_GROUP"]}),
            "/transactions/0/text",
            "\"zebra\" leaves group 3 (\"open-lounge\").",
        ),
    ] {
        let answer = chain.call(tool, arguments).await.unwrap();
        assert_eq!(
            answer.pointer(pointer),
            Some(&Value::from(name)),
            "{tool} {answer:#}"
        );
    }
    chain.stop().await;
}

/// Few names are asked for one by one, many with one question.
#[tokio::test]
async fn names_of_groups_take_few_questions() {
    let chain = Chain::recorded().await;
    let asked = async |arguments| {
        let before = chain.node.journal().len();
        chain.call("search_transactions", arguments).await.unwrap();
        let targets = chain.node.journal().split_off(before);
        let targets = targets.into_iter().map(|it| it.target);
        let mut targets: Vec<_> = targets.filter(|it| it.starts_with("/groups")).collect();
        targets.sort();
        targets
    };
    let left = json!({"tx_types": ["LEAVE_GROUP"]});
    assert_eq!(asked(left).await, ["/groups/3"]);
    let types = ["JOIN_GROUP", "REGISTER_NAME", "UPDATE_GROUP", "SET_GROUP"];
    let of_many = json!({"tx_types": types, "limit": 100});
    assert_eq!(asked(of_many).await, ["/groups?limit=5000"]);
    let paid = json!({"tx_types": ["PAYMENT"]});
    assert_eq!(asked(paid).await, Vec::<String>::new());
    chain.stop().await;
}

/// A name is never worth an answer.
#[tokio::test]
async fn names_of_groups_that_fail_are_left_out() {
    let chain = Chain::recorded().await;
    chain
        .node
        .fault("/groups/*", Fault::Status(500, String::new()));
    let answer = chain
        .call("list_pending_transactions", json!({}))
        .await
        .unwrap();
    assert_eq!(answer["transactions"][0]["txGroupId"], 6);
    assert_eq!(answer["transactions"][0].get("txGroupName"), None);
    let notes = answer["notes"].to_string();
    assert!(
        notes.contains("The names of groups are left out, because"),
        "{notes}"
    );
    chain.stop().await;
}

#[tokio::test]
async fn get_group_members() {
    let cases = [
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
    ];
    check("get_group_members", cases).await;
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
    let cases = [
        ("for_ever", json!({"address": OSCAR})),
        ("expired", json!({"address": PENNY})),
        ("none", json!({"address": "victor"})),
        ("not_an_address", json!({"address": "Q"})),
    ];
    check("get_group_invites_by_address", cases).await;
}

#[tokio::test]
async fn get_group_invites_by_group() {
    let cases = [
        ("some", json!({"group_id": 4})),
        ("page", json!({"group_id": 4, "limit": 1, "offset": 1})),
        ("none", json!({"group_id": 3})),
        ("unknown_group", json!({"group_id": 99})),
    ];
    check("get_group_invites_by_group", cases).await;
}

#[tokio::test]
async fn get_group_join_requests() {
    let cases = [
        ("some", json!({"group_id": 4})),
        ("page", json!({"group_id": 4, "limit": 1})),
        ("none", json!({"group_id": 3})),
        ("unknown_group", json!({"group_id": 99})),
    ];
    check("get_group_join_requests", cases).await;
}

#[tokio::test]
async fn get_group_bans() {
    let cases = [
        ("for_ever_and_for_a_while", json!({"group_id": 3})),
        ("page", json!({"group_id": 3, "limit": 1})),
        ("none", json!({"group_id": 2})),
        ("unknown_group", json!({"group_id": 99})),
    ];
    check("get_group_bans", cases).await;
}

#[tokio::test]
async fn list_pending_approvals() {
    let cases = [
        ("transactions_and_requests", json!({"address": ALICE})),
        ("requests", json!({"address": "trent", "limit": 1})),
        ("admin_of_nothing", json!({"address": OSCAR})),
    ];
    check("list_pending_approvals", cases).await;
}

#[tokio::test]
async fn list_group_kicks() {
    let cases = [
        (
            "of_one_account",
            json!({"address": "QZajYTTmxtjX7C2YgytGgNKXDVvxFgZWHg"}),
        ),
        (
            "of_one_account_and_group",
            json!({"address": "spam-name", "group_id": 3}),
        ),
        (
            "of_another_group",
            json!({"address": "spam-name", "group_id": 2}),
        ),
        ("of_one_group", json!({"group_id": 3})),
        ("none", json!({"group_id": 2})),
        ("unknown_group", json!({"group_id": 99})),
        ("neither", json!({})),
    ];
    check("list_group_kicks", cases).await;
}

#[tokio::test]
async fn get_group_requests() {
    let cases = [
        ("of_a_group", json!({"group_id": 4, "limit": 2})),
        ("of_an_account", json!({"address": "chloe"})),
        (
            "of_an_account_in_another_group",
            json!({"address": "chloe", "group_id": 3}),
        ),
        ("invited", json!({"address": OSCAR})),
        ("unknown_group", json!({"group_id": 99})),
        ("neither", json!({})),
    ];
    check("get_group_requests", cases).await;
}

#[tokio::test]
async fn get_group_history() {
    let cases = [
        ("all", json!({"group_id": "open-lounge", "limit": 5})),
        (
            "left_and_lifted",
            json!({"group_id": 3, "kinds": ["leave", "unban"]}),
        ),
        (
            "of_one_account",
            json!({"group_id": 3, "address": "spam-name", "order": "oldest"}),
        ),
        (
            "former_admins",
            json!({"group_id": 3, "kinds": ["remove_admin"]}),
        ),
        ("nothing", json!({"group_id": 5, "kinds": ["kick"]})),
        ("unknown_group", json!({"group_id": 99})),
        ("unknown_kind", json!({"group_id": 3, "kinds": ["chat"]})),
    ];
    check("get_group_history", cases).await;
}

#[tokio::test]
async fn get_group_rankings() {
    let cases = [
        ("joins", json!({"by": "joins", "year": 2026, "limit": 3})),
        ("left", json!({"by": "leaves", "year": 2026})),
        ("kicked", json!({"by": "kicks", "year": 2026})),
        ("banned", json!({"by": "bans", "year": 2026})),
        ("another_year", json!({"year": 2020})),
        ("no_year", json!({"by": "joins"})),
    ];
    check("get_group_rankings", cases).await;
}

/// Words of a query are in names or descriptions, the best match first; equal ones stay in their order.
#[tokio::test]
async fn the_best_match_of_a_query_comes_first() {
    let groups = [
        ("Trade talk", "About QORT and Litecoin"),
        ("open-lounge", "Anyone may talk here"),
        ("Litecoin", ""),
        ("litecoin traders", "Offers"),
        ("Büro", "日本語"),
    ];
    let groups = groups.iter().zip(1..).map(|((name, description), number)| {
        json!({
            "groupId": number, "owner": "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG", "groupName": name,
            "description": description, "created": 1, "isOpen": true, "approvalThreshold": "ONE",
            "minimumBlockDelay": 0, "maximumBlockDelay": 1, "memberCount": 1,
        })
    });
    let groups: Vec<_> = groups.collect();
    let chain = Chain::recorded().await;
    let groups = Fault::Status(200, json!(groups).to_string());
    chain.node.fault("/groups", groups);
    for (query, expected) in [
        (
            "litecoin",
            &["Litecoin", "litecoin traders", "Trade talk"][..],
        ),
        ("LOUNGE", &["open-lounge"]),
        ("talk", &["Trade talk", "open-lounge"]),
        ("qort  trade", &["Trade talk"]),
        ("büro", &["Büro"]),
        ("日本", &["Büro"]),
        ("lounge litecoin", &[]),
    ] {
        let found = chain.call("list_groups", json!({"query": query})).await;
        let found = found.unwrap();
        let rows = found["groups"].as_array().unwrap();
        let names: Vec<_> = rows
            .iter()
            .map(|it| it["groupName"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected, "{query:?}");
    }
    chain.stop().await;
}
