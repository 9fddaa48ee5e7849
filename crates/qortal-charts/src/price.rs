//! Price chart: candles above their volumes, or a line where candles would be dots.

use super::{
    axis::{Scale, amount, rounded, trimmed},
    canvas::{Anchor, Canvas, LABEL, WIDTH},
    font::{Weight, width},
    frame::{BELOW_HEADING, EDGE, Heading, Lines, PLOT_BOTTOM, PLOT_TOP, crisp, label_room},
    moments::{DAY, DAY_OF_MONTH, HOUR, days, text},
    theme::{Color, Theme},
};

/// Height of the volume bars.
const VOLUME: f64 = 72.0;
const VOLUME_TOP: f64 = PLOT_BOTTOM - VOLUME;
const PRICES_BOTTOM: f64 = VOLUME_TOP - 22.0;
/// Maximum width of a candle. It keeps the shape of candles when there are few.
const WIDEST: f64 = 34.0;
/// Label of the volume bars.
const SOLD: &str = "QORT sold";
/// Border width of a candle whose price rose.
const BORDER: f64 = 2.0;

/// One interval with at least one trade. Amounts are in units of 10⁻⁸.
#[derive(Debug, Clone, Copy)]
pub struct Candle {
    /// Start of the interval, in milliseconds since 1970.
    pub start: i64,
    /// First price.
    pub open: i64,
    /// Highest price.
    pub high: i64,
    /// Lowest price.
    pub low: i64,
    /// Last price.
    pub close: i64,
    /// Amount of QORT sold.
    pub volume: i64,
    /// Number of trades.
    pub trades: u32,
}

/// Data of a price chart.
#[derive(Debug)]
pub struct Prices<'a> {
    /// Currency pair, such as `QORT / LTC`.
    pub pair: &'a str,
    /// Unit of prices, such as `LTC for one QORT`.
    pub unit: &'a str,
    /// Duration of a candle, as text and in milliseconds.
    pub interval: (&'a str, i64),
    /// Candles, the oldest first. There is at least one.
    pub candles: &'a [Candle],
}

impl Prices<'_> {
    /// Renders the chart.
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

        // A margin of a tenth above and below, and a visible range even if all prices are equal.
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
        // A tag with the last price covers the labels next to it.
        canvas.dashed([(EDGE, y), (right, y)], tone);
        let corners = [(right + 4.0, y - 16.0), (right + 4.0 + tag_width, y + 16.0)];
        canvas.rectangle(corners, tone);
        let at = (right + 12.0, y + 8.0);
        canvas.bold(at, Anchor::Start, (LABEL, colors.paper), tag);
        canvas
    }

    /// Returns the first and the last candle.
    fn ends(&self) -> Option<(&Candle, &Candle)> {
        self.candles.first().zip(self.candles.last())
    }

    /// Returns the lowest and the highest price.
    fn range(&self) -> (i64, i64) {
        let low = self.candles.iter().map(|it| it.low).min();
        let high = self.candles.iter().map(|it| it.high).max();
        (low.unwrap_or_default(), high.unwrap_or_default())
    }

    /// Returns the largest volume.
    fn most_sold(&self) -> i64 {
        let volumes = self.candles.iter().map(|it| it.volume);
        volumes.max().unwrap_or_default()
    }

    /// Returns `true` if there are fewer than two trades per candle, where most candles would be dots.
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
            // A candle stays visible if it closed at its opening price.
            let bottom = bottom.max(top + 2.0);
            let half = (width / 2.0).max(1.0);
            canvas.rectangle([(x - half, top), (x + half, bottom)], color);
            // Candles of rising prices are hollow, so color is not the only sign.
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
        // Dots where they have room. A line with many points is clear without them.
        let has_dots = points.len() <= 60;
        for it in points.iter().filter(|_| has_dots) {
            canvas.dot(*it, 7.0, colors.accent);
        }
        canvas.line(points, 2.5, colors.accent);
    }
}

/// Formats the change in percent, such as `+4.25 %`.
fn change(from: i64, to: i64) -> String {
    let of = i128::from(from).max(1);
    let hundredths = i128::from(to).saturating_sub(from.into()) * 10_000;
    // Rounds half away from zero.
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
