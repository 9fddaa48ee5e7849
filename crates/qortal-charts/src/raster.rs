//! PNG output, for models and chats that need pixels.

use thiserror::Error;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::{
    canvas::{Anchor, Canvas, Paint, Point, Shape, Text},
    theme::Color,
};

/// A failure to encode a chart. It is not expected: sizes are fixed and no file is written.
#[derive(Debug, Error)]
#[error("failed to encode the picture")]
pub struct EncodeError(#[from] png::EncodingError);

const PIXELS: (u32, u32) = (960, 540);
/// Takes half the time of the default level, for a twentieth more bytes.
const DEFLATE: u8 = 3;

impl Canvas {
    /// Encodes the chart as PNG.
    ///
    /// # Errors
    /// Returns an error if the encoder fails, which is not expected.
    pub fn png(&self) -> Result<Vec<u8>, EncodeError> {
        let (width, height) = PIXELS;
        let mut pixels =
            Pixmap::new(width, height).expect("the size is neither zero nor near what overflows");
        let Color(red, green, blue) = self.colors.paper;
        pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
        for shape in &self.shapes {
            draw(shape, &mut pixels);
        }
        // The background is opaque, so an alpha channel would hold no information.
        let (colors, _) = pixels.data().as_chunks::<4>();
        let mut opaque = vec![[0; 3]; colors.len()];
        for (pixel, [red, green, blue, _]) in opaque.iter_mut().zip(colors) {
            *pixel = [*red, *green, *blue];
        }
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Areas of one color are runs of equal bytes, which filters would break up.
        encoder.set_filter(png::Filter::NoFilter);
        encoder.set_deflate_compression(png::DeflateCompression::Level(DEFLATE));
        let mut writer = encoder.write_header()?;
        writer.write_image_data(opaque.as_flattened())?;
        writer.finish()?;
        Ok(png)
    }
}

fn draw(shape: &Shape, pixels: &mut Pixmap) {
    match shape {
        Shape::Rectangle {
            corners: [(left, top), (right, bottom)],
            paint,
        } => {
            let corners =
                Rect::from_ltrb(to_f32(*left), to_f32(*top), to_f32(*right), to_f32(*bottom));
            if let Some(rectangle) = corners {
                pixels.fill_rect(rectangle, &painted(*paint), Transform::identity(), None);
            }
        }
        Shape::Polygon { points, paint } => fill(path(points, true), *paint, pixels),
        Shape::Line {
            points,
            width,
            is_dashed,
            color,
        } => {
            let stroke = Stroke {
                width: to_f32(*width),
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash: is_dashed
                    .then(|| StrokeDash::new(vec![4.0, 5.0], 0.0))
                    .flatten(),
                ..Stroke::default()
            };
            if let Some(path) = path(points, false) {
                let paint = painted((*color).into());
                pixels.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
            }
        }
        Shape::Text(text) => write(text, pixels),
    }
}

fn write(text: &Text, pixels: &mut Pixmap) {
    let font = text.weight.face();
    let (glyphs, width) = font.glyphs(&text.text);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let mut outlines = Outlines {
        path: PathBuilder::new(),
        scale: to_f32(text.size / font.em()),
        at: (0.0, to_f32(text.at.1)),
    };
    for (glyph, at) in glyphs {
        outlines.at.0 = to_f32(text.at.0 + (at - before) * text.size);
        font.outline(glyph, &mut outlines);
    }
    fill(outlines.path.finish(), text.color.into(), pixels);
}

fn fill(path: Option<Path>, paint: Paint, pixels: &mut Pixmap) {
    if let Some(path) = path {
        let paint = painted(paint);
        pixels.fill_path(
            &path,
            &paint,
            FillRule::Winding,
            Transform::identity(),
            None,
        );
    }
}

fn path(points: &[Point], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (place, (x, y)) in points.iter().enumerate() {
        match place {
            0 => path.move_to(to_f32(*x), to_f32(*y)),
            _ => path.line_to(to_f32(*x), to_f32(*y)),
        }
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

fn painted(Paint { color, opacity }: Paint) -> tiny_skia::Paint<'static> {
    let Color(red, green, blue) = color;
    let mut color = tiny_skia::Color::from_rgba8(red, green, blue, 255);
    color.apply_opacity(to_f32(opacity));
    let mut paint = tiny_skia::Paint::default();
    paint.set_color(color);
    paint
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "positions on a canvas need far less than 24 bits"
)]
const fn to_f32(value: f64) -> f32 {
    value as f32
}

/// Collector of glyph outlines, whose y axis points up in fonts.
struct Outlines {
    path: PathBuilder,
    scale: f32,
    at: (f32, f32),
}

impl Outlines {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.at.0 + x * self.scale, self.at.1 - y * self.scale)
    }
}

impl OutlineBuilder for Outlines {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = (self.place(x1, y1), self.place(x2, y2));
        let (x, y) = self.place(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::canvas::{HEIGHT, WIDTH},
        PIXELS,
    };

    #[test]
    fn pixels_are_those_of_the_canvas() {
        assert_eq!((f64::from(PIXELS.0), f64::from(PIXELS.1)), (WIDTH, HEIGHT));
    }
}
