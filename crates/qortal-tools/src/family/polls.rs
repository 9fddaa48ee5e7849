//! Tools about polls, including the ratings of apps.

mod vote;

use std::collections::BTreeMap;

use qortal_apps::rating::{Rated, Ratings};
use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::polls::{AppRating, Poll, PollVote, PollVotes, RatedService},
};
use qortal_types::{Address, Timestamp};
use serde_json::Value;
use tool_schema::{BoundedString, CappedInt, choice};

use crate::{
    declare::{
        By, Context, Continued, Cursor, Detail, NextPage, Page, Paging, Range, Reply, Rows, Slice,
        SortKey, Tool, ToolError, count,
    },
    support::{
        nearest,
        untrusted::Untrusted,
        words::{Words, note_searched},
    },
};

family! {
    "polls", "What are the results of polls, and how are apps rated?":
    ListPolls,
    GetPoll,
    GetAppRatings,
    vote::CheckVote,
}

/// Maximum number of polls that a word search reads, because the node cannot search. The main network has fewer.
pub(super) const MOST_POLLS: u32 = 5_000;

params! {
    struct ListPolls {
        /// Search words, best match first.
        query: Option<BoundedString<1, 100>>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<20>,
        /// Reverse the order.
        reverse: bool = false
    }
}

record! {
    struct Polls {
        /// The polls, in the order of the characters of their names unless reversed. With `query`, the best match
        /// first.
        polls: Page<PollSummary, Option<u32>>
    }

    struct PollSummary from(it: Poll) {
        /// The poll's name.
        poll_name: Untrusted = it.poll_name.into(),
        /// The owner's description.
        description: Untrusted = it.description.into(),
        /// The owner.
        owner: Address,
        /// The number of options.
        option_count: u32 = count(it.poll_options.len()),
        /// The time of its publication.
        published: Timestamp
    }
}

fn by_name(by: By, reverse: bool) -> SortKey<Poll> {
    SortKey::new(by, reverse, |it| it.poll_name.as_str().into())
}

impl Tool for ListPolls {
    const NAME: &str = "list_polls";
    const TITLE: &str = "All polls";
    const DESCRIPTION: &str = "Find polls by words, or list all. Results: get_poll. App ratings are polls named app-library-...";
    const KEYWORDS: &str =
        "poll, all poll, open poll, poll about, voted on now, voted on at the moment, current vote";
    type Output = Polls;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let words = self.query.map(|it| Words::of(it.as_str()));
        if words.is_none() && !self.range.is_given() {
            let ask = |page| cx.node.polls(page);
            let key = by_name(By::Characters, self.reverse);
            let polls = self.page.read(cx, key, ask).await?;
            return Ok(Polls {
                polls: polls.with_total(None).map(PollSummary::of),
            });
        }
        let all = PageRequest::first(MOST_POLLS).with_reverse(self.reverse);
        let period = self.range.period(cx).await?;
        let mut found = cx.node.polls(all).await?;
        note_searched(cx, found.len(), MOST_POLLS);
        found.retain(|it| period.has(it.published));
        let mut by = By::Characters;
        if let Some(words) = words {
            found = words.find(found, |it| (&it.poll_name, &it.description));
            by = By::Other;
        }
        let known = by_name(by, self.reverse);
        let polls = self.page.of_whole(cx, Cursor::AfterRow(known), found);
        Ok(Polls {
            polls: polls.map(PollSummary::of),
        })
    }
}

/// Returns a requested poll. The error for one that does not exist has the nearest name if the node lists its polls.
async fn existing(
    cx: &Context,
    name: &str,
    poll: Result<Poll, NodeError>,
) -> Result<Poll, ToolError> {
    match poll {
        Err(err) if err.is(ApiError::POLL_NO_EXISTS) => {}
        poll => return Ok(poll?),
    }
    let polls = cx.node.polls(PageRequest::first(MOST_POLLS)).await;
    let names = polls.into_iter().flatten().map(|it| it.poll_name);
    let nearest = nearest::among(name, names);
    let nearest = nearest.map(|it| format!("The nearest is {}. ", Value::from(it)));
    let nearest = nearest.unwrap_or_default();
    let hint = format!(
        "No poll has exactly this name. Case matters. {nearest}list_polls finds polls by words."
    );
    Err(ToolError::not_found("Poll not found.", hint))
}

params! {
    struct GetPoll {
        /// The poll's exact name. Case matters.
        poll_name: BoundedString<1, 400>,
        /// full adds single votes.
        detail: Detail = Detail::Summary,
        /// Only this option, by name or number from 1.
        option: Option<BoundedString<1, 400>>,
        /// Votes to return.
        limit: CappedInt<1, 200> = CappedInt::from_const(50),
        /// Votes to skip.
        offset: CappedInt<0, 10_000_000> = CappedInt::from_const(0)
    }
}

