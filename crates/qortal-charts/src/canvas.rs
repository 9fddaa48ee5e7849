//! Canvas: shapes in drawing order.

use super::{
    font::Weight,
    theme::{Color, Colors, Theme},
};

/// Size of every chart. Labels stay legible at half of it, 480 pixels, which is as wide as the column of a chat.
pub(crate) const WIDTH: f64 = 960.0;
pub(crate) const HEIGHT: f64 = 540.0;

/// Distance from the left and from the top.
pub(crate) type Point = (f64, f64);

/// A laid-out chart with a text description for readers who cannot see it.
#[derive(Debug)]
pub struct Canvas {
    pub(crate) colors: &'static Colors,
    /// Subject of the chart.
    pub(crate) title: String,
    /// Text description of the chart, in sentences.
    pub(crate) description: String,
    pub(crate) shapes: Vec<Shape>,
}

#[derive(Debug)]
pub(crate) enum Shape {
    /// The upper left and the lower right corner.
    Rectangle {
        corners: [Point; 2],
        paint: Paint,
    },
    Polygon {
        points: Vec<Point>,
        paint: Paint,
    },
    /// A line with round ends and joins.
    Line {
        points: Vec<Point>,
        width: f64,
        is_dashed: bool,
        color: Color,
    },
    Text(Text),
}

/// A color with an opacity of 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    pub(crate) color: Color,
    pub(crate) opacity: f64,
}

impl From<Color> for Paint {
    fn from(color: Color) -> Self {
        Self {
            color,
            opacity: 1.0,
        }
    }
}

impl Color {
    pub(crate) const fn faint(self, opacity: f64) -> Paint {
        Paint {
            color: self,
            opacity,
        }
    }
}

/// One line of text.
#[derive(Debug)]
pub(crate) struct Text {
    /// Position on the baseline.
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) color: Color,
    /// The part of the text at position `at`.
    pub(crate) anchor: Anchor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Font size of labels and of the remark below a title.
pub(crate) const LABEL: f64 = 22.0;

impl Canvas {
    pub(crate) fn new(theme: Theme, title: String, description: String) -> Self {
        Self {
            colors: theme.colors(),
            title,
            description,
            shapes: Vec::new(),
        }
    }

    /// Returns a description of the chart, in sentences.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the subject of the chart.
    pub fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn rectangle(&mut self, corners: [Point; 2], paint: impl Into<Paint>) {
        let paint = paint.into();
        self.shapes.push(Shape::Rectangle { corners, paint });
    }

    pub(crate) fn polygon(&mut self, points: Vec<Point>, paint: impl Into<Paint>) {
        let paint = paint.into();
        self.shapes.push(Shape::Polygon { points, paint });
    }

    pub(crate) fn line(&mut self, points: Vec<Point>, width: f64, color: Color) {
        self.shapes.push(Shape::Line {
            points,
            width,
            is_dashed: false,
            color,
        });
    }

    pub(crate) fn dashed(&mut self, points: [Point; 2], color: Color) {
        self.shapes.push(Shape::Line {
            points: points.into(),
            width: 1.0,
            is_dashed: true,
            color,
        });
    }

    /// Draws a dot: a line of zero length with round ends.
    pub(crate) fn dot(&mut self, at: Point, width: f64, color: Color) {
        self.line(vec![at, at], width, color);
    }

    /// Draws a label in the muted color.
    pub(crate) fn label(&mut self, at: Point, anchor: Anchor, text: impl Into<String>) {
        let color = self.colors.muted;
        self.shapes.push(Shape::Text(Text {
            at,
            text: text.into(),
            size: LABEL,
            weight: Weight::Regular,
            color,
            anchor,
        }));
    }

    /// Draws a heading in bold.
    pub(crate) fn bold(
        &mut self,
        at: Point,
        anchor: Anchor,
        (size, color): (f64, Color),
        text: impl Into<String>,
    ) {
        self.shapes.push(Shape::Text(Text {
            at,
            text: text.into(),
            size,
            weight: Weight::SemiBold,
            color,
            anchor,
        }));
    }
}
