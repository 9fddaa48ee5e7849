//! Where the values of each prompt argument and template variable come from.

use qortal_tools::{Catalog, Object};
use qortal_types::{Blockchain, Height, Service, TransactionType};

use super::query::{Candidate, Candidates, Query};
use crate::sources;

/// Where the values of an argument come from.
pub(super) enum Values {
    /// A list that is known without the node.
    Known(fn(&Catalog) -> Candidates),
    /// A query of the node for what has been typed, in lower case, and the arguments that are resolved.
    Node(fn(&str, &Object) -> Option<Query>),
    /// The argument is not completed.
    None,
}

/// Every argument of every prompt, and every variable of every template.
pub(super) static VALUES: &[(&str, Values)] = &[
    // Wherever an account is accepted, so is a name.
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
    // 64 random bytes: people copy them. A transaction of a block can be typed: its height, a slash, and the beginning.
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
    // To list the files, a node may have to fetch them from its peers, which takes seconds.
    ("filepath", Values::None),
    ("topic", Values::Known(topics)),
    ("year", Values::Node(|_, _| Some(Query::Years))),
    // Chat messages live for a day.
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

/// The topics of the reference texts.
fn topics(catalog: &Catalog) -> Candidates {
    let mut sources = sources(catalog);
    let topics = sources.find(|(source, _)| source.variables().eq(["topic"]));
    let topics = topics.map_or_else(Vec::new, |(source, entry)| source.listed_values(entry));
    Candidates::all(topics.into_iter().map(Candidate::plain))
}

fn plain(values: impl IntoIterator<Item = &'static str>) -> Candidates {
    Candidates::all(values.into_iter().map(Candidate::plain))
}
