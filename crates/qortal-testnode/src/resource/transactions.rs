//! `/transactions`: transactions by signature, block, participant and search (`TransactionsResource`).

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::{
    chain::{Payments, units},
    codec::{address_of, base58_decode},
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table, blocks, fits, found,
        list, refuse_if, utils::transaction_types, valid_address, valid_addresses,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/transactions/signature/{signature}", by_signature),
    Endpoint::get("/transactions/reference/{reference}", by_reference),
    Endpoint::get("/transactions/block/{signature}", of_block),
    Endpoint::get("/transactions/unconfirmed", unconfirmed),
    Endpoint::get("/transactions/pending", pending),
    Endpoint::get("/transactions/search", search),
    Endpoint::get("/transactions/address/{address}", of_address),
    Endpoint::get("/transactions/creator/{publickey}", of_creator),
    Endpoint::get("/transactions/payments/between", payments_between),
    Endpoint::get("/transactions/unitfee", unit_fee),
];

/// Maximum number of rows in a search without a type or an address.
const UNFILTERED_LIMIT: i64 = 20;
/// Fee of an ordinary transaction in units of 10⁻⁸ QORT.
const UNIT_FEE: i64 = 1_000_000;
/// Fields with an account that takes part in a transaction.
const PARTICIPANTS: [&str; 11] = [
    "creatorAddress",
    "recipient",
    "seller",
    "member",
    "admin",
    "offender",
    "invitee",
    "target",
    "atAddress",
    "aTAddress",
    "newOwner",
];

/// The transfer of minting privileges on the recorded and on the demo chain, and the receiving account. The Core finds it for that account,
/// but its response does not contain the recipient.
const RECEIVER: (&str, &str) = (
    "Zs89icJJs4aEoNxwtPKNKQuRdQsBbcTk6NBqWb7cBmL3NMpmFqo1FuWhEGnkmsNqqogRFwNFL6PLCYC51BKPpxZ",
    "QT1XAJAgLYwrYXdTDKDg8c29uMVosh3HgU",
);

/// All heights, including those of unconfirmed transactions.
pub(super) const ANYWHERE: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// The transactions covered by a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Confirmation {
    Confirmed,
    Unconfirmed,
    Both,
}

impl Confirmation {
    /// Parses `confirmationStatus`. The Core crashes if it is missing, except in a search for confirmed transactions in blocks.
    pub(super) fn of(request: &Request) -> Result<Self, Refusal> {
        match request.choice("confirmationStatus", &["CONFIRMED", "UNCONFIRMED", "BOTH"])? {
            Some("CONFIRMED") => Ok(Self::Confirmed),
            Some("UNCONFIRMED") => Ok(Self::Unconfirmed),
            Some(_) => Ok(Self::Both),
            None => match request.int("startBlock")?.or(request.int("blockLimit")?) {
                Some(_) => Err(ApiError::INVALID_CRITERIA.into()),
                None => Err(Refusal::CRASH),
            },
        }
    }

    pub(super) fn fits(self, row: &Value) -> bool {
        let is_confirmed = row.number("blockHeight") > 0;
        match self {
            Self::Confirmed => is_confirmed,
            Self::Unconfirmed => !is_confirmed,
            Self::Both => true,
        }
    }
}

/// Returns `blockLimit` heights from `startBlock` on, for confirmed transactions only.
pub(super) fn heights(
    state: &State,
    request: &Request,
    confirmation: Confirmation,
) -> Result<RangeInclusive<i64>, Refusal> {
    let (start, limit) = (request.int("startBlock")?, request.int("blockLimit")?);
    if (start.is_some() || limit.is_some()) && confirmation != Confirmation::Confirmed {
        return Err(ApiError::INVALID_CRITERIA.into());
    }
    let tip = state.chain.height();
    let start = match (start, limit) {
        (Some(start), _) => start,
        (None, Some(limit)) if request.flag("reverse") => tip - limit,
        // Unconfirmed transactions have height 0 here.
        (None, Some(_)) => 1,
        (None, None) => 0,
    };
    Ok(start..=limit.map_or(i64::MAX, |limit| start.saturating_add(limit) - 1))
}

