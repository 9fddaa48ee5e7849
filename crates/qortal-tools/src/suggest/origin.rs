//! Where the values come from that are suggested for each argument of a prompt and each variable of a template.

use mcp_protocol::Object;
use qortal_types::{Blockchain, Service, TransactionType};

use super::asked::Asked;

/// Where the values of an argument come from.
pub(super) enum Origin {
    /// Words that are known without asking.
    Words(fn() -> Vec<Word>),
    /// The topics of the reference texts.
    Topics,
    /// A list of the node, by what has been typed and by the arguments that are settled.
    Node(fn(&str, &Object) -> Option<Asked>),
    /// Nothing is suggested, for a reason.
    Nowhere,
}

/// A word, and by what else it may be found.
pub(super) struct Word {
    pub(super) value: &'static str,
    pub(super) label: &'static str,
}

/// Every argument of every prompt, and every variable of every template.
pub(super) static ORIGINS: &[(&str, Origin)] = &[
    // Wherever an account is wanted, a name will do.
    ("address", Origin::Node(accounts)),
    ("other_address", Origin::Node(accounts)),
    ("identity", Origin::Node(accounts)),
    ("public_key", Origin::Node(keys)),
    ("name", Origin::Node(names)),
    ("blockchain", Origin::Words(coins)),
    ("at_address", Origin::Node(|_, _| Some(Asked::Offers))),
    ("height", Origin::Node(|_, _| Some(Asked::Tip))),
    // Who asks for a transaction or a block by its signature has it: 64 random bytes, of which typing a part is no help.
    ("signature", Origin::Nowhere),
    ("tx_type", Origin::Words(transaction_types)),
    ("group_id", Origin::Node(|_, _| Some(Asked::Groups))),
    ("asset_id", Origin::Node(|_, _| Some(Asked::Assets))),
    ("poll_name", Origin::Node(|_, _| Some(Asked::Polls))),
    ("service", Origin::Words(services)),
    ("identifier", Origin::Node(identifiers)),
    // Asked for the list of files, a node may fetch it from its peers first, which takes seconds.
    ("filepath", Origin::Nowhere),
    ("topic", Origin::Topics),
    ("year", Origin::Node(|_, _| Some(Asked::Years))),
    ("since", Origin::Words(spans)),
];

fn names(typed: &str, _: &Object) -> Option<Asked> {
    Some(Asked::Names(typed.to_lowercase()))
}

fn accounts(typed: &str, _: &Object) -> Option<Asked> {
    Some(Asked::Accounts(typed.to_lowercase()))
}

/// Each key is a question of its own, so that nothing is asked before somebody types.
fn keys(typed: &str, _: &Object) -> Option<Asked> {
    (!typed.is_empty()).then(|| Asked::Keys(typed.to_lowercase()))
}

fn identifiers(_: &str, settled: &Object) -> Option<Asked> {
    let text = |name: &str| settled.get(name)?.as_str();
    Some(Asked::Identifiers {
        service: text("service")?.parse().ok()?,
        name: text("name")?.to_owned(),
    })
}

fn coins() -> Vec<Word> {
    let coins = Blockchain::ALL.iter().map(|it| Word {
        value: it.as_str(),
        label: it.symbol().unwrap_or_default(),
    });
    coins.collect()
}

fn services() -> Vec<Word> {
    plain(Service::ALL.iter().map(Service::as_str))
}

fn transaction_types() -> Vec<Word> {
    plain(TransactionType::ALL.iter().map(TransactionType::as_str))
}

/// Chat lives for a day.
fn spans() -> Vec<Word> {
    plain(["the last hour", "the last 6 hours", "the last 24 hours"].into_iter())
}

fn plain(words: impl Iterator<Item = &'static str>) -> Vec<Word> {
    words.map(|value| Word { value, label: "" }).collect()
}
