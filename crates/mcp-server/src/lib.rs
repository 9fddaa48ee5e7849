#![doc = include_str!("../README.md")]

mod ask;
mod batch;
mod builder;
mod call;
mod changes;
mod context;
mod feed;
mod header_parameter;
mod limits;
mod link;
mod listen;
mod lists;
mod panics;
mod prompts;
mod resources;
mod response;
mod round;
mod seal;
mod server;
mod session;
mod toolset;

pub use ask::AskError;
pub use builder::Builder;
pub use changes::Changes;
pub use context::CallContext;
pub use feed::Feed;
pub use header_parameter::HeaderParameter;
pub use limits::Limits;
pub use link::{Link, OUTGOING, Outgoing};
pub use prompts::{Completer, PromptError, PromptSet};
pub use resources::{ReadError, ResourceSet};
pub use response::{Reply, Response};
pub use seal::Key;
pub use server::Server;
pub use session::Session;
pub use toolset::{BoxFuture, ToolOutcome, ToolSet, Toolbox};
