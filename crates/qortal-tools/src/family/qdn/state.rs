//! The state of a QDN resource and its meaning for readers, and the peers with its data.

use std::{cmp::Reverse, time::Duration};

use qortal_client::{
    PageRequest,
    api::arbitrary::{ResourceFilter, ResourceId, ResourceState, hosted::ResourcePeer},
};
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    declare::{Context, ToolError, count},
    support::untrusted::Untrusted,
};

/// The message for a resource that its publisher deleted.
pub(super) const DELETED_BY_PUBLISHER: &str = "Its publisher deleted it. Nothing on QDN can be removed, so the app published one byte in its place.";

/// Maximum number of resources with other identifiers in an error.
const OTHERS_SHOWN: u32 = 10;

/// Returns the error for an unpublished resource. It names resources under other identifiers, as people often leave the
/// identifier out.
pub(super) async fn not_published(cx: &Context, id: &ResourceId) -> ToolError {
    let filter = ResourceFilter::default()
        .with_service(id.service.clone())
        .with_name(id.name.clone());
    let others = cx
        .node
        .resources(&filter, PageRequest::first(OTHERS_SHOWN))
        .await;
    let others = others.unwrap_or_default();
    let named = others.iter().map(|it| match &it.identifier {
        Some(identifier) => Value::from(identifier.as_str()).to_string(),
        None => "one without identifier".to_owned(),
    });
    let named: Vec<String> = named.collect();
    let hint = if named.is_empty() {
        meaning(&ResourceState::NotPublished).to_owned()
    } else {
        format!(
            "Nothing is published there, but with these identifiers, up to {OTHERS_SHOWN}: {}.",
            named.join(", ")
        )
    };
    ToolError::not_found("Resource not found.", hint)
}

/// Returns the meaning of a state for a reader of the resource.
pub(super) fn meaning(state: &ResourceState) -> &'static str {
    match state {
        ResourceState::Published => {
            "It exists, but this node has not fetched all of it. Opening its link in Qortal makes it do so."
        }
        ResourceState::NotPublished => {
            "Nothing is published there. search_qdn_resources finds published resources."
        }
        ResourceState::Downloading => "The node is fetching it. Ask again in a minute.",
        ResourceState::Downloaded => {
            "The node has its files. get_qdn_resource can read it, for which the node puts them together."
        }
        ResourceState::Building => "The node is putting its files together. Ask again in a minute.",
        ResourceState::Ready => "get_qdn_resource can read it.",
        ResourceState::MissingData => {
            "The node looked for its files and did not find all of them: no peer that has them is online. Try again later."
        }
        ResourceState::BuildFailed => {
            "The node could not put its files together. get_qdn_resource makes it try again; if that fails, the publisher may have to publish it again."
        }
        ResourceState::Blocked => "The operator of this node blocks the name.",
        _ => "This node cannot deal with it.",
    }
}

/// Timeout of the request. The node queries its peers one after the other without a timeout of its own.
const WITHIN: Duration = Duration::from_secs(15);
/// Maximum number of peers shown.
const SHOWN: usize = 10;

record! {
    pub(super) struct KeepingPeers {
        /// The number of the node's peers with pieces of it.
        peer_count: u32,
        /// These peers, those with most pieces first, at most 10.
        peers: Vec<KeepingPeer>
    }

    pub(super) struct KeepingPeer from(it: ResourcePeer) {
        /// The end of its identifier.
        id: Untrusted = it.id.into(),
        /// Its pieces.
        chunks_available: u32,
        /// Its speed: HIGH, LOW or IDLE.
        speed: Option<Untrusted> = it.speed.map(Untrusted),
        /// Whether the node is connected to it.
        is_direct: bool
    }
}

/// Returns the peers that keep a resource, as an optional part of an answer.
pub(super) async fn keeping_peers(cx: &Context, id: &ResourceId) -> Option<KeepingPeers> {
    let Ok(found) = timeout(WITHIN, cx.node.resource_peers(id)).await else {
        cx.note(format!(
            "The peers that have it are left out, because the node did not find them within {} seconds.",
            WITHIN.as_secs()
        ));
        return None;
    };
    let mut found = cx.part("The peers that have it are", found)?;
    found
        .peers
        .sort_by_cached_key(|it| Reverse(it.chunks_available));
    Some(KeepingPeers {
        peer_count: found.peer_count.max(count(found.peers.len())),
        peers: found
            .peers
            .into_iter()
            .take(SHOWN)
            .map(KeepingPeer::of)
            .collect(),
    })
}
