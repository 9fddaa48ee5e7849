//! The minters that are online, by level.

use crate::{
    chart::{Canvas, Levels, Theme},
    declare::{Context, ToolError},
    family::minting::level_counts,
};

pub(super) async fn draw(cx: &Context, theme: Theme) -> Result<Canvas, ToolError> {
    let (_, levels) = level_counts(cx.node.online_levels().await?);
    let counts: Vec<(u32, u32)> = levels.iter().map(|it| (it.level, it.count)).collect();
    let levels = Levels {
        title: "Online minters by level",
        counts: &counts,
    };
    Ok(levels.draw(theme))
}
