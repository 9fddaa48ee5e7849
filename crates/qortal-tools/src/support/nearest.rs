//! "Did you mean" for registered names, and for the names of groups and assets, which have numbers: the node cannot search for
//! those.

use qortal_client::{Node, PageRequest, api::names::NameMatch};
use qortal_types::Reduced;
use serde_json::Value;

use crate::support::untrusted::is_hidden;

/// Names that are compared.
const COMPARED: u32 = 20;

/// The prefix that similar names usually share.
///
/// The node treats `%` and `_` in it as wildcards, so that it may find too much.
pub(crate) fn beginning(asked: &str) -> String {
    let half = asked.chars().count().div_ceil(2).max(3);
    asked.chars().take(half).collect()
}

/// By how many letters a registered name differs; `None` if it is not similar.
pub(crate) fn distance(asked: &Reduced, name: &str) -> Option<usize> {
    let form = Reduced::of(name);
    let (asked, form) = (asked.text(), form.text());
    let longer = || form.chars().count() - asked.chars().count();
    tool_schema::distance(asked, form).or_else(|| form.contains(asked).then(longer))
}

/// The registered name nearest to a text that is not registered, if one is near. A hint does without it where the node
/// does not answer.
pub(crate) async fn name(node: &Node, asked: &str) -> Option<String> {
    let beginning = beginning(asked);
    let found = node
        .search_names(&beginning, NameMatch::Prefix, PageRequest::first(COMPARED))
        .await
        .ok()?;
    among(asked, found.into_iter().map(|it| it.name))
}

/// The one of some names that is nearest to a text, if one is near.
pub(crate) fn among(asked: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let asked = Reduced::of(asked);
    let shown = names.filter(|it| !it.chars().any(is_hidden));
    let near = shown.filter_map(|it| Some((distance(&asked, &it)?, it)));
    near.min().map(|(_, name)| name)
}

/// Similar names that an error shows.
const SIMILAR: usize = 3;

/// The number of the one with this name, or what is wrong with the name. Case does not matter, unless several differ in
/// nothing else. `kind` is `a group`, for example.
pub(crate) fn find(all: &[(u64, &str)], name: &str, kind: &str) -> Result<u64, String> {
    let lower = name.to_lowercase();
    let same = all.iter().filter(|(_, it)| it.to_lowercase() == lower);
    let same: Vec<_> = same.collect();
    let exact = same.iter().find(|(_, it)| *it == name);
    let shown = Value::from(name);
    match (exact, same.as_slice()) {
        (Some((number, _)), _) | (None, [(number, _)]) => Ok(*number),
        (None, []) => Err(format!(
            "is {shown}, which is neither the number nor the name of {kind}{}",
            similar(all, name)
        )),
        (None, several) => Err(format!(
            "is {shown}, but several have this name: {}",
            listed(several.iter().copied())
        )),
    }
}

/// Those whose names are nearest, in brackets.
fn similar(all: &[(u64, &str)], name: &str) -> String {
    let asked = Reduced::of(name);
    let near = all
        .iter()
        .filter_map(|it| Some((distance(&asked, it.1)?, it)));
    let mut near: Vec<_> = near.collect();
    near.sort_by_key(|(distance, it)| (*distance, it.0));
    if near.is_empty() {
        return String::new();
    }
    let nearest = near.into_iter().map(|(_, it)| it).take(SIMILAR);
    format!(" (similar: {})", listed(nearest))
}

fn listed<'a>(all: impl Iterator<Item = &'a (u64, &'a str)>) -> String {
    let all = all.map(|(number, name)| format!("{number} is {}", Value::from(*name)));
    all.collect::<Vec<_>>().join(", ")
}
