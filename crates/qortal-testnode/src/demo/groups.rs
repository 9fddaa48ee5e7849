//! The groups of the demo: who is in them, who is invited, who asks, who had to go.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, number, wide};
use super::ledger::Ledger;
use super::people::{
    ALICE, BOB, BUYERS, CHLOE, NELL, OSCAR, OTHERS, PENALIZED, Person, RITA, SELLERS, SPAMMER,
    TRENT, VICTOR, Who, ZEBRA, minters, person,
};
use super::time::{DAY, HOUR};
use crate::chain::{NULL_ACCOUNT, Row};

/// The group whose members may mint.
const MINTING: i64 = 694;
pub(super) const LOUNGE: i64 = 3;
pub(super) const COUNCIL: i64 = 4;
pub(super) const MAKERS: i64 = 5;
pub(super) const TRADERS: i64 = 7;
pub(super) const GARDENERS: i64 = 8;
const APPROVAL: i64 = 6;

struct Group {
    id: i64,
    owner: Who,
    name: &'static str,
    description: &'static str,
    days: i64,
    is_open: bool,
    threshold: &'static str,
    admins: &'static [Who],
}

static GROUPS: [Group; 9] = [
    group(
        2,
        VICTOR,
        "book-club",
        "We read one invented book a month",
        600,
        true,
        "NONE",
        &[],
    ),
    group(
        LOUNGE,
        TRENT,
        "open-lounge",
        "Everyone is welcome. Be kind.",
        700,
        true,
        "NONE",
        &[ALICE],
    ),
    group(
        COUNCIL,
        TRENT,
        "closed-council",
        "Invitation only",
        640,
        false,
        "PCT40",
        &[ALICE],
    ),
    group(
        MAKERS,
        VICTOR,
        "qdn-makers",
        "People who publish apps and sites",
        560,
        true,
        "PCT20",
        &[BOB],
    ),
    group(
        APPROVAL,
        ALICE,
        "approval-desk",
        "Transactions in this group need an approval",
        520,
        true,
        "ONE",
        &[TRENT],
    ),
    group(
        TRADERS,
        RITA,
        "traders-table",
        "Prices, offers and stuck trades",
        480,
        true,
        "NONE",
        &[CHLOE],
    ),
    group(
        GARDENERS,
        OTHERS.start + 2,
        "gardeners",
        "Moss, ferns and patience",
        300,
        true,
        "NONE",
        &[],
    ),
    group(
        9,
        OTHERS.start + 4,
        "toy-workshop",
        "Tin robots, by invitation",
        150,
        false,
        "ONE",
        &[NELL],
    ),
    group(
        MINTING,
        ALICE,
        "minters",
        "Accounts that may mint",
        900,
        false,
        "ONE",
        &[TRENT],
    ),
];

#[expect(clippy::too_many_arguments, reason = "a row of a table")]
const fn group(
    id: i64,
    owner: Who,
    name: &'static str,
    description: &'static str,
    days: i64,
    is_open: bool,
    threshold: &'static str,
    admins: &'static [Who],
) -> Group {
    Group {
        id,
        owner,
        name,
        description,
        days,
        is_open,
        threshold,
        admins,
    }
}

