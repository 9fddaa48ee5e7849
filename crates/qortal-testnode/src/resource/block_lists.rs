//! Lists in `/blocks`: summaries, signers and the online accounts of a block (`BlocksResource`).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    chain::{NULL_ACCOUNT, NULL_KEY},
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, empty_list, list,
        refuse_if, valid_address, valid_addresses,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/blocks/signer/{address}", signer),
    Endpoint::get("/blocks/signers", signers),
    Endpoint::get("/blocks/summaries", summaries),
    Endpoint::get("/blocks/onlineaccounts/{height}", online_accounts),
];

/// Default number of summaries in a response.
const DEFAULT_SUMMARIES: i64 = 50;

/// Returns the current minting keys of an account: those of its reward shares and its own.
fn minting_keys<'state>(state: &'state State, address: &str) -> Result<Vec<&'state str>, Refusal> {
    let account = state.chain.account(address);
    let account = account.ok_or(ApiError::PUBLIC_KEY_NOT_FOUND)?;
    let own = account.text("publicKey");
    refuse_if(own.is_empty(), ApiError::PUBLIC_KEY_NOT_FOUND)?;
    let shares = state.chain.reward_shares.iter();
    let shares = shares.filter(|share| share.text("mintingAccount") == address);
    let keys = shares.map(|share| share.text("rewardSharePublicKey"));
    Ok(keys.chain([own]).collect())
}

/// Returns the blocks of a minter: archived ones first, with few fields. Paging applies to each half separately. If the archive half is
/// empty, so is the entire response, which is a bug of the Core.
fn signer(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = valid_address(request.capture("address"))?;
    let paging = Paging::of(request)?;
    let keys = minting_keys(state, address)?;
    let is_archived = |height: &i64| state.chain.is_archived(*height);
    let heights = state.chain.signed_by(&keys).into_iter();
    let (archived, live): (Vec<i64>, Vec<i64>) = heights.partition(is_archived);
    let blocks = |heights: Vec<i64>| {
        let heights = paging.apply(heights).into_iter();
        heights.filter_map(|height| state.chain.block(height))
    };
    let members = "height signature minterPublicKey onlineAccountsCount";
    let archived: Vec<Value> = blocks(archived).map(|it| it.row.pick(members)).collect();
    if archived.is_empty() {
        return empty_list();
    }
    let live = blocks(live).map(|it| it.summary());
    list(archived.into_iter().chain(live))
}

/// Returns the number of blocks signed per minting key, the smallest first.
fn signers(state: &State, request: &Request) -> Result<Body, Refusal> {
    let addresses = request.list("address");
    valid_addresses(addresses.iter().copied())?;
    let paging = Paging::of(request)?;
    let count = |key: &str| state.chain.signed_by(&[key]).len();
    let null_account = json!({
        "blockCount": count(NULL_KEY),
        "mintingAccountPublicKey": NULL_KEY,
        "mintingAccount": NULL_ACCOUNT,
    });
    let shares = state.chain.reward_shares.iter().map(|share| {
        json!({
            "blockCount": count(share.text("rewardSharePublicKey")),
            "mintingAccountPublicKey": share.at("minterPublicKey"),
            "mintingAccount": share.at("mintingAccount"),
            "rewardSharePublicKey": share.at("rewardSharePublicKey"),
            "recipientAccount": share.at("recipient"),
        })
    });
    let mut rows: Vec<Value> = std::iter::once(null_account)
        .chain(shares)
        .filter(|row| row.number("blockCount") > 0)
        .filter(|row| addresses.is_empty() || addresses.contains(&row.text("mintingAccount")))
        .collect();
    rows.sort_by_cached_key(|row| row.number("blockCount"));
    list(paging.apply(rows))
}

/// Returns summaries for at most two of start, end and count. The end is exclusive. Without start and end, the newest block is left out.
fn summaries(state: &State, request: &Request) -> Result<Body, Refusal> {
    let (start, end, count) = (
        request.int("start")?,
        request.int("end")?,
        request.int("count")?,
    );
    let mut numbers = [start, end, count].into_iter().flatten();
    refuse_if(numbers.any(|it| it < 1), ApiError::INVALID_CRITERIA)?;
    let tip = state.chain.height();
    let (first, after_last) = match (start, end, count) {
        (Some(_), Some(_), Some(_)) => return Err(ApiError::INVALID_CRITERIA.into()),
        (Some(start), Some(end), None) => (start, end),
        (Some(start), None, count) => (
            start,
            start.saturating_add(count.unwrap_or(DEFAULT_SUMMARIES)),
        ),
        (None, Some(end), count) => (end - count.unwrap_or(DEFAULT_SUMMARIES), end),
        (None, None, Some(count)) => (tip - count, tip),
        (None, None, None) => (1, 1 + DEFAULT_SUMMARIES),
    };
    // The first missing height ends the list, so a start below 1 makes it empty.
    let blocks = (first..after_last).map_while(|height| state.chain.block(height));
    list(blocks.map(|block| block.summary()))
}

/// Returns the recorded online accounts of a block. The Core first collects all names in a map by owner, which fails if an account owns two
/// names. The list is then empty (`Blocks.getDecodedOnlineAccountsForBlock`).
fn online_accounts(state: &State, request: &Request) -> Result<Body, Refusal> {
    let height = request.capture_int("height")?;
    state.chain.block(height).ok_or(ApiError::BLOCK_UNKNOWN)?;
    let mut owners = BTreeSet::new();
    let mut names = state.chain.names.iter();
    if !names.all(|name| owners.insert(name.text("owner"))) {
        return empty_list();
    }
    let recorded = state.chain.facts.at("onlineAccounts");
    list(recorded.rows(&height.to_string()).iter().cloned())
}
