//! What new blocks bring: each row once, whatever the order of its time, and whatever block a reorganization puts it into.
//!
//! Lists by time cannot be followed by their newest row: a transaction may wait for a block longer than a later one.

use std::collections::{HashMap, HashSet};

use qortal_tools::ToolError;
use serde_json::{Value, json};

use super::{
    change::{Change, number, text},
    reader::{MOST_ROWS, Reader, with},
};

/// Blocks of which is known what was in them: a reorganization that goes back further may bring rows that are not told, or
/// told again. Four hours; a cautious choice, not a rule of the chain.
const DEEPEST: u32 = 240;

/// A list of what is in blocks.
#[derive(Debug, Clone)]
pub(super) struct Listing {
    pub(super) tool: &'static str,
    /// The arguments that say whose rows.
    pub(super) arguments: Value,
    /// The member of a row that has the height of its block.
    pub(super) height: &'static str,
    /// The arguments that name the blocks: the first, and how many.
    pub(super) window: [&'static str; 2],
}

/// A block by which a chain is told from another one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    height: u32,
    signature: String,
}

/// A list, and how far it was read.
#[derive(Debug)]
pub(super) struct Feed {
    listing: Listing,
    tip: Block,
    /// The heights of the rows of the last blocks, by signature.
    known: HashMap<String, u32>,
}

/// What the feed has not had yet.
#[derive(Debug)]
pub(super) struct Fresh {
    /// By block, and by time in each.
    pub(super) rows: Vec<Value>,
    /// The highest block that another one has replaced.
    pub(super) replaced: u32,
    is_cut: bool,
    tip: Block,
}

impl Feed {
    /// Begins after the last block.
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

    /// Where it is.
    pub(super) const fn height(&self) -> u32 {
        self.tip.height
    }

    /// What came since; nothing changes until that is [accepted](Self::accept).
    pub(super) async fn read(&self, reader: Reader<'_>) -> Result<Option<Fresh>, ToolError> {
        let tip = last_block(reader).await?;
        // A chain that is shorter will grow: it is read then.
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

    /// Goes on after what was read. Returns a line about what was left out, if something was.
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

    /// The first of the blocks that a reorganization may replace.
    fn back(&self) -> u32 {
        self.tip.height.saturating_sub(DEEPEST - 1).max(1)
    }

    fn know(&mut self, rows: &[Value]) {
        let height = self.listing.height;
        let keys = rows.iter();
        let keys = keys.map(|row| (text(row, SIGNATURE).to_owned(), number(row, height)));
        self.known.extend(keys);
    }

    /// The rows of some blocks, the oldest first, and whether there are more.
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
        // Each block is a row, and they come in their order.
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

/// The tool whose rows are blocks, and how many it returns at most.
pub(super) const BLOCKS: &str = "list_block_range";
const BLOCKS_AT_ONCE: u32 = 100;

/// The member that tells a row from all others.
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