record! {
    struct PollResult {
        /// The poll's name.
        poll_name: Untrusted,
        /// The owner's description.
        description: Untrusted,
        /// The owner.
        owner: Address,
        /// The time of its publication.
        published: Timestamp,
        /// The options, in the poll's order.
        options: Vec<PollOptionResult>,
        /// The number of voters.
        total_votes: Option<u64>,
        /// The weight of all votes: blocks the voters have minted, less their penalties.
        total_weight: Option<i64>,
        /// In a poll for an app or website, the number of ratings, including the poll opener's.
        rating_count: Option<u64>,
        /// The mean of these ratings from 1 to 5, with two places.
        average_rating: Option<String>,
        /// Single votes, with `detail` full.
        votes: Option<Rows<SingleVote>>,
        /// Whether there are more single votes than these.
        remainder: NextPage
    }

    struct PollOptionResult {
        /// The option.
        option: Untrusted,
        /// The number of its votes.
        votes: Option<u64>,
        /// The weight of these votes, in blocks as totalWeight.
        weight: Option<i64>
    }

    struct SingleVote from(it: &PollVote, poll: &Poll) {
        /// The voter.
        voter: Address = it.voter_public_key.address(),
        /// The chosen option.
        option: Option<Untrusted> =
            poll.poll_options.get(it.option_index).map(|it| Untrusted(it.option_name.clone()))
    }
}

impl Tool for GetPoll {
    const NAME: &str = "get_poll";
    const TITLE: &str = "Poll";
    const DESCRIPTION: &str =
        "Votes and weight of each option of one poll, or single votes. Find polls: list_polls.";
    const EXAMPLE: &str = r#"{"poll_name":"Favourite colour"}"#;
    const KEYWORDS: &str = "vote, vote result, poll result, who voted, result, winner, poll";
    type Output = PollResult;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let name = self.poll_name.as_str();
        check_name(name)?;
        let is_full = self.detail == Detail::Full || self.option.is_some();
        let votes = async {
            if is_full {
                cx.node.poll_votes(name).await
            } else {
                cx.node.poll_counts(name).await
            }
        };
        let (poll, votes) = tokio::join!(cx.node.poll(name), votes);
        let poll = existing(cx, name, poll).await?;
        let option = self.option.map(|it| index_of(it.as_str(), &poll));
        let option = option.transpose()?;
        let votes = cx.part("The votes are", votes);
        let votes = votes.as_ref();
        let is_full = is_full && votes.is_some();
        let singles = votes.and_then(|it| it.votes.as_deref());
        let singles = singles.unwrap_or_default().iter();
        let singles = singles.filter(|it| option.is_none_or(|option| it.option_index == option));
        let singles = singles.map(|it| SingleVote::of(it, &poll));
        let slice = Slice::new(self.limit, self.offset);
        let singles: Page<_> = slice.of_whole(cx, Cursor::Offset, singles.collect());
        let ratings = votes.and_then(|votes| poll_ratings(&poll, votes));
        if let Some(stars) = ratings.as_ref().and_then(Ratings::initial) {
            cx.note(format!(
                "The option initialValue-{stars} is the rating of the one who opened the poll. Programs count it as one rating of {stars}."
            ));
        }
        Ok(PollResult {
            rating_count: ratings.as_ref().map(Ratings::total),
            average_rating: ratings.as_ref().and_then(average),
            options: options(&poll, votes),
            poll_name: poll.poll_name.into(),
            description: poll.description.into(),
            owner: poll.owner,
            published: poll.published,
            total_votes: votes.map(|it| it.total_votes),
            total_weight: votes.map(|it| it.total_weight),
            votes: is_full.then_some(Rows(singles.items)),
            remainder: singles.remainder,
        })
    }
}

/// Returns an error for a name that the node has no endpoint for.
fn check_name(name: &str) -> Result<(), ToolError> {
    if name.contains(['/', '\\']) {
        return Err(ToolError::argument(
            "poll_name",
            "Invalid argument.",
            "contains a slash or a backslash",
            "a name without them: the node has no endpoint for others, list_polls shows them without votes",
        ));
    }
    Ok(())
}

/// Returns the ratings of an app or website, if the poll rates one.
fn poll_ratings(poll: &Poll, votes: &PollVotes) -> Option<Ratings> {
    Rated::of_poll(&poll.poll_name)?;
    let options = poll.poll_options.iter().map(|it| it.option_name.as_str());
    let count = |option: &str| {
        let mut counts = votes.vote_counts.iter();
        let found = counts.find(|it| it.option_name == option);
        found.map_or(0, |it| it.vote_count)
    };
    Some(Ratings::of_votes(
        options.map(|option| (option, count(option))),
    ))
}

/// Returns the index of an option: by its exact name, else by its number, else by its name in any case if only one matches.
fn index_of(option: &str, poll: &Poll) -> Result<usize, ToolError> {
    let names = || poll.poll_options.iter().map(|it| it.option_name.as_str());
    let count = poll.poll_options.len();
    let number = option.trim().parse::<usize>().ok();
    let lower = option.to_lowercase();
    let mut alike = names()
        .enumerate()
        .filter(|(_, it)| it.to_lowercase() == lower);
    let found = names()
        .position(|it| it == option)
        .or_else(|| number.filter(|it| *it <= count)?.checked_sub(1))
        .or_else(|| match (alike.next(), alike.next()) {
            (Some((index, _)), None) => Some(index),
            _ => None,
        });
    found.ok_or_else(|| {
        ToolError::argument(
            "option",
            "Invalid poll option.",
            format!("is {}, which is not one option of this poll", Value::from(option)),
            format!("a number from 1 to {count}, or the name of an option as get_poll without option returns it"),
        )
    })
}

