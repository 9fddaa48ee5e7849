//! Pictures of numbers: shapes on a canvas, written as PNG and as SVG with the same layout.
//!
//! A chart knows nothing of nodes and tools: it gets numbers and words, and lays them out on a [`Canvas`].

mod axis;
mod canvas;
mod changes;
mod depth;
mod font;
mod frame;
mod levels;
mod moments;
mod price;
mod progress;
mod raster;
mod svg;
mod theme;

pub(crate) use self::{
    axis::{count, rounded},
    canvas::Canvas,
    changes::{Change, Changes},
    depth::{Depth, Offer},
    font::is_drawable,
    levels::Levels,
    moments::day,
    price::{Candle, Prices},
    progress::{Progress, Step},
    theme::Theme,
};

#[cfg(test)]
mod tests;
