#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

mod axis;
mod balance_flow;
mod canvas;
mod chart_cache;
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

pub use self::{
    axis::{count, rounded},
    balance_flow::{BalanceChange, BalanceFlow},
    canvas::Canvas,
    chart_cache::ChartCache,
    depth::{Depth, Offer},
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
