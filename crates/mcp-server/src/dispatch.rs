//! Dispatch of requests by method. Each request gets one response.

mod batch;
pub(crate) mod call;
mod capabilities;
pub(crate) mod declaration;
pub(crate) mod list_cache;
mod listen;
pub(crate) mod lists;
pub(crate) mod observer;
pub(crate) mod params;
mod prompts;
pub(crate) mod refusal;
pub(crate) mod rendered_tools;
mod resources;
pub(crate) mod response;
pub(crate) mod server;
mod subscribe;

pub use self::{
    observer::{RequestEnd, RequestObserver, RequestOutcome, RequestStart, TaskEnd},
    response::{Response, ResponsePayload, ResultBytes},
    server::Server,
};
