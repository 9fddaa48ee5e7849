//! Tests of the table of endpoints by release.

use super::{BROUGHT, has};
use crate::{resource, scenario::RECORDED};

#[test]
fn the_table_names_endpoints_of_the_recorded_release() {
    let known: Vec<String> = resource::endpoints().map(ToString::to_string).collect();
    assert_eq!(
        BROUGHT.len(),
        include_str!("../../data/releases.txt").lines().count()
    );
    for (endpoint, since) in BROUGHT.iter() {
        assert!(([4, 0, 1]..=RECORDED).contains(since), "{since:?}");
        let is_socket = endpoint.starts_with("GET /websockets/");
        assert!(
            is_socket || known.iter().any(|it| it == endpoint),
            "{endpoint}"
        );
    }
}

#[test]
fn an_endpoint_is_there_from_its_first_release_on() {
    let list = |release| has(release, "POST", "/names/list");
    assert!(!list([4, 0, 0]) && !list([6, 1, 4]));
    assert!(list([6, 1, 5]) && list(RECORDED) && list([7, 0, 0]));
    assert!(has([4, 0, 0], "GET", "/names"));
}
