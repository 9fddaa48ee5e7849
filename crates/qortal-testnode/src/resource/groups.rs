//! `/groups`: groups and their members (`GroupsResource`). Invites, bans and the like are in `group_events`.

use serde_json::{Value, json};

use crate::resource::{
    ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table, json_body, list, texts,
    valid_address, valid_addresses,
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/groups", all),
    Endpoint::get("/groups/balances", balances),
    Endpoint::get("/groups/owner/{address}", of_owner),
    Endpoint::get("/groups/member/{address}", of_member),
    Endpoint::get("/groups/{groupid}", by_id),
    Endpoint::get("/groups/members/{groupid}", members),
    Endpoint::post("/groups/members/{groupid}/validate", validate),
];

/// Returns the group in the path.
fn named<'state>(state: &'state State, request: &Request) -> Result<&'state Value, Refusal> {
    let id = request.capture_int("groupid")?;
    let mut groups = state.chain.groups.iter();
    let found = groups.find(|group| group.number("groupId") == id);
    Ok(found.ok_or(ApiError::GROUP_UNKNOWN)?)
}

/// Returns the matching groups by name, ignoring case.
pub(super) fn by_name(state: &State, fits: impl Fn(&Value) -> bool) -> Vec<&Value> {
    let mut groups = state.chain.groups.matching(fits);
    groups.sort_by_cached_key(|group| group.text("groupName").to_lowercase());
    groups
}

/// Returns the member rows of a group, by address.
pub(super) fn members_of(state: &State, group: i64) -> Vec<&Value> {
    let rows = &state.chain.group_members;
    let mut rows = rows.matching(|row| row.number("groupId") == group);
    rows.sort_by_cached_key(|row| row.text("member"));
    rows
}

/// Returns an account's row in a group.
pub(super) fn membership<'state>(
    state: &'state State,
    group: &Value,
    address: &str,
) -> Option<&'state Value> {
    members_of(state, group.number("groupId"))
        .into_iter()
        .find(|row| row.text("member") == address)
}

fn all(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    paging.list(by_name(state, |_| true))
}

/// Returns groups with their members' total QORT, the poorest first. Members without a balance do not count.
fn balances(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let groups = state.chain.groups.iter();
    let mut rows: Vec<Value> = groups.map(|group| with_balance(state, group)).collect();
    rows.sort_by_cached_key(|row| row.number("balance"));
    list(paging.apply(rows))
}

fn with_balance(state: &State, group: &Value) -> Value {
    let members = members_of(state, group.number("groupId"));
    let balances = members
        .iter()
        .map(|row| state.chain.balance(row.text("member"), 0))
        .filter(|balance| *balance > 0);
    let (count, sum) = balances.fold((0, 0_i64), |(count, sum), balance| {
        (count + 1, sum.saturating_add(balance))
    });
    json!({"type": "groupBalanceData"})
        .extended(group)
        .with("memberCount", count)
        .with("balance", sum / 100_000_000)
}

/// Returns the groups of an owner. The Core does not count the members here.
fn of_owner(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let groups = by_name(state, |group| group.text("owner") == address);
    list(groups.into_iter().map(|group| group.with("memberCount", 0)))
}

fn of_member(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let is_admin =
        |group: &Value| membership(state, group, address).is_some_and(|row| row.flag("isAdmin"));
    if request.flag("ownerOnly") {
        let theirs = by_name(state, |group| group.text("owner") == address);
        return list(theirs.into_iter().cloned());
    }
    if request.flag("adminOnly") {
        return list(by_name(state, is_admin).into_iter().cloned());
    }
    let groups = by_name(state, |group| membership(state, group, address).is_some());
    let groups = groups.into_iter();
    list(groups.map(|group| with_admin_flag(group, is_admin(group))))
}

/// Inserts `isAdmin` before the owner's primary name, which may be missing.
fn with_admin_flag(group: &Value, is_admin: bool) -> Value {
    let name = group.get("ownerPrimaryName").cloned();
    let flagged = group.without("ownerPrimaryName").with("isAdmin", is_admin);
    flagged.with_some("ownerPrimaryName", name)
}

fn by_id(state: &State, request: &Request) -> Result<Body, Refusal> {
    named(state, request).cloned().map(Body::Json)
}

/// Returns a page of members. Like in the Core, the admin flag is looked up only in the same page of the admins.
fn members(state: &State, request: &Request) -> Result<Body, Refusal> {
    let group = named(state, request)?;
    let paging = Paging::of(request)?;
    let rows = members_of(state, group.number("groupId"));
    let admins: Vec<&Value> = rows
        .iter()
        .copied()
        .filter(|row| row.flag("isAdmin"))
        .collect();
    let (member_count, admin_count) = (rows.len(), admins.len());
    let admins = paging.apply(admins);
    let only_admins = request.flag("onlyAdmins");
    let page = if only_admins {
        admins.clone()
    } else {
        paging.apply(rows)
    };
    let members: Vec<Value> = page
        .into_iter()
        .map(|row| {
            let address = row.text("member");
            let is_admin = admins.iter().any(|admin| admin.text("member") == address);
            let joined = row.at("joined").clone();
            json!({"member": address})
                .with_some("joined", (!only_admins).then_some(joined))
                .with_some("isAdmin", is_admin.then_some(true))
                .with_some("primaryName", state.chain.primary_name(address))
        })
        .collect();
    Ok(Body::Json(
        json!({"memberCount": member_count, "adminCount": admin_count, "members": members}),
    ))
}

fn validate(state: &State, request: &Request) -> Result<Body, Refusal> {
    let group = named(state, request)?;
    let body = json_body(request)?;
    let addresses = texts(&body).ok_or(Refusal::CRASH)?;
    valid_addresses(addresses.iter().copied())?;
    list(addresses.into_iter().map(|address| {
        let row = membership(state, group, address);
        json!({"address": address, "isMember": row.is_some()})
            .with_some("isAdmin", row.map(|row| row.flag("isAdmin")))
    }))
}
