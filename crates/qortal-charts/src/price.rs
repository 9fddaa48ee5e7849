//! Prices over time: candles with the volume below them, or a line where candles would be dots.

use super::{
    axis::{Scale, amount, rounded, trimmed},
    canvas::{Anchor, Canvas, LABEL, WIDTH},
    font::{Weight, width},
    frame::{BELOW_HEADING, EDGE, Heading, Lines, PLOT_BOTTOM, PLOT_TOP, crisp, label_room},
    moments::{DAY, DAY_OF_MONTH, HOUR, days, text},
    theme::{Color, Theme},
};

/// The height of the volumes.
const VOLUME: f64 = 72.0;
const VOLUME_TOP: f64 = PLOT_BOTTOM - VOLUME;
const PRICES_BOTTOM: f64 = VOLUME_TOP - 22.0;
/// The widest candle, so that few of them remain candles.
const WIDEST: f64 = 34.0;
/// The label of the volumes.
const SOLD: &str = "QORT sold";
/// The line around a candle of a price that rose.
const BORDER: f64 = 2.0;

/// One interval in which something was traded. Amounts are units of 10⁻⁸.
#[derive(Debug, Clone, Copy)]
pub struct Candle {
    /// When it began, in milliseconds since 1970.
    pub start: i64,
    /// The first price.
    pub open: i64,
    /// The highest price.
    pub high: i64,
    /// The lowest price.
    pub low: i64,
    /// The last price.
    pub close: i64,
    /// QORT sold.
    pub volume: i64,
    /// How many trades there were.
    pub trades: u32,
}

/// What is drawn.
#[derive(Debug)]
pub struct Prices<'a> {
    /// What is traded for what, such as `QORT / LTC`.
    pub pair: &'a str,
    /// The unit of prices, such as `LTC for one QORT`.
    pub unit: &'a str,
    /// How long a candle is, in words and in milliseconds.
    pub interval: (&'a str, i64),
    /// At least one, the oldest first.
    pub candles: &'a [Candle],
}

