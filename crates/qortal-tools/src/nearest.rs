//! "Did you mean" for registered names.

use qortal_client::{Node, Page, api::names::NameMatch};
use qortal_types::Reduced;

use crate::untrusted::is_hidden;

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
        .search_names(&beginning, NameMatch::Prefix, Page::first(COMPARED))
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
