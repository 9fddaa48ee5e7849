//! The table of revisions.

use crate::{Revision, revision::Lifecycle};

#[test]
fn r001_r002_r003_negotiation_never_echoes_an_unknown_revision() {
    for &revision in Revision::ALL {
        let answer = match revision.rules().lifecycle {
            Lifecycle::Handshake => revision,
            Lifecycle::PerRequest => Revision::V2025_11_25,
        };
        assert_eq!(Revision::negotiate(revision.name()), answer);
    }
    for asked in [
        "1999-01-01",
        "2025-06-19",
        "2025-06-18 ",
        "",
        "latest",
        "2099-12-31",
    ] {
        assert_eq!(Revision::negotiate(asked), Revision::V2025_11_25);
    }
}

#[test]
fn names_are_dates_in_order() {
    let names: Vec<_> = Revision::ALL.iter().copied().map(Revision::name).collect();
    assert!(names.is_sorted());
    for (index, &revision) in Revision::ALL.iter().enumerate() {
        assert_eq!(revision.index(), index);
        assert_eq!(Revision::parse(revision.name()), Some(revision));
    }
}