/// Returns the options with their votes and weights, which the Core sends in two unordered lists.
fn options(poll: &Poll, votes: Option<&PollVotes>) -> Vec<PollOptionResult> {
    let counts = votes.map(|votes| -> BTreeMap<_, _> {
        let counts = votes.vote_counts.iter();
        counts
            .map(|it| (it.option_name.as_str(), it.vote_count))
            .collect()
    });
    let weights = votes.map(|votes| -> BTreeMap<_, _> {
        let weights = votes.vote_weights.iter();
        weights
            .map(|it| (it.option_name.as_str(), it.vote_weight))
            .collect()
    });
    let names = poll.poll_options.iter().map(|it| it.option_name.as_str());
    names
        .map(|name| PollOptionResult {
            option: name.to_owned().into(),
            votes: of(name, counts.as_ref()),
            weight: of(name, weights.as_ref()),
        })
        .collect()
}

/// Returns the number of an option. The Core lists every option, so an unlisted one has no known number.
fn of<T: Copy>(option: &str, all: Option<&BTreeMap<&str, T>>) -> Option<T> {
    all?.get(option).copied()
}

choice! {
    /// The rated service.
    enum RatedKind {
        /// Apps.
        App = "APP",
        /// Websites.
        Website = "WEBSITE",
    }
}

params! {
    struct GetAppRatings {
        /// Apps or websites.
        service: RatedKind = RatedKind::App,
        #[flatten]
        page: Paging<20>
    }
}

record! {
    struct AppRatings {
        /// The ratings, best first: by mean, then by votes, then by name.
        ratings: Page<Rating, u32>
    }

    struct Rating from(it: AppRating, ratings: Ratings) {
        /// The app or website.
        app_name: Option<Untrusted> = it.app_name.map(Untrusted),
        /// The number of ratings, including the poll opener's.
        total_votes: u64 = ratings.total(),
        /// The mean of all ratings from 1 to 5, with two places. Absent if there are none.
        average: Option<String> = average(&ratings),
        /// Ratings with each number of stars, as text: `5` and how many.
        stars: BTreeMap<String, u64> = stars(&ratings),
        /// The poll with the votes.
        poll_name: Untrusted = it.poll_name.into(),
        /// The owner of the poll.
        owner: Option<Address>,
        /// The time of the poll's publication.
        published: Option<Timestamp>
    }
}

/// Returns the ratings of an app, including the rating by the poll's creator.
fn ratings(rating: &AppRating) -> Ratings {
    let votes = rating.vote_counts.iter();
    Ratings::of_votes(votes.map(|it| (it.option_name.as_str(), it.vote_count)))
}

/// Returns the number of ratings for each number of stars.
fn stars(ratings: &Ratings) -> BTreeMap<String, u64> {
    let counts = ratings
        .counts()
        .map(|(stars, count)| (stars.to_string(), count));
    counts.collect()
}

/// Returns the mean with two decimal places.
fn average(ratings: &Ratings) -> Option<String> {
    let hundredths = ratings.average_hundredths()?;
    Some(format!("{}.{:02}", hundredths / 100, hundredths % 100))
}

impl Tool for GetAppRatings {
    const NAME: &str = "get_app_ratings";
    const TITLE: &str = "App and website ratings";
    const DESCRIPTION: &str =
        "Qortal apps or websites, best rated first: mean and number of stars.";
    const KEYWORDS: &str = "rating, app rating, star, best app, top app, review, popular app";
    type Output = Reply<AppRatings>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let service = match self.service {
            RatedKind::App => RatedService::App,
            RatedKind::Website => RatedService::Website,
        };
        let found = cx.node.app_ratings(service).await?;
        let mut ratings: Vec<Rating> = found
            .into_iter()
            .map(|it| {
                let ratings = ratings(&it);
                Rating::of(it, ratings)
            })
            .collect();
        // Apps without votes come last. A mean has one digit before its point, so it sorts as text.
        ratings.sort_by(|left, right| {
            let by_mean = right.average.cmp(&left.average);
            let by_votes = right.total_votes.cmp(&left.total_votes);
            let name = |it: &Rating| it.app_name.as_ref().map(|name| name.0.to_lowercase());
            by_mean
                .then(by_votes)
                .then_with(|| name(left).cmp(&name(right)))
        });
        Ok(Reply::new(AppRatings {
            ratings: self.page.of_whole(cx, Cursor::Offset, ratings),
        })
        .note("Anyone can open a rating poll, and each account has one vote whatever it holds. The one who opens it rates by its option initialValue, which counts as one rating."))
    }
}
