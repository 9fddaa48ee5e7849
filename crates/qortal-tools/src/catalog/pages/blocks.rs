//! Lists that are read in windows of blocks and resume from the fork after a reorganization.

use futures_util::future::try_join_all;
use qortal_client::{ApiError, NodeError, NodeErrorKind, api::blocks::Block};
use qortal_types::{Height, Timestamp};
use serde_json::Value;

use super::{LIMIT, OFFSET, Pages};
use crate::{
    Object, ToolError,
    catalog::{
        cursor::CursorKind,
        walk::{BlockId, FIRST_BLOCKS, Place, Walk, Window},
    },
    context::Context,
    declare::{NodeResult, Range, START_AFTER},
};

/// Maximum number of retries when the last block was orphaned meanwhile.
const MOST_TIPS: u32 = 5;

/// Cautious estimate of the rows of all accounts in a block. The Core reads all of these in a window.
const ROWS_IN_BLOCK: u64 = 5;

/// Maximum number of pages in a window that is wider than the one before.
const MOST_PAGES: u64 = 8;

/// Minimum and maximum number of rows of a list that is read in small windows. A shorter list costs little as a whole,
/// and a tool cannot skip more.
const LONG_LIST: (u64, u64) = (500, 1_000_000);

impl Pages<'_> {
    /// Returns the blocks of the list, or `None` if it is not read by blocks.
    pub(super) async fn walk(&mut self) -> Result<Option<Walk>, ToolError> {
        let (name, shared) = (self.entry.name, &self.catalog.shared);
        let cursor = CursorKind::of(name).map(|(cursor, _)| cursor);
        let Some(cursor) = cursor.filter(|it| it.is_by_blocks()) else {
            return Ok(None);
        };
        let mut arguments = self.arguments.clone();
        // The call itself reports invalid arguments.
        if self.entry.validate(&mut arguments).is_err() || shared.selection.surface.is_older(name) {
            return Ok(None);
        }
        let given = |name: &str| arguments.get(name).filter(|it| !it.is_null());
        let is_confirmed = given("confirmation_status").is_none_or(|it| it == "CONFIRMED");
        let begins_later = given(OFFSET).is_some_and(|it| it != 0);
        let has_blocks = given("start_block").is_some() || given("block_limit").is_some();
        if !is_confirmed || begins_later || has_blocks {
            return Ok(None);
        }
        let newest_first = given("order").is_none_or(|it| it != "oldest");
        let Some(range) = Range::of(&arguments) else {
            return Ok(None);
        };
        let cx = Context::new(shared.clone(), name, arguments.clone());
        let blocks = range.blocks(&cx).await?;
        let tip = self.tip().await?;
        let first = blocks.start.map_or(1, Height::number).max(1);
        let end = blocks.last().map(|it| it.number().saturating_add(1));
        let end = end.or(newest_first.then(|| tip.saturating_add(1)));
        let mut walk = Walk::new(newest_first, first, end);
        if walk.next_window(tip).is_none() {
            return Ok(None);
        }
        if cursor == CursorKind::Blocks && self.is_long(&walk, tip).await? {
            walk.blocks = Some(FIRST_BLOCKS);
        }
        Ok(Some(walk))
    }

    /// Returns whether small windows cost the node less than pages of the complete list, each of which costs all its rows.
    async fn is_long(&self, walk: &Walk, tip: u32) -> Result<bool, ToolError> {
        let (first, end) = (walk.first, walk.stop(tip));
        if first > 1 {
            // For each page, the node reads the rows of all accounts in the range.
            return Ok(true);
        }
        let of_windows = u64::from(end) * ROWS_IN_BLOCK;
        let (fewest, most) = LONG_LIST;
        let rows = of_windows.saturating_mul(self.limit().into()).isqrt();
        let arguments = self.in_blocks((first, end), None).await?;
        match self.has_row(arguments, rows.clamp(fewest, most)).await {
            // The list is too long to count.
            Err(ToolError::Node(err)) if is_too_much(&err) => Ok(true),
            counted => counted,
        }
    }

    /// Returns whether a list has a row after `after` rows.
    async fn has_row(&self, mut arguments: Object, after: u64) -> Result<bool, ToolError> {
        arguments.insert(LIMIT.to_owned(), 1.into());
        arguments.insert(OFFSET.to_owned(), after.into());
        let page = self.call(arguments).await?;
        let rows = page.get(&self.list).and_then(Value::as_array);
        Ok(rows.is_some_and(|it| !it.is_empty()))
    }

    /// Returns whether the window of these arguments is the first one among more rows and has many pages.
    pub(super) async fn is_too_wide(&self, arguments: &Object) -> Result<bool, ToolError> {
        if !self.place.walk.as_ref().is_some_and(Walk::is_tried) {
            return Ok(false);
        }
        let rows = u64::from(self.limit()) * MOST_PAGES;
        self.has_row(arguments.clone(), rows).await
    }

    /// Reads the remaining pages of a window at once.
    pub(super) async fn further_pages(
        &self,
        arguments: &Object,
        next: Option<&Object>,
    ) -> Result<Vec<Object>, ToolError> {
        let offset = |it: &Object| it.get(OFFSET).and_then(Value::as_u64);
        let (Some(walk), Some(next)) = (&self.place.walk, next) else {
            return Ok(Vec::new());
        };
        let first = offset(arguments).unwrap_or(0);
        // A tool may allow fewer rows on a page than requested.
        let rows = offset(next).and_then(|it| it.checked_sub(first));
        let Some(rows) = rows.filter(|it| *it > 0) else {
            return Ok(Vec::new());
        };
        let pages = (1..=u64::from(walk.further_pages(self.limit()))).map(|page| {
            let mut arguments = next.clone();
            arguments.remove(START_AFTER);
            arguments.insert(OFFSET.to_owned(), (first + page * rows).into());
            self.call(arguments)
        });
        let mut pages = try_join_all(pages).await?;
        let end = pages.iter().position(|it| !it.contains_key("next"));
        pages.truncate(end.map_or(pages.len(), |it| it + 1));
        Ok(pages)
    }

    /// Reads fewer blocks at once.
    pub(super) fn narrow(&mut self) {
        self.place.next = None;
        if let Some(walk) = &mut self.place.walk {
            walk.narrow();
        }
    }

    /// Returns the number of rows on a page.
    pub(super) fn limit(&self) -> u32 {
        let limit = self.arguments.get(LIMIT).and_then(Value::as_u64);
        limit.and_then(|it| u32::try_from(it).ok()).unwrap_or(1)
    }

    pub(super) async fn tip(&mut self) -> Result<u32, NodeError> {
        if let Some(tip) = self.tip {
            return Ok(tip);
        }
        let tip = self.catalog.node().height().await?.number();
        self.tip = Some(tip);
        Ok(tip)
    }

    async fn block(&self, height: Height) -> Result<Option<Block>, ToolError> {
        let block = self.catalog.node().block_at(height).await;
        Ok(block.none_if(ApiError::BLOCK_UNKNOWN)?)
    }

    /// Returns whether a block is still on the chain.
    async fn has(&self, block: Option<BlockId>) -> Result<bool, ToolError> {
        let Some(BlockId { height, signature }) = block else {
            return Ok(true);
        };
        let found = self.block(height).await?;
        Ok(found.is_some_and(|it| it.signature == signature))
    }

    /// Returns the call for the list in these blocks. Facts listed by block times are requested by those times, which
    /// the node has for existing blocks.
    async fn in_blocks(
        &self,
        (first, end): (u32, u32),
        last: Option<&Block>,
    ) -> Result<Object, ToolError> {
        let mut arguments = self.arguments.clone();
        let after_block = |it: &Block| {
            let next = Timestamp::from_millis(it.timestamp.millis().saturating_add(1));
            next.to_string()
        };
        let (after, before) = match last {
            Some(last) if first > 1 => {
                let earlier = self.block(Height::new(first - 1)).await?;
                (earlier.as_ref().map(after_block), after_block(last))
            }
            Some(last) => (None, after_block(last)),
            None => {
                let after = (first > 1).then(|| format!("height {first}"));
                (after, format!("height {end}"))
            }
        };
        arguments.remove("after");
        arguments.extend(after.map(|it| ("after".to_owned(), it.into())));
        arguments.insert("before".to_owned(), before.into());
        Ok(arguments)
    }

    /// Opens the next window. Returns `false` if the list ends here.
    pub(super) async fn open(&mut self) -> Result<bool, ToolError> {
        let is_by_time =
            CursorKind::of(self.entry.name).is_some_and(|(it, _)| it == CursorKind::BlockTimes);
        for tips in 1.. {
            let tip = self.tip().await?;
            let Some(walk) = &self.place.walk else {
                break;
            };
            let Some(blocks @ (first, end)) = walk.next_window(tip) else {
                let grows = !walk.newest_first;
                self.place.walk = self.place.walk.take().filter(|_| grows);
                break;
            };
            let anchor = walk.anchor(blocks, tip);
            let mut last = None;
            let of_window = is_by_time.then(|| Height::new(end.saturating_sub(1)));
            if let Some(height) = anchor.or(of_window) {
                last = match self.catalog.node().block_at(height).await {
                    Ok(block) => Some(block),
                    // The block was orphaned since the height of the chain was read.
                    Err(err) if err.is(ApiError::BLOCK_UNKNOWN) && tips < MOST_TIPS => {
                        self.tip = None;
                        continue;
                    }
                    Err(err) => return Err(err.into()),
                };
            }
            let by_time = last.as_ref().filter(|_| is_by_time);
            self.place.next = Some(self.in_blocks(blocks, by_time).await?);
            let anchor = last.filter(|_| anchor.is_some()).map(|it| BlockId {
                height: it.height,
                signature: it.signature,
            });
            if let Some(walk) = &mut self.place.walk {
                walk.window = Some(Window {
                    first,
                    end,
                    anchor,
                    rows: 0,
                });
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Moves on after a window whose last page was read.
    pub(super) fn close(&mut self, tip: u32) {
        let (limit, rows) = (self.limit(), self.place.rows);
        if let Some(walk) = &mut self.place.walk
            && let Some(window) = walk.window.take()
        {
            walk.pass(window, rows, tip, limit);
        }
    }

    /// Returns whether the blocks that the rows before the place depend on are still on the chain.
    pub(super) async fn is_current(&self) -> Result<bool, ToolError> {
        let Some(walk) = &self.place.walk else {
            return Ok(true);
        };
        let anchor = walk.window.and_then(|it| it.anchor);
        let border = walk.borders.last().and_then(|it| it.block);
        Ok(self.has(anchor).await? && self.has(border).await?)
    }

    /// Goes back to the fork of the chain and returns the number of rows before it.
    pub(super) async fn go_back(&mut self) -> Result<Option<u64>, ToolError> {
        self.tip = None;
        let Some(mut walk) = self.place.walk.clone() else {
            return Ok(None);
        };
        while let Some(border) = walk.borders.last() {
            if self.has(border.block).await? {
                break;
            }
            walk.borders.pop();
        }
        self.place = match walk.go_back() {
            Some(rows) => Place {
                rows,
                next: None,
                walk: Some(walk),
            },
            None => Place::beginning(self.arguments.clone()),
        };
        Ok(Some(self.place.rows))
    }
}

/// Returns whether a node fails to respond because a list is too long.
fn is_too_much(err: &NodeError) -> bool {
    matches!(
        err.kind(),
        NodeErrorKind::TimedOut { .. }
            | NodeErrorKind::Overloaded { .. }
            | NodeErrorKind::TooLarge { .. }
    )
}
