//! The IDs of the client's requests: integers from 1 on.

use mcp_protocol::RequestId;

/// Returns the wire form of a request ID.
pub(crate) fn wire_id(id: i64) -> RequestId {
    RequestId::Integer(id.into())
}

/// Returns the ID of one of the client's requests, if it has the right form.
pub(crate) fn own_id(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Integer(id) => i64::try_from(*id).ok(),
        RequestId::String(_) => None,
    }
}
