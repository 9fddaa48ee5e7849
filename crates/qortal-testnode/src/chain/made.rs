//! Blocks that are made when they are asked for: the main network has millions.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{
    calendar::{Calendar, QUIET, TIP},
    {Block, NULL_KEY, Part, Row, amount_text, letters, pseudo_random},
};
use crate::codec::{base58_decode, base58_encode};

/// Blocks that are not in the archive yet.
const LIVE: i64 = 1_450;
/// Rewards are paid once in so many blocks, and only the last ones of them and the one with the payment have online accounts.
const BATCH: i64 = 1_000;
const WITH_ACCOUNTS: i64 = 25;
/// Bytes of a block's signature, and where its height is in it.
const SIGNATURE: usize = 128;
const HEIGHT: std::ops::Range<usize> = 1..9;
/// Which sequence is drawn from.
const SEQUENCE: u64 = 114;
/// Who mints with this level or a higher one signs blocks.
const LOWEST_SIGNER: i64 = 5;
/// The member that names the key of a signer.
const KEY: &str = "rewardSharePublicKey";
/// A step through the signers that looks like none.
const STEP: i64 = 37;
/// A block takes the online accounts of the period that begins up to half a minute later.
const PERIOD: i64 = 600_000;

/// How many transactions a block has, how many of them automated ones made, and what fees they paid.
type Contents = HashMap<i64, (i64, i64, i64)>;

/// All blocks up to the tip.
#[derive(Debug, Clone)]
pub(crate) struct MadeBlocks {
    calendar: Calendar,
    pub(crate) tip: i64,
    contents: Part<Contents>,
    /// The same of blocks since the start.
    added: Contents,
    /// How many minters are online.
    online: Part<usize>,
    /// The rows of those who sign in turn.
    signers: Part<Vec<Value>>,
}

impl MadeBlocks {
    pub(crate) fn new(
        calendar: Calendar,
        transactions: Part<Vec<Value>>,
        online: Part<Vec<Value>>,
    ) -> Self {
        Self {
            calendar,
            tip: TIP,
            contents: Part::later(move || contents(&transactions)),
            added: Contents::new(),
            signers: {
                let online = online.clone();
                Part::later(move || online.iter().filter(|it| signs(it)).cloned().collect())
            },
            online: Part::later(move || online.len()),
        }
    }

    /// The block at a height that the chain has.
    pub(crate) fn block(&self, height: i64) -> Option<Block> {
        (1..=self.tip).contains(&height).then(|| self.made(height))
    }

    /// The block with a signature.
    pub(crate) fn by_signature(&self, signature: &str) -> Option<Block> {
        if signature == GENESIS_SIGNATURE {
            return self.block(1);
        }
        let bytes = base58_decode(signature)?;
        let height = i64::from_be_bytes(bytes.get(HEIGHT)?.try_into().ok()?);
        self.block(height).filter(|it| it.signature() == signature)
    }

    /// The newest block that is not younger than a moment.
    pub(crate) fn at(&self, time: i64) -> Option<Block> {
        self.block(self.calendar.height_at(time).min(self.tip))
    }

    /// The heights of the blocks that one of some keys signed.
    pub(crate) fn signed_by(&self, keys: &[&str]) -> Vec<i64> {
        let count = self.signers.len();
        let is_theirs = |turn: &i64| {
            let signer = self.signers.get(place(*turn, count));
            signer.is_some_and(|it| keys.contains(&it.text(KEY)))
        };
        let turns = (0..wide(count)).filter(is_theirs);
        let heights = turns.flat_map(|turn| (turn..=self.tip).step_by(count.max(1)));
        let mut heights: Vec<i64> = heights.filter(|height| *height > 1).collect();
        heights.sort_unstable();
        heights
    }

    pub(crate) fn is_archived(&self, height: i64) -> bool {
        (2..=TIP - LIVE).contains(&height)
    }

    /// The timestamp of the block that comes next.
    pub(crate) fn next_time(&self) -> i64 {
        self.calendar.time(self.tip + 1)
    }

    /// Number of blocks since the start.
    pub(crate) fn since_start(&self) -> i64 {
        self.tip - TIP
    }

    /// Counts a transaction in a block that came after the start.
    pub(crate) fn hold(&mut self, height: i64, transaction: &Value) {
        count(&mut self.added, height, transaction);
    }

    fn made(&self, height: i64) -> Block {
        let row = if height == 1 {
            self.first()
        } else {
            self.row(height)
        };
        Block::new(height, row, self.is_archived(height)).with_online_signatures(signature(height))
    }

