//! Estimated times as text, with no more precision than an estimate has.

use qortal_client::api::block_time::BlockTime;
use qortal_types::Height;

use crate::declare::Context;

/// Returns the height of the chain, which is needed for `part`, and the block time if an estimate depends on it.
pub(crate) async fn chain(
    cx: &Context,
    part: &str,
    is_estimated: bool,
) -> (Option<Height>, Option<BlockTime>) {
    if !is_estimated {
        return (cx.part(part, cx.node.height().await), None);
    }
    let Some(last) = cx.part(part, cx.node.last_block().await) else {
        return (None, None);
    };
    let block_time = cx.node.block_time(&last).await;
    let block_time = cx.part("The time that blocks take is", block_time);
    (Some(last.height), block_time.flatten())
}

/// Formats a range of milliseconds as `about 17 days`, `about 112 to 114 days` or `about 5 hours`.
pub(crate) fn about((least, most): (i64, i64)) -> String {
    let minutes = |millis: i64| millis.max(0) / 60_000;
    let (least, most) = (minutes(least), minutes(most));
    let units = [(1_440, "days"), (60, "hours"), (1, "minutes")];
    let fitting = units.into_iter().find(|(unit, _)| most >= 2 * unit);
    let Some((unit, name)) = fitting else {
        return "about a minute".to_owned();
    };
    let rounded = |minutes: i64| minutes.saturating_add(unit / 2) / unit;
    match (rounded(least), rounded(most)) {
        (least, most) if least == most => format!("about {most} {name}"),
        (least, most) => format!("about {least} to {most} {name}"),
    }
}
