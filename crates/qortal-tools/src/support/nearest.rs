//! "Did you mean" hints for registered names, and for the names of groups and assets. The node cannot search the latter.

use qortal_client::{Node, PageRequest, api::names::NameMatch};
use qortal_types::Reduced;
use serde_json::Value;

use crate::support::untrusted::is_hidden;

/// Number of names that are compared.
const COMPARED: u32 = 20;

/// Returns the prefix that similar names usually share.
///
/// The node treats `%` and `_` in it as wildcards, so the result may be too broad.
pub(crate) fn beginning(asked: &str) -> String {
    let half = asked.chars().count().div_ceil(2).max(3);
    asked.chars().take(half).collect()
}

/// Returns the number of letters by which a registered name differs, or `None` if it is not similar.
pub(crate) fn distance(asked: &Reduced, name: &str) -> Option<usize> {
    let form = Reduced::of(name);
    let (asked, form) = (asked.text(), form.text());
    let longer = || form.chars().count() - asked.chars().count();
    tool_schema::distance(asked, form).or_else(|| form.contains(asked).then(longer))
}

/// Returns the registered name nearest to an unregistered one, if one is near. If the node does not respond, the hint
/// leaves it out.
pub(crate) async fn name(node: &Node, asked: &str) -> Option<String> {
    let beginning = beginning(asked);
    let found = node
        .search_names(&beginning, NameMatch::Prefix, PageRequest::first(COMPARED))
        .await
        .ok()?;
    among(asked, found.into_iter().map(|it| it.name))
}

/// Returns the name nearest to a text, if one is near.
pub(crate) fn among(asked: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let asked = Reduced::of(asked);
    let shown = names.filter(|it| !it.chars().any(is_hidden));
    let near = shown.filter_map(|it| Some((distance(&asked, &it)?, it)));
    near.min().map(|(_, name)| name)
}

/// Maximum number of similar names in an error.
const SIMILAR: usize = 3;

/// Returns the number of the item with this name, or a message about the name. Names match in any case, unless several
/// differ in case only. `kind` is `a group`, for example.
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

/// Returns the items with the nearest names, in parentheses.
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
