//! The reading of a list by blocks: the blocks that come next, and those that the chain may still replace.

use qortal_types::{BlockSignature, Height};
use serde::{Deserialize, Serialize};
use tool_schema::Object;

/// Number of blocks at the end of the chain that a node may replace with those of a better chain. A node leaves a fork
/// of up to 240 blocks by itself (`Settings.maxSyncDepth` and the comparison of peers' chains stay below).
const REPLACEABLE: u32 = 240;

/// Factor by which each window among those blocks ends nearer to the end of the chain.
const NEARER: u32 = 4;

/// Maximum number of blocks in a window. The Core reads the rows of all accounts in them.
const MOST_BLOCKS: u32 = 50_000;

/// Maximum factor by which a window grows from one to the next.
const STEP: u32 = 4;

/// Target number of pages in a window.
const PAGES: u32 = 4;

/// Number of blocks in the first window of a long list.
pub(super) const FIRST_BLOCKS: u32 = 1;

/// The place where a list continues: the number of rows before it, the next call, and the blocks that those rows depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Number of rows before it.
    pub(super) rows: u64,
    /// The arguments of the next page. `None` at the border of a window, and at the end of a list that does not grow.
    pub(super) next: Option<Object>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) walk: Option<Walk>,
}

impl Place {
    pub(super) const fn beginning(arguments: Object) -> Self {
        Self {
            rows: 0,
            next: Some(arguments),
            walk: None,
        }
    }

    /// Returns the number of rows before the place.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the row counts after which the list may have to continue if the chain replaces blocks.
    pub fn borders(&self) -> impl Iterator<Item = u64> {
        let borders = self.walk.iter().flat_map(|it| &it.borders);
        std::iter::once(0).chain(borders.map(|it| it.rows))
    }

    /// Returns whether the chain replaced blocks while the last window was read.
    pub(super) fn is_torn(&self) -> bool {
        let window = self.walk.as_ref().and_then(|it| it.window);
        self.next.is_none() && window.is_some()
    }

    /// Adds to the number of rows before the place.
    pub(super) fn add(&mut self, rows: usize) {
        self.rows = self.rows.saturating_add(rows as u64);
        let window = self.walk.as_mut().and_then(|it| it.window.as_mut());
        if let Some(window) = window {
            let rows = u32::try_from(rows).unwrap_or(u32::MAX);
            window.rows = window.rows.saturating_add(rows);
        }
    }

    /// Returns whether the list ended here and does not grow.
    #[must_use]
    pub const fn is_end(&self) -> bool {
        self.next.is_none() && self.walk.is_none()
    }
}

/// The identity of a block, which distinguishes one chain from another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct BlockId {
    pub(super) height: Height,
    pub(super) signature: BlockSignature,
}

/// The blocks that remain to be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Walk {
    pub(super) newest_first: bool,
    /// The first block.
    pub(super) first: u32,
    /// The block after the last one. `None` if there is no upper end.
    pub(super) end: Option<u32>,
    /// The initial value of `end`.
    top: Option<u32>,
    /// The window being read.
    pub(super) window: Option<Window>,
    /// Number of blocks in the next window. `None` if one window may have them all.
    pub(super) blocks: Option<u32>,
    /// Whether the next window has more blocks than the one before, and so possibly many more rows.
    is_wider: bool,
    /// Number of rows in the window before.
    rows: u32,
    /// The far end of a window that was too wide. Later windows approach it step by step.
    dense: Option<u32>,
    /// Ends of row sequences that depend on no later block, the newest last.
    pub(super) borders: Vec<Border>,
}

/// Blocks that are read at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Window {
    pub(super) first: u32,
    /// The block after the last one.
    pub(super) end: u32,
    /// The block that must stay on the chain for the rows to be correct. `None` if it cannot be replaced.
    pub(super) anchor: Option<BlockId>,
    /// Number of rows read from the window so far.
    pub(super) rows: u32,
}

/// The end of a window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Border {
    /// Number of rows up to it.
    pub(super) rows: u64,
    /// The block at which, or before which, the list continues.
    at: u32,
    /// The block that these rows depend on. `None` if it cannot be replaced.
    pub(super) block: Option<BlockId>,
}

impl Walk {
    /// Creates a walk through the blocks from `first`, up to but excluding `end` if given.
    pub(super) const fn new(newest_first: bool, first: u32, end: Option<u32>) -> Self {
        Self {
            newest_first,
            first,
            end,
            top: end,
            window: None,
            blocks: None,
            is_wider: false,
            rows: 0,
            dense: None,
            borders: Vec::new(),
        }
    }

    /// Returns the block after the last unread one.
    pub(super) fn stop(&self, tip: u32) -> u32 {
        let stop = tip.saturating_add(1);
        self.end.map_or(stop, |it| it.min(stop))
    }

