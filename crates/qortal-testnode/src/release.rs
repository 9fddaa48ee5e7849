//! Which release of the Core brought which endpoint.

use std::{collections::HashMap, sync::LazyLock};

use crate::scenario::Release;

/// The endpoints that did not exist in all releases since 4.0.0, by the one that brought them, from the sources of all
/// of these releases: a release, a method and a path in each line.
static BROUGHT: LazyLock<HashMap<&str, Release>> = LazyLock::new(|| {
    let lines = include_str!("../data/releases.txt").lines();
    let rows = lines.filter_map(|line| line.split_once(' '));
    rows.map(|(release, endpoint)| (endpoint, numbers(release)))
        .collect()
});

fn numbers(release: &str) -> Release {
    let mut numbers = release.split('.').filter_map(|it| it.parse().ok());
    [(); 3].map(|()| numbers.next().unwrap_or_default())
}

/// Whether a release has an endpoint.
pub(crate) fn has(release: Release, method: &str, path: &str) -> bool {
    let since = BROUGHT.get(format!("{method} {path}").as_str());
    since.is_none_or(|since| release >= *since)
}

#[cfg(test)]
mod tests;
