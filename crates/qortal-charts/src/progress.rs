//! Chart of an account's progress through the minting levels.

use super::{
    axis::{count, part},
    canvas::{Anchor, Canvas, LABEL, WIDTH},
    font::{Weight, fitted},
    frame::{EDGE, Heading},
    theme::Theme,
};

const BAR_LINE: f64 = 196.0;
const BAR: f64 = 36.0;
/// Width of a bar's round ends.
const END: f64 = BAR / 2.0;
const BIG: f64 = 24.0;
const FACTS_LINE: f64 = 286.0;
/// Distance between two rows of facts, and between two obstacles.
const FACTS_ROW: f64 = 74.0;
const OBSTACLES_ROW: f64 = 29.0;
const LADDER_LINE: f64 = 468.0;
const HIGHEST: u32 = 10;

/// Data of a progress chart.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Name or address of the account.
    pub title: &'a str,
    /// Current level.
    pub level: u32,
    /// Progress toward the next level, if it is known and there is one.
    pub next: Option<Step>,
    /// Further facts, each with a label and a value.
    pub facts: &'a [(&'static str, String)],
    /// Obstacles to the next level, one sentence each.
    pub obstacles: &'a [String],
}

/// Progress toward the next level, in blocks.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Blocks that the current level required.
    pub from: i64,
    /// Blocks that count for the account.
    pub counted: i64,
    /// Blocks that the next level requires.
    pub needed: i64,
}

impl Step {
    fn part(self) -> f64 {
        part(
            self.counted.saturating_sub(self.from),
            self.needed.saturating_sub(self.from),
        )
    }
}

impl Progress<'_> {
    /// Renders the chart.
    pub fn draw(&self, theme: Theme) -> Canvas {
        let title = format!("Minting of {}", self.title);
        let level = format!("Level {}", self.level);
        let percent = self.next.map(|it| format!("{:.1}%", it.part() * 100.0));
        let way = match (self.next, &percent) {
            (Some(next), Some(percent)) => format!(
                "A bar shows {percent} of the way to level {}: {} of {} blocks. ",
                self.level + 1,
                count(next.counted),
                count(next.needed)
            ),
            _ => String::new(),
        };
        let facts: Vec<String> = self
            .facts
            .iter()
            .map(|(label, value)| format!("{label}: {value}."))
            .chain(self.obstacles.iter().cloned())
            .collect();
        let description = format!("{level} of {HIGHEST}. {way}{}", facts.join(" "));
        let mut canvas = Canvas::new(theme, title.clone(), description);
        let colors = canvas.colors;
        canvas.heading(&Heading {
            title: self.title,
            subtitle: "The way through the minting levels",
            value: &level,
            remark: (&format!("of {HIGHEST}"), colors.muted),
        });
        let (left, right) = (EDGE + END, WIDTH - EDGE - END);
        canvas.line(vec![(left, BAR_LINE), (right, BAR_LINE)], BAR, colors.grid);
        let reached = match self.next {
            Some(next) => next.part(),
            None => part(self.level.into(), HIGHEST.into()),
        };
        if reached > 0.0 {
            let end = left + (right - left) * reached;
            canvas.line(vec![(left, BAR_LINE), (end, BAR_LINE)], BAR, colors.accent);
        }
        let above = BAR_LINE - 34.0;
        match (self.next, percent) {
            (Some(_), Some(percent)) => {
                let next = format!("Level {}", self.level + 1);
                canvas.label((EDGE, above), Anchor::Start, level);
                canvas.label((WIDTH - EDGE, above), Anchor::End, next);
                canvas.bold(
                    (WIDTH / 2.0, above),
                    Anchor::Middle,
                    (BIG, colors.ink),
                    percent,
                );
            }
            _ => canvas.label(
                (EDGE, above),
                Anchor::Start,
                format!("{level} of {HIGHEST}"),
            ),
        }
        self.facts(&mut canvas);
        self.ladder(&mut canvas);
        canvas
    }

    /// Draws labels with their values in three columns, and the obstacles below them.
    fn facts(&self, canvas: &mut Canvas) {
        let (ink, warning) = (canvas.colors.ink, canvas.colors.fall);
        let mut below = FACTS_LINE;
        let column = (WIDTH - 2.0 * EDGE) / 3.0;
        let columns = (0..3_u8).cycle().zip([0_u8, 0, 0, 1, 1, 1]);
        for ((place, row), (label, value)) in columns.zip(self.facts) {
            let x = EDGE + f64::from(place) * column;
            let y = FACTS_LINE + f64::from(row) * FACTS_ROW;
            canvas.label((x, y), Anchor::Start, *label);
            canvas.bold((x, y + 32.0), Anchor::Start, (BIG, ink), value.as_str());
            below = y + FACTS_ROW;
        }
        for obstacle in self.obstacles {
            let room = WIDTH - 2.0 * EDGE;
            let text = fitted(obstacle, LABEL, Weight::SemiBold, room);
            canvas.bold((EDGE, below), Anchor::Start, (LABEL, warning), text);
            below += OBSTACLES_ROW;
        }
    }

    /// Draws all levels, with the reached ones in color.
    fn ladder(&self, canvas: &mut Canvas) {
        let colors = canvas.colors;
        let room = (WIDTH - 2.0 * EDGE) / f64::from(HIGHEST);
        for level in 1..=HIGHEST {
            let left = EDGE + f64::from(level - 1) * room + 3.0;
            let right = left + room - 6.0;
            let corners = [(left, LADDER_LINE), (right, LADDER_LINE + 10.0)];
            let is_reached = level <= self.level;
            let color = if is_reached {
                colors.accent
            } else {
                colors.grid
            };
            canvas.rectangle(corners, color);
            let middle = f64::midpoint(left, right);
            let at = (middle, LADDER_LINE + 40.0);
            if level == self.level {
                canvas.bold(at, Anchor::Middle, (LABEL, colors.ink), level.to_string());
            } else {
                canvas.label(at, Anchor::Middle, level.to_string());
            }
        }
    }
}
