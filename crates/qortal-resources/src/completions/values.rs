//! Sources of the values of each prompt argument and template variable.

use qortal_tools::{Catalog, Object};
use qortal_types::{Blockchain, Height, Service, TransactionType};

use super::query::{Candidate, Candidates, Query};
use crate::sources;

/// The source of an argument's values.
pub(super) enum Values {
    /// A list without a node query.
    Known(fn(&Catalog) -> Candidates),
    /// A node query, given the typed text in lower case and the resolved arguments.
    Node(fn(&str, &Object) -> Option<Query>),
    /// No completion.
    None,
}

/// Every argument of every prompt, and every variable of every template.
pub(super) static VALUES: &[(&str, Values)] = &[
    // A name is accepted wherever an account is.
    ("address", Values::Node(accounts)),
    ("other_address", Values::Node(accounts)),
    ("identity", Values::Node(accounts)),
    (
        "name",
        Values::Node(|typed, _| Some(Query::Names(typed.to_owned()))),
    ),
    ("blockchain", Values::Known(|_| coins())),
    ("at_address", Values::Node(|_, _| Some(Query::Offers))),
    ("height", Values::Node(|_, _| Some(Query::Tip))),
    // A signature is 64 random bytes, which users copy. A transaction of a block can be typed: its height, a slash, and the first
    // characters.
    (
        "signature",
        Values::Node(|typed, _| {
            let (height, _) = typed.split_once('/')?;
            let height = height.parse().ok().filter(|it| *it > 0)?;
            Some(Query::Transactions(Height::new(height)))
        }),
    ),
    (
        "tx_type",
        Values::Known(|_| plain(TransactionType::ALL.iter().map(TransactionType::as_str))),
    ),
    ("group_id", Values::Node(|_, _| Some(Query::Groups))),
    ("asset_id", Values::Node(|_, _| Some(Query::Assets))),
    ("poll_name", Values::Node(|_, _| Some(Query::Polls))),
    (
        "service",
        Values::Known(|_| plain(Service::ALL.iter().map(Service::as_str))),
    ),
    ("identifier", Values::Node(identifiers)),
    // Listing the files may make a node fetch them from its peers, which takes seconds.
    ("filepath", Values::None),
    ("topic", Values::Known(topics)),
    ("year", Values::Node(|_, _| Some(Query::Years))),
    // Nodes keep chat messages for a day.
    (
        "since",
        Values::Known(|_| plain(["the last hour", "the last 6 hours", "the last 24 hours"])),
    ),
];

fn accounts(typed: &str, _: &Object) -> Option<Query> {
    Some(Query::Accounts(typed.to_owned()))
}

fn identifiers(_: &str, resolved: &Object) -> Option<Query> {
    let text = |name: &str| resolved.get(name)?.as_str();
    Some(Query::Identifiers {
        service: text("service")?.parse().ok()?,
        name: text("name")?.to_owned(),
    })
}

fn coins() -> Candidates {
    let coins = Blockchain::ALL.iter();
    Candidates::all(
        coins.map(|it| Candidate::labeled(it.as_str(), it.symbol().unwrap_or_default())),
    )
}

/// Returns the topics of the reference texts.
fn topics(catalog: &Catalog) -> Candidates {
    let mut sources = sources(catalog);
    let topics = sources.find(|(source, _)| source.variables().eq(["topic"]));
    let topics = topics.map_or_else(Vec::new, |(source, entry)| source.listed_values(entry));
    Candidates::all(topics.into_iter().map(Candidate::plain))
}

fn plain(values: impl IntoIterator<Item = &'static str>) -> Candidates {
    Candidates::all(values.into_iter().map(Candidate::plain))
}
