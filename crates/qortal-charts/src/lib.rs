#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

mod axis;
mod canvas;
mod changes;
mod depth;
mod drawings;
mod font;
mod frame;
mod levels;
mod moments;
mod price;
mod progress;
mod raster;
mod svg;
mod theme;

pub use self::{
    axis::{count, rounded},
    canvas::Canvas,
    changes::{Change, Changes},
    depth::{Depth, Offer},
    drawings::Drawings,
    font::is_drawable,
    levels::Levels,
    moments::day,
    price::{Candle, Prices},
    progress::{Progress, Step},
    raster::EncodeError,
    theme::Theme,
};

#[cfg(test)]
mod tests;
