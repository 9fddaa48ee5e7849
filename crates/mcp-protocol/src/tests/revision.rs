//! The table of revisions.

use crate::{
    Features, Revision,
    error::{INVALID_PARAMS, RESOURCE_NOT_FOUND},
    revision::{StructuredContentForm, TaskForm},
};

#[test]
fn r001_r002_r003_negotiation_never_echoes_an_unknown_revision() {
    for &revision in Revision::ALL {
        let answer = match revision.features().handshake {
            true => revision,
            false => Revision::V2025_11_25,
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
        assert_eq!(revision.name().parse(), Ok(revision));
    }
}

/// What the pages "Key Changes" of the specification say of each revision.
#[test]
fn a_feature_begins_and_ends_where_the_specification_says() {
    const FIRST: Revision = Revision::V2024_11_05;
    const SECOND: Revision = Revision::V2025_03_26;
    const THIRD: Revision = Revision::V2025_06_18;
    const FOURTH: Revision = Revision::V2025_11_25;
    const FIFTH: Revision = Revision::V2026_07_28;
    type Fact = fn(&Features) -> bool;
    let facts: [(&str, Fact, Revision, Revision); 23] = [
        ("audio", |it| it.audio, SECOND, FIFTH),
        ("batches", |it| it.batches, SECOND, SECOND),
        ("progress", |it| it.progress_message, SECOND, FIFTH),
        ("completions", |it| it.completions_capability, SECOND, FIFTH),
        ("annotations", |it| it.tool_annotations, SECOND, FIFTH),
        ("titles", |it| it.titles, THIRD, FIFTH),
        ("links", |it| it.resource_links, THIRD, FIFTH),
        ("meta", |it| it.meta, THIRD, FIFTH),
        ("modified", |it| it.last_modified, THIRD, FIFTH),
        ("elicitation", |it| it.elicitation, THIRD, FIFTH),
        ("icons", |it| it.icons, FOURTH, FIFTH),
        ("urls", |it| it.url_elicitation, FOURTH, FIFTH),
        ("ids of urls", |it| it.elicitation_ids, FOURTH, FOURTH),
        ("sampling", |it| it.sampling_tool_results, FOURTH, FIFTH),
        ("no id", |it| it.errors_without_id, FOURTH, FIFTH),
        ("polling", |it| it.stream_polling, FOURTH, FOURTH),
        ("result type", |it| it.result_type, FIFTH, FIFTH),
        ("caching", |it| it.cache_hints, FIFTH, FIFTH),
        (
            "core tasks",
            |it| it.tasks == TaskForm::Core,
            FOURTH,
            FOURTH,
        ),
        ("tasks", |it| it.tasks == TaskForm::Extension, FIFTH, FIFTH),
        ("handshake", |it| it.handshake, FIRST, FOURTH),
        (
            "objects",
            |it| it.structured_content == StructuredContentForm::Object,
            THIRD,
            FOURTH,
        ),
        (
            "any value",
            |it| it.structured_content == StructuredContentForm::AnyValue,
            FIFTH,
            FIFTH,
        ),
    ];
    for (fact, holds, first, last) in facts {
        for revision in Revision::ALL.iter().copied() {
            let expect = (first.index()..=last.index()).contains(&revision.index());
            assert_eq!(holds(revision.features()), expect, "{fact}, {revision:?}");
        }
    }
    for &revision in Revision::ALL {
        let expect = if revision.has_handshake() {
            RESOURCE_NOT_FOUND
        } else {
            INVALID_PARAMS
        };
        assert_eq!(
            revision.features().resource_not_found,
            expect,
            "{revision:?}"
        );
    }
    assert!(
        Revision::ALL
            .iter()
            .copied()
            .filter(|it| !it.has_handshake())
            .eq([FIFTH])
    );
    assert_eq!("2026-07-28".parse(), Ok(FIFTH));
    assert_eq!(FIFTH.to_string(), "2026-07-28");
    let unknown = "2026-07-29".parse::<Revision>().unwrap_err().to_string();
    let expected = "2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05";
    assert!(
        unknown.starts_with("not a protocol revision, expected one of "),
        "{unknown}"
    );
    assert!(unknown.ends_with(expected), "{unknown}");
}
