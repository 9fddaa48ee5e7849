//! What a call knows of its request: the caller, the part of the server that it sees, and how the client is asked.

mod ask;
mod call;
mod extensions;
mod grant;
pub(crate) mod multi_round_trip;
pub(crate) mod sign;
pub(crate) mod state_binding;
mod trace;

pub use self::{
    ask::AskError,
    call::CallContext,
    extensions::{Client, Extensions, PeerAddress, Scope},
    grant::Grant,
    sign::SigningKey,
    trace::TraceParent,
};
