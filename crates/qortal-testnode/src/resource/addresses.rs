//! `/addresses`: accounts, their balances, reward shares and minting (`AddressesResource`).

use serde_json::{Value, json};

use crate::{
    chain::plain_decimal,
    codec,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table,
        crosschain::completed, list, refuse_if, valid_address,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/addresses/{address}", account),
    Endpoint::get("/addresses/lastreference/{address}", last_reference),
    Endpoint::get("/addresses/validate/{address}", validate),
    Endpoint::get("/addresses/balance/{address}", balance),
    Endpoint::get("/addresses/publickey/{address}", public_key),
    Endpoint::get("/addresses/convert/{publickey}", convert),
    Endpoint::get("/addresses/online", online),
    Endpoint::get("/addresses/online/levels", online_levels),
    Endpoint::get("/addresses/rewardshares", reward_shares),
    Endpoint::get("/addresses/penalties", penalties),
    Endpoint::get("/addresses/penalties/stats", penalty_stats),
    Endpoint::get("/addresses/sponsorship/{address}", sponsorship),
    Endpoint::get("/addresses/sponsorship/{address}/sponsor", sponsor),
    Endpoint::get("/addresses/mintership/{address}", mintership),
    Endpoint::get("/addresses/levels/{minLevel}", levels),
];

/// Highest level with a permanent row in `/addresses/online/levels`.
const HIGHEST_LEVEL: i64 = 10;
/// Number of units in a QORT.
const UNITS: i64 = 100_000_000;

fn known_account<'state>(
    state: &'state State,
    request: &Request,
) -> Result<&'state Value, Refusal> {
    let account = state
        .chain
        .account(valid_address(request.capture("address"))?);
    Ok(account.ok_or(ApiError::ADDRESS_UNKNOWN)?)
}

fn account(state: &State, request: &Request) -> Result<Body, Refusal> {
    known_account(state, request).cloned().map(Body::Json)
}

fn last_reference(state: &State, request: &Request) -> Result<Body, Refusal> {
    let account = known_account(state, request)?;
    Ok(Body::Text(text_or_false(account.text("reference"))))
}

fn validate(_: &State, request: &Request) -> Result<Body, Refusal> {
    let is_valid = codec::is_address(request.capture("address"));
    Ok(Body::Scalar(is_valid.to_string()))
}

fn balance(state: &State, request: &Request) -> Result<Body, Refusal> {
    let asset = request.long("assetId")?.unwrap_or(0);
    let address = valid_address(request.capture("address"))?;
    refuse_if(!state.chain.has_asset(asset), ApiError::INVALID_ASSET_ID)?;
    let balance = state.chain.balance(address, asset);
    Ok(Body::Decimal(plain_decimal(balance)))
}

fn public_key(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let account = state.chain.account(address);
    let key = account.map_or("", |account| account.text("publicKey"));
    Ok(Body::Text(text_or_false(key)))
}

fn text_or_false(text: &str) -> String {
    let text = if text.is_empty() { "false" } else { text };
    text.to_owned()
}

fn convert(_: &State, request: &Request) -> Result<Body, Refusal> {
    let key =
        codec::public_key(request.capture("publickey")).ok_or(ApiError::INVALID_PUBLIC_KEY)?;
    Ok(Body::Text(codec::address_of(&key)))
}

fn online(state: &State, _: &Request) -> Result<Body, Refusal> {
    list(state.chain.online_accounts.iter().cloned())
}

/// Counts the online reward shares by the level of their recipients.
fn online_levels(state: &State, _: &Request) -> Result<Body, Refusal> {
    let online = state.chain.online_accounts.iter();
    let levels: Vec<i64> = online
        .map(|row| state.chain.effective_level(row.text("recipientAddress")))
        .collect();
    list((0..=HIGHEST_LEVEL).map(|level| {
        let count = levels.iter().filter(|online| **online == level).count();
        json!({"level": level, "count": count})
    }))
}

/// Returns the reward shares by recipient, then by share. Only the order by share is reversed.
fn reward_shares(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let (minters, recipients, involving) = (
        request.list("minters"),
        request.list("recipients"),
        request.list("involving"),
    );
    let fits = |share: &Value| {
        let (minter, recipient) = (share.text("mintingAccount"), share.text("recipient"));
        (minters.is_empty() || minters.contains(&minter))
            && (recipients.is_empty() || recipients.contains(&recipient))
            && (involving.is_empty()
                || involving.contains(&minter)
                || involving.contains(&recipient))
    };
    let mut rows: Vec<&Value> = state.chain.reward_shares.matching(fits);
    rows.sort_by_cached_key(|share| {
        let percent = share.amount("sharePercent");
        (
            share.text("recipient"),
            if paging.reverse { -percent } else { percent },
        )
    });
    list(paging.cut(rows).into_iter().cloned())
}

fn penalized(state: &State) -> Vec<&Value> {
    accounts(state, |account| account.number("blocksMintedPenalty") != 0)
}

/// Returns the matching accounts, by address.
fn accounts(state: &State, fits: impl Fn(&Value) -> bool) -> Vec<&Value> {
    let mut accounts = state.chain.accounts.matching(fits);
    accounts.sort_by_cached_key(|account| account.text("address"));
    accounts
}

