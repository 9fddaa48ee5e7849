//! The reading of a list by blocks: the next blocks, and those the chain may still replace.

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

/// Maximum factor by which a window grows or shrinks from one to the next.
const STEP: u32 = 4;

/// The place where a list continues: the output before it, the next call, and the blocks that the output depends on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Number of rows before it.
    pub(super) rows: u64,
    /// Length of the output before it.
    pub(super) bytes: u64,
    /// The arguments of the next page. `None` after a window, and at the end of a list that does not grow.
    pub(super) next: Option<Object>,
    pub(super) walk: Option<Walk>,
}

impl Place {
    pub(super) fn beginning(arguments: Object) -> Self {
        Self {
            next: Some(arguments),
            ..Self::default()
        }
    }

    /// Returns the number of rows before the place.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the length of the output before the place, if the caller [reports it](crate::Pages::written).
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
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

/// A place between two blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Border {
    /// Number of rows before it in the list.
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// The block at which, or before which, the list continues.
    pub(super) at: u32,
    /// The block that must stay on the chain for the rows up to here to be correct. `None` if it cannot be replaced.
    pub(super) block: Option<BlockId>,
}

/// The blocks that remain to be read, in windows from one border to the next.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Walk {
    pub(super) newest_first: bool,
    /// The border at which the list ends, if there is one.
    pub(super) until: Option<u32>,
    /// The beginning of the window, and before it the borders at which the list continues if the chain replaces blocks.
    pub(super) borders: Vec<Border>,
    /// The end of the window being read. Its output is counted when the next one is opened.
    pub(super) window: Option<Border>,
    /// Maximum number of blocks in the next window. `None` if one window may have them all.
    pub(super) blocks: Option<u32>,
    /// The far end of a window that was too wide. Later windows approach it step by step.
    pub(super) dense: Option<u32>,
}

impl Walk {
    /// Returns the end of the next window, or `None` at the end of the list.
    pub(super) fn next_end(&self, tip: u32) -> Option<u32> {
        let at = self.borders.last()?.at;
        let (settled, stop) = (settled_end(tip), tip.saturating_add(1));
        let left = self.dense.map(|dense| at.abs_diff(dense));
        let most = left.map_or(u32::MAX, |left| (left / STEP).max(1));
        let blocks = self.blocks.map_or(u32::MAX, |it| it.min(most));
        if self.newest_first {
            let least = if at > settled { settled } else { 1 };
            let end = at.saturating_sub(blocks).max(least);
            let end = self.until.map_or(end, |it| it.max(end));
            return (end < at).then_some(end);
        }
        let most = if at < settled {
            settled
        } else {
            stop - stop.saturating_sub(at) / NEARER
        };
        let end = at.saturating_add(blocks).min(most);
        let end = self.until.map_or(end, |it| it.min(end));
        (end > at).then_some(end)
    }

    /// Returns the blocks of the window: the first one, and the one after the last.
    pub(super) fn window(&self) -> Option<(u32, u32)> {
        let (from, to) = (self.borders.last()?.at, self.window.as_ref()?.at);
        Some((from.min(to), from.max(to)))
    }

    /// Moves on after the window. Borders before one that is never replaced are dropped.
    pub(super) fn close(&mut self, (rows, bytes): (u64, u64), tip: u32) {
        let Some(window) = self.window.take() else {
            return;
        };
        self.dense = self.dense.filter(|it| *it != window.at);
        self.borders.push(Border {
            rows,
            bytes,
            ..window
        });
        let is_settled = |it: BlockId| it.height.number() < settled_end(tip);
        let settled = self
            .borders
            .iter()
            .rposition(|it| it.block.is_none_or(is_settled));
        drop(self.borders.drain(..settled.unwrap_or(0)));
    }

    /// Sets the width of the next window after the first page of this one. Returns `false` if this one has more rows than
    /// a page, each of which costs the node all of them, and can be narrower.
    pub(super) fn fits(&mut self, rows: u32, limit: u32, has_more: bool) -> bool {
        let Some((first, end)) = self.window().filter(|_| self.blocks.is_some()) else {
            return true;
        };
        let blocks = end - first;
        if has_more {
            self.blocks = Some((blocks / STEP).max(1));
            if blocks > 1 {
                self.dense = self.window.take().map(|it| it.at);
            }
            return blocks == 1;
        }
        // A page is not filled up, because the next window has as many rows only on average.
        let expected = blocks.saturating_mul(limit * 3 / 4).checked_div(rows);
        let most = blocks.saturating_mul(STEP).min(MOST_BLOCKS);
        self.blocks = Some(expected.unwrap_or(most).min(most).max(1));
        true
    }
}

/// Returns the first block that a better chain may replace.
pub(super) const fn settled_end(tip: u32) -> u32 {
    tip.saturating_add(1).saturating_sub(REPLACEABLE)
}
