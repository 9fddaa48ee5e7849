//! Blocks made on demand, since the main network has millions.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{
    calendar::{Calendar, QUIET, TIP},
    {Block, NULL_KEY, Part, Row, amount_text, letters, pseudo_random},
};
use crate::codec::{base58_decode, base58_encode};

/// Number of blocks outside the archive.
const LIVE: i64 = 1_450;
/// Interval of reward payments in blocks. Only the last blocks before a payment, and the block with it, have online accounts.
const BATCH: i64 = 1_000;
const WITH_ACCOUNTS: i64 = 25;
/// Length of a block's signature in bytes, and the position of the height in it.
const SIGNATURE: usize = 128;
const HEIGHT: std::ops::Range<usize> = 1..9;
/// The sequence of the generated values.
const SEQUENCE: u64 = 114;
/// The lowest level of minters that sign blocks.
const LOWEST_SIGNER: i64 = 5;
/// The field with the key of a signer.
const KEY: &str = "rewardSharePublicKey";
/// Step through the signers, which looks random.
const STEP: i64 = 37;
/// Length of a period of online accounts in ms. A block's period may begin up to half a minute after the block.
const PERIOD: i64 = 600_000;

/// Per height: the number of transactions, the number of those made by automated transactions, and the fees.
type Contents = HashMap<i64, (i64, i64, i64)>;

/// All blocks up to the tip.
#[derive(Debug, Clone)]
pub(crate) struct MadeBlocks {
    calendar: Calendar,
    pub(crate) tip: i64,
    contents: Part<Contents>,
    /// Contents of the blocks since the start.
    added: Contents,
    /// Number of online minters.
    online: Part<usize>,
    /// Rows of the signers, in turn.
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

    /// Returns the block at a height of the chain.
    pub(crate) fn block(&self, height: i64) -> Option<Block> {
        (1..=self.tip).contains(&height).then(|| self.made(height))
    }

    /// Returns the block with a signature.
    pub(crate) fn by_signature(&self, signature: &str) -> Option<Block> {
        if signature == GENESIS_SIGNATURE {
            return self.block(1);
        }
        let bytes = base58_decode(signature)?;
        let height = i64::from_be_bytes(bytes.get(HEIGHT)?.try_into().ok()?);
        self.block(height).filter(|it| it.signature() == signature)
    }

    /// Returns the newest block at or before a time.
    pub(crate) fn at(&self, time: i64) -> Option<Block> {
        self.block(self.calendar.height_at(time).min(self.tip))
    }

    /// Returns the heights of the blocks signed by one of the keys.
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

    /// Returns the timestamp of the next block.
    pub(crate) fn next_time(&self) -> i64 {
        self.calendar.time(self.tip + 1)
    }

    /// Returns the number of blocks since the start.
    pub(crate) fn since_start(&self) -> i64 {
        self.tip - TIP
    }

    /// Counts a transaction in a block after the start.
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

    /// Returns the contents of a block. The newest blocks are empty, so no transaction is read for them.
    fn contents(&self, height: i64) -> (i64, i64, i64) {
        if height > TIP - QUIET {
            self.added.get(&height).copied().unwrap_or_default()
        } else {
            self.contents.get(&height).copied().unwrap_or_default()
        }
    }
}

/// The signature of the first block, which appears in an example.
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

/// Returns the index of the signer at a height.
fn place(height: i64, signers: usize) -> usize {
    usize::try_from(height * STEP % wide(signers).max(1)).unwrap_or_default()
}

/// Converts a count.
fn wide(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns pseudo-random Base58 of 64 bytes without encoding them. The first of 88 letters counts 1.
fn signature(height: i64) -> String {
    letters(SEQUENCE, height, 88)
}

/// Returns pseudo-random Base58 of 32 bytes.
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
