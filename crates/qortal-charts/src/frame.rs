//! Elements that all charts share: a heading, grid lines, and tick labels of the time axis.

use super::{
    axis::{Scale, multiples, step},
    canvas::{Anchor, Canvas, LABEL, Point, WIDTH},
    font::{Weight, fitted, width},
    moments,
    theme::Color,
};

/// Margin in pixels.
pub(crate) const EDGE: f64 = 36.0;
const TITLE: f64 = 30.0;
const TITLE_LINE: f64 = 54.0;
const SUBTITLE_LINE: f64 = 86.0;
/// Height of the line between the heading and the plot.
pub(crate) const BELOW_HEADING: f64 = 115.0;
/// Top of a plot below the heading, and its bottom above the tick labels.
pub(crate) const PLOT_TOP: f64 = 132.0;
pub(crate) const PLOT_BOTTOM: f64 = 482.0;
const MOMENTS_LINE: f64 = 518.0;
/// Half the height of a tag plus half the height of a label next to it.
const COVERED: f64 = 28.0;
/// Maximum number of grid lines.
const LINES: i64 = 6;

/// Text above a chart.
pub(crate) struct Heading<'a> {
    pub(crate) title: &'a str,
    pub(crate) subtitle: &'a str,
    /// The most important number, at the right.
    pub(crate) value: &'a str,
    /// Remark below the title.
    pub(crate) remark: (&'a str, Color),
}

impl Canvas {
    pub(crate) fn heading(&mut self, it: &Heading<'_>) {
        let right = WIDTH - EDGE;
        let ink = self.colors.ink;
        let room = right - EDGE - 24.0 - width(it.value, TITLE, Weight::SemiBold);
        // An address next to a large number gets a smaller font and stays complete.
        let is_wide = width(it.title, TITLE, Weight::SemiBold) > room;
        let size = if is_wide { LABEL } else { TITLE };
        let title = fitted(it.title, size, Weight::SemiBold, room);
        self.bold((EDGE, TITLE_LINE), Anchor::Start, (size, ink), title);
        self.bold((right, TITLE_LINE), Anchor::End, (TITLE, ink), it.value);
        let (remark, color) = it.remark;
        let room = right - EDGE - 24.0 - width(remark, LABEL, Weight::SemiBold);
        let subtitle = fitted(it.subtitle, LABEL, Weight::Regular, room);
        self.label((EDGE, SUBTITLE_LINE), Anchor::Start, subtitle);
        self.bold((right, SUBTITLE_LINE), Anchor::End, (LABEL, color), remark);
    }

    /// Draws grid lines from `left` to `right`, with labels next to their right ends.
    pub(crate) fn lines(&mut self, (left, right): (f64, f64), lines: &Lines) {
        let grid = self.colors.grid;
        for (y, text) in &lines.labels {
            self.line(vec![(left, *y), (right, *y)], 1.0, grid);
            if !text.is_empty() {
                self.label((right + 12.0, y + 8.0), Anchor::Start, text.as_str());
            }
        }
    }

    /// Draws the tick labels below a plot that ends at `right`.
    pub(crate) fn moments(&mut self, span: (i64, i64), interval: i64, scale: Scale) {
        let grid = self.colors.grid;
        for label in moments::labels(span, interval, scale, (EDGE / 2.0, WIDTH - EDGE / 2.0)) {
            let tick: [Point; 2] = [(label.at, PLOT_BOTTOM), (label.at, PLOT_BOTTOM + 6.0)];
            self.line(tick.into(), 1.0, grid);
            self.label((label.at, MOMENTS_LINE), Anchor::Middle, label.text);
        }
    }
}

/// Grid lines with their labels.
pub(crate) struct Lines {
    labels: Vec<(f64, String)>,
}

impl Lines {
    /// Creates grid lines for values from `low` to `high` between two pixels. `write` receives a value and the distance to the next line.
    pub(crate) fn new(
        (low, high): (i64, i64),
        pixels: (f64, f64),
        write: impl Fn(i64, i64) -> String,
    ) -> (Self, Scale) {
        let scale = Scale::new((low, high), pixels);
        let step = step(low, high, LINES);
        let labels = multiples(low, high, step);
        let labels = labels.map(|it| (crisp(scale.at(it)), write(it, step)));
        let labels = labels.collect();
        (Self { labels }, scale)
    }

    /// Removes the labels that another element at this height would cover.
    pub(crate) fn clear(&mut self, y: f64) {
        for (at, text) in &mut self.labels {
            if (*at - y).abs() < COVERED {
                text.clear();
            }
        }
    }

    /// Returns the width of the labels in pixels, including the space before them.
    pub(crate) fn room(&self) -> f64 {
        let rooms = self.labels.iter().map(|(_, text)| label_room(text));
        rooms.fold(0.0, f64::max)
    }
}

/// Returns the width in pixels of a label next to a plot, including the space before it.
pub(crate) fn label_room(text: &str) -> f64 {
    width(text, LABEL, Weight::Regular) + 12.0
}

/// Returns the center of the pixel, where a line of one pixel is not blurred.
pub(crate) fn crisp(at: f64) -> f64 {
    at.floor() + 0.5
}
