//! Negotiation of the revision: without a handshake if the server supports that, otherwise with one (2026-07-28
//! `basic/versioning`, "Backward Compatibility").

use mcp_protocol::{Method, Object, Revision, error};

use crate::{
    ClientError,
    capabilities::{ServerOffer, latest, names},
    peer::{Link, Peer},
};

/// The outcome of `server/discover`.
enum Probed {
    Opened(Box<ServerOffer>),
    /// The server supports these revisions, and all of them need a handshake.
    NeedsHandshake(Vec<String>),
}

pub(crate) async fn open(peer: &Peer) -> Result<ServerOffer, ClientError> {
    let limits = peer.config.limits;
    match peer.config.revision {
        Some(revision) if revision.has_handshake() => initialize(peer, revision).await,
        Some(revision) => match discover(peer, revision, limits.request_timeout).await? {
            Probed::Opened(opened) => Ok(*opened),
            Probed::NeedsHandshake(offered) => Err(ClientError::Unsupported { offered }),
        },
        None => {
            if let Some(revision) = Revision::all_without_handshake().last() {
                let limit = match &peer.link {
                    // A person may have to sign in.
                    Link::Http(http) if http.has_token_source() => limits.request_timeout,
                    Link::Http(_) | Link::Lines(_) => limits.probe_timeout,
                };
                match discover(peer, revision, limit).await {
                    Ok(Probed::Opened(opened)) => return Ok(*opened),
                    Ok(Probed::NeedsHandshake(_)) => (),
                    Err(why) if is_of_older_server(&why) => (),
                    Err(why) => return Err(why),
                }
            }
            initialize(peer, Revision::LATEST_HANDSHAKE).await
        }
    }
}

/// Starts a new session in place of one that the server no longer has. If several requests find the session lost, only
/// one of them starts the new one.
///
/// # Errors
/// Returns the error of the handshake.
pub(crate) async fn renew(peer: &Peer) -> Result<(), ClientError> {
    let Link::Http(http) = &peer.link else {
        return Err(ClientError::SessionEnded);
    };
    let _only_one = http.renewal.lock().await;
    if http.has_lost_session() {
        http.drop_stream(peer).await;
        initialize(peer, peer.revision()).await?;
    }
    Ok(())
}

async fn initialize(peer: &Peer, revision: Revision) -> Result<ServerOffer, ClientError> {
    peer.speak(revision);
    let params = [
        ("protocolVersion", revision.name().into()),
        ("capabilities", peer.config.capabilities(revision)),
        ("clientInfo", peer.config.info(revision)),
    ];
    let params = params.map(|(name, value)| (name.to_owned(), value));
    let (method, limit) = (
        Method::Initialize.as_str(),
        peer.config.limits.request_timeout,
    );
    let result = peer.request_once(method, Object::from_iter(params), None, limit);
    let result = result.await?;
    let result = ServerOffer::read(&result)?;
    let agreed = result.revision().filter(|it| {
        let asked = peer.config.revision;
        asked.is_none_or(|asked| asked == *it)
    });
    peer.speak(agreed.ok_or_else(|| ClientError::Unsupported {
        offered: result.versions.clone(),
    })?);
    peer.notify("notifications/initialized", Object::new())
        .await?;
    if let Link::Http(http) = &peer.link {
        http.listen_early(&peer.conversation);
    }
    Ok(result)
}

async fn discover(
    peer: &Peer,
    revision: Revision,
    limit: std::time::Duration,
) -> Result<Probed, ClientError> {
    let ask = async |revision: Revision| {
        peer.speak(revision);
        peer.request(Method::Discover.as_str(), Object::new(), None, limit)
            .await
    };
    let mut result = ask(revision).await;
    if let Err(ClientError::Rpc(why)) = &result
        && why.code == error::UNSUPPORTED_PROTOCOL_VERSION
    {
        let offered = names(why.data.as_ref().and_then(|it| it.get("supported")))?;
        match latest(&offered, false) {
            Some(other) => result = ask(other).await,
            None => return needs_handshake(offered),
        }
    }
    let result = ServerOffer::read(&result?)?;
    let Some(agreed) = result.revision() else {
        return needs_handshake(result.versions);
    };
    peer.speak(agreed);
    Ok(Probed::Opened(Box::new(result)))
}

fn needs_handshake(offered: Vec<String>) -> Result<Probed, ClientError> {
    match offered.iter().any(|it| it.parse::<Revision>().is_ok()) {
        true => Ok(Probed::NeedsHandshake(offered)),
        false => Err(ClientError::Unsupported { offered }),
    }
}

/// Returns whether the error is typical of a server that accepts no request before `initialize`. That is any JSON-RPC
/// error except those of newer servers, a timeout, or an HTTP status 4xx that is not about authorization.
fn is_of_older_server(why: &ClientError) -> bool {
    match why {
        ClientError::Rpc(why) => !matches!(
            why.code,
            error::HEADER_MISMATCH | error::MISSING_CLIENT_CAPABILITY
        ),
        ClientError::Status { status, .. } => {
            (400..500).contains(status) && !matches!(status, 401 | 403)
        }
        ClientError::TimedOut { .. } | ClientError::Decode(_) => true,
        _ => false,
    }
}
