//! The context of a call: its caller, the scope of the server, and requests to the client.

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
