//! Names used in sentences about transactions: groups, assets, and options of polls.

use std::collections::{BTreeSet, HashMap};

use futures_util::future::try_join_all;
use qortal_client::{ApiError, NodeError, api::transactions::Transaction};
use qortal_types::{Address, TransactionType};

use crate::{
    declare::{Context, NodeResult},
    support::{asset_names::AssetNames, groups::GroupNames},
};

/// Maximum number of polls whose options are requested for one answer.
const MOST_POLLS: usize = 5;

/// Names for the things in transactions, as far as the node returns them.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    pub(crate) groups: GroupNames,
    pub(crate) assets: AssetNames,
    options: HashMap<String, Vec<String>>,
    /// The account that takes part in all of the transactions.
    pub(crate) party: Option<Address>,
}

impl Labels {
    /// Finds the names for transactions that all involve one account, if an account was requested.
    pub(crate) async fn of_transactions(
        cx: &Context,
        transactions: &[Transaction],
        party: Option<Address>,
    ) -> Self {
        let (groups, assets, options) = tokio::join!(
            GroupNames::of_transactions(cx, transactions),
            AssetNames::of_transactions(cx, transactions),
            options(cx, transactions),
        );
        Self {
            groups,
            assets,
            options,
            party,
        }
    }

    /// Finds the names for one transaction, except those of its groups.
    pub(crate) async fn of_transaction(cx: &Context, transaction: &Transaction) -> Self {
        let transactions = std::slice::from_ref(transaction);
        let (assets, options) = tokio::join!(
            AssetNames::of_transactions(cx, transactions),
            options(cx, transactions),
        );
        Self {
            assets,
            options,
            ..Self::default()
        }
    }

    /// Creates labels from the names of groups alone.
    pub(crate) fn of_groups(groups: GroupNames) -> Self {
        Self {
            groups,
            ..Self::default()
        }
    }

    /// Returns the text of an option of a poll.
    pub(crate) fn option(&self, poll: &str, index: u64) -> Option<&str> {
        let options = self.options.get(poll)?;
        let option = options.get(usize::try_from(index).ok()?)?;
        Some(option)
    }
}

/// Returns the options of the polls in votes. They are an optional part of the answer.
async fn options(cx: &Context, transactions: &[Transaction]) -> HashMap<String, Vec<String>> {
    let votes = transactions.iter();
    let votes = votes.filter(|it| it.transaction_type == TransactionType::VoteOnPoll);
    let polls: BTreeSet<&str> = votes.filter_map(|it| it.detail("pollName")).collect();
    // The node cannot return other polls.
    let polls = polls.into_iter().filter(|it| !it.contains(['/', '\\']));
    let found = polls.take(MOST_POLLS).map(|name| async move {
        let poll = cx.node.poll(name).await.none_if(ApiError::POLL_NO_EXISTS)?;
        let options = poll.into_iter().flat_map(|it| it.poll_options);
        let options = options.map(|it| it.option_name).collect();
        Ok::<_, NodeError>((name.to_owned(), options))
    });
    let found = try_join_all(found).await;
    let found = cx.part("The texts of poll options are", found);
    found.into_iter().flatten().collect()
}
