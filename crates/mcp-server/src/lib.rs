#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod builder;
mod context;
mod dispatch;
mod limits;
mod provide;
mod session;
mod skills;
mod tasks;

pub use builder::{BuildError, ListKinds, ServerBuilder};
pub use context::{
    AskError, AuthInfo, CallContext, CallerKey, Extensions, ListVariant, PeerIp, RequestContext,
    SigningKey, TraceParent,
};
pub use dispatch::{RequestEnd, RequestObserver, RequestOutcome, RequestStart, Server, TaskEnd};
pub use limits::{MemoryBudget, ServerLimits, ServerStats};
/// The protocol's messages, and the declarations of servers and tools.
pub use mcp_protocol;
#[doc(hidden)]
pub use provide::LazyTool;
pub use provide::{
    BoxFuture, Call, CallKind, Completer, HandlerError, HandlerFn, IntoPromptResult,
    IntoResourceResult, IntoToolResult, Layer, LayerReply, Next, PromptError, PromptRouter,
    PromptSet, ReadResourceError, ResourceRouter, ResourceSet, SubscribeError, ToolHandler,
    ToolHandlerResult, ToolReply, ToolRouter, ToolSet,
};
pub use session::{ChangeNotifier, ShutdownReport, ShutdownToken, SubscriptionGuard};
pub use skills::Skill;
pub use tasks::{InMemoryTaskStore, TaskRecord, TaskStore, TaskStoreError};
/// The cancellation token of tokio-util. A [`ShutdownToken`] can be created from one.
pub use tokio_util::sync::CancellationToken;
/// The types for declaring typed tools. See [`ToolRouter::tool`].
pub use tool_schema;

/// Types for transports. Tool authors do not need them. A request comes with the
/// [`ClientChannel`](transport::ClientChannel) of its client and, after a handshake, its
/// [`Session`](transport::Session). The server sends a [`Response`](transport::Response) or
/// [`ChannelEvent`](transport::ChannelEvent). Memory is reserved for both.
pub mod transport {
    pub use crate::{
        dispatch::{Response, ResponsePayload, ResultBytes},
        limits::memory::{MemoryReservation, out_of_memory, parsed_size_estimate},
        session::{ChannelEvent, ClientChannel, NotificationStream, Session},
        tasks::ServingGuard,
    };
    pub use mcp_protocol::transport::HeaderParameter;
}

/// Test suites for implementations of this crate's traits.
pub mod testing {
    pub use crate::tasks::contract::{ContractError, validate_task_store};
}
