#![doc = include_str!("../README.md")]

pub mod address;
pub mod answer;
pub mod args;
pub mod serve;
