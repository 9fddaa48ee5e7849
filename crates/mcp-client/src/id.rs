//! The ids of our requests: numbers from one on.

use mcp_protocol::RequestId;

/// An id of ours as it is written.
pub(crate) fn wire_id(id: i64) -> RequestId {
    RequestId::Integer(id.into())
}

/// The id of ours that it is, if it is one.
pub(crate) fn own_id(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Integer(id) => i64::try_from(*id).ok(),
        RequestId::String(_) => None,
    }
}
