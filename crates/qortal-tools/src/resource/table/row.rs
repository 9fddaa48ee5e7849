//! How the rows of the table begin: what most of them have in common.

use crate::resource::{Freshness, Listing, Part, Signal, Source};

/// The form that most have: the tool's structure, once.
pub(super) const fn json(
    [template, name]: [&'static str; 2],
    [title, description]: [&'static str; 2],
    [tool, arguments]: [&'static str; 2],
    freshness: Freshness,
) -> Source {
    Source {
        template,
        name,
        title,
        description,
        tool,
        freshness,
        arguments,
        part: Part::Structure,
        listing: Listing::Once,
        signal: None,
    }
}

/// The same of one that can be watched: for how long it holds, and what tells that it may hold no more.
pub(super) const fn watched(
    address: [&'static str; 2],
    texts: [&'static str; 2],
    call: [&'static str; 2],
    (freshness, signal): (Freshness, Signal),
) -> Source {
    Source {
        signal: Some(signal),
        ..json(address, texts, call, freshness)
    }
}
