//! `/blocks`: blocks by height, signature and time (`BlocksResource`). Summaries and signers are in `block_lists`.

use std::borrow::Cow;

use serde_json::Value;

use crate::{
    chain::{Block, pseudo_random},
    codec::base58_decode,
    resource::{
        ApiError, Body, Endpoint, Refusal, Request, Row, State, list, refuse_if, transactions,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/blocks/signature/{signature}", by_signature),
    Endpoint::get("/blocks/signature/{signature}/data", raw),
    Endpoint::get(
        "/blocks/signature/{signature}/transactions",
        transactions::of_block,
    ),
    Endpoint::get("/blocks/first", first),
    Endpoint::get("/blocks/last", last),
    Endpoint::get("/blocks/child/{signature}", child),
    Endpoint::get("/blocks/height", height),
    Endpoint::get("/blocks/height/{signature}", height_of),
    Endpoint::get("/blocks/byheight/{height}", by_height),
    Endpoint::get("/blocks/byheight/{height}/mintinginfo", minting_info),
    Endpoint::get("/blocks/timestamp/{timestamp}", by_timestamp),
    Endpoint::get("/blocks/range/{height}", range),
];

/// Returns the block with the signature in the path.
pub(super) fn named<'state>(
    state: &'state State,
    request: &Request,
) -> Result<Cow<'state, Block>, Refusal> {
    let signature = request.capture("signature");
    base58_decode(signature).ok_or(ApiError::INVALID_SIGNATURE)?;
    let block = state.chain.block_by_signature(signature);
    Ok(block.ok_or(ApiError::BLOCK_UNKNOWN)?)
}

fn answer(request: &Request, block: Option<Cow<'_, Block>>) -> Result<Body, Refusal> {
    let block = block.ok_or(ApiError::BLOCK_UNKNOWN)?;
    Ok(Body::Json(
        block.answer(request.flag("includeOnlineSignatures")),
    ))
}

fn by_signature(state: &State, request: &Request) -> Result<Body, Refusal> {
    answer(request, Some(named(state, request)?))
}

/// Returns the recorded raw block. Others are not stored, and an archived one only exists in another version.
fn raw(state: &State, request: &Request) -> Result<Body, Refusal> {
    let version = request.int("version")?.unwrap_or(1);
    let block = named(state, request)?;
    refuse_if(!(1..=2).contains(&version), ApiError::INVALID_CRITERIA)?;
    if block.is_archived() && version == 1 {
        let message = "Block is not stored using requested serialization version.";
        return Err(ApiError::INVALID_CRITERIA.saying(message));
    }
    let mut raw = state.chain.facts.rows("rawBlocks").iter();
    match raw.find(|raw| raw.number("height") == block.height) {
        Some(raw) if version == 1 => Ok(Body::Text(raw.text("data").to_owned())),
        _ => Err(ApiError::INVALID_DATA.into()),
    }
}

fn first(state: &State, _: &Request) -> Result<Body, Refusal> {
    let block = state.chain.block(1).ok_or(ApiError::BLOCK_UNKNOWN)?;
    Ok(Body::Json(block.answer(true)))
}

fn last(state: &State, request: &Request) -> Result<Body, Refusal> {
    answer(request, state.chain.tip())
}

/// Returns the child of a block. As on the recorded node, archived children are not found by their parent.
fn child(state: &State, request: &Request) -> Result<Body, Refusal> {
    let parent = named(state, request)?;
    let child = state.chain.block(parent.height + 1);
    match child.filter(|child| !child.is_archived()) {
        Some(child) => Ok(Body::Json(child.answer(true))),
        None => Ok(Body::Nothing),
    }
}

fn height(state: &State, _: &Request) -> Result<Body, Refusal> {
    Ok(Body::Scalar(state.chain.height().to_string()))
}

fn height_of(state: &State, request: &Request) -> Result<Body, Refusal> {
    Ok(Body::Scalar(named(state, request)?.height.to_string()))
}

fn by_height(state: &State, request: &Request) -> Result<Body, Refusal> {
    answer(request, state.chain.block(request.capture_int("height")?))
}

