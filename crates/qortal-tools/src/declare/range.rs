//! Ranges of time in the parameters of lists.

use qortal_client::{ApiError, NodeError, api::transactions::Transaction};
use qortal_types::{Height, Timestamp};
use serde_json::Value;
use tool_schema::{ArgumentReader, InvalidValue, Object, Param, Params, Property, integer};

use crate::{
    ToolError,
    context::{Context, given},
    declare::{NodeResult, Qortal, TimeArg},
};

/// One end of a range: a time, or the block at a height. The block itself counts as after it, not before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeBound {
    Moment(TimeArg),
    Height(Height),
}

/// The smallest time. Smaller numbers are heights: as milliseconds or seconds they precede the chain.
const LEAST_MOMENT: i64 = 1_000_000_000;

const AN_EDGE: &str = "a date or time such as 2026-11-20 or 2026-11-20T22:00Z, a time before now such as 24h or 7d, or a block such as height 1234";

impl Param<Qortal> for RangeBound {
    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let height = value.as_str().and_then(|text| {
            let text = text.trim().to_ascii_lowercase();
            let digits = text
                .strip_prefix("height")
                .or_else(|| text.strip_prefix("block"));
            digits?.trim().parse().ok()
        });
        match height {
            Some(height) => Ok(Self::Height(Height::new(height))),
            None => TimeArg::read(value).map(Self::Moment).map_err(|mut it| {
                AN_EDGE.clone_into(&mut it.expected);
                it
            }),
        }
    }

    /// Accepts a small number as a height, and coerces times.
    fn coerce_json(value: &Value) -> Option<Value> {
        let number = integer(value);
        let number = number.as_ref().unwrap_or(value).as_i64();
        match number.filter(|it| (0..LEAST_MOMENT).contains(it)) {
            Some(height) => Some(format!("height {height}").into()),
            None => TimeArg::coerce_json(value),
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Moment(moment) => moment.to_value(),
            Self::Height(height) => height_text(*height).into(),
        }
    }
}

/// Formats a height as a range bound.
pub(super) fn height_text(height: Height) -> String {
    format!("height {height}")
}

/// Returns the argument for the rest of a range, before or from a block on.
pub(crate) fn rest(is_before: bool, height: Height) -> (&'static str, Value) {
    let name = if is_before { BEFORE } else { AFTER };
    (name, height_text(height).into())
}

/// Formats the lower bound of a range that includes this time.
pub(super) fn after(moment: Timestamp) -> String {
    Timestamp::from_millis(moment.millis().saturating_add(1)).to_string()
}

/// The parameters `after` (inclusive) and `before` (exclusive).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    after: Option<RangeBound>,
    before: Option<RangeBound>,
}

pub(super) const AFTER: &str = "after";
pub(super) const BEFORE: &str = "before";

impl Params for Range {
    fn properties() -> Vec<Property> {
        let form = "Start: date, 7d or height 9.";
        [(AFTER, form), (BEFORE, "Exclusive end.")]
            .map(|(name, doc)| {
                Property::parameter::<Option<RangeBound>, Qortal>(name, doc, Some(&None))
            })
            .into()
    }

    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self> {
        let after = arguments.take::<_, Qortal>(AFTER, Some(None));
        let before = arguments.take::<_, Qortal>(BEFORE, Some(None));
        Some(Self {
            after: after?,
            before: before?,
        })
    }
}

/// A range of blocks in the form of the Core.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Blocks {
    pub(crate) start: Option<Height>,
    pub(crate) limit: Option<u32>,
}

impl Blocks {
    /// Returns whether the range begins at the first block of the chain.
    pub(crate) fn begins_at_genesis(self) -> bool {
        self.start.is_none_or(|it| it.number() <= 1)
    }

    /// Returns the last block, if the range has an end.
    pub(crate) fn last(self) -> Option<Height> {
        let start = self.start.map_or(1, Height::number);
        let end = start.saturating_add(self.limit?);
        Some(Height::new(end.saturating_sub(1)))
    }

