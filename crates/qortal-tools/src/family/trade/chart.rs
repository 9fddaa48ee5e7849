//! A candlestick chart as PNG or SVG: one drawing on two backends.

use std::fmt::Display;

use font8x8::legacy::BASIC_LEGACY;
use plotters::{
    coord::Shift,
    element::{CandleStick, PathElement, Rectangle},
    prelude::{
        BitMapBackend, ChartBuilder, DrawingArea, DrawingBackend, IntoDrawingArea, RGBColor,
        SVGBackend,
    },
    style::{Color, IntoFont, ShapeStyle, TextStyle},
};
use qortal_types::{Amount, Timestamp};
use thiserror::Error;

use super::candles::{Candle, Interval};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 540;
/// Room for the title and for the labels of both axes.
const TOP: u32 = 48;
const LEFT: u32 = 190;
const RIGHT: u32 = 24;
const BOTTOM: u32 = 48;
/// Pixels of one dot of the 8x8 font.
const DOT: i32 = 2;
/// Pixels of one character.
const CHARACTER: i32 = 8 * DOT;
/// With 26 pixels, characters of most monospaced fonts are as wide as those of dots. The plotting library divides by 1.24.
const FONT_SIZE: f64 = 26.0 * 1.24;
/// Lines of equal price.
const PRICES: i64 = 5;
/// Moments named below; a label takes up to 176 pixels.
const MOMENTS: usize = 4;

const PAPER: RGBColor = RGBColor(255, 255, 255);
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(220, 220, 220);
const RISE: RGBColor = RGBColor(22, 140, 90);
const FALL: RGBColor = RGBColor(200, 50, 60);

/// A chart that could not be drawn. Not expected: sizes are fixed, and nothing is written to files.
#[derive(Debug, Error)]
pub(super) enum ChartError {
    /// The plotting library refused.
    #[error("failed to draw: {0}")]
    Draw(String),
    /// The encoder refused.
    #[error("failed to encode: {0}")]
    Encode(#[from] png::EncodingError),
}

/// Candles, which begin at multiples of the interval and of which there is at least one.
pub(super) struct Chart<'a> {
    pub(super) title: &'a str,
    pub(super) candles: &'a [Candle],
    pub(super) interval: Interval,
}

impl Chart<'_> {
    /// In pixels. Labels are drawn with the 8x8 font, as the plotting library wants a font file for its own.
    pub(super) fn png(&self) -> Result<Vec<u8>, ChartError> {
        let mut pixels = vec![0; (WIDTH * HEIGHT * 3) as usize];
        let paper = BitMapBackend::with_buffer(&mut pixels, (WIDTH, HEIGHT));
        draw(paper, self, write_dots).map_err(ChartError::Draw)?;
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, WIDTH, HEIGHT);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(png)
    }

    /// In lines, with its labels as text.
    pub(super) fn svg(&self) -> Result<String, ChartError> {
        let mut svg = String::new();
        let paper = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT));
        draw(paper, self, write_text).map_err(ChartError::Draw)?;
        Ok(svg)
    }
}

/// Draws a chart on any paper; `write` puts a label on it with its upper left corner at a place.
fn draw<B>(
    paper: B,
    chart: &Chart<'_>,
    write: impl Fn(&DrawingArea<B, Shift>, &str, (i32, i32)) -> Result<(), String>,
) -> Result<(), String>
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let Chart {
        title,
        candles,
        interval,
    } = *chart;
    let paper = paper.into_drawing_area();
    paper.fill(&PAPER).map_err(text)?;
    let starts = || candles.iter().map(|it| it.start.millis());
    let half = interval.millis() / 2;
    let (first, last) = (
        starts().min().unwrap_or_default() - half,
        starts().max().unwrap_or_default() + half,
    );
    let low = candles.iter().map(|it| it.low.units()).min();
    let high = candles.iter().map(|it| it.high.units()).max();
    let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
    // A tenth of room above and below, and something to see where all prices are equal.
    let room = high
        .saturating_sub(low)
        .max(high / 10)
        .checked_div(10)
        .unwrap_or_default()
        .max(1);
    let (low, high) = (low.saturating_sub(room).max(0), high.saturating_add(room));
    let mut chart = ChartBuilder::on(&paper)
        .margin_top(TOP)
        .margin_left(LEFT)
        .margin_right(RIGHT)
        .margin_bottom(BOTTOM)
        .build_cartesian_2d(first..last, low..high)
        .map_err(text)?;
    let step = step(high.saturating_sub(low));
    let lines: Vec<i64> = (low.div_euclid(step)..=high.div_euclid(step))
        .filter_map(|it| it.checked_mul(step))
        .filter(|it| (low..=high).contains(it))
        .collect();
    chart
        .draw_series(
            lines
                .iter()
                .map(|price| PathElement::new(vec![(first, *price), (last, *price)], GRID)),
        )
        .map_err(text)?;
    let intervals = u32::try_from((last - first) / interval.millis()).unwrap_or(u32::MAX);
    let width = (WIDTH - LEFT - RIGHT)
        .checked_div(intervals)
        .unwrap_or_default();
    // Three quarters of the room, and never less than what can be seen.
    let width = (width * 3 / 4).clamp(3, 60);
    chart
        .draw_series(candles.iter().map(|it| {
            CandleStick::new(
                it.start.millis(),
                it.open.units(),
                it.high.units(),
                it.low.units(),
                it.close.units(),
                solid(RISE),
                solid(FALL),
                width,
            )
        }))
        .map_err(text)?;
    // Where it opened is where it closed: the library draws nothing but a line of one pixel.
    let at = |it: &Candle| chart.backend_coord(&(it.start.millis(), it.close.units()));
    let flat: Vec<_> = candles
        .iter()
        .filter(|it| it.open == it.close)
        .map(at)
        .collect();
    let moments: Vec<_> = named(candles)
        .map(|it| (label(it.start, interval), at(it).0))
        .collect();
    let prices: Vec<_> = lines
        .iter()
        .map(|price| (*price, chart.backend_coord(&(first, *price)).1))
        .collect();
    drop(chart);
    let reach = i32::try_from(width / 2).unwrap_or_default();
    for (x, y) in flat {
        let corners = [(x - reach, y - 1), (x + reach + 1, y + 2)];
        paper
            .draw(&Rectangle::new(corners, solid(RISE)))
            .map_err(text)?;
    }
    write(&paper, title, (i32::try_from(LEFT).unwrap_or_default(), 16))?;
    for (price, y) in prices {
        let price = trimmed(Amount::from_units(price));
        let x = i32::try_from(LEFT).unwrap_or_default() - 10 - width_of(&price);
        write(&paper, &price, (x, y - CHARACTER / 2))?;
    }
    let below = i32::try_from(HEIGHT - BOTTOM).unwrap_or_default() + 14;
    for (moment, x) in moments {
        let most = i32::try_from(WIDTH).unwrap_or_default() - width_of(&moment) - 4;
        let x = (x - width_of(&moment) / 2).clamp(0, most);
        write(&paper, &moment, (x, below))?;
    }
    paper.present().map_err(text)
}

