//! The examples of the guide, as documentation tests.
#![doc = include_str!("../../../../docs/embedding.md")]