/// Group, who invites whom, and after how many hours from now that ends; 0 for never.
const INVITES: [(i64, Who, Who, i64); 6] = [
    (COUNCIL, TRENT, OSCAR, 0),
    (COUNCIL, TRENT, RITA, 0),
    (COUNCIL, ALICE, PENALIZED, 70),
    (9, NELL, ALICE, 0),
    (9, OTHERS.start + 4, CHLOE, 120),
    (9, NELL, OTHERS.start + 1, 0),
];
const REQUESTS: [(i64, Who); 5] = [
    (COUNCIL, NELL),
    (COUNCIL, CHLOE),
    (9, ZEBRA),
    (MINTING, RITA),
    (MINTING, OTHERS.start),
];
/// Group, by whom, who, days ago, for how many more days, why.
type Ban = (i64, Who, Who, i64, Option<i64>, &'static str);

const BANS: [Ban; 3] = [
    (LOUNGE, TRENT, SPAMMER, 100, None, "spam again"),
    (LOUNGE, ALICE, SELLERS.start + 5, 6, Some(1), "cooling off"),
    (TRADERS, RITA, SPAMMER, 80, None, "offers that do not exist"),
];
const KICKS: [(i64, Who, Who, i64, &str); 2] = [
    (LOUNGE, TRENT, SPAMMER, 110, "off-topic advertising"),
    (TRADERS, CHLOE, SPAMMER, 85, "asks for private keys"),
];
const LEAVES: [(i64, Who, i64); 2] = [(LOUNGE, ZEBRA, 30), (MAKERS, NELL, 50)];

impl Group {
    fn created(&self) -> i64 {
        self.days * DAY + self.id * HOUR
    }

    /// Who is in it beside the owner, and since when.
    fn joined(&self) -> Vec<(Who, i64)> {
        let named = || [ALICE, BOB, CHLOE, RITA, NELL, VICTOR, TRENT];
        let members: Vec<Who> = match self.id {
            LOUNGE => named().into_iter().chain(BUYERS).chain(OTHERS).collect(),
            COUNCIL => vec![ALICE, BOB, VICTOR, OTHERS.start],
            MAKERS => [ALICE, BOB].into_iter().chain(OTHERS).collect(),
            APPROVAL => vec![BOB, TRENT, CHLOE],
            TRADERS => [CHLOE, NELL, TRENT, BOB]
                .into_iter()
                .chain(SELLERS)
                .chain(BUYERS)
                .collect(),
            MINTING => minters().map(|it| it.who).collect(),
            _ => [NELL, BOB, OTHERS.start, OTHERS.start + 3, OTHERS.start + 7].into(),
        };
        let is_banned = |who: Who| BANS.iter().any(|it| it.0 == self.id && it.2 == who);
        let has_left = |who: Who| LEAVES.iter().any(|it| it.0 == self.id && it.1 == who);
        let members = members.into_iter().collect::<BTreeSet<_>>().into_iter();
        members
            .filter(|who| *who != self.owner && !is_banned(*who) && !has_left(*who))
            .map(|who| (who, self.time_of_joining(who)))
            .collect()
    }

    fn time_of_joining(&self, who: Who) -> i64 {
        let drawn = number(Kind::Group, self.id * 1_000 + wide(who));
        let days = self.days - 1 - drawn % (self.days * 9 / 10);
        days * DAY + wide(who) * 13 * 60_000
    }

    fn is_admin(&self, who: Who) -> bool {
        who == self.owner || self.admins.contains(&who)
    }

    fn members(&self) -> Vec<(Who, i64)> {
        std::iter::once((self.owner, self.created()))
            .chain(self.joined())
            .collect()
    }
}

fn address(who: Who) -> &'static str {
    person(who).address.as_str()
}

pub(super) fn rows(demo: Demo) -> Vec<Value> {
    let first = json!({
        "groupId": 1,
        "owner": NULL_ACCOUNT,
        "groupName": "dev-group",
        "description": "developer group",
        "created": demo.time(1),
        "updated": demo.time(1),
        "isOpen": false,
        "approvalThreshold": "PCT40",
        "minimumBlockDelay": 0,
        "maximumBlockDelay": 1_440,
        "memberCount": 1,
    });
    let row = |group: &Group| {
        let row = json!({
            "groupId": group.id,
            "owner": address(group.owner),
            "groupName": group.name,
            "description": group.description,
            "created": demo.before(group.created()),
            "isOpen": group.is_open,
            "approvalThreshold": group.threshold,
            "minimumBlockDelay": 10,
            "maximumBlockDelay": 1_440,
            "memberCount": group.members().len(),
        });
        match person(group.owner).name.as_str() {
            "" => row,
            name => row.with("ownerPrimaryName", name),
        }
    };
    std::iter::once(first)
        .chain(GROUPS.iter().map(row))
        .collect()
}

pub(super) fn members(demo: Demo) -> Vec<Value> {
    let first =
        json!({"groupId": 1, "member": NULL_ACCOUNT, "joined": demo.time(1), "isAdmin": true});
    let rows = GROUPS.iter().flat_map(|group| {
        let members = group.members().into_iter();
        members.map(move |(who, ago)| {
            json!({
                "groupId": group.id,
                "member": address(who),
                "joined": demo.before(ago),
                "isAdmin": group.is_admin(who),
            })
        })
    });
    std::iter::once(first).chain(rows).collect()
}

/// Who is in a group that people talk in.
pub(super) fn talkers(id: i64) -> Vec<&'static Person> {
    let group = GROUPS.iter().find(|group| group.id == id);
    let members = group.map(Group::members).unwrap_or_default().into_iter();
    members.map(|(who, _)| person(who)).collect()
}

