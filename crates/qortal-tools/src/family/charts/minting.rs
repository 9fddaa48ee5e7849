//! Charts of an account's progress through the levels, and of the online minters by level.

use qortal_charts::{Canvas, Levels, Progress, Step, Theme, count, day, rounded};
use qortal_types::main_net::blocks_needed;

use super::heading;
use crate::{
    declare::{Account, Context, ToolError},
    family::minting::{level_counts, status},
};

/// Draws the progress of an account.
pub(super) async fn progress(
    cx: &Context,
    account: Account,
    theme: Theme,
) -> Result<Canvas, ToolError> {
    let title = heading(&account);
    let status = status(cx, account, false).await?.record;
    let next = status.next_level.as_ref().map(|it| Step {
        from: blocks_needed(status.level).unwrap_or(0),
        counted: it.counted_blocks,
        needed: it.blocks_needed,
    });
    let mut facts = Vec::new();
    if let Some(next) = &status.next_level {
        facts.push(("Blocks to go", count(next.blocks_missing)));
        if let Some(time) = &next.estimated_time {
            facts.push(("Time to go", time.clone()));
        }
        if let Some(date) = next.estimated_date {
            facts.push(("Expected", day(date.millis())));
        }
    }
    facts.push(("Blocks minted", count(status.blocks_minted)));
    let reward = status.reward.as_ref().and_then(|it| it.estimated_per_day);
    if let Some(reward) = reward.filter(|_| status.can_mint()) {
        facts.push(("QORT a day, about", rounded(reward.units())));
    }
    if status.obstacles.is_empty() {
        facts.push(("Obstacles", "none known".to_owned()));
    }
    let progress = Progress {
        title: &title,
        level: status.level,
        next,
        facts: &facts,
        obstacles: &status.obstacles,
    };
    Ok(progress.draw(theme))
}

/// Draws the minters of each level.
pub(super) async fn levels(cx: &Context, theme: Theme) -> Result<Canvas, ToolError> {
    let (_, levels) = level_counts(cx.node.online_levels().await?);
    let counts: Vec<(u32, u32)> = levels.iter().map(|it| (it.level, it.count)).collect();
    if counts.iter().all(|(_, count)| *count == 0) {
        return Err(ToolError::not_found(
            "Nothing to draw.",
            "No minter is online, as this node sees it: it may just have started, or have no peers. get_node_health shows whether it is well.",
        ));
    }
    let levels = Levels {
        title: "Online minters by level",
        counts: &counts,
    };
    Ok(levels.draw(theme))
}
