//! Shapes in the order they are drawn.

use super::{
    font::Weight,
    theme::{Color, Colors, Theme},
};

/// The size of every picture. Labels are read at half of it too, 480 pixels, as wide as the column of a chat.
pub(crate) const WIDTH: f64 = 960.0;
pub(crate) const HEIGHT: f64 = 540.0;

/// From the left and from the top.
pub(crate) type Point = (f64, f64);

/// A picture that is laid out, with words for those who do not see it.
#[derive(Debug)]
pub struct Canvas {
    pub(crate) colors: &'static Colors,
    /// The subject.
    pub(crate) title: String,
    /// What there is to see, in sentences.
    pub(crate) description: String,
    pub(crate) shapes: Vec<Shape>,
}

#[derive(Debug)]
pub(crate) enum Shape {
    /// Between the upper left corner and the lower right one.
    Rectangle {
        corners: [Point; 2],
        paint: Paint,
    },
    Polygon {
        points: Vec<Point>,
        paint: Paint,
    },
    /// A line with round ends and corners.
    Line {
        points: Vec<Point>,
        width: f64,
        is_dashed: bool,
        color: Color,
    },
    Text(Text),
}

/// A color, 0 to 1 of which covers what is below.
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
    /// On the line that letters stand on.
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) color: Color,
    /// The part of the text that is at `at`.
    pub(crate) anchor: Anchor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The size of labels, and of what is said below a title.
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

    /// What there is to see, in sentences.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The subject.
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

    /// A dot: a line without length, whose ends are round.
    pub(crate) fn dot(&mut self, at: Point, width: f64, color: Color) {
        self.line(vec![at, at], width, color);
    }

    /// A label in the color of labels.
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

    /// A heading, in bold.
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
