//! The possible meanings of a text on Qortal.

mod link;

use qortal_types::{
    Address, AddressError, AddressKind, Amount, BlockSignature, Blockchain, Name, PublicKey,
    Service, Signature, Timestamp, TransactionType,
};
use serde_json::Value;
use tool_schema::BoundedString;

use self::link::{GROUP_LINK, LINK, POLL_LINK, RESOURCE};
use crate::{
    Object,
    declare::{
        Context, Next, PLAUSIBLE_SECONDS, Tool, ToolError, TransactionRef, looks_like_an_address,
    },
};

params! {
    pub(super) struct InspectIdentifier {
        /// Text to inspect.
        text: BoundedString<1, 2_000>
    }
}

record! {
    pub(super) struct Inspected {
        /// The inspected text, without surrounding blanks.
        text: String,
        /// The most likely kind. `unknown` if nothing fits.
        kind: &'static str,
        /// All possible meanings, the likeliest first.
        meanings: Vec<Meaning>,
        /// Near kinds, each with the fault.
        near_misses: Vec<NearMiss>
    }

    pub(super) struct Meaning {
        /// The kind, such as `account address`, `public key`, `transaction signature`, `height` or `name`.
        kind: &'static str,
        /// The meaning here.
        explanation: String,
        /// The corresponding address, if it differs from the text.
        address: Option<Address>,
        /// The call for more, ready to send.
        next: Option<Next>
    }

    pub(super) struct NearMiss {
        /// The near kind.
        kind: &'static str,
        /// The fault.
        problem: String
    }
}

impl Tool for InspectIdentifier {
    const NAME: &str = "inspect_identifier";
    const TITLE: &str = "Text identification";
    const DESCRIPTION: &str = "Identify a text: address (checksum verified), key, signature, name, height, time, amount or coin, and the tool for it.";
    const EXAMPLE: &str = r#"{"text":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str = "link, qortal link, url, explorer link, what is this string, what is this, unknown string, identify, checksum, kind of text, string, address valid";
    const USES_NODE: bool = false;
    type Output = Inspected;

    async fn call(self, _: &Context) -> Result<Self::Output, ToolError> {
        let text = self.text.as_str().trim();
        let mut meanings = Vec::new();
        let mut near_misses = Vec::new();
        address(text, &mut meanings, &mut near_misses);
        link::add(text, &mut meanings, &mut near_misses);
        meanings.extend(key_or_signature(text));
        meanings.extend(transaction(text));
        meanings.extend(word(text));
        meanings.extend(number(text));
        meanings.extend(text.parse().ok().map(moment));
        // A text of a stricter form is unlikely to be a name, and one with a valid checksum cannot be a name.
        let is_strict = !meanings.is_empty() || !near_misses.is_empty();
        match text.parse::<Name>() {
            // Names may contain these characters, but such a text is a URL.
            Ok(_) if text.contains("://") => {}
            Ok(_) if meanings.iter().any(|it| CHECKED.contains(&it.kind)) => {}
            Ok(name) => meanings.push(of_name(&name)),
            Err(err) if !is_strict => near_misses.push(NearMiss {
                kind: "name",
                problem: err.to_string(),
            }),
            Err(_) => {}
        }
        let is_only_a_name = meanings.iter().all(|it| it.kind == "name");
        let kind = match (meanings.first(), near_misses.first()) {
            // A mistyped address could be a name, but that is unlikely.
            (_, Some(near)) if is_only_a_name && near.kind != "name" => "unknown",
            (Some(meaning), _) => meaning.kind,
            (None, _) => "unknown",
        };
        Ok(Inspected {
            text: text.to_owned(),
            kind,
            meanings,
            near_misses,
        })
    }
}

/// Returns a call of another tool with one argument.
fn call(tool: &'static str, parameter: &str, argument: impl Into<Value>) -> Option<Next> {
    let mut arguments = Object::new();
    arguments.insert(parameter.to_owned(), argument.into());
    Some(Next { tool, arguments })
}

fn meaning(kind: &'static str, explanation: impl Into<String>, next: Option<Next>) -> Meaning {
    Meaning {
        kind,
        explanation: explanation.into(),
        address: None,
        next,
    }
}

const ACCOUNT: &str = "account address";
const AT: &str = "automated transaction address";
const NODE: &str = "node identifier";
/// Kinds with a checksum or a scheme, which cannot be names.
const CHECKED: [&str; 7] = [ACCOUNT, AT, NODE, LINK, RESOURCE, GROUP_LINK, POLL_LINK];

fn address(text: &str, meanings: &mut Vec<Meaning>, near_misses: &mut Vec<NearMiss>) {
    match text.parse::<Address>() {
        Ok(address) if address.kind() == AddressKind::Account => meanings.push(meaning(
            ACCOUNT,
            "The address of an account (version byte 58). The checksum is valid: it is not mistyped, but it may be unused.",
            call("get_account_report", "address", address.as_str()),
        )),
        Ok(address) => meanings.push(meaning(
            AT,
            "The address of an automated transaction (version byte 23), such as a trade offer. The checksum is valid.",
            call("explain_trade", "at_address", address.as_str()),
        )),
        Err(AddressError::NodeId) => meanings.push(meaning(
            NODE,
            "The identifier of a node in the network (version byte 53). It is not an account and holds nothing.",
            None,
        )),
        Err(err @ AddressError::Checksum) => near_misses.push(NearMiss {
            kind: "address",
            problem: err.to_string(),
        }),
        Err(err @ AddressError::Version { .. }) => near_misses.push(NearMiss {
            kind: "address",
            problem: format!("{err}, such as another blockchain"),
        }),
        Err(err) if looks_like_an_address(text) => near_misses.push(NearMiss {
            kind: "address",
            problem: err.to_string(),
        }),
        Err(_) => {}
    }
}

