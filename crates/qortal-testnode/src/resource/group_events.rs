//! Invites, join requests, bans and kicks of groups, and the yearly rankings (`GroupsResource`).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    clock::year_of,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, fits,
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

/// Times before this one (July 2017) are rejected as a mistake.
pub(super) const EARLIEST_TIME: i64 = 1_500_000_000_000;

fn events<'state>(state: &'state State, kind: &str) -> impl Iterator<Item = &'state Value> {
    state.chain.group_events.rows(kind).iter()
}

/// Returns the matching events of a kind as the response.
fn fitting(state: &State, kind: &str, fits: impl Fn(&Value) -> bool) -> Result<Body, Refusal> {
    list(events(state, kind).filter(|event| fits(event)).cloned())
}

/// Returns `before` and `after` of a request, both exclusive.
pub(super) fn period(request: &Request) -> Result<(Option<i64>, Option<i64>), Refusal> {
    let (before, after) = (request.long("before")?, request.long("after")?);
    let mut times = [before, after].into_iter().flatten();
    let is_wrong = times.any(|time| time < EARLIEST_TIME);
    refuse_if(is_wrong, ApiError::INVALID_CRITERIA)?;
    Ok((before, after))
}

fn kicks(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.text("address").unwrap_or_default())?;
    let group = request.int("groupId")?;
    let (before, after) = period(request)?;
    let paging = Paging::of(request)?;
    let rows = events(state, "kicks").filter(|kick| {
        let time = kick.number("timestamp");
        kick.text("member") == address
            && fits(group, kick.number("groupId"))
            && before.is_none_or(|before| time < before)
            && after.is_none_or(|after| time > after)
    });
    paging.list(rows.collect())
}

/// Returns the segment of the path after `/groups`.
fn kind(request: &Request) -> &str {
    match request.segments().get(1).map(String::as_str) {
        Some("joinrequests") => "joinRequests",
        kind => kind.unwrap_or_default(),
    }
}

fn of_group(state: &State, request: &Request) -> Result<Body, Refusal> {
    let group = request.capture_int("groupid")?;
    fitting(state, kind(request), |event| {
        event.number("groupId") == group
    })
}

/// Returns the invites of an address. The address is not validated, and an invalid one has no invites.
fn invites_of_address(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = request.capture("address");
    fitting(state, "invites", |invite| invite.text("invitee") == address)
}

fn requests_of_address(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    fitting(state, "joinRequests", |join| join.text("joiner") == address)
}

/// Returns the join requests for every group that an account administers, if there are any.
fn requests_for_admin(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let groups = by_name(state, |group| {
        membership(state, group, address).is_some_and(|row| row.flag("isAdmin"))
    });
    list(groups.into_iter().map(|group| {
        let requests: Vec<&Value> = events(state, "joinRequests")
            .filter(|join| join.number("groupId") == group.number("groupId"))
            .collect();
        json!({"group": group.with("memberCount", 0), "joinRequests": requests})
    }))
}

/// Returns the number of transactions per account in a role during a year, the largest first.
fn counted(state: &State, year: i64, kind: &str) -> Vec<Value> {
    let (of_type, member) = match kind {
        "topbans" => ("GROUP_BAN", "offender"),
        "topkicks" => ("GROUP_KICK", "member"),
        "topjoins" => ("JOIN_GROUP", "creatorAddress"),
        _ => ("LEAVE_GROUP", "creatorAddress"),
    };
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    let rows = state.chain.transactions.iter();
    for row in rows.filter(|row| row.text("type") == of_type && row.number("blockHeight") > 0) {
        if year_of(row.number("timestamp")) == year {
            *counts.entry(row.text(member)).or_default() += 1;
        }
    }
    let mut counts: Vec<(&str, i64)> = counts.into_iter().collect();
    counts.sort_by_cached_key(|(_, count)| std::cmp::Reverse(*count));
    let row = |(address, count)| {
        json!({"count": count, "address": address})
            .with_some("name", state.chain.primary_name(address))
    };
    counts.into_iter().map(row).collect()
}

/// Returns the recorded ranking of the year in which the chain was made, and none for other years. Without a recorded one, it is counted.
fn top(state: &State, request: &Request) -> Result<Body, Refusal> {
    let kind = kind(request);
    let year = request.capture_int("year")?;
    let paging = Paging::of(request)?;
    if state.chain.made.is_some() {
        return list(paging.cut(counted(state, year, kind)));
    }
    let chain_year = state.chain.block(1).map(|block| year_of(block.timestamp()));
    let rows = events(state, kind).filter(|_| chain_year == Some(year));
    list(paging.cut(rows.cloned().collect()))
}
