//! Lists read in windows of blocks. They resume from the fork after a reorganization.

use qortal_client::{ApiError, NodeError};
use qortal_types::Height;
use serde_json::Value;

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

/// Number of rows up to which a list is never read in small windows: it costs little as a whole.
const SHORT_LIST: u64 = 500;

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
        let is_walked = is_valid && is_whole && !shared.selection.surface.is_older(name);
        let range = Range::of(&arguments).filter(|_| is_walked);
        let (range, is_large) = match (range, CursorKind::of(name)) {
            (Some(range), Some(CursorKind::Blocks)) => (range, false),
            (Some(range), Some(CursorKind::LargeBlocks)) => (range, true),
            (_, None | Some(_)) => return Ok(()),
        };
        let newest_first = given("order").is_none_or(|it| it != "oldest");
        let cx = Context::new(shared.clone(), name, arguments.clone());
        let blocks = range.blocks(&cx).await?;
        let tip = self.tip().await?;
        let first = blocks.start.map_or(1, Height::number).max(1);
        let end = blocks.last().map(|it| it.number().saturating_add(1));
        let stop = end.map_or(tip + 1, |it| it.min(tip + 1));
        let (at, until, block) = match newest_first {
            true => (stop, Some(first), self.block_before(stop, tip).await?),
            false => (first, end, None),
        };
        let mut walk = Walk {
            newest_first,
            until,
            ..Walk::default()
        };
        walk.borders.push(Border {
            at,
            block,
            ..Border::default()
        });
        if walk.next_end(tip).is_none() {
            return Ok(());
        }
        if !is_large && self.is_long(first, stop).await? {
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
        let mut arguments = self.in_blocks(first, end);
        arguments.insert(LIMIT.to_owned(), 1.into());
        arguments.insert(OFFSET.to_owned(), rows.max(SHORT_LIST).into());
        match self.call(arguments).await {
            Ok(mut page) => Ok(!self.rows_of(&mut page).is_empty()),
            // The node cannot count the list.
            Err(ToolError::Node(_)) => Ok(true),
            Err(err) => Err(err),
        }
    }

    /// Returns the number of rows on a page.
    pub(super) fn limit(&self) -> u32 {
        let limit = self.arguments.get(LIMIT).and_then(Value::as_u64);
        limit.and_then(|it| u32::try_from(it).ok()).unwrap_or(1)
    }

    async fn tip(&self) -> Result<u32, NodeError> {
        let height = self.catalog.node().height().await?;
        Ok(height.number())
    }

    /// Returns the identity of the block at a height.
    async fn block(&self, height: Height) -> Result<BlockId, NodeError> {
        let block = self.catalog.node().block_at(height).await?;
        let signature = block.signature;
        Ok(BlockId { height, signature })
    }

    /// Returns the identity of the block before a height, if the chain may still replace it.
    async fn block_before(&self, at: u32, tip: u32) -> Result<Option<BlockId>, NodeError> {
        if at <= settled_end(tip) {
            return Ok(None);
        }
        self.block(Height::new(at - 1)).await.map(Some)
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
        let Some(mut walk) = self.place.walk.take() else {
            return Ok(false);
        };
        let tip = self.tip().await?;
        walk.close((self.place.rows, self.place.bytes), tip);
        let end = walk.next_end(tip);
        if let Some(at) = end {
            let block = match walk.borders.last() {
                // Such a list depends on the block that it began with.
                Some(last) if walk.newest_first => last.block.filter(|_| at > settled_end(tip)),
                _ => self.block_before(at, tip).await?,
            };
            walk.window = Some(Border {
                at,
                block,
                ..Border::default()
            });
            let blocks = walk.window();
            self.place.next = blocks.map(|(first, end)| self.in_blocks(first, end));
        }
        let stays = end.is_some() || !walk.newest_first;
        self.place.walk = stays.then_some(walk);
        Ok(end.is_some())
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
