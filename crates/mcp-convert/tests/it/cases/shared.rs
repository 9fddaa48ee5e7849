//! The cases without their tests.

pub(crate) mod model;
pub(crate) mod options;
pub(crate) mod run;
