//! What parameters and answers of any type publish, accept and refuse.
#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test that cannot go on should say so, and these numbers have these digits"
)]

#[cfg(feature = "schemars")]
mod json;
mod parts;
#[cfg(feature = "schemars")]
mod recursive;
#[cfg(feature = "schemars")]
mod variants;