/// Returns `true` if the requested limit is small enough to omit both type and address.
pub(super) fn is_modest(request: &Request) -> Result<bool, Refusal> {
    let limit = request.int("limit")?;
    Ok(limit.is_some_and(|limit| (0..=UNFILTERED_LIMIT).contains(&limit)))
}

/// Returns `true` if an account takes part in a transaction.
pub(super) fn involves(row: &Value, address: &str) -> bool {
    PARTICIPANTS.iter().any(|name| row.text(name) == address)
        || row.rows("payments").row("recipient", address).is_some()
        || (row.text("signature"), address) == RECEIVER
}

/// Returns the requested part of the matching transactions, by time.
pub(super) fn select(
    state: &State,
    paging: Paging<'_>,
    heights: &RangeInclusive<i64>,
    fits: impl Fn(&Value) -> bool,
) -> Result<Body, Refusal> {
    let is_inside = |row: &&Value| heights.contains(&row.number("blockHeight"));
    let rows = state.chain.transactions.iter();
    let rows = rows.filter(is_inside).filter(|row| fits(row));
    let payments = state.chain.payments.matching(heights, &fits).into_iter();
    let mut found: Vec<Found<'_>> = rows.map(Found::Row).collect();
    if payments.len() > 0 {
        found.extend(payments.map(Found::Payment));
        found.sort_by_cached_key(Found::time);
    }
    paging.list_of(found, Found::into_row)
}

/// A transaction of the table, or one of the payments made on demand.
enum Found<'chain> {
    Row(&'chain Value),
    Payment(i64),
}

impl Found<'_> {
    fn time(&self) -> i64 {
        match self {
            Self::Row(row) => row.number("timestamp"),
            Self::Payment(index) => Payments::time(*index),
        }
    }

    fn into_row(self) -> Value {
        match self {
            Self::Row(row) => row.clone(),
            Self::Payment(index) => Payments::row(index),
        }
    }
}

fn asked_types(request: &Request) -> Result<Vec<&str>, Refusal> {
    let types = request.list("txType");
    let is_known = |name: &&str| transaction_types().any(|it| it == *name);
    let is_known = types.iter().all(is_known);
    is_known
        .then_some(types)
        .ok_or(Refusal::BadParameter("txType"))
}

/// Returns the transaction with the signature in the path.
pub(super) fn named<'state>(
    state: &'state State,
    request: &Request,
) -> Result<&'state Value, Refusal> {
    let signature = request.capture("signature");
    base58_decode(signature).ok_or(ApiError::INVALID_SIGNATURE)?;
    let found = state.chain.transactions.row("signature", signature);
    Ok(found.ok_or(ApiError::TRANSACTION_UNKNOWN)?)
}

fn by_signature(state: &State, request: &Request) -> Result<Body, Refusal> {
    if let Some(payment) = state.chain.payments.named(request.capture("signature")) {
        return Ok(Body::Json(payment));
    }
    named(state, request).cloned().map(Body::Json)
}

fn by_reference(state: &State, request: &Request) -> Result<Body, Refusal> {
    let reference = request.capture("reference");
    base58_decode(reference).ok_or(ApiError::INVALID_REFERENCE)?;
    let row = state.chain.transactions.row("reference", reference);
    found(row, ApiError::TRANSACTION_UNKNOWN)
}

/// Returns all transactions of a block by time. The Core declares paging but ignores it.
pub(super) fn of_block(state: &State, request: &Request) -> Result<Body, Refusal> {
    let block = blocks::named(state, request)?;
    let rows = state.chain.transactions.iter();
    let rows = rows.filter(|row: &&Value| row.number("blockHeight") == block.height);
    let payments = state.chain.payments.in_block(block.height);
    list(rows.cloned().chain(payments.map(Payments::row)))
}

