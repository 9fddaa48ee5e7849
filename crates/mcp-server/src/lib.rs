#![doc = include_str!("../README.md")]

mod batch;
mod limits;
mod response;
mod server;
mod toolset;

pub use limits::Limits;
pub use response::{Reply, Response};
pub use server::{Builder, Server};
pub use toolset::{BoxFuture, CallContext, ToolSet, Toolbox};
