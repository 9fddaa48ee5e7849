#![doc = include_str!("../README.md")]

pub mod identifier;
pub mod link;
pub mod marker;
pub mod rating;