fn unconfirmed(state: &State, request: &Request) -> Result<Body, Refusal> {
    let types = asked_types(request)?;
    let creator = request
        .text("creator")
        .map(|key| base58_decode(key).ok_or(ApiError::INVALID_PUBLIC_KEY));
    let creator = creator.transpose()?.map(|key| address_of(&key));
    let paging = Paging::of(request)?;
    select(state, paging, &ANYWHERE, |row| {
        Confirmation::Unconfirmed.fits(row)
            && (types.is_empty() || types.contains(&row.text("type")))
            && fits(creator.as_deref(), row.text("creatorAddress"))
    })
}

fn pending(state: &State, request: &Request) -> Result<Body, Refusal> {
    let group = request.int("txGroupId")?;
    let paging = Paging::of(request)?;
    select(state, paging, &ANYWHERE, |row| {
        row.text("approvalStatus") == "PENDING" && fits(group, row.number("txGroupId"))
    })
}

fn search(state: &State, request: &Request) -> Result<Body, Refusal> {
    let types = asked_types(request)?;
    let address = request.text("address");
    let group = request.int("txGroupId")?;
    let is_modest = is_modest(request)?;
    let is_unfiltered = types.is_empty() && address.is_none();
    refuse_if(is_unfiltered && !is_modest, ApiError::INVALID_CRITERIA)?;
    let confirmation = Confirmation::of(request)?;
    let heights = heights(state, request, confirmation)?;
    let paging = Paging::of(request)?;
    select(state, paging, &heights, |row| {
        confirmation.fits(row)
            && (types.is_empty() || types.contains(&row.text("type")))
            && fits(group, row.number("txGroupId"))
            && address.is_none_or(|address| involves(row, address))
    })
}

/// Returns only confirmed transactions, regardless of `confirmationStatus`.
fn of_address(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let paging = Paging::of(request)?;
    select(state, paging, &ANYWHERE, |row| {
        Confirmation::Confirmed.fits(row) && involves(row, address)
    })
}

fn of_creator(state: &State, request: &Request) -> Result<Body, Refusal> {
    let key = base58_decode(request.capture("publickey")).ok_or(ApiError::INVALID_PUBLIC_KEY)?;
    let creator = address_of(&key);
    let confirmation = Confirmation::of(request)?;
    let paging = Paging::of(request)?;
    select(state, paging, &ANYWHERE, |row| {
        confirmation.fits(row) && row.text("creatorAddress") == creator
    })
}

fn payments_between(state: &State, request: &Request) -> Result<Body, Refusal> {
    let (sender, recipient) = (
        request.text("senderAddress"),
        request.text("recipientAddress"),
    );
    if sender.is_none() && recipient.is_none() {
        return Err(ApiError::INVALID_CRITERIA.into());
    }
    valid_addresses([sender, recipient].into_iter().flatten())?;
    let amount = request
        .text("amount")
        .map(|amount| units(amount).ok_or(ApiError::INVALID_CRITERIA))
        .transpose()?;
    let confirmation = Confirmation::of(request)?;
    let heights = heights(state, request, confirmation)?;
    let paging = Paging::of(request)?;
    select(state, paging, &heights, |row| {
        row.text("type") == "PAYMENT"
            && confirmation.fits(row)
            && fits(sender, row.text("creatorAddress"))
            && fits(recipient, row.text("recipient"))
            && fits(amount, row.amount("amount"))
    })
}

/// Returns the fee of a transaction type in units of 10⁻⁸ QORT. A missing type crashes the Core, as do unimplemented types.
fn unit_fee(state: &State, request: &Request) -> Result<Body, Refusal> {
    request.long("timestamp")?;
    request.int("level")?;
    match request.choice("txType", &transaction_types().collect::<Vec<_>>())? {
        None | Some("AIRDROP" | "ENABLE_FORGING") => Err(Refusal::CRASH),
        Some(kind) => {
            let special = state.chain.facts.at("unitFees").get(kind);
            let special = special.and_then(Value::as_i64);
            Ok(Body::Scalar(special.unwrap_or(UNIT_FEE).to_string()))
        }
    }
}
