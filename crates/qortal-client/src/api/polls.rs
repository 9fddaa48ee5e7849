//! Polls (resource `/polls`).

use futures_util::TryFutureExt;
use qortal_types::{Address, PublicKey, Timestamp};
use serde::Deserialize;

use crate::{
    Endpoint, Node, NodeFuture, PageRequest, Rows,
    answer::{LeftOut, Record, answers},
    call::Call,
};

answers! {
    /// A poll (class `PollData`).
    pub struct Poll {
        /// The creator's public key.
        pub creator_public_key: PublicKey,
        /// Free text by the owner.
        pub description: String,
        /// The owner's address.
        pub owner: Address,
        /// The name.
        pub poll_name: String,
        /// The options. Votes refer to them by index, so none is left out.
        #[serde(default)]
        pub poll_options: Vec<PollOption>,
        /// The time it was published.
        pub published: Timestamp,
    }

    /// An option of a poll.
    #[derive(PartialEq, Eq)]
    pub struct PollOption {
        /// Free text by the owner.
        pub option_name: String,
    }

    /// The result of a poll (class `PollVotes`). The two lists are in arbitrary order.
    pub struct PollVotes {
        /// Individual votes. Absent if only counts were requested.
        pub votes: Option<Rows<PollVote>>,
        /// The number of votes.
        pub total_votes: u64,
        /// The total weight. The Core uses 32 bits, so it may overflow.
        pub total_weight: i64,
        /// Votes for each option. Options without votes are included, because an omitted option would look like one without votes.
        #[serde(default)]
        pub vote_counts: Vec<VoteCount>,
        /// Weight for each option, likewise.
        #[serde(default)]
        pub vote_weights: Vec<VoteWeight>,
    }

    /// One vote (class `VoteOnPollData`).
    pub struct PollVote {
        /// The index of the option in the poll.
        pub option_index: usize,
        /// The voter's public key.
        pub voter_public_key: PublicKey,
    }

    /// Votes for one option.
    #[derive(PartialEq, Eq)]
    pub struct VoteCount {
        /// The option.
        pub option_name: String,
        /// The number of votes.
        pub vote_count: u64,
    }

    /// The weight of one option: the blocks its voters have minted, less their penalties.
    #[derive(PartialEq, Eq)]
    pub struct VoteWeight {
        /// The option.
        pub option_name: String,
        /// The weight.
        pub vote_weight: i64,
    }

    /// The rating of an app or website.
    pub struct AppRating {
        /// The poll.
        pub poll_name: String,
        /// `APP` or `WEBSITE`.
        #[serde(default, deserialize_with = "crate::answer::read_code_if_any")]
        pub service: Option<String>,
        /// The app.
        pub app_name: Option<String>,
        /// The poll's owner.
        pub owner: Option<Address>,
        /// The time the poll was published.
        pub published: Option<Timestamp>,
        /// Free text by the owner.
        pub description: Option<String>,
        /// The number of votes.
        pub total_votes: u64,
        /// The total weight.
        pub total_weight: i64,
        /// Votes for each rating. None is left out, because the mean depends on all of them.
        #[serde(default)]
        pub vote_counts: Vec<VoteCount>,
        /// Weight for each rating, likewise.
        #[serde(default)]
        pub vote_weights: Vec<VoteWeight>,
    }
}

impl Record for PollVotes {
    fn left_out(&self) -> LeftOut {
        let votes = self.votes.as_ref();
        votes.map_or_else(LeftOut::default, |it| it.left_out.clone())
    }
}

/// The subject of polls with a name of the form `app-library-APP-rating-…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RatedService {
    /// Apps.
    App,
    /// Websites.
    Website,
}

/// A map as the Core's JSON writer (MOXy) writes it: `{"entry":[{"key":…,"value":…}]}`.
#[derive(Deserialize)]
struct Ratings {
    ratings: Entries,
}

impl Record for Ratings {
    fn left_out(&self) -> LeftOut {
        self.ratings.entry.left_out.clone()
    }
}

#[derive(Deserialize)]
struct Entries {
    entry: Rows<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    value: AppRating,
}

impl Node {
    /// Returns polls by name, in code point order.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/polls")]
    pub fn polls(&self, page: PageRequest) -> NodeFuture<'_, Vec<Poll>> {
        self.list(Call::to(Endpoint::Polls).page(page))
    }

    /// Returns a poll by its exact name. Names with a slash cannot be requested.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`POLL_NO_EXISTS`](crate::ApiError::POLL_NO_EXISTS) if there is none.
    #[doc(alias = "/polls/{pollName}")]
    pub fn poll(&self, name: &str) -> NodeFuture<'_, Poll> {
        self.json(Call::to(Endpoint::Poll).with(name))
    }

    /// Returns the result of a poll with individual votes.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`POLL_NO_EXISTS`](crate::ApiError::POLL_NO_EXISTS) if there is none.
    #[doc(alias = "/polls/votes/{pollName}")]
    pub fn poll_votes(&self, name: &str) -> NodeFuture<'_, PollVotes> {
        self.record(Call::to(Endpoint::PollVotes).with(name))
    }

    /// Returns the result of a poll without individual votes.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`POLL_NO_EXISTS`](crate::ApiError::POLL_NO_EXISTS) if there is none.
    #[doc(alias = "/polls/votes/{pollName}")]
    pub fn poll_counts(&self, name: &str) -> NodeFuture<'_, PollVotes> {
        self.record(
            Call::to(Endpoint::PollVotes)
                .with(name)
                .query("onlyCounts", true),
        )
    }

    /// Returns the ratings of all apps or websites, by the names of their polls.
    ///
    /// The request has no limit. The Core's limit counts the options of all polls instead of the polls, so the first and last poll
    /// of a page would lack options and their votes (`HSQLDBVotingRepository.getPollsByPrefix`).
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/polls/apps/ratings")]
    pub fn app_ratings(&self, service: RatedService) -> NodeFuture<'_, Vec<AppRating>> {
        let service = match service {
            RatedService::App => "APP",
            RatedService::Website => "WEBSITE",
        };
        let call = Call::to(Endpoint::AppRatings).query("service", service);
        let found = self.record(call);
        Box::pin(found.map_ok(|found: Ratings| {
            let entries = found.ratings.entry.into_iter();
            let mut ratings: Vec<AppRating> = entries.map(|entry| entry.value).collect();
            // The Core sends them in the order of a hash table.
            ratings.sort_by(|left, right| left.poll_name.cmp(&right.poll_name));
            ratings
        }))
    }
}