fn penalties(state: &State, _: &Request) -> Result<Body, Refusal> {
    let accounts = penalized(state).into_iter();
    list(accounts.map(|it| it.pick("address blocksMintedPenalty")))
}

/// Returns statistics of penalties. The greatest penalty is the lowest number.
fn penalty_stats(state: &State, _: &Request) -> Result<Body, Refusal> {
    let accounts = penalized(state);
    let penalties = accounts
        .iter()
        .map(|account| account.number("blocksMintedPenalty"));
    let stats = match (penalties.clone().min(), penalties.max()) {
        (Some(greatest), Some(least)) => json!({
            "totalPenalties": accounts.len(),
            "maxPenalty": greatest,
            "minPenalty": least,
            "penaltyHash": state.chain.facts.at("penaltyHash"),
        }),
        _ => json!({"totalPenalties": 0}),
    };
    Ok(Body::Json(stats))
}

/// Returns the recorded report of an account, or one with its level and balance and without activity. An account that the request declares
/// as the actual recipient of the rewards does not count as a sponsee.
fn report(state: &State, request: &Request, kind: &str, address: &str) -> Result<Value, Refusal> {
    let real_recipient = request.text("realRewardShareRecipient");
    let recorded = state.chain.facts.at("reports").rows(kind);
    let recorded = recorded.row("address", address);
    if let Some(report) = recorded.filter(|_| real_recipient.is_none()) {
        return Ok(report.clone());
    }
    let account = state.chain.account(address);
    let account = account.ok_or(ApiError::REPOSITORY_ISSUE)?;
    let shares = state.chain.reward_shares.iter().filter(|share| {
        let recipient = share.text("recipient");
        share.text("mintingAccount") == address
            && recipient != address
            && real_recipient.is_none_or(|real| recipient != real)
    });
    let sponsees: Vec<&str> = shares.map(|share| share.text("recipient")).collect();
    let names = state.chain.names.iter();
    let names = names.filter(|name| sponsees.contains(&name.text("owner")));
    let mut report = json!({
        "address": address,
        "level": account.at("level"),
        "blocksMinted": account.at("blocksMinted"),
        "adjustments": account.at("blocksMintedAdjustment"),
        "penalties": account.at("blocksMintedPenalty"),
        "transfer": false,
    });
    // Recorded accounts without a recorded report have no known activity.
    let active: &[&str] = match (state.chain.made.is_some(), kind) {
        (false, _) => &[],
        (true, "sponsorship") => &sponsees,
        (true, _) => &[address],
    };
    let sent = |kind: &str| {
        let rows = state.chain.transactions.iter();
        let theirs = rows.filter(|row| active.contains(&row.text("creatorAddress")));
        theirs.filter(|row| row.text("type") == kind).count()
    };
    // Number of trades, and the sum of their whole QORT.
    let traded = |member: &str| {
        let done = completed(state, None).into_iter();
        let done = done.map(|row| row.at("trade"));
        let theirs = done.filter(|trade| active.contains(&trade.text(member)));
        theirs.fold((0, 0), |(count, sum), trade| {
            (count + 1, sum + trade.amount("qortAmount") / UNITS)
        })
    };
    let (sales, purchases) = (
        traded("qortalCreator"),
        traded("qortalPartnerReceivingAddress"),
    );
    let count = sponsees.len();
    report = if kind == "sponsorship" {
        let names: Vec<Value> = names.map(|name| name.at("name").clone()).collect();
        let balances = active.iter().map(|it| state.chain.balance(it, 0) / UNITS);
        let average = balances.sum::<i64>() / i64::try_from(active.len()).unwrap_or(1).max(1);
        report
            .with("names", names)
            .with("sponseeCount", count)
            .with("nonRegisteredCount", 0)
            .with("avgBalance", average)
    } else {
        report
            .with_some("name", state.chain.primary_name(address))
            .with("sponseeCount", count)
            .with("balance", state.chain.balance(address, 0) / UNITS)
    };
    Ok(report
        .with("arbitraryCount", sent("ARBITRARY"))
        .with("transferAssetCount", sent("TRANSFER_ASSET"))
        .with("transferPrivsCount", 0)
        .with("sellCount", sales.0)
        .with("sellAmount", sales.1)
        .with("buyCount", purchases.0)
        .with("buyAmount", purchases.1))
}

fn sponsorship(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    report(state, request, "sponsorship", address).map(Body::Json)
}

/// Returns the report of the account's sponsor, which shares rewards with it.
fn sponsor(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    if let Some(report) = state.chain.facts.at("reports").at("sponsor").get(address) {
        return Ok(Body::Json(report.clone()));
    }
    let mut shares = state.chain.reward_shares.iter();
    let share = shares.find(|share| {
        share.text("recipient") == address && share.text("mintingAccount") != address
    });
    let sponsor = share
        .ok_or(ApiError::ADDRESS_UNKNOWN)?
        .text("mintingAccount");
    report(state, request, "sponsorship", sponsor).map(Body::Json)
}

fn mintership(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    report(state, request, "mintership", address).map(Body::Json)
}

fn levels(state: &State, request: &Request) -> Result<Body, Refusal> {
    let least = request.capture_int("minLevel")?;
    let accounts = accounts(state, |account| account.number("level") >= least);
    list(accounts.into_iter().map(|it| it.pick("address level")))
}