impl Prices<'_> {
    /// The picture of it.
    pub fn draw(&self, theme: Theme) -> Canvas {
        let Some((first, last)) = self.ends() else {
            return Canvas::new(theme, self.pair.to_owned(), String::new());
        };
        let (low, high) = self.range();
        let is_line = self.is_line();
        let since = text(first.start, DAY_OF_MONTH);
        let change = format!("{} since {since}", change(first.open, last.close));
        let (interval, millis) = self.interval;
        let volume = self
            .candles
            .iter()
            .map(|it| it.volume)
            .fold(0, i64::saturating_add);
        let period = days(first.start, last.start);
        let title = format!("{}, by {interval}", self.pair);
        let mut canvas = Canvas::new(
            theme,
            title.clone(),
            self.description(&period, &change, volume),
        );
        let colors = canvas.colors;
        let tone = if last.close >= first.open {
            colors.rise
        } else {
            colors.fall
        };
        canvas.heading(&Heading {
            title: &title,
            subtitle: &format!("{} · {period}, UTC", self.unit),
            value: &trimmed(last.close),
            remark: (&change, tone),
        });
        let format = match millis {
            HOUR => "%b %-d, %H:%M",
            _ if millis > DAY => "Week of %b %-d",
            _ => DAY_OF_MONTH,
        };
        canvas.label(
            (WIDTH - EDGE, BELOW_HEADING),
            Anchor::End,
            format!(
                "{}: {} QORT sold",
                text(last.start, format),
                rounded(last.volume)
            ),
        );

        // A tenth of room above and below, and something to see where all prices are equal.
        let room = (high.saturating_sub(low).max(high / 50) / 10).max(1);
        let values = (low.saturating_sub(room).max(0), high.saturating_add(room));
        let (mut lines, prices) = Lines::new(values, (PRICES_BOTTOM, PLOT_TOP), amount);
        let tag = trimmed(last.close);
        let tag_width = width(&tag, LABEL, Weight::SemiBold) + 16.0;
        let volumes = [rounded(self.most_sold()), SOLD.to_owned()];
        let room = lines.room().max(tag_width + 6.0);
        let room = volumes.iter().map(|it| label_room(it)).fold(room, f64::max);
        let right = WIDTH - EDGE - room;
        let y = crisp(prices.at(last.close));
        lines.clear(y);
        canvas.lines((EDGE, right), &lines);
        let span = (first.start - millis / 2, last.start + millis / 2);
        let moments = Scale::new(span, (EDGE, right));
        canvas.moments((first.start, last.start), millis, moments);

        let width = (moments.length(millis) * 0.7).clamp(2.0, WIDEST);
        self.volumes(&mut canvas, moments, (width, right), is_line);
        if is_line {
            self.line(&mut canvas, moments, prices);
        } else {
            self.bodies(&mut canvas, moments, prices, width);
        }
        // The last price, on a tag over the labels of its neighbors.
        canvas.dashed([(EDGE, y), (right, y)], tone);
        let corners = [(right + 4.0, y - 16.0), (right + 4.0 + tag_width, y + 16.0)];
        canvas.rectangle(corners, tone);
        let at = (right + 12.0, y + 8.0);
        canvas.bold(at, Anchor::Start, (LABEL, colors.paper), tag);
        canvas
    }

    /// The first and the last candle.
    fn ends(&self) -> Option<(&Candle, &Candle)> {
        self.candles.first().zip(self.candles.last())
    }

    /// The lowest and the highest price.
    fn range(&self) -> (i64, i64) {
        let low = self.candles.iter().map(|it| it.low).min();
        let high = self.candles.iter().map(|it| it.high).max();
        (low.unwrap_or_default(), high.unwrap_or_default())
    }

    /// The largest volume.
    fn most_sold(&self) -> i64 {
        let volumes = self.candles.iter().map(|it| it.volume);
        volumes.max().unwrap_or_default()
    }

    /// Whether there are fewer than two trades a candle, most of which would be dots.
    fn is_line(&self) -> bool {
        let trades: usize = self.candles.iter().map(|it| it.trades as usize).sum();
        trades < self.candles.len() * 2
    }

    fn description(&self, period: &str, change: &str, volume: i64) -> String {
        let Some((first, last)) = self.ends() else {
            return String::new();
        };
        let (low, high) = self.range();
        let shape = if self.is_line() {
            "A line of the last prices"
        } else {
            "Candles"
        };
        format!(
            "{shape} by {}, {period} (UTC), of trades on the Qortal trade portal, {}: from {} to {} ({change}), lowest {}, highest {}. Bars below: QORT sold, {} in all.",
            self.interval.0,
            self.unit,
            trimmed(first.open),
            trimmed(last.close),
            trimmed(low),
            trimmed(high),
            rounded(volume),
        )
    }

    fn volumes(
        &self,
        canvas: &mut Canvas,
        moments: Scale,
        (width, right): (f64, f64),
        is_line: bool,
    ) {
        let colors = canvas.colors;
        let most = self.most_sold();
        let heights = Scale::new((0, most.max(1)), (PLOT_BOTTOM, VOLUME_TOP));
        let (top, bottom) = (crisp(VOLUME_TOP), crisp(PLOT_BOTTOM));
        canvas.line(vec![(EDGE, top), (right, top)], 1.0, colors.grid);
        canvas.line(vec![(EDGE, bottom), (right, bottom)], 1.0, colors.grid);
        for it in self.candles {
            let x = moments.at(it.start);
            let color = match (is_line, it.close >= it.open) {
                (true, _) => colors.accent,
                (false, true) => colors.rise,
                (false, false) => colors.fall,
            };
            let top = heights.at(it.volume).min(PLOT_BOTTOM - 1.0);
            let corners = [(x - width / 2.0, top), (x + width / 2.0, PLOT_BOTTOM)];
            canvas.rectangle(corners, color.faint(0.45));
        }
        let most = rounded(most);
        canvas.label((right + 12.0, VOLUME_TOP + 8.0), Anchor::Start, most);
        canvas.label((right + 12.0, VOLUME_TOP + 34.0), Anchor::Start, SOLD);
    }

    fn bodies(&self, canvas: &mut Canvas, moments: Scale, prices: Scale, width: f64) {
        let colors = canvas.colors;
        for it in self.candles {
            let color: Color = if it.close >= it.open {
                colors.rise
            } else {
                colors.fall
            };
            let x = crisp(moments.at(it.start));
            let wick = vec![(x, prices.at(it.high)), (x, prices.at(it.low))];
            canvas.line(wick, 1.5, color);
            let (open, close) = (prices.at(it.open), prices.at(it.close));
            let (top, bottom) = (open.min(close), open.max(close));
            // Where it opened is where it closed there is still something to see.
            let bottom = bottom.max(top + 2.0);
            let half = (width / 2.0).max(1.0);
            canvas.rectangle([(x - half, top), (x + half, bottom)], color);
            // Hollow where the price rose: color is not the only sign.
            if it.close >= it.open && half > 2.0 * BORDER && bottom - top > 2.0 * BORDER {
                let corners = [
                    (x - half + BORDER, top + BORDER),
                    (x + half - BORDER, bottom - BORDER),
                ];
                canvas.rectangle(corners, colors.paper);
            }
        }
    }

    fn line(&self, canvas: &mut Canvas, moments: Scale, prices: Scale) {
        let colors = canvas.colors;
        let points = self.candles.iter();
        let points: Vec<_> = points
            .map(|it| (moments.at(it.start), prices.at(it.close)))
            .collect();
        if let [(first, _), .., (last, _)] = points.as_slice() {
            let below = [(*last, PRICES_BOTTOM), (*first, PRICES_BOTTOM)];
            let area = points.iter().copied().chain(below).collect();
            canvas.polygon(area, colors.accent.faint(0.12));
        }
        // Dots where there is room for them: with many points the line says enough.
        let has_dots = points.len() <= 60;
        for it in points.iter().filter(|_| has_dots) {
            canvas.dot(*it, 7.0, colors.accent);
        }
        canvas.line(points, 2.5, colors.accent);
    }
}

/// The change in percent, such as `+4.25 %`.
fn change(from: i64, to: i64) -> String {
    let of = i128::from(from).max(1);
    let hundredths = i128::from(to).saturating_sub(from.into()) * 10_000;
    // Rounded half away from zero.
    let hundredths = (hundredths * 2 + of * hundredths.signum()) / (of * 2);
    let sign = match hundredths.signum() {
        -1 => "−",
        0 => "±",
        _ => "+",
    };
    let hundredths = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}%", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_rounded_percents() {
        for (from, to, expected) in [
            (10_748, 10_933, "+1.72%"),
            (10_933, 10_748, "−1.69%"),
            (100, 100, "±0.00%"),
            (1, i64::MAX, "+922337203685477580600.00%"),
            (0, 5, "+500.00%"),
        ] {
            assert_eq!(change(from, to), expected);
        }
    }
}
