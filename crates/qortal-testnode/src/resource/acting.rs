//! Endpoints that act, sign or reveal secrets. A read-only client must never call them, so a strict node complains;
//! the answers are the refusals of a node on the main network: a key is demanded, or the call is restricted.

use std::sync::LazyLock;

use crate::resource::{ApiError, Body, Endpoint, Refusal, Request, State};

/// All of them. A line of the file has what a request is refused for, the method and the path.
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

/// Refused for want of the key. With the key nothing happens either: this node cannot act.
fn keyed(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    Err(ApiError::NON_PRODUCTION.into())
}

/// Refused because the API of this node is restricted.
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