/// Invites, join requests, bans and kicks.
pub(super) fn events(demo: Demo) -> Value {
    let invites = INVITES.iter().map(|(group, by, invitee, hours)| {
        let row = json!({"groupId": group, "inviter": address(*by), "invitee": address(*invitee)});
        match hours {
            0 => row,
            hours => row.with("expiry", demo.before(-hours * HOUR)),
        }
    });
    let requests = REQUESTS
        .iter()
        .map(|(group, who)| json!({"groupId": group, "joiner": address(*who)}));
    let bans = BANS.iter().map(|(group, by, who, ago, days, reason)| {
        let row = json!({
            "groupId": group,
            "offender": address(*who),
            "admin": address(*by),
            "banned": demo.before(ago * DAY),
            "reason": reason,
        });
        match days {
            None => row,
            Some(days) => row.with("expiry", demo.before(-days * DAY)),
        }
    });
    let kicks = KICKS.iter().map(|(group, _, who, ago, reason)| {
        json!({
            "member": address(*who),
            "groupId": group,
            "reason": reason,
            "timestamp": demo.before(ago * DAY),
        })
    });
    json!({
        "invites": invites.collect::<Vec<_>>(),
        "joinRequests": requests.collect::<Vec<_>>(),
        "bans": bans.collect::<Vec<_>>(),
        "kicks": kicks.collect::<Vec<_>>(),
    })
}

pub(super) fn record(ledger: &mut Ledger) {
    for group in &GROUPS {
        found(ledger, group);
    }
    for (place, (group, by, invitee, hours)) in (1..).zip(INVITES) {
        let left = if hours == 0 {
            0
        } else {
            hours * 3_600 + (place + 2) * 86_400
        };
        let members = json!({"groupId": group, "invitee": address(invitee), "timeToLive": left});
        ledger.add(ledger.sent("GROUP_INVITE", (place + 2) * DAY, by, members));
    }
    for (place, (group, who)) in (1..).zip(REQUESTS) {
        let members = json!({"groupId": group});
        ledger.add(ledger.sent("JOIN_GROUP", place * DAY + 7 * HOUR, who, members));
    }
    for (group, by, who, ago, days, reason) in BANS {
        let members = json!({
            "groupId": group,
            "offender": address(who),
            "reason": reason,
            "timeToLive": days.map_or(0, |days| (ago + days) * 86_400),
        });
        ledger.add(ledger.sent("GROUP_BAN", ago * DAY, by, members));
    }
    for (group, by, who, ago, reason) in KICKS {
        let joined = (ago + 20) * DAY;
        ledger.add(ledger.sent("JOIN_GROUP", joined, who, json!({"groupId": group})));
        let members = json!({"groupId": group, "member": address(who), "reason": reason});
        ledger.add(ledger.sent("GROUP_KICK", ago * DAY, by, members));
    }
    for (group, who, days) in LEAVES {
        let joined = (days + 60) * DAY;
        ledger.add(ledger.sent("JOIN_GROUP", joined, who, json!({"groupId": group})));
        ledger.add(ledger.sent("LEAVE_GROUP", days * DAY, who, json!({"groupId": group})));
    }
}

/// How a group and its members came about. Into a closed one everyone was invited first.
fn found(ledger: &mut Ledger, group: &Group) {
    let members = json!({
        "groupId": group.id,
        "groupName": group.name,
        "description": group.description,
        "isOpen": group.is_open,
        "approvalThreshold": group.threshold,
        "minimumBlockDelay": 10,
        "maximumBlockDelay": 1_440,
    });
    ledger.add(ledger.sent("CREATE_GROUP", group.created(), group.owner, members));
    for (who, ago) in group.joined() {
        let id = json!({"groupId": group.id});
        if !group.is_open {
            let invite = id.with("invitee", address(who)).with("timeToLive", 0);
            ledger.add(ledger.sent("GROUP_INVITE", ago + 2 * HOUR, group.owner, invite));
        }
        ledger.add(ledger.sent("JOIN_GROUP", ago, who, id));
        if group.is_admin(who) {
            let admin = json!({"groupId": group.id, "member": address(who)});
            ledger.add(ledger.sent("ADD_GROUP_ADMIN", ago - HOUR, group.owner, admin));
        }
    }
}
