//! What the node is asked for so that arguments can go on.

use std::time::Duration;

use futures_util::future::try_join_all;
use qortal_client::{
    Node, NodeError, Page,
    api::{
        arbitrary::ResourceSearch,
        names::{NameMatch, RegisteredName},
    },
};
use qortal_types::Service;

use super::MOST;
use crate::family::GENESIS;

/// How long what the node said is good enough to go on with.
const KEPT: Duration = Duration::from_secs(60);
/// Things whose list has to be had whole, because they are found by a name that the node does not look for: more than
/// the main network has of each.
const WHOLE: u32 = 2_000;
/// Names whose keys are asked for, each with a question.
const KEYS: u32 = 5;
/// How far below the last block the heights are that are suggested.
const BACK: [u32; 5] = [0, 1, 10, 100, 1_000];
/// What identifies the resource without identifier, in addresses and in the Core.
const DEFAULT: &str = "default";

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// Names with this beginning.
    Names(String),
    /// The same, and the address of the one that is just this.
    Accounts(String),
    /// The keys of the owners of names with this beginning.
    Keys(String),
    Identifiers {
        service: Service,
        name: String,
    },
    Groups,
    Assets,
    Polls,
    Offers,
    Tip,
    Years,
}

/// What the node said.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) candidates: Vec<Candidate>,
    /// It has no more.
    pub(super) is_all: bool,
}

/// A value, and by what else it may be found.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) value: String,
    pub(super) label: String,
}

impl Asked {
    pub(super) fn lifetime(&self) -> Duration {
        match self {
            // Every minute has its block.
            Self::Tip => Duration::from_secs(6),
            Self::Names(_)
            | Self::Accounts(_)
            | Self::Keys(_)
            | Self::Identifiers { .. }
            | Self::Groups
            | Self::Assets
            | Self::Polls
            | Self::Offers
            | Self::Years => KEPT,
        }
    }

    pub(super) async fn ask(&self, node: &Node) -> Result<Said, NodeError> {
        Ok(match self {
            Self::Names(typed) => {
                let found = names(node, typed, MOST + 1).await?;
                let names = found.into_iter().map(|it| Candidate::plain(it.name));
                Said::of(names, MOST + 1)
            }
            Self::Accounts(typed) => {
                let found = names(node, typed, MOST + 1).await?;
                let typed = found.iter().filter(|it| it.name.to_lowercase() == *typed);
                let owners: Vec<_> = typed
                    .map(|it| Candidate::labeled(it.owner, &it.name))
                    .collect();
                let names = found.into_iter().map(|it| Candidate::plain(it.name));
                Said::of(names.chain(owners), MOST + 1)
            }
            Self::Keys(typed) => {
                let found = names(node, typed, KEYS).await?;
                let keys = found.iter().map(|it| node.public_key(&it.owner));
                let keys = try_join_all(keys).await?;
                let keyed = found.iter().zip(keys);
                let keys = keyed.filter_map(|(it, key)| Some(Candidate::labeled(key?, &it.name)));
                Said::of(keys, KEYS)
            }
            Self::Identifiers { service, name } => {
                let search = ResourceSearch::default()
                    .with_service(service.clone())
                    .with_names(vec![name.clone()])
                    .with_exact_names(true);
                let found = node
                    .search_resources(&search, Page::first(MOST + 1))
                    .await?;
                let identifiers = found
                    .into_iter()
                    .map(|it| it.identifier.unwrap_or_else(|| DEFAULT.to_owned()));
                Said::of(identifiers.map(Candidate::plain), MOST + 1)
            }
            Self::Groups => {
                let groups = node.groups(Page::first(WHOLE)).await?.into_iter();
                let groups = groups.map(|it| Candidate::labeled(it.group_id, &it.group_name));
                Said::of(groups, WHOLE)
            }
            Self::Assets => {
                let assets = node.assets(Page::first(WHOLE)).await?.into_iter();
                let assets = assets.map(|it| Candidate::labeled(it.asset_id, &it.name));
                Said::of(assets, WHOLE)
            }
            Self::Polls => {
                let polls = node.polls(Page::first(WHOLE)).await?.into_iter();
                Said::of(polls.map(|it| Candidate::plain(it.poll_name)), WHOLE)
            }
            Self::Offers => {
                // The Core's largest limit.
                let offers = node.trade_offers(None, Page::first(MOST)).await?;
                let addresses = offers.iter().map(|it| it.qortal_at_address.to_string());
                Said::of(addresses.map(Candidate::plain), MOST)
            }
            Self::Tip => {
                let tip = node.height().await?.number();
                let heights = BACK.into_iter().filter_map(|it| tip.checked_sub(it));
                let heights = heights.filter(|it| *it > 0);
                Said::all(heights.map(|it| Candidate::plain(it.to_string())))
            }
            Self::Years => {
                let year = |text: String| text.get(..4).and_then(|it| it.parse::<u32>().ok());
                let (first, last) = (
                    year(GENESIS.to_string()),
                    year(node.clock().await?.to_string()),
                );
                let years = first.zip(last).map(|(first, last)| first..=last);
                let years = years.into_iter().flatten().rev().take(MOST as usize);
                Said::all(years.map(|it| Candidate::plain(it.to_string())))
            }
        })
    }
}

async fn names(node: &Node, typed: &str, limit: u32) -> Result<Vec<RegisteredName>, NodeError> {
    match typed {
        "" => node.names(None, Page::first(limit)).await,
        typed => {
            let page = Page::first(limit);
            node.search_names(typed, NameMatch::Prefix, page).await
        }
    }
}

impl Said {
    /// What came when `limit` were asked for: fewer are all there are.
    fn of(candidates: impl Iterator<Item = Candidate>, limit: u32) -> Self {
        let candidates: Vec<_> = candidates.collect();
        let is_all = candidates.len() < limit as usize;
        Self { candidates, is_all }
    }

    fn all(candidates: impl Iterator<Item = Candidate>) -> Self {
        Self {
            candidates: candidates.collect(),
            is_all: true,
        }
    }
}

impl Candidate {
    fn plain(value: String) -> Self {
        Self {
            value,
            label: String::new(),
        }
    }

    fn labeled(value: impl ToString, label: &str) -> Self {
        Self {
            value: value.to_string(),
            label: label.to_owned(),
        }
    }
}
