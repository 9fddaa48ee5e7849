//! Endpoints that act, sign or reveal secrets. A read-only client must never call them, so a strict node reports such calls. The responses
//! are the errors of a node on the main network: the API key is missing, or the API is restricted.

use std::sync::LazyLock;

use crate::resource::{ApiError, Body, Endpoint, Refusal, Request, State};

/// All acting endpoints. A line of the file has the reason for the error response, the method and the path.
pub(super) static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    let lines = include_str!("../../data/acting.txt").lines();
    let rows = lines.filter_map(|line| {
        let (refusal, endpoint) = line.split_once(' ')?;
        let (method, path) = endpoint.split_once(' ')?;
        let handler = if refusal == "keyed" {
            keyed
        } else {
            restricted
        };
        Some(Endpoint::acting(method, path, handler))
    });
    rows.collect()
});

/// Rejects a request without the API key. A request with the key has no effect either, since this node cannot act.
fn keyed(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    Err(ApiError::NON_PRODUCTION.into())
}

/// Rejects a request because the node's API is restricted.
pub(super) fn restricted(_: &State, _: &Request) -> Result<Body, Refusal> {
    Err(ApiError::NON_PRODUCTION.into())
}

#[cfg(test)]
mod tests {
    use super::ENDPOINTS;

    #[test]
    fn each_line_of_the_file_is_an_endpoint() {
        let lines = include_str!("../../data/acting.txt").lines();
        assert_eq!(ENDPOINTS.len(), lines.count());
    }
}
