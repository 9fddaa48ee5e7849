//! Diagnosis of rejections by the configured node. It may be older than the endpoint, or have no network time yet.

use serde::Deserialize;

use crate::{ApiError, CoreVersion, Endpoint, NodeError, NodeErrorKind};

/// What `/admin/info` says of the version and the clock.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Build {
    build_version: String,
    current_timestamp: Option<i64>,
}

impl Build {
    /// Whether the node's clock is synchronized.
    fn has_network_time(&self) -> bool {
        self.current_timestamp.is_some()
    }

    fn version(&self) -> Option<CoreVersion> {
        self.build_version.parse().ok()
    }
}

/// The error itself, unless the node lacks the endpoint, or network time. `is_configured` is whether the configured node
/// refused: only that can be asked about itself, which `build` does.
pub(crate) async fn explained<F: Future<Output = Option<Build>>>(
    error: NodeError,
    is_configured: bool,
    build: impl FnOnce() -> F,
) -> NodeError {
    if is_configured && error.is_crash() {
        // Without network time the Core fails where it needs to know what time it is (class `NTP`).
        let has_time = build().await.is_none_or(|it| it.has_network_time());
        return if has_time {
            error
        } else {
            error.with_kind(NodeErrorKind::NoNetworkTime)
        };
    }
    let (Some(lack), Some(needs)) = (lack(&error), error.endpoint().since()) else {
        return error;
    };
    let has = if is_configured {
        build().await.and_then(|it| it.version())
    } else {
        None
    };
    let is_lacking = has.map_or(lack == Lack::Shown, |has| has < needs);
    if is_lacking {
        error.with_kind(NodeErrorKind::NotInThisVersion { needs, has })
    } else {
        error
    }
}

/// How sure a refusal shows that the node lacks the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lack {
    /// A Core that has the endpoint does not refuse it so.
    Shown,
    /// An older endpoint may have taken the path for its own, or the arguments are invalid.
    Possible,
}

/// Whether a refusal may come from a release that is older than the endpoint.
///
/// Usually that is a 404 without the Core's code. But an older template can fit the path: `POST /names/list` is answered
/// with 405 because of `GET /names/{name}`, `POST /arbitrary/resources/onchain/data` asks for the key because of
/// `POST /arbitrary/{service}/{name}/{identifier}`, and a word is refused as a bad parameter where a number was meant.
fn lack(error: &NodeError) -> Option<Lack> {
    let endpoint = error.endpoint();
    endpoint.since()?;
    let NodeErrorKind::Refused { status, code, .. } = error.kind() else {
        return None;
    };
    match (*status, *code) {
        (404 | 405, None) => Some(Lack::Shown),
        (403, Some(ApiError::UNAUTHORIZED)) if !endpoint.access().needs_key() => Some(Lack::Shown),
        (400, None) => Some(Lack::Possible),
        // `GET /names/{name}`.
        (404, Some(ApiError::NAME_UNKNOWN)) if endpoint == Endpoint::NamesSearch => {
            Some(Lack::Possible)
        }
        _ => None,
    }
}
