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

/// One that can be watched.
pub(super) const fn watched(signal: Signal, source: Source) -> Source {
    Source {
        signal: Some(signal),
        ..source
    }
}
