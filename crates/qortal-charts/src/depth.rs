//! Chart of an order book: the cumulative amount offered up to each price.

use super::{
    axis::{Scale, amount, count, multiples, rounded, step, trimmed},
    canvas::{Anchor, Canvas, LABEL, Point, WIDTH},
    font::{Weight, width},
    frame::{EDGE, Heading, Lines, PLOT_BOTTOM, PLOT_TOP, crisp},
    theme::Theme,
};

/// Highest price drawn, as a multiple of the lowest one. Higher prices would squeeze all others together.
const FARTHEST: i64 = 3;
const PRICES_LINE: f64 = 518.0;
/// Maximum number of labeled prices.
const NAMED: i64 = 5;
/// Minimum distance in pixels between the labels of two prices.
const GAP: f64 = 32.0;

/// All offers at one price. Amounts are in units of 10⁻⁸.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    /// Price of one QORT in the foreign coin.
    pub price: i64,
    /// Amount of QORT offered.
    pub qort: i64,
    /// Part of `qort` whose sellers are online.
    pub online: i64,
}

/// Data of an order book chart.
#[derive(Debug)]
pub struct Depth<'a> {
    /// Symbol of the foreign coin, such as `LTC`.
    pub symbol: &'a str,
    /// Offers, the lowest price first. There is at least one.
    pub offers: &'a [Offer],
}

impl Depth<'_> {
    /// Renders the chart.
    pub fn draw(&self, theme: Theme) -> Canvas {
        let symbol = self.symbol;
        let title = format!("QORT offered for {symbol}");
        let (shown, hidden) = self.offers.split_at(self.shown());
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else {
            return Canvas::new(theme, title, String::new());
        };
        let total = sum(self.offers, |it| it.qort);
        let online = sum(self.offers, |it| it.online);
        let best = self.offers.iter().find(|it| it.online > 0);
        let most = sum(shown, |it| it.qort).max(1);
        let beyond = match hidden.len() {
            0 => String::new(),
            hidden => format!(
                " {hidden} prices above {} are not shown.",
                trimmed(last.price)
            ),
        };
        let best_words = match best {
            Some(best) => format!(
                "The lowest price of a seller who is online is {} {symbol}.",
                trimmed(best.price)
            ),
            None => "No seller is online.".to_owned(),
        };
        let description = format!(
            "Steps that rise to the right: QORT offered at each price or below, in {symbol} for one QORT, from {} to {}; the part of sellers who are online is in the stronger color. In all {} QORT are offered, {} of them by sellers who are online. {best_words}{beyond}",
            trimmed(first.price),
            trimmed(last.price),
            rounded(total),
            rounded(online),
        );
        let mut canvas = Canvas::new(theme, title.clone(), description);
        let colors = canvas.colors;
        let subtitle = match hidden.len() {
            0 => format!("QORT at or below each price · {symbol} for one QORT"),
            hidden => format!(
                "QORT at or below each price · {} higher not shown",
                count_of(hidden)
            ),
        };
        let value = format!("{} QORT", rounded(total));
        let remark = format!("{} online", rounded(online));
        canvas.heading(&Heading {
            title: &title,
            subtitle: &subtitle,
            value: &value,
            remark: (&remark, colors.accent),
        });

        let (lines, heights) = Lines::new(
            (0, most.saturating_add(most / 12)),
            (PLOT_BOTTOM, PLOT_TOP),
            amount,
        );
        let right = WIDTH - EDGE - lines.room();
        canvas.lines((EDGE, right), &lines);
        let range = last.price.saturating_sub(first.price);
        let room = (range / 16).max(first.price / 100).max(1);
        let range = (
            first.price.saturating_sub(room),
            last.price.saturating_add(room),
        );
        let prices = Scale::new(range, (EDGE, right));
        self.steps(&mut canvas, shown, (prices, heights), right);
        if let Some(best) = best.filter(|it| it.price <= last.price) {
            let x = crisp(prices.at(best.price));
            canvas.dashed([(x, PLOT_TOP - 2.0), (x, PLOT_BOTTOM)], colors.ink);
            let tag = format!("best now {}", trimmed(best.price));
            // Above the line and inside the canvas.
            let half = width(&tag, LABEL, Weight::SemiBold) / 2.0;
            let at = x.clamp(EDGE + half, WIDTH - EDGE - half);
            canvas.bold(
                (at, PLOT_TOP - 11.0),
                Anchor::Middle,
                (LABEL, colors.ink),
                tag,
            );
        }
        price_labels(&mut canvas, range, prices);
        canvas
    }

    /// Returns the number of prices to draw: those close to the lowest one, and at least two.
    fn shown(&self) -> usize {
        let from = self
            .offers
            .iter()
            .find(|it| it.online > 0)
            .or(self.offers.first());
        let farthest = from.map_or(0, |it| it.price.saturating_mul(FARTHEST));
        let near = self.offers.iter().take_while(|it| it.price <= farthest);
        near.count().max(2).min(self.offers.len())
    }

    fn steps(
        &self,
        canvas: &mut Canvas,
        shown: &[Offer],
        (prices, heights): (Scale, Scale),
        right: f64,
    ) {
        let accent = canvas.colors.accent;
        let all = step_line(shown, |it| it.qort, (prices, heights), right);
        let online = step_line(shown, |it| it.online, (prices, heights), right);
        for (line, opacity) in [(&all, 0.14), (&online, 0.38)] {
            let ends = line.first().zip(line.last());
            let below =
                ends.map(|((first, _), (last, _))| [(*last, PLOT_BOTTOM), (*first, PLOT_BOTTOM)]);
            let area = line.iter().copied().chain(below.into_iter().flatten());
            canvas.polygon(area.collect(), accent.faint(opacity));
        }
        canvas.line(all, 2.5, accent);
    }
}

/// Draws the cumulative line of offers, up to the right edge of the chart.
fn step_line(
    shown: &[Offer],
    part: impl Fn(&Offer) -> i64,
    (prices, heights): (Scale, Scale),
    right: f64,
) -> Vec<Point> {
    let mut points = Vec::new();
    let mut sum = 0_i64;
    for it in shown {
        let x = prices.at(it.price);
        points.push((x, heights.at(sum)));
        sum = sum.saturating_add(part(it));
        points.push((x, heights.at(sum)));
    }
    points.push((right, heights.at(sum)));
    points
}

fn price_labels(canvas: &mut Canvas, (low, high): (i64, i64), prices: Scale) {
    for most in (1..=NAMED).rev() {
        let step = step(low, high, most);
        let labels = multiples(low, high, step).map(|it| (prices.at(it), amount(it, step)));
        let labels: Vec<(f64, String)> = labels.collect();
        let half = |text: &str| width(text, LABEL, Weight::Regular) / 2.0;
        let mut pairs = labels.iter().zip(labels.iter().skip(1));
        let are_apart =
            pairs.all(|((a, of_a), (b, of_b))| b - half(of_b) - (a + half(of_a)) >= GAP);
        if !are_apart {
            continue;
        }
        for (at, text) in labels {
            if at - half(&text) >= 8.0 && at + half(&text) <= WIDTH - 8.0 {
                canvas.label((at, PRICES_LINE), Anchor::Middle, text);
            }
        }
        return;
    }
}

fn sum(offers: &[Offer], part: impl Fn(&Offer) -> i64) -> i64 {
    offers.iter().map(part).fold(0, i64::saturating_add)
}

fn count_of(number: usize) -> String {
    count(i64::try_from(number).unwrap_or(i64::MAX))
}
