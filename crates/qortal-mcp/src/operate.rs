//! What operators and their programs are shown: whether the server can take requests, and its figures.

mod access;
mod cache_figures;
mod metrics;
mod observers;
#[cfg(feature = "otel")]
mod otel;
mod pages;
mod service;

pub(crate) use access::AccessLog;
pub(crate) use metrics::Metrics;
pub(crate) use observers::Observers;
pub(crate) use pages::{Operated, management_pages, public_pages, watch};
pub(crate) use service::{ServiceState, keep_alive, tell};
