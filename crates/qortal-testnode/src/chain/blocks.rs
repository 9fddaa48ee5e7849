//! Blocks: the recorded ones unchanged, and deterministic ones at the heights in between.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    Chain,
    row::{Row, amount_text},
};
use crate::codec::{base58_decode, base58_encode};

/// The last height in the block archive, which begins at height 2.
const LAST_ARCHIVED: i64 = 150;
/// The first height with batched rewards, where most blocks carry no online accounts.
const FIRST_BATCH: i64 = 340;
/// Number of blocks in a batch.
const BATCH: i64 = 20;
/// Fee of an ordinary transaction, in units of 10⁻⁸ QORT.
const UNIT_FEE: i64 = 1_000_000;
/// Length of one of the two halves of a block signature.
const HALF: usize = 64;

/// A block in the form of `/blocks/byheight`, without the signatures of its online accounts. A filled-in block also lacks the two halves of
/// its own signature, which take long to encode.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) height: i64,
    pub(crate) row: Value,
    /// Whether the block is in the archive, which affects several responses.
    is_archived: bool,
    /// The recorded signatures of the online accounts. Missing ones are generated on demand.
    online_signatures: Option<String>,
}

impl Block {
    pub(crate) fn new(height: i64, row: Value, is_archived: bool) -> Self {
        Self {
            height,
            row,
            is_archived,
            online_signatures: None,
        }
    }

    /// Sets the signatures of the online accounts, if there are any.
    pub(crate) fn with_online_signatures(mut self, signatures: String) -> Self {
        let has_any = self.row.number("onlineAccountsCount") > 0;
        self.online_signatures = has_any.then_some(signatures);
        self
    }

    pub(crate) fn signature(&self) -> &str {
        self.row.text("signature")
    }

    pub(crate) fn timestamp(&self) -> i64 {
        self.row.number("timestamp")
    }

    pub(crate) fn is_archived(&self) -> bool {
        self.is_archived
    }

    /// Returns the block with or without the signatures of its online accounts.
    pub(crate) fn answer(&self, with_online_signatures: bool) -> Value {
        let mut answer = self.row.clone();
        let mut add = |next: &str, name: &str, text: String| {
            let members = answer.as_object_mut()?;
            let place = members.keys().position(|it| it == next)?;
            members.shift_insert(place, name.to_owned(), text.into())
        };
        if self.row.get("minterSignature").is_none() {
            // A block's signature is the minter's signature followed by the transactions' signature.
            let signature = base58_decode(self.signature()).unwrap_or_default();
            let (minter, transactions) = signature.split_at_checked(HALF).unwrap_or_default();
            add(
                "height",
                "transactionsSignature",
                base58_encode(transactions),
            );
            add("atCount", "minterSignature", base58_encode(minter));
        }
        let signatures = with_online_signatures.then(|| self.online_signatures());
        if let Some(signatures) = signatures.flatten() {
            add("minterAddress", "onlineAccountsSignatures", signatures);
        }
        answer
    }

    /// Returns the recorded signatures, or generated ones of 64 bytes for each online account.
    fn online_signatures(&self) -> Option<String> {
        let online = usize::try_from(self.row.number("onlineAccountsCount")).unwrap_or(0);
        let drawn = || base58_encode(&pseudo_random(self.height, 1, online * HALF));
        self.online_signatures
            .clone()
            .or_else(|| (online > 0).then(drawn))
    }

    /// Returns the block in the form of `/blocks/summaries`.
    pub(crate) fn summary(&self) -> Value {
        self.row.pick(
            "height signature minterPublicKey onlineAccountsCount timestamp transactionCount reference",
        )
    }
}

/// Builds all blocks from the table of heights and the recorded blocks. `chain` has the minters of the others.
pub(super) fn assemble(heights: &[Value], recorded: &[Value], chain: &Chain) -> Vec<Block> {
    let recorded: BTreeMap<i64, &Value> = recorded
        .iter()
        .map(|block| (block.number("height"), block))
        .collect();
    let mut parent = "";
    let mut blocks = Vec::with_capacity(heights.len());
    for line in heights {
        let height = line.number("height");
        let is_archived = (2..=LAST_ARCHIVED).contains(&height);
        blocks.push(match recorded.get(&height) {
            Some(block) => Block {
                height,
                is_archived,
                row: block.without("onlineAccountsSignatures"),
                online_signatures: block
                    .get("onlineAccountsSignatures")
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            },
            None => Block::new(height, filled(line, parent, chain), is_archived),
        });
        parent = line.text("signature");
    }
    blocks
}

fn filled(line: &Value, parent: &str, chain: &Chain) -> Value {
    let height = line.number("height");
    let online = line.number("online");
    let share = chain.share_of_key(line.text("minter"));
    // The Core's value for a deleted key.
    let minter = share.map_or("Unknown", |share| share.text("mintingAccount"));
    let row = json!({
        "signature": line.at("signature"),
        "version": 4,
        "reference": parent,
        "transactionCount": line.at("transactions"),
        "totalFees": amount_text(line.amount("atFees") + line.number("transactions") * UNIT_FEE),
        "height": height,
        "timestamp": line.at("timestamp"),
        "minterPublicKey": share.map_or("", |share| share.text("rewardSharePublicKey")),
        "atCount": line.at("ats"),
        "atFees": line.at("atFees"),
        "encodedOnlineAccounts": encoded_online_accounts(online),
        "onlineAccountsCount": online,
        "onlineAccountsTimestamp": online_period(line.number("timestamp")),
        "minterAddress": minter,
        "minterLevel": chain.effective_level(minter),
    });
    let is_payout = height >= FIRST_BATCH && height % BATCH == 0;
    if online == 0 || is_payout {
        row.without("onlineAccountsTimestamp")
    } else {
        row
    }
}

/// Returns the compressed set of online accounts that was recorded for a block with the same number of them.
fn encoded_online_accounts(online: i64) -> &'static str {
    match online {
        0 => "",
        2 => "4GmR7u",
        4 => "4GmR84",
        _ => "4GmVZU",
    }
}

/// Returns the start of the ten-minute period that a block's online accounts signed. It may be up to half a minute after the block.
fn online_period(timestamp: i64) -> i64 {
    (timestamp + 30_000).div_euclid(600_000) * 600_000
}

const LETTERS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Returns pseudo-random Base58 letters at a position in a sequence. They begin with `2`, since the first of 88 letters counts 1.
pub(crate) fn letters(sequence: u64, place: i64, length: usize) -> String {
    let drawn = pseudo_random(place, sequence + 1_000, length - 1);
    let letters = drawn
        .iter()
        .filter_map(|byte| LETTERS.get(usize::from(*byte) % LETTERS.len()));
    std::iter::once('2')
        .chain(letters.map(|letter| char::from(*letter)))
        .collect()
}

/// Returns bytes that are the same for a height in every run (the SplitMix64 sequence of height and purpose).
pub(crate) fn pseudo_random(height: i64, purpose: u64, length: usize) -> Vec<u8> {
    let mut state = seed(height, purpose);
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        state = state.wrapping_add(STEP);
        bytes.extend(splitmix64(state).to_be_bytes());
    }
    bytes.truncate(length);
    bytes
}

/// The increment of the SplitMix64 state.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the first state of a sequence.
pub(super) fn seed(height: i64, purpose: u64) -> u64 {
    height.unsigned_abs().wrapping_mul(STEP) ^ purpose.rotate_left(32)
}

/// Returns the number for a state.
pub(super) fn splitmix64(state: u64) -> u64 {
    let word = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
