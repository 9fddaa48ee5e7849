//! `/chat`: the messages of the last day, which a node stores in memory (`ChatResource`).

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::{
    codec::base58_decode,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table,
        group_events::period, groups::membership, list, valid_address,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/chat/messages", messages),
    Endpoint::get("/chat/messages/count", count),
    Endpoint::get("/chat/message/{signature}", message),
    Endpoint::get("/chat/active/{address}", active),
    Endpoint::get("/chat/memory", memory),
    Endpoint::get("/chat/stats", sender_stats),
    Endpoint::get("/chat/groupstats", group_stats),
];

/// Encodings of message data. The first is the default, which the tables use.
const ENCODINGS: [&str; 2] = ["BASE58", "BASE64"];

/// Replaces an unknown encoding in a websocket's request by the default.
pub(crate) fn with_known_encoding(request: Request) -> Request {
    match encoding(&request) {
        Ok(_) => request,
        Err(_) => request.without("encoding"),
    }
}

/// Returns the requested encoding.
fn encoding(request: &Request) -> Result<&str, Refusal> {
    let [usual, _] = ENCODINGS;
    Ok(request.choice("encoding", &ENCODINGS)?.unwrap_or(usual))
}

/// Returns the fields for message data in this encoding.
fn encoded(row: &Value, message: &Value, encoding: &str) -> Value {
    let base58 = message.text("data");
    let data = match encoding {
        "BASE64" => BASE64.encode(&base58_decode(base58).unwrap_or_default()),
        _ => base58.to_owned(),
    };
    row.with("encoding", encoding).with("data", data)
}

/// Returns the requested messages: of one group, or between two accounts.
fn selected<'state>(
    state: &'state State,
    request: &Request,
) -> Result<Vec<&'state Value>, Refusal> {
    let group = request.int("txGroupId")?;
    let involving = request.list("involving");
    let (before, after) = period(request)?;
    match (group, involving.as_slice()) {
        (Some(_), []) => {}
        (None, [first, second]) => {
            valid_address(first)?;
            valid_address(second)?;
        }
        _ => return Err(ApiError::INVALID_CRITERIA.into()),
    }
    let (reference, chat_reference) = (request.text("reference"), request.text("chatreference"));
    for text in [reference, chat_reference].into_iter().flatten() {
        base58_decode(text).ok_or(Refusal::CRASH)?;
    }
    let has_chat_reference = request.optional_flag("haschatreference");
    let sender = request.text("sender");
    let mut rows: Vec<&Value> = state.chain.chat.iter().collect();
    rows.retain(|row| is_in_conversation(row, group, &involving));
    rows.retain(|row| before.is_none_or(|before| row.number("timestamp") < before));
    rows.retain(|row| after.is_none_or(|after| row.number("timestamp") > after));
    rows.retain(|row| sender.is_none_or(|sender| row.text("sender") == sender));
    rows.retain(|row| {
        has_chat_reference.is_none_or(|has| row.get("chatReference").is_some() == has)
    });
    // The two references are index lookups, which only find the last message.
    for (name, wanted) in [("reference", reference), ("chatReference", chat_reference)] {
        if let Some(wanted) = wanted {
            rows.retain(|row| row.text(name) == wanted);
            rows = rows.last().copied().into_iter().collect();
        }
    }
    Ok(Paging::lenient(request)?.apply(rows))
}

/// Returns `true` if a message belongs to the conversation. Messages from before the general group chat was removed do not exist, so group
/// 0 alone has none.
fn is_in_conversation(row: &Value, group: Option<i64>, involving: &[&str]) -> bool {
    match group {
        Some(group) => group != 0 && row.number("txGroupId") == group,
        None => is_between(row, involving),
    }
}

fn is_between(row: &Value, accounts: &[&str]) -> bool {
    let (sender, recipient) = (row.text("sender"), row.text("recipient"));
    !recipient.is_empty()
        && sender != recipient
        && accounts.contains(&sender)
        && accounts.contains(&recipient)
}

fn messages(state: &State, request: &Request) -> Result<Body, Refusal> {
    list(messages_of(state, request)?)
}

/// Returns the requested messages in response form.
pub(crate) fn messages_of(state: &State, request: &Request) -> Result<Vec<Value>, Refusal> {
    let encoding = encoding(request)?;
    let selected = selected(state, request)?.into_iter();
    let encoded = selected.map(|message| encoded(message, message, encoding));
    Ok(encoded.collect())
}

