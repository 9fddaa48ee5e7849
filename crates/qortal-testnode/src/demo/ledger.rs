//! The transactions of the demo: every table adds those that made its rows, and they are put in order here.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::Demo;
use super::draw::{Kind, signature};
use super::people::{Who, person};
use super::time::{QUIET, TIP};
use super::{assets, chats, deals, groups, minting, names, payments, polls, qdn};
use crate::chain::{NULL_ACCOUNT, Row, amount_text};

/// One QORT in the units in which amounts are counted.
pub(super) const QORT: i64 = 100_000_000;
/// The fee of most transactions.
pub(super) const FEE: i64 = QORT / 100;
/// The reference of those that the genesis block and automated transactions make.
const NO_REFERENCE: &str = "1111111111111111111111111111111111111111111111111111111111111111";

/// Transactions in the making.
#[derive(Debug)]
pub(super) struct Ledger {
    demo: Demo,
    rows: Vec<Value>,
}

/// All transactions, oldest first.
pub(super) fn transactions(demo: Demo) -> Vec<Value> {
    let mut ledger = Ledger {
        demo,
        rows: Vec::with_capacity(8_000),
    };
    minting::record(&mut ledger);
    payments::record(&mut ledger);
    names::record(&mut ledger);
    groups::record(&mut ledger);
    polls::record(&mut ledger);
    assets::record(&mut ledger);
    deals::record(&mut ledger);
    qdn::record(&mut ledger);
    chats::record(&mut ledger);
    ledger.in_order()
}

/// A transaction before it is written.
#[derive(Debug)]
pub(super) struct Entry {
    kind: &'static str,
    timestamp: i64,
    height: Option<i64>,
    by: Option<Who>,
    fee: i64,
    signature: Option<String>,
    approval: &'static str,
    group: i64,
    members: Value,
}

impl Ledger {
    /// A transaction that someone sent so many ms before the start, with the members of its type.
    pub(super) fn sent(&self, kind: &'static str, ago: i64, by: Who, members: Value) -> Entry {
        let height = self.demo.height_after(ago);
        Entry::new(kind, self.demo.before(ago), height, Some(by), members)
    }

    /// A transaction that the chain itself made in the block that came so many ms before the start.
    pub(super) fn made(&self, kind: &'static str, ago: i64, members: Value) -> Entry {
        let height = self.demo.height_after(ago);
        Entry::new(kind, self.demo.time(height), height, None, members)
    }

    /// A transaction of the genesis block.
    pub(super) fn genesis(&self, kind: &'static str, members: Value) -> Entry {
        Entry::new(kind, self.demo.time(1), 1, None, members)
    }

    pub(super) fn demo(&self) -> Demo {
        self.demo
    }

    /// Writes a transaction down.
    pub(super) fn add(&mut self, entry: Entry) {
        let place = i64::try_from(self.rows.len()).unwrap_or(i64::MAX);
        let signature = entry
            .signature
            .unwrap_or_else(|| signature(Kind::Transaction, place));
        let creator = entry.by.map(person);
        // Those of people follow when all are in order.
        let reference = match creator {
            Some(_) => "",
            None => NO_REFERENCE,
        };
        let mut row = json!({
            "type": entry.kind,
            "timestamp": entry.timestamp,
            "reference": reference,
            "fee": amount_text(entry.fee),
            "signature": signature,
            "txGroupId": entry.group,
        });
        if let Some(height) = entry.height {
            debug_assert!(
                height <= TIP - QUIET,
                "{} is too young for a block",
                entry.kind
            );
            row = put(row, "blockHeight", height.into());
        }
        row = put(row, "approvalStatus", entry.approval.into());
        let address = creator.map_or(NULL_ACCOUNT, |creator| creator.address.as_str());
        row = put(row, "creatorAddress", address.into());
        if let (Some(creator), Some(member)) = (creator, key_member(entry.kind)) {
            row = put(row, member, creator.key.as_str().into());
        }
        if let Value::Object(members) = entry.members {
            for (name, value) in members {
                row = put(row, &name, value);
            }
        }
        self.rows.push(row);
    }

    /// The transactions by time, each with the creator's one before as its reference.
    fn in_order(mut self) -> Vec<Value> {
        self.rows.sort_by_cached_key(|row| row.number("timestamp"));
        let mut last: HashMap<String, String> = HashMap::new();
        for row in &mut self.rows {
            let creator = row.text("creatorAddress").to_owned();
            if row.text("reference").is_empty() {
                let first = || signature(Kind::Person, row.number("timestamp"));
                let reference = last.get(&creator).cloned().unwrap_or_else(first);
                *row = put(row.take(), "reference", reference.into());
            }
            last.insert(creator, row.text("signature").to_owned());
        }
        self.rows
    }
}

impl Entry {
    fn new(
        kind: &'static str,
        timestamp: i64,
        height: i64,
        by: Option<Who>,
        members: Value,
    ) -> Self {
        Self {
            kind,
            timestamp,
            height: Some(height),
            by,
            fee: fee_of(kind),
            signature: None,
            approval: "NOT_REQUIRED",
            group: 0,
            members,
        }
    }

    /// With a signature that other rows name.
    pub(super) fn signed(mut self, signature: impl Into<String>) -> Self {
        self.signature = Some(signature.into());
        self
    }

    /// Not in a block yet.
    pub(super) fn waiting(mut self) -> Self {
        self.height = None;
        self
    }

    /// For a group whose admins have to approve it first.
    pub(super) fn pending_in(mut self, group: i64) -> Self {
        self.approval = "PENDING";
        self.group = group;
        self
    }

    pub(super) fn with_fee(mut self, fee: i64) -> Self {
        self.fee = fee;
        self
    }
}

fn put(mut row: Value, name: &str, value: Value) -> Value {
    if let Some(members) = row.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
    row
}

fn fee_of(kind: &str) -> i64 {
    match kind {
        "AT" | "GENESIS" => 0,
        "REGISTER_NAME" => 125 * FEE,
        "DEPLOY_AT" => 2 * FEE,
        _ => FEE,
    }
}

/// The member that has the public key of the creator, which each type calls differently.
fn key_member(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "PAYMENT" | "MESSAGE" | "TRANSFER_ASSET" | "ARBITRARY" => "senderPublicKey",
        "REGISTER_NAME" => "registrantPublicKey",
        "UPDATE_NAME" | "SELL_NAME" | "ADD_GROUP_ADMIN" => "ownerPublicKey",
        "BUY_NAME" => "buyerPublicKey",
        "JOIN_GROUP" => "joinerPublicKey",
        "LEAVE_GROUP" => "leaverPublicKey",
        "GROUP_INVITE" | "GROUP_KICK" | "GROUP_BAN" => "adminPublicKey",
        "VOTE_ON_POLL" => "voterPublicKey",
        "ISSUE_ASSET" => "issuerPublicKey",
        "REWARD_SHARE" => "minterPublicKey",
        "CREATE_GROUP" | "DEPLOY_AT" | "CREATE_ASSET_ORDER" | "CANCEL_ASSET_ORDER" => {
            "creatorPublicKey"
        }
        _ => return None,
    })
}
