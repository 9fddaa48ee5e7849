//! The registered name that somebody who mistyped one probably meant.

use qortal_client::{Node, NodeError, Page, api::names::NameMatch};
use qortal_types::Reduced;

use crate::untrusted::is_hidden;

/// Names that are compared.
const COMPARED: u32 = 20;

/// The beginning that a name and what resembles it have in common, as a rule.
///
/// The node takes `%` and `_` in it for any text and any character, so that it finds more than it should.
pub(crate) fn beginning(asked: &str) -> String {
    let half = asked.chars().count().div_ceil(2).max(3);
    asked.chars().take(half).collect()
}

/// By how many letters a registered name differs; none if it is another name altogether.
pub(crate) fn distance(asked: &Reduced, name: &str) -> Option<usize> {
    let form = Reduced::of(name);
    let (asked, form) = (asked.text(), form.text());
    let longer = || form.chars().count() - asked.chars().count();
    tool_schema::distance(asked, form).or_else(|| form.contains(asked).then(longer))
}

/// The registered name that is nearest to a text which is none, if one is near.
pub(crate) async fn name(node: &Node, asked: &str) -> Result<Option<String>, NodeError> {
    let beginning = beginning(asked);
    let found = node
        .search_names(&beginning, NameMatch::Prefix, Page::first(COMPARED))
        .await?;
    let asked = Reduced::of(asked);
    let near = found
        .into_iter()
        .filter(|it| !it.name.chars().any(is_hidden))
        .filter_map(|it| Some((distance(&asked, &it.name)?, it.name)));
    Ok(near.min().map(|(_, name)| name))
}
