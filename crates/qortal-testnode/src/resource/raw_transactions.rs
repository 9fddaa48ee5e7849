//! Serialized transactions: `/transactions/signature/{s}/raw` and the POST requests that compute without a key.
//!
//! Of the Core's 38 layouts only the payment's is implemented (`PaymentTransactionTransformer`). The others are rejected as
//! untransformable.

use serde_json::{Value, json};

use crate::{
    chain::amount_text,
    codec::{address_of, base58_decode, base58_encode},
    resource::{ApiError, Body, Endpoint, Refusal, Request, Row, State, refuse_if, transactions},
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/transactions/signature/{signature}/raw", raw),
    Endpoint::post("/transactions/decode", decode),
    Endpoint::post("/transactions/fee", fee),
    Endpoint::post("/transactions/convert", convert),
];

/// Number of the payment type.
const PAYMENT: i32 = 2;
/// Length of a payment without its signature, in bytes.
const UNSIGNED: usize = 4 + 8 + 4 + 64 + 32 + 25 + 8 + 8;

fn raw(state: &State, request: &Request) -> Result<Body, Refusal> {
    let row = transactions::named(state, request)?;
    let bytes = serialized(row).ok_or(ApiError::INVALID_DATA)?;
    Ok(Body::Text(base58_encode(&bytes)))
}

/// Serializes a payment with its signature.
fn serialized(row: &Value) -> Option<Vec<u8>> {
    if row.text("type") != "PAYMENT" {
        return None;
    }
    let mut bytes = PAYMENT.to_be_bytes().to_vec();
    bytes.extend(row.number("timestamp").to_be_bytes());
    bytes.extend(i32::try_from(row.number("txGroupId")).ok()?.to_be_bytes());
    bytes.extend(base58_decode(row.text("reference"))?);
    bytes.extend(base58_decode(row.text("senderPublicKey"))?);
    bytes.extend(base58_decode(row.text("recipient"))?);
    bytes.extend(row.amount("amount").to_be_bytes());
    bytes.extend(row.amount("fee").to_be_bytes());
    bytes.extend(base58_decode(row.text("signature"))?);
    Some(bytes)
}

/// Deserializes a payment, whose signature may be missing.
fn deserialized(bytes: &[u8]) -> Option<Value> {
    let (kind, rest) = bytes.split_first_chunk::<4>()?;
    let (timestamp, rest) = rest.split_first_chunk::<8>()?;
    let (group, rest) = rest.split_first_chunk::<4>()?;
    let (reference, rest) = rest.split_first_chunk::<64>()?;
    let (sender, rest) = rest.split_first_chunk::<32>()?;
    let (recipient, rest) = rest.split_first_chunk::<25>()?;
    let (amount, rest) = rest.split_first_chunk::<8>()?;
    let (fee, signature) = rest.split_first_chunk::<8>()?;
    if i32::from_be_bytes(*kind) != PAYMENT || !(signature.is_empty() || signature.len() == 64) {
        return None;
    }
    let signature = (!signature.is_empty()).then(|| base58_encode(signature));
    let row = json!({
        "type": "PAYMENT",
        "timestamp": i64::from_be_bytes(*timestamp),
        "reference": base58_encode(reference),
        "fee": amount_text(i64::from_be_bytes(*fee)),
    });
    let row = row
        .with_some("signature", signature)
        .with("txGroupId", i32::from_be_bytes(*group))
        .with("recipient", base58_encode(recipient))
        .with("creatorAddress", address_of(sender))
        .with("senderPublicKey", base58_encode(sender))
        .with("amount", amount_text(i64::from_be_bytes(*amount)));
    Some(row)
}

/// Returns the decoded Base58 string in a request's body.
fn text_body(request: &Request) -> Result<Option<Vec<u8>>, Refusal> {
    let content_type = request.header("content-type").unwrap_or_default();
    if !content_type.starts_with("text/plain") {
        return Err(Refusal::Page(415));
    }
    refuse_if(request.body.is_empty(), ApiError::JSON)?;
    Ok(std::str::from_utf8(&request.body)
        .ok()
        .and_then(base58_decode))
}

fn decode(_: &State, request: &Request) -> Result<Body, Refusal> {
    let bytes = text_body(request)?.ok_or(ApiError::INVALID_DATA)?;
    Ok(Body::Json(
        deserialized(&bytes).ok_or(ApiError::INVALID_DATA)?,
    ))
}

/// Returns the fee of an unsigned transaction. Invalid Base58 crashes the Core here.
fn fee(_: &State, request: &Request) -> Result<Body, Refusal> {
    let bytes = text_body(request)?.ok_or(Refusal::CRASH)?;
    let row = deserialized(&bytes).ok_or(ApiError::INVALID_DATA)?;
    Ok(Body::Scalar(row.amount("fee").to_string()))
}

/// Returns the bytes to sign of an unsigned transaction, which are the same for a payment.
fn convert(_: &State, request: &Request) -> Result<Body, Refusal> {
    let bytes = text_body(request)?.ok_or(Refusal::CRASH)?;
    deserialized(&bytes).ok_or(ApiError::INVALID_DATA)?;
    Ok(Body::Text(base58_encode(
        bytes.get(..UNSIGNED).unwrap_or(&bytes),
    )))
}