/// Recognizes Base58 of 32, 64 or 128 bytes.
fn key_or_signature(text: &str) -> Option<Meaning> {
    if let Ok(key) = text.parse::<PublicKey>() {
        return Some(Meaning {
            address: Some(key.address()),
            ..meaning(
                "public key",
                "32 bytes in Base58: a public key, or something else of that length such as a code hash. As a key it belongs to this address.",
                call("resolve_identity", "identity", key.to_string()),
            )
        });
    }
    if let Ok(signature) = text.parse::<Signature>() {
        return Some(Meaning {
            address: Some(Address::of_at(&signature)),
            ..meaning(
                "transaction signature",
                "64 bytes in Base58: the signature of a transaction, or a reference to one. If the transaction deploys an automated transaction, that has this address.",
                call(
                    "get_transaction_by_signature",
                    "signature",
                    signature.to_string(),
                ),
            )
        });
    }
    let signature = text.parse::<BlockSignature>().ok()?;
    Some(meaning(
        "block signature",
        "128 bytes in Base58: the signature of a block.",
        call("get_block_by_signature", "signature", signature.to_string()),
    ))
}

/// Recognizes the ID of a confirmed transaction in answers.
fn transaction(text: &str) -> Option<Meaning> {
    let transaction = TransactionRef::of_text(text).filter(|_| text.contains('/'))?;
    Some(meaning(
        "transaction",
        "A transaction as answers name it: the height of its block, and the beginning of its signature or its place in the block.",
        call(
            "get_transaction_by_signature",
            "signature",
            transaction.to_string(),
        ),
    ))
}

/// Recognizes a term of the Core, in any case.
fn word(text: &str) -> Option<Meaning> {
    if let Ok(blockchain) = text.parse::<Blockchain>() {
        let symbol = blockchain.symbol().unwrap_or_default();
        return Some(meaning(
            "coin",
            format!("A coin that QORT is traded for: {blockchain}, {symbol}."),
            call("get_trade_order_book", "blockchain", blockchain.as_str()),
        ));
    }
    if let Ok(it) = text.parse::<TransactionType>() {
        return Some(meaning(
            "transaction type",
            format!("A type of transaction: {it}."),
            call("search_transactions", "tx_types", vec![it.as_str()]),
        ));
    }
    let service = text.parse::<Service>().ok()?;
    Some(meaning(
        "QDN service",
        format!("A kind of QDN resource: {service}."),
        call("search_qdn_resources", "service", service.as_str()),
    ))
}

/// Plausible times of the chain in milliseconds, 2015 to 2100.
const PLAUSIBLE_MILLIS: std::ops::Range<i64> = 1_420_000_000_000..4_102_444_800_000;
/// Plausible heights. The Core's heights are signed 32-bit numbers. A block a minute reaches this limit after 95 years.
const PLAUSIBLE_HEIGHTS: std::ops::Range<i64> = 1..50_000_000;

fn number(text: &str) -> Vec<Meaning> {
    let mut found = Vec::new();
    if let Ok(number) = text.parse::<i64>() {
        if PLAUSIBLE_MILLIS.contains(&number) {
            found.push(moment(Timestamp::from_millis(number)));
        }
        if PLAUSIBLE_SECONDS.contains(&number)
            && let Some(it) = Timestamp::from_seconds(number)
        {
            found.push(meaning(
                "timestamp in seconds",
                format!("As seconds since 1970 it is {it}. Qortal counts milliseconds, except in lock times."),
                call("get_block_at_timestamp", "timestamp", it.to_string()),
            ));
        }
        if PLAUSIBLE_HEIGHTS.contains(&number) {
            found.push(meaning(
                "height",
                format!("As a block's height. It can also be the number of a group or an asset, see get_group and get_asset_info with {number}."),
                call("get_block_by_height", "height", number),
            ));
        }
        found.push(meaning(
            "units",
            format!(
                "As units of 10^-8 it is {} coins.",
                Amount::from_units(number)
            ),
            None,
        ));
    } else if let Ok(amount) = text.parse::<Amount>() {
        found.push(meaning(
            "amount",
            format!("As coins it is {} units of 10^-8.", amount.units()),
            None,
        ));
    }
    found
}

fn moment(it: Timestamp) -> Meaning {
    meaning(
        "timestamp",
        format!("The moment {it}, {} milliseconds since 1970.", it.millis()),
        call("get_block_at_timestamp", "timestamp", it.to_string()),
    )
}

fn of_name(name: &Name) -> Meaning {
    let reduced = name.reduced();
    meaning(
        "name",
        format!(
            "It can be a registered name, reduced to {:?}. Only a node knows whether it is registered.",
            reduced.text()
        ),
        call("check_name", "name", name.as_str()),
    )
}