    fn first(&self) -> Value {
        let (count, ..) = self.contents(1);
        json!({
            "signature": GENESIS_SIGNATURE,
            "version": 4,
            "reference": "1".repeat(SIGNATURE),
            "transactionCount": count,
            "totalFees": "0.00000000",
            "transactionsSignature": signature(0),
            "height": 1,
            "timestamp": self.calendar.time(1),
            "minterPublicKey": NULL_KEY,
            "minterSignature": signature(1),
            "atCount": 0,
            "atFees": "0.00000000",
            "onlineAccountsCount": 0,
            "minterAddress": "Unknown",
            "minterLevel": 0,
        })
    }

    fn row(&self, height: i64) -> Value {
        let (count, at_count, fees) = self.contents(height);
        let time = self.calendar.time(height);
        let minter = self.signers.get(place(height, self.signers.len()));
        let online = match height % BATCH {
            place if place == 0 || place >= BATCH - WITH_ACCOUNTS => *self.online,
            _ => 0,
        };
        let reference = match height {
            2 => GENESIS_SIGNATURE.to_owned(),
            _ => signature_at(height - 1),
        };
        let row = json!({
            "signature": signature_at(height),
            "version": 4,
            "reference": reference,
            "transactionCount": count,
            "totalFees": amount_text(fees),
            "height": height,
            "timestamp": time,
            "minterPublicKey": minter.map(|it| it.text(KEY)),
            "atCount": at_count,
            "atFees": "0.00000000",
            "encodedOnlineAccounts": if online == 0 { String::new() } else { digest(height) },
            "onlineAccountsCount": online,
            "onlineAccountsTimestamp": (time + 30_000).div_euclid(PERIOD) * PERIOD,
            "minterAddress": minter.map(|it| it.text("minterAddress")),
            "minterLevel": minter.map(|it| it.number("minterLevel")),
        });
        if online == 0 || height % BATCH == 0 {
            row.without("onlineAccountsTimestamp")
        } else {
            row
        }
    }

    /// The newest ones are empty: for them no transaction needs to be looked at.
    fn contents(&self, height: i64) -> (i64, i64, i64) {
        if height > TIP - QUIET {
            self.added.get(&height).copied().unwrap_or_default()
        } else {
            self.contents.get(&height).copied().unwrap_or_default()
        }
    }
}

/// The signature of the first block, which an example names.
const GENESIS_SIGNATURE: &str = "MSaUg4zA1MRLRqiy6Dwv6aSfdF7xH2avy57KXby8u7fvkUieF4f1Ap3FjezV39cDt9ofcywxBFqEurADof97vfuHgnapNs9pCXKoa3vAJzLpBv6uUPW5Msc7kbctqjE61ycHV19BfkYaQ3f4E1Pxx7HVuqc2S5bqdmx7kvcMCdLm8wr";

fn signature_at(height: i64) -> String {
    let mut bytes = pseudo_random(height, SEQUENCE, SIGNATURE);
    let place = bytes.iter_mut().skip(HEIGHT.start);
    for (byte, of_height) in place.zip(height.to_be_bytes()) {
        *byte = of_height;
    }
    base58_encode(&bytes)
}

fn signs(online: &Value) -> bool {
    online.number("minterLevel") >= LOWEST_SIGNER
}

/// Whose turn it is at a height.
fn place(height: i64, signers: usize) -> usize {
    usize::try_from(height * STEP % wide(signers).max(1)).unwrap_or_default()
}

/// A count as a number.
fn wide(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Base58 of 64 bytes that look random, without the work of encoding them: of 88 letters the first counts 1.
fn signature(height: i64) -> String {
    letters(SEQUENCE, height, 88)
}

/// Base58 of 32 such bytes.
fn digest(height: i64) -> String {
    letters(SEQUENCE, height, 44)
}

fn contents(transactions: &[Value]) -> Contents {
    let mut contents = Contents::new();
    let confirmed = |row: &&Value| row.number("blockHeight") > 0;
    for row in transactions.iter().filter(confirmed) {
        count(&mut contents, row.number("blockHeight"), row);
    }
    contents
}

/// Counts a transaction in its block.
fn count(contents: &mut Contents, height: i64, row: &Value) {
    let (count, at_count, fees) = contents.entry(height).or_default();
    *count += 1;
    *at_count += i64::from(row.text("type") == "AT");
    *fees += row.amount("fee");
}
