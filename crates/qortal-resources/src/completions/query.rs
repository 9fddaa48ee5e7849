//! Node queries for the values of arguments.

use std::time::Duration;

use qortal_client::{
    Node, NodeError, PageRequest,
    api::{
        arbitrary::ResourceSearch,
        names::{NameMatch, RegisteredName},
    },
};
use qortal_tools::transaction_handle;
use qortal_types::{Height, Service, main_net::GENESIS};

use super::MAX_VALUES;

/// Time for which a response of the node is cached.
const LIFETIME: Duration = Duration::from_secs(60);
/// The node cannot search for groups, assets and polls by name, so the entire list is read. The main network has fewer of each.
const WHOLE: u32 = 2_000;
/// Distances of the suggested heights from the last block.
const BACK: [u32; 5] = [0, 1, 10, 100, 1_000];
/// The identifier of a resource without one, in URIs and in the Core.
const DEFAULT: &str = "default";

/// One node query. Strings are in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Query {
    /// Names with this prefix.
    Names(String),
    /// Names with this prefix, and the owner's address of the name that equals the prefix.
    Accounts(String),
    Identifiers {
        service: Service,
        name: String,
    },
    Groups,
    Assets,
    Polls,
    Offers,
    Tip,
    /// The transactions of the block at this height.
    Transactions(Height),
    Years,
}

/// Possible values of an argument.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) items: Vec<Candidate>,
    /// Whether the list has every value.
    pub(super) is_complete: bool,
}

/// A value and an alternative text that matches it.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) value: String,
    pub(super) label: String,
}

impl Query {
    pub(super) fn lifetime(&self) -> Duration {
        match self {
            // A block takes about a minute.
            Self::Tip => Duration::from_secs(6),
            Self::Names(_)
            | Self::Accounts(_)
            | Self::Identifiers { .. }
            | Self::Groups
            | Self::Assets
            | Self::Polls
            | Self::Offers
            | Self::Transactions(_)
            | Self::Years => LIFETIME,
        }
    }

    pub(super) async fn candidates(&self, node: &Node) -> Result<Candidates, NodeError> {
        Ok(match self {
            Self::Names(typed) => {
                let found = names(node, typed, MAX_VALUES + 1).await?;
                let names = found.into_iter().map(|it| Candidate::plain(it.name));
                Candidates::of(names, MAX_VALUES + 1)
            }
            Self::Accounts(typed) => {
                let found = names(node, typed, MAX_VALUES + 1).await?;
                let typed = found.iter().filter(|it| it.name.to_lowercase() == *typed);
                let owners: Vec<_> = typed
                    .map(|it| Candidate::labeled(it.owner, &it.name))
                    .collect();
                let names = found.into_iter().map(|it| Candidate::plain(it.name));
                Candidates::of(names.chain(owners), MAX_VALUES + 1)
            }
            Self::Identifiers { service, name } => {
                let search = ResourceSearch::default()
                    .with_service(service.clone())
                    .with_names(vec![name.clone()])
                    .with_exact_names(true);
                let found = node
                    .search_resources(&search, PageRequest::first(MAX_VALUES + 1))
                    .await?;
                let identifiers = found
                    .into_iter()
                    .map(|it| it.identifier.unwrap_or_else(|| DEFAULT.to_owned()));
                Candidates::of(identifiers.map(Candidate::plain), MAX_VALUES + 1)
            }
            Self::Groups => {
                let groups = node.groups(PageRequest::first(WHOLE)).await?.into_iter();
                let groups = groups.map(|it| Candidate::labeled(it.group_id, &it.group_name));
                Candidates::of(groups, WHOLE)
            }
            Self::Assets => {
                let assets = node.assets(PageRequest::first(WHOLE)).await?.into_iter();
                let assets = assets.map(|it| Candidate::labeled(it.asset_id, &it.name));
                Candidates::of(assets, WHOLE)
            }
            Self::Polls => {
                let polls = node.polls(PageRequest::first(WHOLE)).await?.into_iter();
                Candidates::of(polls.map(|it| Candidate::plain(it.poll_name)), WHOLE)
            }
            Self::Offers => {
                // The Core's largest limit.
                let offers = node
                    .trade_offers(None, PageRequest::first(MAX_VALUES))
                    .await?;
                let addresses = offers.iter().map(|it| it.qortal_at_address.to_string());
                Candidates::of(addresses.map(Candidate::plain), MAX_VALUES)
            }
            Self::Tip => {
                let tip = node.height().await?.number();
                let heights = BACK.into_iter().filter_map(|it| tip.checked_sub(it));
                let heights = heights.filter(|it| *it > 0);
                Candidates::all(heights.map(|it| Candidate::plain(it.to_string())))
            }
            Self::Transactions(height) => {
                let block = node.block_at(*height).await?;
                let transactions = node.block_transactions(&block.signature).await?;
                let signatures = transactions.into_iter().filter_map(|it| it.signature);
                Candidates::all(
                    signatures.map(|it| Candidate::plain(transaction_handle(*height, &it))),
                )
            }
            Self::Years => {
                let year = |text: String| text.get(..4).and_then(|it| it.parse::<u32>().ok());
                let (first, last) = (
                    year(GENESIS.to_string()),
                    year(node.network_time().await?.to_string()),
                );
                let years = first.zip(last).map(|(first, last)| first..=last);
                let years = years.into_iter().flatten().rev().take(MAX_VALUES as usize);
                Candidates::all(years.map(|it| Candidate::plain(it.to_string())))
            }
        })
    }
}

async fn names(node: &Node, typed: &str, limit: u32) -> Result<Vec<RegisteredName>, NodeError> {
    match typed {
        "" => node.names(None, PageRequest::first(limit)).await,
        typed => {
            let page = PageRequest::first(limit);
            node.search_names(typed, NameMatch::Prefix, page).await
        }
    }
}

impl Candidates {
    /// Converts the response to a query for `limit` values. With fewer values than that, the list is complete.
    fn of(candidates: impl Iterator<Item = Candidate>, limit: u32) -> Self {
        let items: Vec<_> = candidates.collect();
        let is_complete = items.len() < limit as usize;
        Self { items, is_complete }
    }

    pub(super) fn all(candidates: impl Iterator<Item = Candidate>) -> Self {
        Self {
            items: candidates.collect(),
            is_complete: true,
        }
    }
}

impl Candidate {
    pub(super) fn plain(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: String::new(),
        }
    }

    pub(super) fn labeled(value: impl ToString, label: &str) -> Self {
        Self {
            value: value.to_string(),
            label: label.to_owned(),
        }
    }
}
