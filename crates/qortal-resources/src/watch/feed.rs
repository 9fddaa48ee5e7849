//! Feed of the rows in new blocks. Each row is returned once, regardless of its timestamp and of the block that holds it after a
//! reorganization.
//!
//! Comparing with the newest row of a list by time would miss rows: a transaction may wait for a block longer than a later one.

use std::collections::{HashMap, HashSet};

use qortal_tools::ToolError;
use serde_json::{Value, json};

use super::{
    change::{Change, number, text},
    reader::{MOST_ROWS, Reader, with},
};

/// Number of blocks with known contents. A deeper reorganization may cause rows to be missed or repeated. 240 blocks are four hours, a
/// cautious choice and not a rule of the chain.
const DEEPEST: u32 = 240;

/// A list of items in blocks.
#[derive(Debug, Clone)]
pub(super) struct Listing {
    pub(super) tool: &'static str,
    /// The arguments that select the owner of the rows.
    pub(super) arguments: Value,
    /// The field with the height of a row's block.
    pub(super) height: &'static str,
    /// The arguments for the first block and for the number of blocks.
    pub(super) window: [&'static str; 2],
}

/// The block identifying a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    height: u32,
    signature: String,
}

/// A list and the position of its last read row.
#[derive(Debug)]
pub(super) struct Feed {
    listing: Listing,
    tip: Block,
    /// Heights of the rows in the last blocks, by signature.
    known: HashMap<String, u32>,
}

/// Rows not returned by the feed yet.
#[derive(Debug)]
pub(super) struct Fresh {
    /// The rows, by block and by time within each.
    pub(super) rows: Vec<Value>,
    /// The highest replaced block.
    pub(super) replaced: u32,
    is_cut: bool,
    tip: Block,
}

impl Feed {
    /// Starts a feed after the last block.
    pub(super) async fn begin(reader: Reader<'_>, listing: Listing) -> Result<Self, ToolError> {
        let tip = last_block(reader).await?;
        let mut feed = Self {
            listing,
            known: HashMap::new(),
            tip,
        };
        let (rows, _) = feed.window(reader, feed.back(), feed.tip.height).await?;
        feed.know(&rows);
        Ok(feed)
    }

    /// Returns the last height read by the feed.
    pub(super) const fn height(&self) -> u32 {
        self.tip.height
    }

    /// Reads the new rows. The feed's position does not change until they are [accepted](Self::accept).
    pub(super) async fn read(&self, reader: Reader<'_>) -> Result<Option<Fresh>, ToolError> {
        let tip = last_block(reader).await?;
        // A shorter chain will grow, and is read then.
        if tip == self.tip || tip.height < self.tip.height {
            return Ok(None);
        }
        let is_continued = tip.height > self.tip.height && {
            let arguments = json!({"height": self.tip.height, "detail": "full"});
            let same_height = reader.known("get_block_by_height", arguments).await?;
            Block::of(&same_height) == self.tip
        };
        let first = if is_continued {
            self.tip.height.saturating_add(1)
        } else {
            self.back()
        };
        let (rows, is_cut) = self.window(reader, first, tip.height).await?;
        let mut seen: HashSet<&str> = self.known.keys().map(String::as_str).collect();
        let fresh = rows.iter().filter(|row| seen.insert(text(row, SIGNATURE)));
        let mut rows: Vec<Value> = fresh.cloned().collect();
        rows.sort_by_key(|row| number(row, self.listing.height));
        Ok(Some(Fresh {
            rows,
            replaced: if is_continued { 0 } else { self.tip.height },
            is_cut,
            tip,
        }))
    }

    /// Advances past the read rows. Returns a change that reports omitted rows, if there were any.
    pub(super) fn accept(&mut self, fresh: &Fresh) -> Option<Change> {
        let tool = self.listing.tool;
        let since = self.tip.height;
        self.tip = fresh.tip.clone();
        self.know(&fresh.rows);
        let back = self.back();
        self.known.retain(|_, height| *height >= back);
        let text = format!(
            "More came since block {since} than the {MOST_ROWS} rows that are read at once. The older ones are left out; {tool} has them."
        );
        let facts = json!({"since": since, "tool": tool});
        fresh.is_cut.then(|| Change::new("left_out", text, &facts))
    }

    /// Returns the first block that a reorganization may replace.
    fn back(&self) -> u32 {
        self.tip.height.saturating_sub(DEEPEST - 1).max(1)
    }

    fn know(&mut self, rows: &[Value]) {
        let height = self.listing.height;
        let keys = rows.iter();
        let keys = keys.map(|row| (text(row, SIGNATURE).to_owned(), number(row, height)));
        self.known.extend(keys);
    }

    /// Returns the rows of some blocks, the oldest first, and whether more exist.
    async fn window(
        &self,
        reader: Reader<'_>,
        first: u32,
        last: u32,
    ) -> Result<(Vec<Value>, bool), ToolError> {
        let Listing { tool, height, .. } = self.listing;
        let [from, count] = self.listing.window;
        let blocks = last.saturating_sub(first).saturating_add(1);
        let arguments = with(self.listing.arguments.clone(), "detail", "full");
        if tool != BLOCKS {
            let arguments = with(with(arguments, from, first), count, blocks);
            let found = reader.rows(tool, arguments, |_| false).await?;
            let mut rows = found.rows;
            rows.reverse();
            return Ok((rows, found.is_cut));
        }
        // Each block is one row, and the rows are in order.
        let most = u32::try_from(MOST_ROWS).unwrap_or(u32::MAX);
        let first = first.max(last.saturating_sub(most - 1));
        let arguments = with(arguments, from, first);
        let arguments = with(arguments, count, blocks.min(BLOCKS_AT_ONCE));
        let is_inside = |row: &Value| (first..=last).contains(&number(row, height));
        let is_end = |page: &[Value]| page.last().is_none_or(|it| number(it, height) >= last);
        let mut rows = reader.rows(tool, arguments, is_end).await?.rows;
        rows.retain(is_inside);
        Ok((rows, blocks > most))
    }
}

/// The tool whose rows are blocks, and its maximum number of rows.
pub(super) const BLOCKS: &str = "list_block_range";
const BLOCKS_AT_ONCE: u32 = 100;

/// The field that identifies a row.
const SIGNATURE: &str = "signature";

impl Block {
    fn of(answer: &Value) -> Self {
        Self {
            height: number(answer, "height"),
            signature: text(answer, SIGNATURE).to_owned(),
        }
    }
}

async fn last_block(reader: Reader<'_>) -> Result<Block, ToolError> {
    let arguments = json!({"detail": "full"});
    let last = reader.answer("get_last_block", arguments).await?;
    Ok(Block::of(&last))
}