/// Returns the last block at or before the given time, but never the genesis block.
fn by_timestamp(state: &State, request: &Request) -> Result<Body, Refusal> {
    let timestamp = request.capture_long("timestamp")?;
    let block = state.chain.block_at(timestamp);
    answer(request, block.filter(|block| block.height > 1))
}

/// Returns `count` blocks up or down from a height. A start above the newest block returns none.
fn range(state: &State, request: &Request) -> Result<Body, Refusal> {
    let start = request.capture_int("height")?;
    let count = usize::try_from(request.int("count")?.unwrap_or(0)).unwrap_or(0);
    let with_signatures = request.flag("includeOnlineSignatures");
    let step = if request.flag("reverse") { -1 } else { 1 };
    let blocks = std::iter::successors(Some(start), |height| height.checked_add(step));
    let blocks = blocks
        .take(count)
        .map_while(|height| state.chain.block(height));
    list(blocks.map(|block| block.answer(with_signatures)))
}

/// Returns the distance of the minter's key from the block's ideal key: recorded for two heights, generated for the others.
fn minting_info(state: &State, request: &Request) -> Result<Body, Refusal> {
    const MAX_DISTANCE: &str =
        "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let height = request.capture_int("height")?;
    let block = state.chain.block(height).ok_or(ApiError::BLOCK_UNKNOWN)?;
    let parent = state.chain.block(height - 1);
    let parent = parent.ok_or(ApiError::BLOCK_UNKNOWN)?;
    let row = &block.row;
    refuse_if(row.number("minterLevel") == 0, ApiError::INVALID_DATA)?;
    let mut recorded = state.chain.facts.rows("mintingInfo").iter();
    let (distance, ratio) = match recorded.find(|info| info.number("height") == height) {
        Some(info) => (
            info.text("keyDistance").to_owned(),
            info.at("keyDistanceRatio").to_string(),
        ),
        None => drawn_distance(height),
    };
    Ok(Body::JsonText(format!(
        "{{\"minterPublicKey\":{},\"minterAddress\":{},\"minterLevel\":{},\"onlineAccountsCount\":{},\
         \"maxDistance\":\"{MAX_DISTANCE}\",\"keyDistance\":{distance},\"keyDistanceRatio\":{ratio},\
         \"timestamp\":{},\"timeDelta\":{}}}",
        row.at("minterPublicKey"),
        row.at("minterAddress"),
        row.at("minterLevel"),
        row.at("onlineAccountsCount"),
        block.timestamp(),
        block.timestamp() - parent.timestamp(),
    )))
}

/// Returns a number of 32 bytes and its ratio to the largest one.
fn drawn_distance(height: i64) -> (String, String) {
    let bytes = pseudo_random(height, 2, 32);
    let top = bytes
        .iter()
        .take(6)
        .fold(0.0, |top, byte| top * 256.0 + f64::from(*byte));
    let ratio = top / 2.0_f64.powi(48);
    (decimal(&bytes), Value::from(ratio).to_string())
}

/// Formats `bytes` as one big-endian decimal number, like Java's `BigInteger`.
fn decimal(bytes: &[u8]) -> String {
    // The least significant digit is first.
    let mut digits = vec![0_u8];
    for byte in bytes {
        let mut carry = u16::from(*byte);
        for digit in &mut digits {
            let [low, _] = ((u16::from(*digit) * 256 + carry) % 10).to_le_bytes();
            carry = (u16::from(*digit) * 256 + carry) / 10;
            *digit = low;
        }
        while carry > 0 {
            let [low, _] = (carry % 10).to_le_bytes();
            digits.push(low);
            carry /= 10;
        }
    }
    let letters = digits.iter().rev().map(|digit| char::from(b'0' + digit));
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn numbers_are_written_in_decimal() {
        assert_eq!(decimal(&[]), "0");
        assert_eq!(decimal(&[0, 0]), "0");
        assert_eq!(decimal(&[1, 0]), "256");
        assert_eq!(decimal(&[255; 16]), u128::MAX.to_string());
    }
}
