//! The cases without their tests.

pub(crate) mod model;
mod options;
pub(crate) mod run;
