//! SVG output. Text stays text: viewers without the font substitute their own.

use std::fmt::Write as _;

use super::{
    canvas::{Anchor, Canvas, HEIGHT, LABEL, Paint, Point, Shape, Text, WIDTH},
    font::Weight,
    theme::Color,
};

impl Canvas {
    /// Returns the chart as SVG, with a title and a description for screen readers.
    pub fn svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             role=\"img\" aria-labelledby=\"chart-title chart-description\" \
             font-family=\"Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\" font-size=\"{LABEL}\" \
             style=\"font-variant-numeric: tabular-nums\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n\
             <title id=\"chart-title\">{}</title>\n<desc id=\"chart-description\">{}</desc>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            escaped(&self.title),
            escaped(&self.description),
            hex(self.colors.paper),
        );
        for shape in &self.shapes {
            svg.push_str(&element(shape));
            svg.push('\n');
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Rectangle { corners, paint } => {
            let [(left, top), (right, bottom)] = *corners;
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>",
                number(left),
                number(top),
                number(right - left),
                number(bottom - top),
                fill(*paint)
            )
        }
        Shape::Polygon { points: of, paint } => {
            format!("<polygon points=\"{}\" {}/>", points(of), fill(*paint))
        }
        Shape::Line {
            points: of,
            width,
            is_dashed,
            color,
        } => {
            let dashes = if *is_dashed {
                " stroke-dasharray=\"4 5\""
            } else {
                ""
            };
            format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dashes}/>",
                points(of),
                hex(*color),
                number(*width)
            )
        }
        Shape::Text(text) => text_element(text),
    }
}

fn text_element(it: &Text) -> String {
    let mut out = format!("<text x=\"{}\" y=\"{}\"", number(it.at.0), number(it.at.1));
    let size = number(it.size);
    if size != number(LABEL) {
        out.push_str(&format!(" font-size=\"{size}\""));
    }
    if it.weight == Weight::SemiBold {
        out.push_str(" font-weight=\"600\"");
    }
    match it.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    format!(
        "{out} fill=\"{}\">{}</text>",
        hex(it.color),
        escaped(&it.text)
    )
}

fn points(points: &[Point]) -> String {
    let mut out = String::new();
    for (x, y) in points {
        let space = if out.is_empty() { "" } else { " " };
        let _ = write!(out, "{space}{},{}", number(*x), number(*y));
    }
    out
}

/// Formats a number with at most one decimal place. Smaller differences are invisible.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

fn fill(Paint { color, opacity }: Paint) -> String {
    let fill = format!("fill=\"{}\"", hex(color));
    if opacity < 1.0 {
        format!("{fill} fill-opacity=\"{opacity}\"")
    } else {
        fill
    }
}

fn hex(Color(red, green, blue): Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
