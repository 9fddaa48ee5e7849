//! The examples of the guide, as documentation tests, and the adapter for rmcp's results.
#![doc = include_str!("../../../../docs/embedding.md")]

pub mod results;
