//! What a call knows of its request: the caller, the part of the server that it sees, and how the client is asked.

mod ask;
mod call;
mod client;
mod extensions;
mod grant;
pub(crate) mod multi_round_trip;
mod request;
mod scope;
pub(crate) mod sign;
pub(crate) mod state_binding;
mod trace;

pub use self::{
    ask::AskError,
    call::CallContext,
    client::{Client, PeerAddress},
    extensions::Extensions,
    grant::Grant,
    request::RequestContext,
    scope::Scope,
    sign::SigningKey,
    trace::TraceParent,
};
