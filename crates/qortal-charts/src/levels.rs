//! Bar chart of the number of accounts per level.

use super::{
    axis::{Scale, count},
    canvas::{Anchor, Canvas, LABEL, WIDTH},
    frame::{EDGE, Heading, Lines, PLOT_BOTTOM, PLOT_TOP},
    theme::Theme,
};

const LEVELS: i64 = 11;

/// Data of a bar chart of levels.
#[derive(Debug)]
pub struct Levels<'a> {
    /// Title, such as `Online minters by level`.
    pub title: &'a str,
    /// Level (0 to 10) and count of each bar.
    pub counts: &'a [(u32, u32)],
}

impl Levels<'_> {
    /// Renders the chart.
    pub fn draw(&self, theme: Theme) -> Canvas {
        let total: i64 = self.counts.iter().map(|(_, count)| i64::from(*count)).sum();
        let of = |level: i64| -> i64 {
            let found = self.counts.iter().filter(|(it, _)| i64::from(*it) == level);
            found.map(|(_, count)| i64::from(*count)).sum()
        };
        let counts: Vec<String> = (0..LEVELS)
            .filter(|it| of(*it) > 0)
            .map(|it| format!("{} of level {it}", count(of(it))))
            .collect();
        let description = format!(
            "One bar for each level from 0 to 10: {}; {} in all.",
            counts.join(", "),
            count(total)
        );
        let mut canvas = Canvas::new(theme, self.title.to_owned(), description);
        let colors = canvas.colors;
        canvas.heading(&Heading {
            title: self.title,
            subtitle: "Reward shares that are online now · founders count as level 10",
            value: &count(total),
            remark: ("in all", colors.muted),
        });
        let most = (0..LEVELS).map(of).max().unwrap_or(0).max(1);
        let (lines, heights) = Lines::new(
            (0, most.saturating_add(most / 6 + 1)),
            (PLOT_BOTTOM, PLOT_TOP),
            |it, _| count(it),
        );
        let right = WIDTH - EDGE - lines.room();
        canvas.lines((EDGE, right), &lines);
        let places = Scale::new((0, LEVELS * 2), (EDGE, right));
        let half = places.length(2) * 0.34;
        for level in 0..LEVELS {
            let x = places.at(level * 2 + 1);
            canvas.label((x, PLOT_BOTTOM + 30.0), Anchor::Middle, level.to_string());
            if of(level) > 0 {
                let top = heights.at(of(level)).min(PLOT_BOTTOM - 2.0);
                canvas.rectangle([(x - half, top), (x + half, PLOT_BOTTOM)], colors.accent);
                canvas.bold(
                    (x, top - 9.0),
                    Anchor::Middle,
                    (LABEL, colors.ink),
                    count(of(level)),
                );
            }
        }
        canvas
    }
}