fn text(err: impl Display) -> String {
    err.to_string()
}

fn solid(color: RGBColor) -> ShapeStyle {
    color.filled()
}

/// A round distance between lines of equal price: 1, 2 or 5 and zeros.
fn step(range: i64) -> i64 {
    let least = (range / PRICES).max(1);
    let mut unit = 1_i64;
    loop {
        for factor in [1, 2, 5] {
            if unit.saturating_mul(factor) >= least {
                return unit.saturating_mul(factor);
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// The candles whose moments are named: spread evenly in time, not overlapping.
fn named(candles: &[Candle]) -> impl Iterator<Item = &Candle> {
    let first = candles.first().map_or(0, |it| it.start.millis());
    let last = candles.last().map_or(0, |it| it.start.millis());
    let apart = (last - first) / i64::try_from(MOMENTS).unwrap_or(1);
    let mut due = i64::MIN;
    candles.iter().filter(move |it| {
        let is_due = it.start.millis() >= due;
        if is_due {
            due = it.start.millis().saturating_add(apart.max(1));
        }
        is_due
    })
}

/// `11-21 05:00` for hours, `2026-11-21` for longer intervals.
fn label(moment: Timestamp, interval: Interval) -> String {
    let iso = moment.to_string();
    let part = match interval {
        Interval::Hour => iso.get(5..16),
        Interval::Day | Interval::Week => iso.get(..10),
    };
    part.unwrap_or_default().replace('T', " ")
}

/// An amount without the zeros at its end.
fn trimmed(amount: Amount) -> String {
    let text = amount.to_string();
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn width_of(text: &str) -> i32 {
    i32::try_from(text.chars().count())
        .unwrap_or(i32::MAX)
        .saturating_mul(CHARACTER)
}

/// Writes ASCII text in dots; what is outside the paper is not seen.
fn write_dots(
    paper: &DrawingArea<BitMapBackend<'_>, Shift>,
    line: &str,
    (left, top): (i32, i32),
) -> Result<(), String> {
    let columns = (left..).step_by(CHARACTER.unsigned_abs() as usize);
    for (character, left) in line.chars().zip(columns) {
        let glyph = BASIC_LEGACY.get(character as usize).unwrap_or(&[0; 8]);
        for (row, bits) in (0_i32..).zip(glyph) {
            for column in (0..8_i32).filter(|it| bits >> it & 1 == 1) {
                for dot in 0..DOT * DOT {
                    let x = left + column * DOT + dot % DOT;
                    let y = top + row * DOT + dot / DOT;
                    paper.draw_pixel((x, y), &INK).map_err(text)?;
                }
            }
        }
    }
    Ok(())
}

/// Writes text in a font whose characters are as wide as those of dots.
fn write_text(
    paper: &DrawingArea<SVGBackend<'_>, Shift>,
    line: &str,
    (left, top): (i32, i32),
) -> Result<(), String> {
    let style = TextStyle::from(("monospace", FONT_SIZE).into_font()).color(&INK);
    paper.draw_text(line, &style, (left, top)).map_err(text)
}
