//! Compatibility with other servers: parameter names from the tools of the Python server, from answers and from common
//! speech, and the defaults of the Python server (full rows, the earliest first, QORT for one coin).

use serde_json::Value;
use tool_schema::{ArgumentReader, Object, Property};

/// The names of parameters here, each with other names for the same parameter.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("address", "account creator identity name owner public_key"),
    ("after", "minimum_timestamp since"),
    ("at_address", "address qortal_at_address"),
    ("before", "maximum_timestamp until"),
    ("blockchain", "coin foreign_blockchain"),
    ("buyer", "buyer_public_key"),
    ("count", "limit"),
    ("group_id", "group tx_group_id"),
    ("identity", "address"),
    ("limit", "count"),
    ("name", "poll_name"),
    ("poll_name", "name"),
    ("seller", "seller_public_key"),
    ("signature", "height transaction"),
    ("tx_types", "tx_type"),
];

/// Reads arguments under other names as the parameters they mean, if the tool has these.
pub(super) fn accept(arguments: &mut ArgumentReader<'_>, parameters: &[String]) {
    let has = |name: &str| parameters.iter().any(|it| it == name);
    for (name, others) in OTHER_NAMES.iter().filter(|(name, _)| has(name)) {
        for other in others.split(' ') {
            if arguments.has(other) && !has(other) {
                arguments.alias(other, name, |sent| Some(sent.clone()));
            }
        }
    }
}

/// Parameters with different defaults on the Python server: the name, its name there, and the default.
const DEFAULTS: [(&str, &str, &str); 3] = [
    ("detail", "detail", "full"),
    ("order", "reverse", "oldest"),
    ("price_of", "inverse", "coin"),
];

/// Returns the choices of a parameter if it is one of these and has this default.
fn words<'a>(parameter: &'a Property, name: &str, default: &str) -> Option<&'a [Value]> {
    let words = parameter.schema.get("enum").and_then(Value::as_array);
    let words = words.filter(|it| parameter.name == name && it.iter().any(|it| it == default));
    words.map(Vec::as_slice)
}

/// Adds these defaults to the arguments of a call where it leaves them out, for the parameters that its tool has.
pub(super) fn complete(arguments: &mut Object, parameters: &[Property]) {
    for (name, older_name, default) in DEFAULTS {
        let is_given = |name: &str| arguments.get(name).is_some_and(|it| !it.is_null());
        let has = parameters
            .iter()
            .any(|it| words(it, name, default).is_some());
        if has && !is_given(name) && !is_given(older_name) {
            arguments.insert(name.to_owned(), default.into());
        }
    }
}

/// Replaces the published defaults with these.
pub(super) fn publish(parameters: &mut [Property]) {
    for parameter in parameters {
        for (name, _, default) in DEFAULTS {
            let Some(words) = words(parameter, name, default) else {
                continue;
            };
            let said = words.iter().filter_map(Value::as_str);
            let doc = said.fold(parameter.doc.clone(), |doc, word| {
                doc.replace(&format!("efault {word}"), &format!("efault {default}"))
            });
            parameter.doc = match doc.contains("efault ") {
                true => doc,
                // The usual default is not documented in the text.
                false => format!("{doc} Default {default}."),
            };
            if let Some(published) = parameter.schema.get_mut("default") {
                *published = default.into();
            }
        }
    }
}
