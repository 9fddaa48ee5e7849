//! The context of a call: its caller, the list variant, and requests to the client.

mod ask;
mod auth_info;
mod call;
mod extensions;
mod list_variant;
pub(crate) mod multi_round_trip;
mod request;
pub(crate) mod sign;
pub(crate) mod state_binding;
mod trace;

pub use self::{
    ask::AskError,
    auth_info::AuthInfo,
    call::CallContext,
    extensions::Extensions,
    list_variant::ListVariant,
    request::{CallerKey, PeerIp, RequestContext},
    sign::SigningKey,
    trace::TraceParent,
};