    /// Returns the blocks on one side of a border, which counts as after it.
    pub(crate) fn cut(self, border: u32, is_after: bool) -> Self {
        let start = self.start.map_or(1, Height::number);
        let border = border.max(start);
        let blocks = border - start;
        let (start, limit) = match is_after {
            true => (border, self.limit.map(|it| it.saturating_sub(blocks))),
            false => (start, Some(blocks)),
        };
        Self {
            start: Some(Height::new(start)),
            limit,
        }
    }

    pub(crate) fn has(self, height: Height) -> bool {
        let blocks = self
            .start
            .map(|start| height.number().checked_sub(start.number()));
        let is_in = |blocks: u32| self.limit.is_none_or(|limit| blocks < limit);
        blocks.is_none_or(|it| it.is_some_and(is_in))
    }
}

/// A range in time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Period {
    pub(crate) after: Option<Timestamp>,
    pub(crate) before: Option<Timestamp>,
}

impl Period {
    pub(crate) fn has(self, moment: Timestamp) -> bool {
        self.after.is_none_or(|it| moment >= it) && self.before.is_none_or(|it| moment < it)
    }
}

impl Range {
    /// Returns the range from arguments that were already validated, or `None` if they were not.
    pub(crate) fn of(arguments: &Object) -> Option<Self> {
        let edge = |name: &str| match arguments.get(name) {
            None | Some(Value::Null) => Some(None),
            Some(value) => RangeBound::read(value).ok().map(Some),
        };
        Some(Self {
            after: edge(AFTER)?,
            before: edge(BEFORE)?,
        })
    }

    /// Returns whether either end is given.
    pub(crate) const fn is_given(self) -> bool {
        self.after.is_some() || self.before.is_some()
    }

    /// Returns whether the range ends before now.
    pub(crate) const fn has_end(self) -> bool {
        self.before.is_some()
    }

    /// Returns the blocks of the range, by their own times. A time takes one request to the node.
    pub(crate) async fn blocks(self, cx: &Context) -> Result<Blocks, ToolError> {
        let (start, end) = tokio::try_join!(
            given(self.after, |it| first_block(cx, AFTER, it)),
            given(self.before, |it| first_block(cx, BEFORE, it)),
        )?;
        in_order(start, end)?;
        // A limit alone counts from the end of the chain.
        let start = start.or(end.map(|_| 1));
        Ok(Blocks {
            start: start.map(Height::new),
            limit: end.map(|end| end.saturating_sub(start.unwrap_or(end))),
        })
    }

    /// Returns the time that ends the range, if the range consists of everything created before it.
    pub(crate) async fn made_before(self, cx: &Context) -> Result<Option<Timestamp>, ToolError> {
        match (self.after, self.before) {
            (None, Some(RangeBound::Moment(before))) => cx.moment(BEFORE, before).await.map(Some),
            (None, None | Some(RangeBound::Height(_))) | (Some(_), _) => Ok(None),
        }
    }

    /// Notes that the range uses block times, if the creation time of a shown transaction is outside it.
    pub(crate) fn note_times(self, cx: &Context, rows: &[Transaction]) {
        let exact = |edge: Option<RangeBound>| match edge {
            Some(RangeBound::Moment(TimeArg::At(moment))) => Some(moment),
            Some(RangeBound::Moment(TimeArg::Ago(_)) | RangeBound::Height(_)) | None => None,
        };
        let period = Period {
            after: exact(self.after),
            before: exact(self.before),
        };
        if rows.iter().any(|it| !period.has(it.timestamp)) {
            cx.note("The range goes by the times of blocks. A row shows the time at which its transaction was made, which is earlier.");
        }
    }

    /// Returns the times of a range of unconfirmed transactions.
    pub(crate) async fn period_of_waiting(self, cx: &Context) -> Result<Period, ToolError> {
        let in_blocks = |it| matches!(it, Some(RangeBound::Height(_)));
        if in_blocks(self.after) || in_blocks(self.before) {
            return Err(unconfirmed_in_blocks());
        }
        self.period(cx).await
    }

