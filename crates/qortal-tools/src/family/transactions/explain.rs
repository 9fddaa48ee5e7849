//! One transaction explained: its effect, its state, and the next step.

use qortal_client::{
    ApiError,
    api::{
        block_time::BlockTime,
        groups::Group,
        transactions::{ApprovalStatus, Transaction},
    },
};
use qortal_types::{Address, Amount, Height, Timestamp, TransactionType, main_net::EXPIRY_MILLIS};
use serde_json::Value as Json;

use crate::{
    declare::{
        Context, Detail, Full, NodeResult, Tool, ToolError, TransactionId, TransactionRef,
        confirmations,
    },
    family::transactions::{
        info::{Details, shown_approval},
        narrate::{NULL_ACCOUNT, narrate},
        no_such_transaction,
        outlook::{Outlook, outlook},
    },
    support::{
        estimate::{about, chain},
        groups::GroupNames,
        labels::Labels,
        primary_names::PrimaryNames,
        untrusted::Untrusted,
    },
};

/// Maximum number of accounts shown. The payments of one transaction can have hundreds of recipients.
const PARTIES_SHOWN: usize = 8;
/// Fields that contain an account, each with its role (`TransactionData` and its subclasses).
const ROLES: [(&str, &str); 8] = [
    ("seller", "seller"),
    ("member", "member"),
    ("admin", "admin"),
    ("offender", "banned"),
    ("invitee", "invited"),
    ("target", "target"),
    ("newOwner", "new owner"),
    ("atAddress", "automated transaction"),
];

