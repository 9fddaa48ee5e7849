//! `/polls`: polls, votes and the ratings of apps (`PollsResource`).

use serde_json::{Value, json};

use crate::answer::Body;
use crate::chain::Row;
use crate::error::{ApiError, Refusal};
use crate::paging::Paging;
use crate::request::Request;
use crate::resource::list;
use crate::route::Endpoint;
use crate::world::World;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/polls", all),
    Endpoint::get("/polls/{pollName}", by_name),
    Endpoint::get("/polls/votes/{pollName}", votes),
    Endpoint::get("/polls/apps/ratings", ratings),
];

/// Buckets of a fresh Java `HashMap`.
const BUCKETS: u32 = 16;

fn all(world: &World, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let mut polls: Vec<&Value> = world.chain.polls.iter().collect();
    polls.sort_by_key(|poll| poll.text("pollName"));
    list(paging.apply(polls).into_iter().cloned())
}

/// The poll a path names, exactly.
fn named<'world>(world: &'world World, request: &Request) -> Result<&'world Value, Refusal> {
    let name = request.capture("pollName");
    let found = world
        .chain
        .polls
        .iter()
        .find(|poll| poll.text("pollName") == name);
    Ok(found.ok_or(ApiError::POLL_NO_EXISTS)?)
}

fn by_name(world: &World, request: &Request) -> Result<Body, Refusal> {
    named(world, request).cloned().map(Body::Json)
}

fn votes(world: &World, request: &Request) -> Result<Body, Refusal> {
    let poll = named(world, request)?;
    let tally = Tally::of(world, poll);
    let mut answer = json!({});
    if !request.flag("onlyCounts") {
        answer = answer.with(
            "votes",
            tally.votes.iter().copied().cloned().collect::<Vec<Value>>(),
        );
    }
    Ok(Body::Json(tally.add_to(answer)))
}

/// The counted votes of a poll.
struct Tally<'world> {
    votes: Vec<&'world Value>,
    /// Option name, votes and weight, in the order of a Java hash table.
    options: Vec<(&'world str, i64, i64)>,
}

impl<'world> Tally<'world> {
    fn of(world: &'world World, poll: &'world Value) -> Self {
        let name = poll.text("pollName");
        let votes: Vec<&Value> = world
            .chain
            .votes
            .iter()
            .filter(|vote| vote.text("pollName") == name)
            .collect();
        let options = poll
            .at("pollOptions")
            .as_array()
            .into_iter()
            .flatten()
            .enumerate();
        let mut options: Vec<(&str, i64, i64)> = options
            .map(|(index, option)| {
                let theirs = votes
                    .iter()
                    .filter(|vote| vote.at("optionIndex").as_u64() == u64::try_from(index).ok());
                let (count, weight) = theirs.fold((0, 0), |(count, weight), vote| {
                    (count + 1, weight + weight_of(world, vote))
                });
                (option.text("optionName"), count, weight)
            })
            .collect();
        options.sort_by_key(|(name, _, _)| bucket(name));
        Self { votes, options }
    }

    /// Adds totals and tables to an answer.
    fn add_to(&self, answer: Value) -> Value {
        let totals = self.options.iter().fold((0, 0), |(votes, weight), option| {
            (votes + option.1, weight + option.2)
        });
        let counts: Vec<Value> = self
            .options
            .iter()
            .map(|(name, count, _)| json!({"optionName": name, "voteCount": count}))
            .collect();
        let weights: Vec<Value> = self
            .options
            .iter()
            .map(|(name, _, weight)| json!({"optionName": name, "voteWeight": weight}))
            .collect();
        answer
            .with("totalVotes", totals.0)
            .with("totalWeight", totals.1)
            .with("voteCounts", counts)
            .with("voteWeights", weights)
    }
}

/// The blocks a voter minted, less the penalty.
fn weight_of(world: &World, vote: &Value) -> i64 {
    let address = world.chain.address_of_key(vote.text("voterPublicKey"));
    let account = address.and_then(|address| world.chain.account(address));
    account.map_or(0, |account| {
        (account.number("blocksMinted") + account.number("blocksMintedPenalty")).max(0)
    })
}

/// The bucket a text falls into in a Java `HashMap` of the smallest size.
fn bucket(text: &str) -> u32 {
    let hash = text.encode_utf16().fold(0_u32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(u32::from(unit))
    });
    (hash ^ (hash >> 16)) % BUCKETS
}

/// Polls named `app-library-<service>-rating-<app>`, as entries of a map.
fn ratings(world: &World, request: &Request) -> Result<Body, Refusal> {
    let service = request
        .text("service")
        .filter(|service| ["APP", "WEBSITE"].contains(service));
    let service = service.ok_or(ApiError::INVALID_CRITERIA)?;
    let prefix = format!("app-library-{service}-rating-");
    let (before, after) = (request.long("before")?, request.long("after")?);
    let paging = Paging::of(request)?;
    let mut polls: Vec<&Value> = world.chain.polls.iter().collect();
    polls.retain(|poll| poll.text("pollName").starts_with(&prefix));
    polls.retain(|poll| before.is_none_or(|before| poll.number("published") < before));
    polls.retain(|poll| after.is_none_or(|after| poll.number("published") > after));
    polls.sort_by_key(|poll| poll.text("pollName"));
    let entries: Vec<Value> = paging
        .apply(polls)
        .into_iter()
        .map(|poll| {
            let name = poll.text("pollName");
            let rating = json!({
                "pollName": name,
                "service": service,
                "appName": name.strip_prefix(&prefix),
                "owner": poll.at("owner"),
                "published": poll.at("published"),
                "description": poll.at("description"),
            });
            json!({"key": name, "value": Tally::of(world, poll).add_to(rating)})
        })
        .collect();
    Ok(Body::Json(
        json!({"count": entries.len(), "offset": paging.offset, "ratings": {"entry": entries}}),
    ))
}