    /// Returns the times of the range. A height takes one request to the node.
    pub(crate) async fn period(self, cx: &Context) -> Result<Period, ToolError> {
        let (after, before) = tokio::try_join!(
            given(self.after, |it| moment(cx, AFTER, it)),
            given(self.before, |it| moment(cx, BEFORE, it)),
        )?;
        in_order(after, before)?;
        Ok(Period { after, before })
    }
}

/// Returns the error for a range of blocks with unconfirmed transactions.
pub(crate) fn unconfirmed_in_blocks() -> ToolError {
    ToolError::argument(
        "confirmation_status",
        "Invalid argument.",
        "is not CONFIRMED, but blocks are chosen, and unconfirmed transactions are in none",
        "CONFIRMED, or no range",
    )
}

/// Returns an error for a range combined with the older parameters `start_block` and `block_limit`.
pub(crate) fn in_blocks_alone(has_blocks: bool, range: Range) -> Result<(), ToolError> {
    if has_blocks && range.is_given() {
        return Err(ToolError::argument(
            "start_block",
            "Invalid argument.",
            "or `block_limit` is given together with `after` or `before`",
            "one of both; `after` and `before` take heights too, such as height 1234",
        ));
    }
    Ok(())
}

/// Returns the number of blocks from the block of a transaction on, including it. Unconfirmed transactions have 0.
/// Returns `None` if the height of the chain is unknown.
pub(crate) fn confirmations(of: &Transaction, tip: Option<Height>) -> Option<u32> {
    match of.block_height {
        None => Some(0),
        Some(height) => tip.map(|tip| {
            let since = tip.number().saturating_sub(height.number());
            since.saturating_add(1)
        }),
    }
}

fn in_order<T: PartialOrd>(after: Option<T>, before: Option<T>) -> Result<(), ToolError> {
    match (after, before) {
        (Some(after), Some(before)) if before < after => Err(ToolError::argument(
            BEFORE,
            "Invalid range.",
            "is earlier than `after`",
            "a moment or block later than that one",
        )),
        _ => Ok(()),
    }
}

/// Returns the height of the first block that is not earlier, or the height after the last block if all are earlier.
async fn first_block(cx: &Context, name: &'static str, edge: RangeBound) -> Result<u32, ToolError> {
    let moment = match edge {
        RangeBound::Height(height) => return Ok(height.number()),
        RangeBound::Moment(moment) => cx.moment(name, moment).await?,
    };
    let earlier = Timestamp::from_millis(moment.millis().saturating_sub(1));
    let last = cx.node.block_at_time(earlier).await;
    let last = last.none_if(ApiError::BLOCK_UNKNOWN)?;
    Ok(last.map_or(1, |it| it.height.number().saturating_add(1)))
}

async fn moment(
    cx: &Context,
    name: &'static str,
    edge: RangeBound,
) -> Result<Timestamp, ToolError> {
    let height = match edge {
        RangeBound::Moment(moment) => return cx.moment(name, moment).await,
        RangeBound::Height(height) => height,
    };
    let time = async |height| {
        let block = cx.node.block_at(Height::new(height)).await;
        block.map(|it| it.timestamp.millis())
    };
    let mut found = time(height.number()).await;
    let is_unknown = |err: &NodeError| err.is(ApiError::BLOCK_UNKNOWN);
    if name == BEFORE && found.as_ref().is_err_and(is_unknown) {
        // A range may end with the last block.
        let last = time(height.number().saturating_sub(1)).await;
        found = last.map(|it| it.saturating_add(1));
    }
    let found = found.error_if(ApiError::BLOCK_UNKNOWN, || {
        let problem = format!("is height {height}, and this node has no such block");
        ToolError::argument(name, "Invalid range.", problem, AN_EDGE)
    })?;
    Ok(Timestamp::from_millis(found))
}
