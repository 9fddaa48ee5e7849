#![doc = include_str!("../README.md")]

pub mod embed;
pub mod text;
