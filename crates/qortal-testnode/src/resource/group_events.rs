//! Invites, join requests, bans and kicks of groups, and the yearly tables (`GroupsResource`).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    clock::year_of,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, World, fits,
        groups::{by_name, membership},
        list, refuse_if, valid_address,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/groups/kicks/member", kicks),
    Endpoint::get("/groups/invites/{address}", invites_of_address),
    Endpoint::get("/groups/invites/group/{groupid}", of_group),
    Endpoint::get("/groups/joinrequests/{groupid}", of_group),
    Endpoint::get(
        "/groups/joinrequests/address/{address}",
        requests_of_address,
    ),
    Endpoint::get("/groups/joinrequests/admin/{address}", requests_for_admin),
    Endpoint::get("/groups/bans/{groupid}", of_group),
    Endpoint::get("/groups/topbans/{year}", top),
    Endpoint::get("/groups/topkicks/{year}", top),
    Endpoint::get("/groups/topjoins/{year}", top),
    Endpoint::get("/groups/topleaves/{year}", top),
];

/// Times before this one (July 2017) are taken for a mistake.
pub(super) const EARLIEST_TIME: i64 = 1_500_000_000_000;

fn events<'world>(world: &'world World, kind: &str) -> impl Iterator<Item = &'world Value> {
    world.chain.group_events.rows(kind).iter()
}

/// Those of a kind that fit, as the answer.
fn fitting(world: &World, kind: &str, fits: impl Fn(&Value) -> bool) -> Result<Body, Refusal> {
    list(events(world, kind).filter(|event| fits(event)).cloned())
}

/// `before` and `after` of a request, both exclusive.
pub(super) fn period(request: &Request) -> Result<(Option<i64>, Option<i64>), Refusal> {
    let (before, after) = (request.long("before")?, request.long("after")?);
    let mut times = [before, after].into_iter().flatten();
    let is_wrong = times.any(|time| time < EARLIEST_TIME);
    refuse_if(is_wrong, ApiError::INVALID_CRITERIA)?;
    Ok((before, after))
}

fn kicks(world: &World, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.text("address").unwrap_or_default())?;
    let group = request.int("groupId")?;
    let (before, after) = period(request)?;
    let paging = Paging::of(request)?;
    let rows = events(world, "kicks").filter(|kick| {
        let time = kick.number("timestamp");
        kick.text("member") == address
            && fits(group, kick.number("groupId"))
            && before.is_none_or(|before| time < before)
            && after.is_none_or(|after| time > after)
    });
    paging.list(rows.collect())
}

/// What a path names after `/groups`.
fn kind(request: &Request) -> &str {
    match request.segments().get(1).map(String::as_str) {
        Some("joinrequests") => "joinRequests",
        kind => kind.unwrap_or_default(),
    }
}

fn of_group(world: &World, request: &Request) -> Result<Body, Refusal> {
    let group = request.capture_int("groupid")?;
    fitting(world, kind(request), |event| {
        event.number("groupId") == group
    })
}

/// The address is not checked; a wrong one has no invites.
fn invites_of_address(world: &World, request: &Request) -> Result<Body, Refusal> {
    let address = request.capture("address");
    fitting(world, "invites", |invite| invite.text("invitee") == address)
}

fn requests_of_address(world: &World, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    fitting(world, "joinRequests", |join| join.text("joiner") == address)
}

/// For every group an account administers the requests to join it, if any.
fn requests_for_admin(world: &World, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let groups = by_name(world, |group| {
        membership(world, group, address).is_some_and(|row| row.flag("isAdmin"))
    });
    list(groups.into_iter().map(|group| {
        let requests: Vec<&Value> = events(world, "joinRequests")
            .filter(|join| join.number("groupId") == group.number("groupId"))
            .collect();
        json!({"group": group.with("memberCount", 0), "joinRequests": requests})
    }))
}

/// Who was how often what in the transactions of a year, the most first.
fn counted(world: &World, year: i64, kind: &str) -> Vec<Value> {
    let (of_type, member) = match kind {
        "topbans" => ("GROUP_BAN", "offender"),
        "topkicks" => ("GROUP_KICK", "member"),
        "topjoins" => ("JOIN_GROUP", "creatorAddress"),
        _ => ("LEAVE_GROUP", "creatorAddress"),
    };
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    let rows = world.chain.transactions.iter();
    for row in rows.filter(|row| row.text("type") == of_type && row.number("blockHeight") > 0) {
        if year_of(row.number("timestamp")) == year {
            *counts.entry(row.text(member)).or_default() += 1;
        }
    }
    let mut counts: Vec<(&str, i64)> = counts.into_iter().collect();
    counts.sort_by_cached_key(|(_, count)| std::cmp::Reverse(*count));
    let row = |(address, count)| {
        json!({"count": count, "address": address})
            .with_some("name", world.chain.primary_name(address))
    };
    counts.into_iter().map(row).collect()
}

/// The recorded table of the year the chain was made in, which other years have not; without one it is counted.
fn top(world: &World, request: &Request) -> Result<Body, Refusal> {
    let kind = kind(request);
    let year = request.capture_int("year")?;
    let paging = Paging::of(request)?;
    if world.chain.made.is_some() {
        return list(paging.cut(counted(world, year, kind)));
    }
    let chain_year = world.chain.block(1).map(|block| year_of(block.timestamp()));
    let rows = events(world, kind).filter(|_| chain_year == Some(year));
    list(paging.cut(rows.cloned().collect()))
}