    /// Returns the first block of the next window and the one after its last, or `None` at the end of the chain.
    pub(super) fn next_window(&self, tip: u32) -> Option<(u32, u32)> {
        let (settled, stop) = (settled_end(tip), self.stop(tip));
        if self.first >= stop {
            return None;
        }
        if self.newest_first {
            let least = if stop > settled { settled } else { 0 };
            let first = stop.saturating_sub(self.most_blocks(stop).unwrap_or(stop));
            return Some((first.max(least).max(self.first), stop));
        }
        let most = if self.first < settled {
            settled
        } else {
            let left = tip.saturating_add(1) - self.first;
            tip.saturating_add(1) - left / NEARER
        };
        let blocks = self.most_blocks(self.first).unwrap_or(u32::MAX);
        let end = self.first.saturating_add(blocks);
        Some((self.first, end.min(most).min(stop)))
    }

    /// Returns the maximum number of blocks of a window that begins here.
    fn most_blocks(&self, begins: u32) -> Option<u32> {
        let left = self.dense.map(|it| match self.newest_first {
            true => begins.saturating_sub(it),
            false => it.saturating_sub(begins),
        });
        let left = left.filter(|it| *it > 0);
        let most = left.map_or(u32::MAX, |it| (it / STEP).max(1));
        self.blocks.map(|it| it.min(most))
    }

    /// Returns the block that must stay on the chain while this window is read, if one may be replaced. A list with its
    /// newest rows first depends on the block that it began with.
    pub(super) fn anchor(&self, (_, end): (u32, u32), tip: u32) -> Option<Height> {
        let last = self.top.filter(|_| self.newest_first).unwrap_or(end);
        (end > settled_end(tip)).then(|| Height::new(last.saturating_sub(1)))
    }

    /// Moves on after a window that was read, with `rows` rows before its end.
    pub(super) fn pass(&mut self, window: Window, rows: u64, tip: u32, limit: u32) {
        let at = if self.newest_first {
            self.end = Some(window.first);
            window.first
        } else {
            self.first = window.end;
            window.end
        };
        let block = window
            .anchor
            .filter(|_| !self.newest_first || at > settled_end(tip));
        self.borders.push(Border { rows, at, block });
        self.thin(tip);
        let blocks = window.end - window.first;
        self.rows = window.rows;
        let next = wider(blocks, window.rows, limit);
        self.is_wider = next > blocks;
        self.blocks = self.blocks.map(|_| next);
    }

    /// Returns whether the window is wider than the one before and still unread.
    pub(super) fn is_tried(&self) -> bool {
        let is_new = |it: Window| it.rows == 0 && it.end.saturating_sub(it.first) > 1;
        self.is_wider && self.blocks.is_some() && self.window.is_some_and(is_new)
    }

    /// Returns how many more pages of `limit` rows the next window of a long list may have after its first.
    pub(super) fn further_pages(&self, limit: u32) -> u32 {
        let pages = self.rows.div_ceil(limit.max(1)).saturating_sub(1);
        let is_long = self.blocks.is_some() && self.window.is_some_and(|it| it.rows == 0);
        if is_long { pages.min(2 * PAGES) } else { 0 }
    }

    /// Narrows a window that is still unread.
    pub(super) fn narrow(&mut self) {
        if let Some(window) = self.window.take() {
            self.dense = Some(match self.newest_first {
                true => window.first,
                false => window.end,
            });
        }
    }

    /// Keeps the last border that cannot be replaced. Of the others it keeps fewer with more distance from the end of
    /// the chain.
    fn thin(&mut self, tip: u32) {
        let settled = settled_end(tip);
        for border in &mut self.borders {
            border.block = border.block.filter(|it| it.height.number() >= settled);
        }
        if let Some(last) = self.borders.iter().rposition(|it| it.block.is_none()) {
            drop(self.borders.drain(..last));
        }
        if self.newest_first {
            // All of them depend on the same block.
            let last = self.borders.len().saturating_sub(1);
            drop(self.borders.drain(..last));
            return;
        }
        let stop = tip.saturating_add(1);
        let mut index = 1;
        while let (Some(before), Some(after)) =
            (self.borders.get(index - 1), self.borders.get(index + 1))
        {
            let is_close = after.at.saturating_sub(before.at) <= stop.saturating_sub(after.at);
            if is_close && before.block.is_some() {
                self.borders.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Goes back to the last border and returns the number of rows before it, or `None` if there is none.
    pub(super) fn go_back(&mut self) -> Option<u64> {
        self.window = None;
        let border = self.borders.last()?;
        if self.newest_first {
            self.end = Some(border.at);
        } else {
            self.first = border.at;
        }
        Some(border.rows)
    }
}

/// Returns the first block that a better chain may replace.
const fn settled_end(tip: u32) -> u32 {
    tip.saturating_add(1).saturating_sub(REPLACEABLE)
}

/// Returns the number of blocks in the next window, given the rows of this one. Each page of a window costs the node
/// all rows in it.
fn wider(blocks: u32, rows: u32, limit: u32) -> u32 {
    let wanted = limit.saturating_mul(PAGES);
    let expected = u64::from(blocks) * u64::from(wanted);
    let expected = expected.checked_div(u64::from(rows)).unwrap_or(u64::MAX);
    let expected = u32::try_from(expected).unwrap_or(u32::MAX);
    let most = blocks.saturating_mul(STEP).clamp(1, MOST_BLOCKS);
    let least = (blocks / STEP).clamp(1, most);
    expected.clamp(least, most)
}
