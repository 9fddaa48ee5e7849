//! What all pictures have around their numbers: a heading, lines of equal value, and moments.

use super::{
    axis::{Scale, multiples, step},
    canvas::{Anchor, Canvas, LABEL, Point, WIDTH},
    font::{Weight, fitted, width},
    moments,
    theme::Color,
};

/// Pixels between the edge and anything.
pub(crate) const EDGE: f64 = 36.0;
const TITLE: f64 = 30.0;
const TITLE_LINE: f64 = 54.0;
const SUBTITLE_LINE: f64 = 86.0;
/// The line between the heading and the plot.
pub(crate) const BELOW_HEADING: f64 = 115.0;
/// Where a plot begins below the heading, and where it ends above the moments.
pub(crate) const PLOT_TOP: f64 = 132.0;
pub(crate) const PLOT_BOTTOM: f64 = 482.0;
const MOMENTS_LINE: f64 = 518.0;
/// Half the heights of a tag and of a label beside it.
const COVERED: f64 = 28.0;
/// Lines of equal value, at most.
const LINES: i64 = 6;

/// The words above a picture.
pub(crate) struct Heading<'a> {
    pub(crate) title: &'a str,
    pub(crate) subtitle: &'a str,
    /// The number that matters most, to the right.
    pub(crate) value: &'a str,
    /// What is to say of it, below.
    pub(crate) remark: (&'a str, Color),
}

impl Canvas {
    pub(crate) fn heading(&mut self, it: &Heading<'_>) {
        let right = WIDTH - EDGE;
        let ink = self.colors.ink;
        let room = right - EDGE - 24.0 - width(it.value, TITLE, Weight::SemiBold);
        // An address beside a large number is smaller, but whole.
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

    /// Draws lines of equal value from `left` to `right`, with labels beside their right ends.
    pub(crate) fn lines(&mut self, (left, right): (f64, f64), lines: &Lines) {
        let grid = self.colors.grid;
        for (y, text) in &lines.labels {
            self.line(vec![(left, *y), (right, *y)], 1.0, grid);
            if !text.is_empty() {
                self.label((right + 12.0, y + 8.0), Anchor::Start, text.as_str());
            }
        }
    }

    /// Draws the moments below a plot that ends at `right`.
    pub(crate) fn moments(&mut self, span: (i64, i64), interval: i64, scale: Scale) {
        let grid = self.colors.grid;
        for label in moments::labels(span, interval, scale, (EDGE / 2.0, WIDTH - EDGE / 2.0)) {
            let tick: [Point; 2] = [(label.at, PLOT_BOTTOM), (label.at, PLOT_BOTTOM + 6.0)];
            self.line(tick.into(), 1.0, grid);
            self.label((label.at, MOMENTS_LINE), Anchor::Middle, label.text);
        }
    }
}

/// Lines of equal value with their labels.
pub(crate) struct Lines {
    labels: Vec<(f64, String)>,
}

impl Lines {
    /// For values from `low` to `high` between two pixels; `write` gets a value and the distance to the next line.
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

    /// Leaves out the labels that something else at this height would cover.
    pub(crate) fn clear(&mut self, y: f64) {
        for (at, text) in &mut self.labels {
            if (*at - y).abs() < COVERED {
                text.clear();
            }
        }
    }

    /// Pixels that the labels take, with the space before them.
    pub(crate) fn room(&self) -> f64 {
        let rooms = self.labels.iter().map(|(_, text)| label_room(text));
        rooms.fold(0.0, f64::max)
    }
}

/// Pixels that a label beside a plot takes, with the space before it.
pub(crate) fn label_room(text: &str) -> f64 {
    width(text, LABEL, Weight::Regular) + 12.0
}

/// The middle of the nearest pixel: a line of one pixel there is not blurred.
pub(crate) fn crisp(at: f64) -> f64 {
    at.floor() + 0.5
}
