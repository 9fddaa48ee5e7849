#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod ask;
mod batch;
mod build_error;
mod builder;
mod call;
mod change_notifier;
mod channel;
mod context;
mod declaration;
mod extensions;
mod features;
mod grant;
mod limits;
mod listen;
mod lists;
mod load;
mod memory;
mod multi_round_trip;
mod notifications;
mod observer;
mod offer;
mod params;
mod rate;
mod response;
mod router;
mod server;
mod session;
mod sets;
mod sign;
mod skill_frontmatter;
mod skill_requests;
mod skills;
mod state_binding;
mod stop;
mod subscribe;
mod subscription;
mod tasks;
mod trace;

pub use ask::AskError;
pub use build_error::BuildError;
pub use builder::Builder;
pub use change_notifier::ChangeNotifier;
pub use context::CallContext;
pub use extensions::{Client, Extensions, PeerAddress, Scope};
pub use grant::Grant;
pub use limits::Limits;
pub use load::Load;
pub use memory::MemoryBudget;
pub use observer::{AnsweredRequest, BegunRequest, EndedTask, RequestObserver, RequestOutcome};
pub use router::{
    Handler, PromptAnswer, PromptRouter, ResourceAnswer, ResourceRouter, ToolAnswer, ToolHandler,
    ToolOutcome, ToolRouter,
};
pub use server::Server;
pub use sets::{
    BoxFuture, Completer, PromptError, PromptSet, ReadError, ResourceSet, SubscribeError,
    ToolReply, ToolSet,
};
pub use sign::SigningKey;
pub use skills::SkillFolder;
pub use stop::{Ended, Stop};
pub use subscription::SubscriptionGuard;
pub use tasks::{MemoryTasks, StoreError, TaskRecord, TaskStore};
/// What a [`Stop`] is made of, and can be made from.
pub use tokio_util::sync::CancellationToken;
/// The types that typed tools are declared by: see [`ToolRouter::tool`].
pub use tool_schema;
pub use trace::TraceParent;

pub(crate) use self::transport::{
    ClientChannel, HeaderParameter, Notifications, Outgoing, Reply, Response, ResultBytes, Session,
    out_of_memory,
};

/// What carries messages needs these, and authors of tools do not: a request comes with the [`ClientChannel`] of its client and, after a
/// handshake, its [`Session`]; what the server sends is a [`Response`] or [`Outgoing`]; memory for both is reserved.
pub mod transport {
    pub use crate::{
        channel::{ClientChannel, Outgoing},
        memory::{Reservation, out_of_memory, parsed_bytes},
        notifications::Notifications,
        response::{Reply, Response, ResultBytes},
        session::Session,
        tasks::Serving,
    };
    pub use mcp_protocol::transport::HeaderParameter;
}