/// Returns the messages of the conversation after the first `count` of the node.
pub(crate) fn messages_after(state: &State, request: &Request, count: usize) -> Vec<Value> {
    let (Ok(encoding), Ok(group)) = (encoding(request), request.int("txGroupId")) else {
        return Vec::new();
    };
    let involving = request.list("involving");
    let new = state.chain.chat.iter().skip(count);
    new.filter(|row| is_in_conversation(row, group, &involving))
        .map(|message| encoded(message, message, encoding))
        .collect()
}

fn count(state: &State, request: &Request) -> Result<Body, Refusal> {
    encoding(request)?;
    Ok(Body::Scalar(selected(state, request)?.len().to_string()))
}

fn message(state: &State, request: &Request) -> Result<Body, Refusal> {
    let encoding = encoding(request)?;
    let signature = request.capture("signature");
    let found = state.chain.chat.row("signature", signature);
    let unknown = || ApiError::INVALID_CRITERIA.saying("Message not found");
    let message = found.ok_or_else(unknown)?;
    Ok(Body::Json(encoded(message, message, encoding)))
}

/// Returns the groups of an account with their last messages, the newest first, and its direct conversations.
pub(crate) fn active(state: &State, request: &Request) -> Result<Body, Refusal> {
    let encoding = encoding(request)?;
    let address = valid_address(request.capture("address"))?;
    let has_chat_reference = request.optional_flag("haschatreference");
    let messages: Vec<&Value> = state.chain.chat.matching(|row| {
        has_chat_reference.is_none_or(|has| row.get("chatReference").is_some() == has)
    });
    let groups = state.chain.groups.iter();
    let mut groups: Vec<Value> = groups
        .filter(|group| membership(state, group, address).is_some())
        .map(|group| active_group(group, &messages, encoding))
        .collect();
    // A stable sort: groups without messages keep the order of their IDs, at the end.
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.number("timestamp")));
    Ok(Body::Json(
        json!({"groups": groups, "direct": direct_conversations(state, &messages, address)}),
    ))
}

fn active_group(group: &Value, messages: &[&Value], encoding: &str) -> Value {
    let answer = group.pick("groupId groupName");
    let last = messages
        .iter()
        .rfind(|row| row.number("txGroupId") == group.number("groupId"));
    let Some(last) = last else {
        return answer.with("encoding", encoding);
    };
    let answer = answer.extended(&last.pick("timestamp sender senderName signature"));
    encoded(&answer, last, encoding)
}

/// Returns the last message with each other account. The Core returns them in no particular order, this node the oldest first.
fn direct_conversations(state: &State, messages: &[&Value], address: &str) -> Vec<Value> {
    let mut conversations: Vec<(String, &Value)> = Vec::new();
    for row in messages {
        let (sender, recipient) = (row.text("sender"), row.text("recipient"));
        let other = match (sender == address, recipient == address) {
            (true, false) if !recipient.is_empty() => recipient,
            (false, true) => sender,
            _ => continue,
        };
        conversations.retain(|(known, _)| known != other);
        conversations.push((other.to_owned(), row));
    }
    let answer = |(other, last): (String, &Value)| {
        let name = state.chain.primary_name(&other).unwrap_or(&other);
        json!({"address": other, "name": name}).extended(&last.pick("timestamp sender senderName"))
    };
    conversations.into_iter().map(answer).collect()
}

/// Returns the data of a small machine. `chatMemory` is the memory of the recorded messages.
fn memory(state: &State, _: &Request) -> Result<Body, Refusal> {
    let sizes = sizes(state, "groups").iter();
    let chat: i64 = sizes.map(|row| row.number("size")).sum();
    Ok(Body::Json(json!({
        "freeMemory": 62_776_456,
        "memoryInUse": 133_307_256,
        "totalMemory": 196_083_712,
        "maxMemory": 2_147_483_648_u64,
        "chatMemory": chat,
    })))
}

/// Returns the three recorded senders, the largest first.
fn sender_stats(state: &State, request: &Request) -> Result<Body, Refusal> {
    stats(state, request, "senders")
}

fn group_stats(state: &State, request: &Request) -> Result<Body, Refusal> {
    stats(state, request, "groups")
}

/// Returns statistics. A missing limit crashes the Core, and 0 means no limit.
fn stats(state: &State, request: &Request, kind: &str) -> Result<Body, Refusal> {
    let limit = request.int("limit")?.ok_or(Refusal::CRASH)?;
    let limit = usize::try_from(limit).unwrap_or(0);
    let limit = if limit == 0 { usize::MAX } else { limit };
    list(sizes(state, kind).iter().take(limit).cloned())
}

/// Returns the recorded message sizes, if there are messages.
fn sizes<'state>(state: &'state State, kind: &str) -> &'state [Value] {
    if state.chain.chat.is_empty() {
        return &[];
    }
    state.chain.facts.at("chatSizes").rows(kind)
}