params! {
    pub(crate) struct ExplainTransaction {
        /// Transaction.
        signature: TransactionRef,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

record! {
    pub(crate) struct Explanation {
        /// The short form of its signature, or the signature while unconfirmed. Tools accept both.
        transaction: TransactionId,
        /// Its signature in Base58. Only with `detail` full.
        signature: Full<String>,
        /// Its type.
        r#type: String,
        /// A sentence about its effect.
        text: Untrusted,
        /// Whether it took effect, and the next step.
        state: String,
        /// The time of its creation.
        timestamp: Timestamp,
        /// The time of its removal if unconfirmed by then. Only while it is unconfirmed.
        expires: Option<Timestamp>,
        /// The factors for its confirmation. Only while it is unconfirmed.
        outlook: Option<Outlook>,
        /// The block it is in.
        block_height: Option<Height>,
        /// Blocks since and including its own. 0 while it is unconfirmed.
        confirmations: Option<u32>,
        /// Its fee in QORT.
        fee: Option<Amount>,
        /// The participating accounts.
        parties: Vec<Party>,
        /// The group it is about or meant for.
        group: Option<GroupOfTransaction>,
        /// The state of its approval by the group. Absent if none is needed.
        approval_status: Option<String>,
        /// The block of the decision.
        approval_height: Option<Height>,
        /// The text of an unencrypted message.
        message: Option<Untrusted>,
        /// The fields of this type, by the names of the Core. Only with `detail` full.
        details: Option<Details>
    }

    pub(crate) struct Party from(it: (&'static str, Address), names: &PrimaryNames) {
        /// Its role.
        role: &'static str = it.0,
        /// Its address.
        address: Address = it.1,
        /// The name it goes by.
        name: Option<Untrusted> = names.get(&it.1)
    }

    pub(crate) struct GroupOfTransaction {
        /// The group's number.
        group_id: u32,
        /// Its name. Absent if the group no longer exists.
        group_name: Option<Untrusted>
    }
}

impl Tool for ExplainTransaction {
    const NAME: &str = "explain_transaction";
    const TITLE: &str = "Explain a transaction";
    const DESCRIPTION: &str =
        "Explain what a transaction does, its parties, whether it took effect, why it waits.";
    const EXAMPLE: &str = r#"{"signature":"2sNaWjarDs8ojoXDAVyZGT8bxJZVHYaZ6zRMg6vUidpxmUWrVf9NbVRWhA6FHT9NfJZcpWxvgNNmhnybokekdjko"}"#;
    const KEYWORDS: &str = "unconfirmed, transaction stuck, why unconfirmed, what happened to transaction, explain transaction, transaction status, failed, confirm, confirmation, final";
    type Output = Explanation;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let signature = cx.signature(self.signature).await?;
        let found = cx.node.transaction(&signature).await;
        let transaction = found.error_if(ApiError::TRANSACTION_UNKNOWN, no_such_transaction)?;
        let parties = parties(&transaction);
        let group_id = group_of(&transaction);
        let outlook = async {
            match transaction.block_height {
                Some(_) => None,
                None => Some(outlook(cx, &transaction).await),
            }
        };
        let addresses = parties.iter().map(|(_, address)| *address);
        let is_pending = transaction.approval_status == Some(ApprovalStatus::Pending);
        let (chain, names, group, outlook, mut labels) = tokio::join!(
            chain(cx, "The confirmations are", is_pending),
            PrimaryNames::of(cx, addresses),
            group(cx, group_id),
            outlook,
            Labels::of_transaction(cx, &transaction),
        );
        let (tip, block_time) = chain;
        let label = |address: &str| match names.of_text(address) {
            Some(name) => format!("{name:?} ({address})"),
            None => address.to_owned(),
        };
        labels.groups = group.as_ref().map(GroupNames::from).unwrap_or_default();
        let text = narrate(&transaction, &label, &labels).into();
        let height = transaction.block_height;
        Ok(Explanation {
            transaction: TransactionId::new(height, Some(signature)),
            signature: Full(signature.to_string()),
            r#type: transaction.transaction_type.to_string(),
            text,
            state: state(
                &transaction,
                group.as_ref(),
                outlook.as_ref(),
                tip,
                block_time,
            ),
            timestamp: transaction.timestamp,
            expires: height.is_none().then(|| expiry(&transaction)),
            outlook,
            block_height: height,
            confirmations: confirmations(&transaction, tip),
            fee: transaction.fee,
            parties: parties
                .into_iter()
                .map(|it| Party::of(it, &names))
                .collect(),
            group: group_id.map(|group_id| GroupOfTransaction {
                group_id,
                group_name: group.map(|it| it.group_name.into()),
            }),
            approval_status: shown_approval(transaction.approval_status.as_ref()),
            approval_height: transaction.approval_height,
            message: message(&transaction),
            details: (self.detail == Detail::Full).then_some(Details {
                transaction_type: transaction.transaction_type,
                members: transaction.details,
            }),
        })
    }
}

/// Returns each account once, with its first role.
pub(super) fn parties(transaction: &Transaction) -> Vec<(&'static str, Address)> {
    let creator = transaction
        .creator_address
        .filter(|it| it.as_str() != NULL_ACCOUNT)
        .map(|it| ("creator", it));
    let recipient = transaction.recipient.map(|it| ("recipient", it));
    let others = ROLES.iter().filter_map(|(member, role)| {
        let address = transaction.detail(member)?.parse().ok()?;
        Some((*role, address))
    });
    let payments = transaction.details.get("payments").and_then(Json::as_array);
    let paid = payments.into_iter().flatten().filter_map(|it| {
        let address = it.get("recipient")?.as_str()?.parse().ok()?;
        Some(("recipient", address))
    });
    let mut parties: Vec<(&'static str, Address)> = Vec::new();
    for (role, address) in creator
        .into_iter()
        .chain(recipient)
        .chain(others)
        .chain(paid)
    {
        if parties.len() < PARTIES_SHOWN && parties.iter().all(|(_, known)| *known != address) {
            parties.push((role, address));
        }
    }
    parties
}

/// Returns the group that the transaction is about, or else the one it is meant for.
fn group_of(transaction: &Transaction) -> Option<u32> {
    let subject = ["groupId", "defaultGroupId"]
        .iter()
        .find_map(|member| transaction.details.get(*member)?.as_u64())
        .and_then(|it| u32::try_from(it).ok());
    subject
        .or(Some(transaction.group_id))
        .filter(|group_id| *group_id != 0)
}

async fn group(cx: &Context, group_id: Option<u32>) -> Option<Group> {
    let group = cx.node.group(group_id?).await;
    let group = group.none_if(ApiError::GROUP_UNKNOWN);
    cx.part("The group's name is", group).flatten()
}

fn expiry(transaction: &Transaction) -> Timestamp {
    let made = transaction.timestamp.millis();
    Timestamp::from_millis(made.saturating_add(EXPIRY_MILLIS))
}

fn state(
    transaction: &Transaction,
    group: Option<&Group>,
    outlook: Option<&Outlook>,
    tip: Option<Height>,
    block_time: Option<BlockTime>,
) -> String {
    let Some(height) = transaction.block_height else {
        let when = outlook.map_or_else(String::new, |it| format!(" {}", it.text(transaction, tip)));
        return format!(
            "It is not in a block yet and has no effect.{when} It is dropped at {} if it is not in one by then.",
            expiry(transaction)
        );
    };
    let by_group = transaction.group_id;
    let decided = transaction
        .approval_height
        .map_or_else(String::new, |it| format!(" in block {it}"));
    let until = transaction
        .approval_height
        .map_or_else(String::new, |it| format!(", that is before block {it}"));
    match &transaction.approval_status {
        None | Some(ApprovalStatus::NotRequired) => {
            format!("It is in block {height} and took effect there.")
        }
        Some(ApprovalStatus::Pending) => {
            let deadline = group.filter(|it| it.group_id == by_group).map_or_else(
                || "before its time is over".to_owned(),
                |it| {
                    let last = height.number().saturating_add(it.maximum_block_delay);
                    let left = tip.map(|tip| last.saturating_sub(tip.number()));
                    let time = left
                        .zip(block_time)
                        .map_or_else(String::new, |(left, time)| {
                            let millis = time.millis_of(left);
                            format!(", in {}", about((millis, millis)))
                        });
                    format!(
                        "(threshold {}) until about block {last}{time}",
                        it.approval_threshold
                    )
                },
            );
            format!(
                "It is in block {height}, but has no effect yet: admins of group {by_group} have to approve it {deadline}."
            )
        }
        Some(ApprovalStatus::Approved) => format!(
            "It is in block {height} and took effect when group {by_group} approved it{decided}."
        ),
        Some(ApprovalStatus::Rejected) => format!(
            "It is in block {height}, but never took effect: group {by_group} rejected it{decided}."
        ),
        Some(ApprovalStatus::Expired) => format!(
            "It is in block {height}, but never took effect: group {by_group} did not decide in time{until}."
        ),
        Some(ApprovalStatus::Invalid) => format!(
            "It is in block {height}, but never took effect: it was no longer valid when group {by_group} approved it{decided}."
        ),
        Some(other) => {
            format!("It is in block {height}. Its approval by group {by_group} is {other}.")
        }
    }
}

/// Returns the text of a message, unless it is encrypted or not text.
fn message(transaction: &Transaction) -> Option<Untrusted> {
    let is = |member| transaction.details.get(member).and_then(Json::as_bool) == Some(true);
    if transaction.transaction_type != TransactionType::Message
        || !is("isText")
        || is("isEncrypted")
    {
        return None;
    }
    let data = transaction
        .detail("data")
        .filter(|it| it.len() <= LONGEST_MESSAGE)?;
    let bytes = bs58::decode(data).into_vec().ok()?;
    String::from_utf8(bytes).ok().map(Untrusted)
}

/// Number of Base58 characters of 4,000 bytes, the maximum size of a message.
const LONGEST_MESSAGE: usize = 5_500;
