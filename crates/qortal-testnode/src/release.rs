//! The Core release that introduced each endpoint.

use std::{collections::HashMap, sync::LazyLock};

use crate::scenario::Release;

/// Endpoints that some releases since 4.0.0 lack, by the release that introduced them, from the sources of all these releases. Each line
/// has a release, a method and a path.
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

/// Returns `true` if a release has an endpoint.
pub(crate) fn has(release: Release, method: &str, path: &str) -> bool {
    let since = BROUGHT.get(format!("{method} {path}").as_str());
    since.is_none_or(|since| release >= *since)
}

#[cfg(test)]
mod tests;
