//! `/groups`.

use qortal_client::{
    PageRequest,
    api::groups::{GroupRanking, GroupRole, KickFilter, MemberRole},
};

use crate::harness::{ALICE, BOB, QUINN, address, check, check_all, recorded, refused, section};

const TRENT: &str = "QaRfMCN42yurmJNmkc5p9hR846vJgsTovB";
const MALLORY: &str = "QZajYTTmxtjX7C2YgytGgNKXDVvxFgZWHg";

#[tokio::test]
async fn groups_are_listed_and_read() {
    let (_test_node, node) = recorded().await;
    let names: Vec<_> = node
        .groups(PageRequest::first(10))
        .await
        .unwrap()
        .into_iter()
        .map(|group| group.group_name)
        .collect();
    assert_eq!(
        names,
        [
            "approval-desk",
            "closed-council",
            "dev-group",
            "minters",
            "open-lounge",
            "Ünïcode Gruppe"
        ]
    );
    check(
        "groups",
        "group",
        "A group that was changed once.",
        &node.group(5).await.unwrap(),
    );
    insta::assert_snapshot!(
        refused(node.group(99).await),
        @"node refused GET /groups/{groupid} with HTTP 404, code 1101 GROUP_UNKNOWN: group unknown"
    );
}

#[tokio::test]
async fn groups_belong_to_accounts() {
    let (_test_node, node) = recorded().await;
    let ids = async |role| {
        let mut ids: Vec<_> = node
            .groups_of(&address(ALICE), role)
            .await
            .unwrap()
            .into_iter()
            .map(|group| group.group_id)
            .collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(GroupRole::Member).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(ids(GroupRole::Admin).await, [1, 2, 4, 6]);
    assert_eq!(ids(GroupRole::Owner).await, [2, 6]);
}

#[tokio::test]
async fn members_are_listed_and_checked() {
    let (_test_node, node) = recorded().await;
    let members = node
        .group_members(4, MemberRole::Any, PageRequest::first(10))
        .await
        .unwrap();
    check(
        "groups",
        "members",
        "All members of a group, on one page.",
        &members,
    );
    let admins = node
        .group_members(4, MemberRole::Admin, PageRequest::first(10))
        .await
        .unwrap();
    assert_eq!(
        (
            admins.member_count,
            admins.admin_count,
            admins.members.len()
        ),
        (3, 2, 2)
    );
    let asked = [ALICE, BOB, QUINN].map(address);
    let memberships = node.memberships(4, &asked).await.unwrap();
    let facts: Vec<_> = memberships
        .iter()
        .map(|each| (each.is_member, each.is_admin))
        .collect();
    assert_eq!(
        facts,
        [(true, Some(true)), (true, Some(false)), (false, None)]
    );
}

#[tokio::test]
async fn what_happened_in_groups_is_listed() {
    let (_test_node, node) = recorded().await;
    let filter = KickFilter::new(address(MALLORY)).with_group_id(3);
    let bans = node.group_bans(3).await.unwrap();
    let invites = node.group_invites(4).await.unwrap();
    let requests = node.group_join_requests(4).await.unwrap();
    let kicks = node
        .group_kicks(&filter, PageRequest::first(10))
        .await
        .unwrap();
    let sections = [
        section("bans: Who is banned, one for ever.", &bans),
        section("invites: Who is invited.", &invites),
        section("join_requests: Requests to join.", &requests),
        section("kicks: Who was put out.", &kicks),
    ];
    let what = "What happened in groups.";
    check_all("groups", "happened", what, &sections);
    let requests = node.group_join_requests_for(&address(TRENT)).await.unwrap();
    assert_eq!(
        requests
            .iter()
            .map(|each| each.join_requests.len())
            .sum::<usize>(),
        2
    );
    let invitee = node.group_invites(4).await.unwrap()[0].invitee;
    assert!(!node.group_invites_of(&invitee).await.unwrap().is_empty());
}

/// As recorded: `joinrequests/address-3` and `rankings` of the third set.
#[tokio::test]
async fn requests_and_rankings_of_accounts_are_listed() {
    let (_test_node, node) = recorded().await;
    let chloe = address("QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL");
    let requests = node.group_join_requests_of(&chloe).await.unwrap();
    let groups: Vec<_> = requests.iter().map(|it| it.group_id).collect();
    assert_eq!(groups, [4]);
    let none = node.group_join_requests_of(&address(ALICE)).await.unwrap();
    assert!(none.is_empty());
    for (ranking, year, offset, expected) in [
        (GroupRanking::Joins, 2026, 1, Some((3, "Bób-Name"))),
        (GroupRanking::Leaves, 2026, 0, Some((1, "zebra"))),
        (GroupRanking::Kicks, 2026, 0, Some((1, "spam-name"))),
        (GroupRanking::Bans, 2026, 0, Some((1, "spam-name"))),
        (GroupRanking::Joins, 2020, 0, None),
    ] {
        let page = PageRequest::first(1).with_offset(offset);
        let ranked = node.group_ranking(ranking, year, page).await.unwrap();
        let first = ranked
            .first()
            .map(|it| (it.count, it.name.as_deref().unwrap()));
        assert_eq!(first, expected, "{ranking:?} {year}");
    }
}
