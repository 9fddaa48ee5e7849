//! A transaction of any type, in the form of answers.

use qortal_client::api::transactions::{ApprovalStatus, Transaction};
use qortal_types::{Address, Amount, AssetId, Height, Timestamp, TransactionType};
use serde_json::Value as Json;
use tool_schema::{JsonWriter, Object, Output, schema_with_type};

use crate::{
    declare::{Detail, Full, TransactionId},
    family::transactions::narrate::narrate,
    support::{
        labels::Labels,
        primary_names::PrimaryNames,
        untrusted::{Untrusted, beginning, plain, write_untrusted},
    },
};

record! {
    pub(crate) struct TransactionInfo
        from(it: Transaction, detail: Detail, names: &PrimaryNames, labels: &Labels)
    {
        /// The short form of its signature, or the signature while unconfirmed. Tools accept both.
        transaction: TransactionId = (&it).into(),
        /// Its signature in Base58. Only with `detail` full.
        signature: Full<Option<String>> = Full(it.signature.as_ref().map(ToString::to_string)),
        /// Its type.
        r#type: String = it.transaction_type.to_string(),
        /// The time of its creation.
        timestamp: Timestamp,
        /// A sentence about its effect.
        text: Untrusted = narrate(&it, &|address| names.label(address), labels).into(),
        /// The creator. The null account for the genesis block and automated transactions.
        creator_address: Option<Address>,
        /// The recipient, in types with one.
        recipient: Option<Address>,
        /// The moved or requested amount, in the asset's unit.
        // A message without money has an amount of zero.
        amount: Option<Amount> = it.amount().filter(|it| *it != Amount::ZERO),
        /// The asset of the amount. Absent if it is QORT.
        asset_id: Option<AssetId> = asset_id(&it),
        /// Its fee in QORT.
        fee: Option<Amount>,
        /// The block it is in. Absent while it is unconfirmed.
        block_height: Option<Height>,
        /// The group it is meant for. Absent if there is none.
        tx_group_id: Option<u32> = Some(it.group_id).filter(|it| *it != 0),
        /// The group's name.
        tx_group_name: Option<Untrusted> = labels.groups.get(it.group_id),
        /// The state of its approval by the group. Absent if none is needed.
        approval_status: Option<String> = shown_approval(it.approval_status.as_ref()),
        /// The block of the decision.
        approval_height: Option<Height>,
        /// Another transaction of its creator, or any other bytes of the same length. Only with `detail` full.
        reference: Option<String> = it.reference.filter(|_| detail == Detail::Full),
        /// The fields of this type, by the names of the Core. Only with `detail` full.
        details: Option<Details> = (detail == Detail::Full).then_some(Details {
            transaction_type: it.transaction_type,
            members: it.details,
        })
    }
}

fn asset_id(it: &Transaction) -> Option<AssetId> {
    let id = it.details.get("assetId").and_then(Json::as_u64);
    id.filter(|it| *it != 0).map(AssetId::new)
}

/// Returns the approval status to show. Most transactions need no approval, which is not worth a field.
pub(crate) fn shown_approval(status: Option<&ApprovalStatus>) -> Option<String> {
    status
        .filter(|it| **it != ApprovalStatus::NotRequired)
        .map(ToString::to_string)
}

/// The fields that only one type of transaction has. Text written by its creator is cleaned and marked.
#[derive(Debug)]
pub(crate) struct Details {
    pub(crate) transaction_type: TransactionType,
    pub(crate) members: Object,
}

/// Maximum number of elements shown of one list: payments, options of a poll.
const ELEMENTS_SHOWN: usize = 50;
/// Maximum number of characters shown of one Base58 text. A message can have 4,000 bytes.
const CHARACTERS_SHOWN: usize = 1_000;

/// Fields that the Core itself writes: keys, addresses, amounts, constants (`TransactionData` and its subclasses).
const OWN_WORDS: &str = "\
    aTAddress admin amount approvalThreshold atAddress chatReference compression creationBytes \
    dataType invitee member message metadataHash method newApprovalThreshold newOwner offender \
    orderId owner pendingSignature presenceType price quantity recipient secret seller sender \
    sharePercent target timestampSignature";

impl<M> Output<M> for Details {
    fn schema() -> Object {
        schema_with_type("object")
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        // Base58-encoded bytes in this type, and text written by the owner in all others.
        let data_is_bytes = matches!(
            self.transaction_type,
            TransactionType::Arbitrary | TransactionType::Message | TransactionType::Chat
        );
        write_members(&self.members, member, data_is_bytes, json);
    }
}

fn write_members(members: &Object, path: &str, data_is_bytes: bool, json: &mut JsonWriter) {
    json.object(|json| {
        for (name, value) in members {
            let name = plain(name, path, &mut json.notes);
            json.begin_field(&name);
            write_cleaned(value, &format!("{path}.{name}"), data_is_bytes, json);
        }
    });
}

fn write_cleaned(value: &Json, path: &str, data_is_bytes: bool, json: &mut JsonWriter) {
    match value {
        Json::Array(_) | Json::Object(_) if json.depth() >= JsonWriter::DEEPEST => json.null(),
        Json::Object(members) => write_members(members, path, data_is_bytes, json),
        Json::Array(items) => {
            if items.len() > ELEMENTS_SHOWN {
                json.notes.add(format!(
                    "{path} was cut at {ELEMENTS_SHOWN} of {} elements.",
                    items.len()
                ));
            }
            json.array(|json| {
                for item in items.iter().take(ELEMENTS_SHOWN) {
                    json.begin_item();
                    write_cleaned(item, path, data_is_bytes, json);
                }
            });
        }
        Json::String(text) => {
            let name = path.rsplit('.').next().unwrap_or(path);
            let is_own = OWN_WORDS.split(' ').any(|it| it == name)
                || name.ends_with("PublicKey")
                || (data_is_bytes && name == "data");
            if !is_own {
                return write_untrusted(text, path, json);
            }
            let shown = beginning(text, CHARACTERS_SHOWN, path, &mut json.notes);
            json.string(shown);
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => json.value(value),
    }
}
