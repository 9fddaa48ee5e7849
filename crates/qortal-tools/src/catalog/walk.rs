//! The way through a list by blocks: which come next, and which the chain may still replace.

use qortal_types::{BlockSignature, Height};
use serde::{Deserialize, Serialize};
use tool_schema::Object;

/// Blocks at the end of the chain that a node may replace by those of a better chain: it leaves a fork of up to 240 by itself
/// (`Settings.maxSyncDepth` and the comparison of peers' chains stay below).
const REPLACEABLE: u32 = 240;

/// How many times nearer to the end of the chain each window among those blocks ends.
const NEARER: u32 = 4;

/// The most blocks of a window: the Core reads everyone's rows in them.
const MOST_BLOCKS: u32 = 50_000;

/// How many times as many blocks a window may have as the one before.
const STEP: u32 = 4;

/// Pages that a window should have.
const PAGES: u32 = 4;

/// Blocks of the first window of a long list.
pub(super) const FIRST_BLOCKS: u32 = 1;

/// Where a list goes on: after how many rows, with which call, and on which blocks the rows before it depend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Rows before it.
    pub(super) rows: u64,
    /// The arguments of the next page; `None` at the border of a window, and at the end of a list that does not grow.
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

    /// Returns how many rows are before it.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns after how many rows the list may have to go on if the chain replaces blocks.
    pub fn borders(&self) -> impl Iterator<Item = u64> {
        let borders = self.walk.iter().flat_map(|it| &it.borders);
        std::iter::once(0).chain(borders.map(|it| it.rows))
    }

    /// Whether the last window was read, and the chain replaced blocks meanwhile.
    pub(super) fn is_torn(&self) -> bool {
        let window = self.walk.as_ref().and_then(|it| it.window);
        self.next.is_none() && window.is_some()
    }

    /// Counts rows before it.
    pub(super) fn add(&mut self, rows: usize) {
        self.rows = self.rows.saturating_add(rows as u64);
        let window = self.walk.as_mut().and_then(|it| it.window.as_mut());
        if let Some(window) = window {
            let rows = u32::try_from(rows).unwrap_or(u32::MAX);
            window.rows = window.rows.saturating_add(rows);
        }
    }

    /// Returns whether the list ended here, and does not grow.
    #[must_use]
    pub const fn is_end(&self) -> bool {
        self.next.is_none() && self.walk.is_none()
    }
}

/// A block by which a chain is told from another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct BlockId {
    pub(super) height: Height,
    pub(super) signature: BlockSignature,
}

/// The blocks that are not read yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Walk {
    pub(super) newest_first: bool,
    /// The first of them.
    pub(super) first: u32,
    /// The one after the last of them; `None` if they are all that come.
    pub(super) end: Option<u32>,
    /// The same at the beginning.
    top: Option<u32>,
    /// The one being read.
    pub(super) window: Option<Window>,
    /// Blocks of the next window; `None` if one window may have them all.
    pub(super) blocks: Option<u32>,
    /// Whether those are more than in the window before, so that it may have many more rows.
    is_wider: bool,
    /// Rows in the window before.
    rows: u32,
    /// The far end of a window that was too wide: the next ones approach it by a part of the way.
    dense: Option<u32>,
    /// Where rows end that depend on no later block; the newest last.
    pub(super) borders: Vec<Border>,
}

/// Blocks that are read at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Window {
    pub(super) first: u32,
    /// The block after the last one.
    pub(super) end: u32,
    /// The block that must stay for the rows to be right; `None` if no chain replaces it.
    pub(super) anchor: Option<BlockId>,
    /// Rows in it so far.
    pub(super) rows: u32,
}

/// The end of a window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Border {
    /// Rows up to it.
    pub(super) rows: u64,
    /// The block from which on, or before which, the list goes on.
    at: u32,
    /// The block on which these rows depend; `None` if no chain replaces it.
    pub(super) block: Option<BlockId>,
}

impl Walk {
    /// The blocks from `first` on, those before `end` if that is given.
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

    /// The block after the last one that is not read yet.
    pub(super) fn stop(&self, tip: u32) -> u32 {
        let stop = tip.saturating_add(1);
        self.end.map_or(stop, |it| it.min(stop))
    }

    /// The blocks of the next window, the first and the one after the last; `None` at the end of the chain.
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

    /// The most blocks of a window that begins here.
    fn most_blocks(&self, begins: u32) -> Option<u32> {
        let left = self.dense.map(|it| match self.newest_first {
            true => begins.saturating_sub(it),
            false => it.saturating_sub(begins),
        });
        let left = left.filter(|it| *it > 0);
        let most = left.map_or(u32::MAX, |it| (it / STEP).max(1));
        self.blocks.map(|it| it.min(most))
    }

    /// The block that must stay while these are read, if one may be replaced. A list with its newest rows first is that of the block with
    /// which it began.
    pub(super) fn anchor(&self, (_, end): (u32, u32), tip: u32) -> Option<Height> {
        let last = self.top.filter(|_| self.newest_first).unwrap_or(end);
        (end > settled_end(tip)).then(|| Height::new(last.saturating_sub(1)))
    }

    /// Goes on after a window that was read, of which so many rows are before its end.
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

    /// Whether the window is wider than the one before, and nothing of it was read.
    pub(super) fn is_tried(&self) -> bool {
        let is_new = |it: Window| it.rows == 0 && it.end.saturating_sub(it.first) > 1;
        self.is_wider && self.blocks.is_some() && self.window.is_some_and(is_new)
    }

    /// Pages of so many rows that the next window of a long list may have after its first.
    pub(super) fn further_pages(&self, limit: u32) -> u32 {
        let pages = self.rows.div_ceil(limit.max(1)).saturating_sub(1);
        let is_long = self.blocks.is_some() && self.window.is_some_and(|it| it.rows == 0);
        if is_long { pages.min(2 * PAGES) } else { 0 }
    }

    /// Makes the window smaller, of which nothing was read.
    pub(super) fn narrow(&mut self) {
        if let Some(window) = self.window.take() {
            self.dense = Some(match self.newest_first {
                true => window.first,
                false => window.end,
            });
        }
    }

    /// Keeps the last border that no chain replaces, and of the others fewer the farther they are from the end of the chain.
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

    /// Goes back to the last border, and returns how many rows are before it; `None` if there is none.
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

/// The first block that a better chain may replace.
const fn settled_end(tip: u32) -> u32 {
    tip.saturating_add(1).saturating_sub(REPLACEABLE)
}

/// Blocks of the next window, after one with so many rows: each page of a window costs the node all rows in it.
fn wider(blocks: u32, rows: u32, limit: u32) -> u32 {
    let wanted = limit.saturating_mul(PAGES);
    let expected = u64::from(blocks) * u64::from(wanted);
    let expected = expected.checked_div(u64::from(rows)).unwrap_or(u64::MAX);
    let expected = u32::try_from(expected).unwrap_or(u32::MAX);
    let most = blocks.saturating_mul(STEP).clamp(1, MOST_BLOCKS);
    let least = (blocks / STEP).clamp(1, most);
    expected.clamp(least, most)
}
