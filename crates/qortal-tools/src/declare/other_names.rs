//! Names that parameters have elsewhere: in the tools of the Python server, in answers, and in what people say.

use tool_schema::Arguments;

/// A name, and the one that a parameter for the same thing has here.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("account", "address"),
    ("address", "at_address"),
    ("address", "identity"),
    ("buyer_public_key", "buyer"),
    ("coin", "blockchain"),
    ("count", "limit"),
    ("creator", "address"),
    ("foreign_blockchain", "blockchain"),
    ("group", "group_id"),
    ("height", "signature"),
    ("identity", "address"),
    ("limit", "count"),
    ("maximum_timestamp", "before"),
    ("minimum_timestamp", "after"),
    ("name", "address"),
    ("name", "poll_name"),
    ("owner", "address"),
    ("poll_name", "name"),
    ("public_key", "address"),
    ("qortal_at_address", "at_address"),
    ("seller_public_key", "seller"),
    ("since", "after"),
    ("transaction", "signature"),
    ("tx_group_id", "group_id"),
    ("tx_type", "tx_types"),
    ("until", "before"),
];

/// Reads arguments under other names as the parameters they mean, of those that a tool has.
pub(super) fn accept(arguments: &mut Arguments<'_>, parameters: &[String]) {
    let has = |name: &str| parameters.iter().any(|it| it == name);
    if arguments.names().all(has) {
        return;
    }
    for (other, name) in OTHER_NAMES {
        if arguments.has(other) && has(name) && !has(other) {
            arguments.alias(other, name, |sent| Some(sent.clone()));
        }
    }
}
