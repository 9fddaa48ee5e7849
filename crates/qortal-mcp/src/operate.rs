//! What operators and their programs are shown: whether the server can take requests, and its figures.

mod cache_figures;
mod metrics;
mod pages;

pub(crate) use metrics::Metrics;
pub(crate) use pages::{Operated, management_pages, public_pages};
