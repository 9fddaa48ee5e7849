//! What the state of a resource means for its readers.

use qortal_client::{
    Page,
    api::arbitrary::{ResourceFilter, ResourceId, ResourceState},
};
use serde_json::Value;

use crate::declare::{Context, ToolError};

/// Resources with other identifiers that an error names.
const OTHERS_SHOWN: u32 = 10;

/// Nothing is published there; the error names what is under other identifiers, which people forget.
pub(super) async fn not_published(cx: &Context, id: &ResourceId) -> ToolError {
    let filter = ResourceFilter::default()
        .with_service(id.service.clone())
        .with_name(id.name.clone());
    let others = cx.node.resources(&filter, Page::first(OTHERS_SHOWN)).await;
    let others = others.unwrap_or_default();
    let named = others.iter().map(|it| match &it.identifier {
        Some(identifier) => Value::from(identifier.as_str()).to_string(),
        None => "one without identifier".to_owned(),
    });
    let named: Vec<String> = named.collect();
    let hint = if named.is_empty() {
        meaning(&ResourceState::NotPublished).to_owned()
    } else {
        format!(
            "Nothing is published there, but with these identifiers, up to {OTHERS_SHOWN}: {}.",
            named.join(", ")
        )
    };
    ToolError::not_found("Resource not found.", hint)
}

/// What a state means for someone who wants to read the resource.
pub(super) fn meaning(state: &ResourceState) -> &'static str {
    match state {
        ResourceState::Published => {
            "It exists, but this node has not fetched all of it. Opening its link in Qortal makes it do so."
        }
        ResourceState::NotPublished => {
            "Nothing is published there. search_qdn_resources finds what is."
        }
        ResourceState::Downloading => "The node is fetching it. Ask again in a minute.",
        ResourceState::Downloaded => {
            "The node has its files. get_qdn_resource can read it, for which the node puts them together."
        }
        ResourceState::Building => "The node is putting its files together. Ask again in a minute.",
        ResourceState::Ready => "get_qdn_resource can read it.",
        ResourceState::MissingData => {
            "The node looked for its files and did not find all of them: no peer that has them is online. Try again later."
        }
        ResourceState::BuildFailed => {
            "The node could not put its files together. get_qdn_resource makes it try again; if that fails, the publisher may have to publish it again."
        }
        ResourceState::Blocked => "The operator of this node blocks the name.",
        _ => "This node cannot deal with it.",
    }
}
