//! `/polls`: polls, votes and app ratings (`PollsResource`).

use serde_json::{Value, json};

use crate::resource::{ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/polls", all),
    Endpoint::get("/polls/{pollName}", by_name),
    Endpoint::get("/polls/votes/{pollName}", votes),
    Endpoint::get("/polls/apps/ratings", ratings),
];

/// Number of buckets in a new Java `HashMap`.
const BUCKETS: u32 = 16;

fn all(state: &State, request: &Request) -> Result<Body, Refusal> {
    let paging = Paging::of(request)?;
    let mut polls: Vec<&Value> = state.chain.polls.iter().collect();
    polls.sort_by_cached_key(|poll| poll.text("pollName"));
    paging.list(polls)
}

/// Returns the poll with the exact name in the path.
fn named<'state>(state: &'state State, request: &Request) -> Result<&'state Value, Refusal> {
    let name = request.capture("pollName");
    let found = state.chain.polls.row("pollName", name);
    Ok(found.ok_or(ApiError::POLL_NO_EXISTS)?)
}

fn by_name(state: &State, request: &Request) -> Result<Body, Refusal> {
    named(state, request).cloned().map(Body::Json)
}

fn votes(state: &State, request: &Request) -> Result<Body, Refusal> {
    let poll = named(state, request)?;
    let tally = Tally::of(state, poll);
    let answer = if request.flag("onlyCounts") {
        json!({})
    } else {
        json!({"votes": tally.votes})
    };
    Ok(Body::Json(add_options(answer, &tally.options)))
}

/// The counted votes of a poll.
struct Tally<'state> {
    votes: Vec<&'state Value>,
    /// Option name, number of votes and weight, in the order of a Java hash table.
    options: Vec<(&'state str, i64, i64)>,
}

impl<'state> Tally<'state> {
    fn of(state: &'state State, poll: &'state Value) -> Self {
        let name = poll.text("pollName");
        let votes = &state.chain.votes;
        let votes = votes.matching(|vote| vote.text("pollName") == name);
        let options = poll.rows("pollOptions").iter().enumerate();
        let mut options: Vec<(&str, i64, i64)> = options
            .map(|(index, option)| {
                let theirs = votes
                    .iter()
                    .filter(|vote| vote.at("optionIndex").as_u64() == u64::try_from(index).ok());
                let (count, weight) = theirs.fold((0, 0), |(count, weight), vote| {
                    (count + 1, weight + weight_of(state, vote))
                });
                (option.text("optionName"), count, weight)
            })
            .collect();
        options.sort_by_cached_key(|(name, _, _)| bucket(name));
        Self { votes, options }
    }
}

/// Adds the counted options, each with name, votes and weight, and their totals.
fn add_options(answer: Value, options: &[(&str, i64, i64)]) -> Value {
    let totals = options.iter().fold((0, 0), |(votes, weight), option| {
        (votes + option.1, weight + option.2)
    });
    let counts: Vec<Value> = options
        .iter()
        .map(|(name, count, _)| json!({"optionName": name, "voteCount": count}))
        .collect();
    let weights: Vec<Value> = options
        .iter()
        .map(|(name, _, weight)| json!({"optionName": name, "voteWeight": weight}))
        .collect();
    answer
        .with("totalVotes", totals.0)
        .with("totalWeight", totals.1)
        .with("voteCounts", counts)
        .with("voteWeights", weights)
}

/// Returns the number of blocks a voter minted, minus the penalty.
fn weight_of(state: &State, vote: &Value) -> i64 {
    let address = state.chain.address_of_key(vote.text("voterPublicKey"));
    let account = address.and_then(|address| state.chain.account(address));
    account.map_or(0, |account| {
        (account.number("blocksMinted") + account.number("blocksMintedPenalty")).max(0)
    })
}

/// Returns the bucket of a string in a Java `HashMap` of the smallest size.
fn bucket(text: &str) -> u32 {
    let hash = text.encode_utf16().fold(0_u32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(u32::from(unit))
    });
    (hash ^ (hash >> 16)) % BUCKETS
}

/// One row of the ratings query: a poll, and an option with its votes and weight. A poll without options has a single row without them.
type OptionRow<'state> = (&'state Value, Option<(&'state str, i64, i64)>);

/// Returns polls named `app-library-…` as entries of a map. Paging applies to the option rows before they are grouped, so the first and the
/// last poll of a page may lack options and their votes (`getPollsByPrefix`).
fn ratings(state: &State, request: &Request) -> Result<Body, Refusal> {
    let prefix = match request.text("service") {
        None => "app-library-".to_owned(),
        Some(service @ ("APP" | "WEBSITE")) => format!("app-library-{service}-rating-"),
        Some(_) => return Err(ApiError::INVALID_CRITERIA.into()),
    };
    let (before, after) = (request.long("before")?, request.long("after")?);
    let paging = Paging::of(request)?;
    let mut polls: Vec<&Value> = state.chain.polls.iter().collect();
    polls.retain(|poll| poll.text("pollName").starts_with(&prefix));
    polls.sort_by_cached_key(|poll| poll.text("pollName"));
    let rows = polls.into_iter().flat_map(|poll| rows(state, poll));
    let rows = paging.cut(rows.collect());
    let rated =
        rows.chunk_by(|(poll, _), (next, _)| poll.text("pollName") == next.text("pollName"));
    let entries: Vec<Value> = rated
        .filter_map(|rows| Some((rows.first()?.0, rows)))
        .filter(|(poll, _)| before.is_none_or(|before| poll.number("published") < before))
        .filter(|(poll, _)| after.is_none_or(|after| poll.number("published") > after))
        .map(|(poll, rows)| {
            let options: Vec<(&str, i64, i64)> =
                rows.iter().filter_map(|(_, option)| *option).collect();
            json!({"key": poll.at("pollName"), "value": add_options(rating(poll), &options)})
        })
        .collect();
    Ok(Body::Json(
        json!({"count": entries.len(), "offset": paging.offset, "ratings": {"entry": entries}}),
    ))
}

fn rows<'state>(state: &'state State, poll: &'state Value) -> Vec<OptionRow<'state>> {
    let options = Tally::of(state, poll).options;
    if options.is_empty() {
        return vec![(poll, None)];
    }
    let options = in_order(poll, options);
    options.into_iter().map(|it| (poll, Some(it))).collect()
}

/// Returns the options in the order of the poll, which the query uses.
fn in_order<'state>(
    poll: &Value,
    mut options: Vec<(&'state str, i64, i64)>,
) -> Vec<(&'state str, i64, i64)> {
    let names = poll.rows("pollOptions");
    let place = |name: &str| {
        let mut names = names.iter();
        names.position(|option| option.text("optionName") == name)
    };
    options.sort_by_cached_key(|(name, _, _)| place(name));
    options
}

/// Returns the rating in a poll. Its name is split at the hyphens into at most five parts. The third is the service, the fifth the app.
fn rating(poll: &Value) -> Value {
    let name = poll.text("pollName");
    let parts: Vec<&str> = name.splitn(5, '-').collect();
    let mut rating = json!({"pollName": name});
    if let [_, _, service, _, app] = parts.as_slice() {
        rating = rating.with("service", *service).with("appName", *app);
    }
    rating.extended(&poll.pick("owner published description"))
}
