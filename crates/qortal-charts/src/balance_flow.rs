//! Chart of an account's income and spending over time, as bars above and below a line.

use super::{
    axis::{Scale, amount, rounded},
    canvas::{Anchor, Canvas, LABEL, WIDTH},
    frame::{BELOW_HEADING, EDGE, Heading, Lines, PLOT_BOTTOM, PLOT_TOP, crisp},
    moments::{DAY, FIRST_MONDAY, days},
    theme::Theme,
};

/// Maximum number of bars. More bars than that make the periods longer.
const BARS: i64 = 62;
const WIDEST: f64 = 34.0;

/// One transaction of an account. Amounts are in units of 10⁻⁸ QORT.
#[derive(Debug, Clone, Copy)]
pub struct BalanceChange {
    /// Timestamp in milliseconds since 1970.
    pub at: i64,
    /// Amount received.
    pub received: i64,
    /// Amount spent, including the fee.
    pub spent: i64,
}

/// Data of a chart of received and spent amounts.
#[derive(Debug)]
pub struct BalanceFlow<'a> {
    /// Name or address of the account.
    pub title: &'a str,
    /// Current balance, in units of 10⁻⁸ QORT.
    pub balance: i64,
    /// Changes to draw, the oldest first. There is at least one.
    pub changes: &'a [BalanceChange],
}

/// Lengths and names of periods.
const PERIODS: [(i64, &str); 5] = [
    (1, "day"),
    (7, "week"),
    (28, "four weeks"),
    (91, "13 weeks"),
    (364, "52 weeks"),
];

impl BalanceFlow<'_> {
    /// Returns the amounts received and spent in each period, by its start, together with the length and the name of a period.
    fn periods(&self) -> (Vec<BalanceChange>, i64, &'static str) {
        let ends = self.changes.first().zip(self.changes.last());
        let (first, last) = ends.map_or((0, 0), |(first, last)| (first.at, last.at));
        let fitting = PERIODS
            .iter()
            .find(|(days, _)| (last - first) / (days * DAY) < BARS);
        let (days, name) = *fitting.unwrap_or(&(3_640, "520 weeks"));
        let length = days * DAY;
        let from = if days < 7 { 0 } else { FIRST_MONDAY };
        let start = |it: &BalanceChange| it.at - (it.at - from).rem_euclid(length);
        let groups = self.changes.chunk_by(|a, b| start(a) == start(b));
        let groups = groups.map(|group| BalanceChange {
            at: group.first().map_or(0, start),
            received: group
                .iter()
                .map(|it| it.received)
                .fold(0, i64::saturating_add),
            spent: group.iter().map(|it| it.spent).fold(0, i64::saturating_add),
        });
        (groups.collect(), length, name)
    }

    /// Renders the chart.
    pub fn draw(&self, theme: Theme) -> Canvas {
        let (periods, length, name) = self.periods();
        let (Some(first), Some(last)) = (periods.first(), periods.last()) else {
            return Canvas::new(theme, self.title.to_owned(), String::new());
        };
        let total =
            |part: fn(&BalanceChange) -> i64| periods.iter().map(part).fold(0, i64::saturating_add);
        let most = |part: fn(&BalanceChange) -> i64| periods.iter().map(part).max().unwrap_or(0);
        let (received, spent) = (total(|it| it.received), total(|it| it.spent));
        let title = format!("QORT of {}", self.title);
        let ends = self.changes.first().zip(self.changes.last());
        let span = ends.map_or_else(String::new, |(first, last)| days(first.at, last.at));
        let description = format!(
            "Bars by {name}, {span} (UTC): QORT received upwards ({} in all) and spent downwards ({} in all, with fees), in {} transactions. Rewards of minting are no transactions and not among them. The balance is {} QORT now.",
            rounded(received),
            rounded(spent),
            self.changes.len(),
            rounded(self.balance),
        );
        let mut canvas = Canvas::new(theme, title.clone(), description);
        let colors = canvas.colors;
        canvas.heading(&Heading {
            title: self.title,
            subtitle: &format!("QORT by {name}, {span}, UTC"),
            value: &format!("{} QORT", rounded(self.balance)),
            remark: (&format!("+{} received", rounded(received)), colors.rise),
        });
        canvas.label(
            (EDGE, BELOW_HEADING),
            Anchor::Start,
            "Without rewards of minting",
        );
        canvas.bold(
            (WIDTH - EDGE, BELOW_HEADING),
            Anchor::End,
            (LABEL, colors.fall),
            format!("−{} spent", rounded(spent)),
        );
        let (up, down) = (most(|it| it.received), most(|it| it.spent));
        let room = (up.max(down) / 12).max(1);
        let values = (-down.saturating_add(room), up.saturating_add(room));
        let (lines, heights) = Lines::new(values, (PLOT_BOTTOM, PLOT_TOP), amount);
        let right = WIDTH - EDGE - lines.room();
        canvas.lines((EDGE, right), &lines);
        let half = length / 2;
        let moments = Scale::new((first.at - half, last.at + half), (EDGE, right));
        canvas.moments((first.at, last.at), length, moments);
        let width = (moments.length(length) * 0.7).clamp(2.0, WIDEST);
        let zero = crisp(heights.at(0));
        for it in &periods {
            let x = moments.at(it.at);
            let (left, right) = (x - width / 2.0, x + width / 2.0);
            if it.received > 0 {
                let top = heights.at(it.received).min(zero - 1.0);
                canvas.rectangle([(left, top), (right, zero)], colors.rise);
            }
            if it.spent > 0 {
                let bottom = heights.at(-it.spent).max(zero + 1.0);
                canvas.rectangle([(left, zero), (right, bottom)], colors.fall);
            }
        }
        canvas.line(vec![(EDGE, zero), (right, zero)], 1.0, colors.muted);
        canvas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_drawn_in_long_periods() {
        for (apart, name) in [
            (1, "day"),
            (3, "week"),
            (20, "four weeks"),
            (30, "13 weeks"),
        ] {
            let changes: Vec<_> = (0..60)
                .map(|it| BalanceChange {
                    at: it * apart * DAY,
                    received: 1,
                    spent: 2,
                })
                .collect();
            let drawn = BalanceFlow {
                title: "Q",
                balance: 0,
                changes: &changes,
            };
            let (periods, _, found) = drawn.periods();
            assert_eq!(found, name);
            assert!((20..=62).contains(&periods.len()), "{}", periods.len());
            assert_eq!(periods.iter().map(|it| it.spent).sum::<i64>(), 120);
        }
    }
}
