//! Lists that are read in windows of blocks and resume from the fork after a reorganization.

use qortal_client::{ApiError, NodeError};
use qortal_types::Height;

use super::{LIMIT, OFFSET, Pages, Place};
use crate::{
    Object, ToolError,
    catalog::{
        cursor::CursorKind,
        walk::{BlockId, Border, Walk, settled_end},
    },
    context::Context,
    declare::{NodeResult, Range},
};

/// Cautious estimate of the rows of all accounts in a block. The Core reads all of these in a window.
const ROWS_IN_BLOCK: u64 = 5;

/// Minimum and maximum number of rows of a list that is read in small windows. A shorter list costs little as a whole,
/// and a tool cannot skip more.
const LONG_LIST: (u64, u64) = (500, 1_000_000);

impl Pages<'_> {
    /// Begins to read the list by its blocks, if it is ordered by them.
    pub(super) async fn begin_walk(&mut self) -> Result<(), ToolError> {
        let (name, shared) = (self.entry.name, &self.catalog.shared);
        let mut arguments = self.arguments.clone();
        // The call itself reports invalid arguments.
        let is_valid = self.entry.validate(&mut arguments).is_ok();
        let given = |name: &str| arguments.get(name).filter(|it| !it.is_null());
        let is_whole = given("confirmation_status").is_none_or(|it| it == "CONFIRMED")
            && given(OFFSET).is_none_or(|it| it == 0)
            && given("start_block").or(given("block_limit")).is_none();
        let cursor = CursorKind::of(name).map(|(cursor, _)| cursor);
        let cursor = cursor.filter(|it| it.is_by_blocks() && is_valid && is_whole);
        let cursor = cursor.filter(|_| !shared.selection.surface.is_older(name));
        let (Some(cursor), Some(range)) = (cursor, Range::of(&arguments)) else {
            return Ok(());
        };
        let newest_first = given("order").is_none_or(|it| it != "oldest");
        let cx = Context::new(shared.clone(), name, arguments.clone());
        let blocks = range.blocks(&cx).await?;
        let tip = self.tip().await?;
        let first = blocks.start.map_or(1, Height::number).max(1);
        let end = blocks.last().map(|it| it.number().saturating_add(1));
        let stop = end.map_or(tip + 1, |it| it.min(tip + 1));
        let begins = if newest_first {
            self.border(stop, tip).await?
        } else {
            Border::at(first)
        };
        let mut walk = Walk::new(newest_first, first, end, begins);
        if walk.next_end(tip).is_none() {
            return Ok(());
        }
        if cursor == CursorKind::Blocks && self.is_long(first, stop).await? {
            walk.blocks = Some(1);
        }
        self.place.next = None;
        self.place.walk = Some(walk);
        Ok(())
    }

    /// Returns whether small windows cost the node less than pages of the complete list, each of which costs all its rows.
    async fn is_long(&self, first: u32, end: u32) -> Result<bool, ToolError> {
        if first > 1 {
            // For each page, the node reads the rows of all accounts in the range.
            return Ok(true);
        }
        let of_windows = u64::from(end) * ROWS_IN_BLOCK;
        let rows = of_windows.saturating_mul(self.limit().into()).isqrt();
        let rows = rows.clamp(LONG_LIST.0, LONG_LIST.1);
        let mut arguments = self.in_blocks(first, end);
        arguments.insert(LIMIT.to_owned(), 1.into());
        arguments.insert(OFFSET.to_owned(), rows.into());
        match self.call(arguments).await {
            Ok(mut page) => Ok(!self.rows_of(&mut page).is_empty()),
            // The node cannot count the list.
            Err(ToolError::Node(_)) => Ok(true),
            Err(err) => Err(err),
        }
    }

    /// Returns the number of rows on a page.
    pub(super) fn limit(&self) -> u32 {
        let limit = self.arguments.get(LIMIT).and_then(|it| it.as_u64());
        limit.and_then(|it| u32::try_from(it).ok()).unwrap_or(1)
    }

    async fn tip(&mut self) -> Result<u32, NodeError> {
        if self.tip.is_none() {
            self.tip = Some(self.catalog.node().height().await?.number());
        }
        Ok(self.tip.unwrap_or_default())
    }

    /// Returns the identity of the block at a height.
    async fn block(&self, height: Height) -> Result<BlockId, NodeError> {
        let block = self.catalog.node().block_at(height).await?;
        let signature = block.signature;
        Ok(BlockId { height, signature })
    }

    /// Returns the border before a height, which depends on the block before it.
    async fn border(&self, at: u32, tip: u32) -> Result<Border, NodeError> {
        let block = match at > settled_end(tip) {
            true => Some(self.block(Height::new(at - 1)).await?),
            false => None,
        };
        Ok(Border {
            block,
            ..Border::at(at)
        })
    }

    /// Returns the call for the list in these blocks.
    fn in_blocks(&self, first: u32, end: u32) -> Object {
        let mut arguments = self.arguments.clone();
        arguments.remove("after");
        let height = |it: u32| format!("height {it}").into();
        arguments.extend((first > 1).then(|| ("after".to_owned(), height(first))));
        arguments.insert("before".to_owned(), height(end));
        arguments
    }

    /// Opens the next window. Returns `false` if the list ends here.
    pub(super) async fn open(&mut self) -> Result<bool, ToolError> {
        let tip = self.tip().await?;
        let output = (self.place.rows, self.place.bytes);
        let Some(walk) = &mut self.place.walk else {
            return Ok(false);
        };
        walk.close(output, tip);
        let Some(end) = walk.next_end(tip) else {
            let grows = !walk.newest_first;
            self.place.walk = self.place.walk.take().filter(|_| grows);
            return Ok(false);
        };
        let window = match walk.borders.last() {
            // Such a list depends on the block that it began with.
            Some(last) if walk.newest_first => Border {
                block: last.block.filter(|_| end > settled_end(tip)),
                ..Border::at(end)
            },
            _ => self.border(end, tip).await?,
        };
        if let Some(walk) = &mut self.place.walk {
            walk.window = Some(window);
            let (first, end) = walk.window();
            self.place.next = Some(self.in_blocks(first, end));
        }
        Ok(true)
    }

    /// Returns whether the blocks that the rows before the place depend on are still on the chain.
    pub(super) async fn is_current(&self) -> Result<bool, ToolError> {
        let walk = self.place.walk.iter();
        for border in walk.flat_map(|it| it.window.iter().chain(it.borders.last())) {
            if !self.is_on_chain(border).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn is_on_chain(&self, border: &Border) -> Result<bool, ToolError> {
        let Some(block) = border.block else {
            return Ok(true);
        };
        let found = self.block(block.height).await;
        Ok(found.none_if(ApiError::BLOCK_UNKNOWN)? == Some(block))
    }

    /// Goes back to the fork of the chain.
    pub(super) async fn go_back(&mut self) -> Result<(), ToolError> {
        self.tip = None;
        let Some(mut walk) = self.place.walk.take() else {
            return Ok(());
        };
        walk.window = None;
        self.place = Place::beginning(self.arguments.clone());
        while let Some(border) = walk.borders.last() {
            if self.is_on_chain(border).await? {
                self.place = Place {
                    rows: border.rows,
                    bytes: border.bytes,
                    next: None,
                    walk: Some(walk),
                };
                break;
            }
            walk.borders.pop();
        }
        Ok(())
    }
}
