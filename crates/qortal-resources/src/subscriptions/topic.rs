//! Topics that subscribed resources depend on.

use futures_util::future::try_join_all;
use qortal_client::api::chat::ChatRoom;
use qortal_tools::{Catalog, uri::segments};

use super::SubscribeError;
use crate::{
    ReadResourceError,
    resources::{Signal, source_at, sources},
};

/// A changing part of the node's data, on which resources depend.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    /// The state of the node.
    Status,
    /// The last block, and with it everything on the chain.
    Tip,
    /// The trade offers: their creation, sale and cancellation in blocks, and the presence of their sellers.
    Offers,
    /// The set of online trade bots.
    Presences,
    /// The messages of one room.
    Chat(ChatRoom),
    /// The node does not signal changes: the resource is polled.
    Time,
}

impl Topic {
    /// Returns the topic of the resource at a URI. A resource whose URI does not name a topic is polled. The tool that reads the resource
    /// validates the URI.
    pub(super) async fn of(uri: &str, catalog: &Catalog) -> Result<Self, SubscribeError> {
        let (signal, values) = signal_of(uri, catalog)?;
        let value = |index: usize| values.get(index).map_or("", String::as_str);
        Ok(match signal {
            Signal::Status => Self::Status,
            Signal::Tip => Self::Tip,
            Signal::Time => Self::Time,
            Signal::Offers => Self::Offers,
            Signal::GroupChat => match value(0).parse() {
                Ok(group) => Self::Chat(ChatRoom::Group(group)),
                Err(_) => Self::Time,
            },
            Signal::DirectChat => Self::direct_chat(catalog, [value(0), value(1)]).await,
        })
    }

    /// Returns the chat of two accounts. It is polled if an account is unknown, since the node may be unreachable.
    async fn direct_chat(catalog: &Catalog, accounts: [&str; 2]) -> Self {
        let addresses = accounts.map(|it| catalog.address_of(it));
        let Ok(mut addresses) = try_join_all(addresses).await else {
            return Self::Time;
        };
        // Both orders are the same room.
        addresses.sort_unstable();
        match addresses.as_slice() {
            [one, other] => Self::Chat(ChatRoom::Direct(*one, *other)),
            _ => Self::Time,
        }
    }
}

/// Returns the signal of the resource at a URI, and the values of its variables in order.
fn signal_of(uri: &str, catalog: &Catalog) -> Result<(Signal, Vec<String>), SubscribeError> {
    let segments = segments(uri)
        .map_err(ReadResourceError::from)?
        .unwrap_or_default();
    if let Some((source, _, values)) = source_at(catalog, &segments)
        && let Some(signal) = source.signal
    {
        let values = source.variables().filter_map(|it| values.of(it));
        return Ok((signal, values.map(str::to_owned).collect()));
    }
    let sources = sources(catalog).map(|(source, _)| source);
    let subscribable = sources.filter(|it| it.is_subscribable());
    let templates = subscribable.map(|it| it.template).collect();
    Err(SubscribeError::NotSubscribable(templates))
}
