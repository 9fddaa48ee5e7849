//! Word search for resources with data on the node.

use qortal_client::{PageRequest, api::arbitrary::Resource};
use tool_schema::BoundedString;

use super::item;
use crate::{
    declare::{Context, Cursor, Page, Paging, Tool, ToolError},
    support::untrusted::Untrusted,
};

/// Maximum number of publications of the node that are searched. The Core cuts its list before it merges publications
/// of the same resource, so a page does not reveal whether there are more.
const SEARCHED: u32 = 10_000;

params! {
    pub(crate) struct SearchHostedQdn {
        /// Part of the name or identifier.
        query: Option<BoundedString<1, 100>>,
        #[flatten]
        page: Paging<25>
    }
}

record! {
    pub(crate) struct HostedResources {
        /// The resources, the latest first with `query`.
        resources: Page<HostedResource, u32>
    }

    pub(crate) struct HostedResource from(it: Resource) {
        /// Its service.
        service: String = it.service.to_string(),
        /// The name it was published under.
        name: Untrusted = it.name.into(),
        /// Its identifier. Absent if it has none.
        identifier: Option<Untrusted> = it.identifier.clone().filter(|it| !it.is_empty()).map(Untrusted),
        /// Its kind, if an official app uses such identifiers: `Q-Tube video`, `thread post in group 3`.
        kind: Option<String> = item(&it.service, it.identifier.as_deref()).map(|item| item.to_string())
    }
}

impl Tool for SearchHostedQdn {
    const NAME: &str = "search_hosted_qdn";
    const TITLE: &str = "QDN resources on this node";
    const DESCRIPTION: &str = "Find QDN data this node stores by part of name or identifier. Needs the node's API key. All: list_hosted_qdn.";
    const EXAMPLE: &str = r#"{"query":"post"}"#;
    const KEYWORDS: &str = "host, does my node host, hosted data";
    const NEEDS_KEY: bool = true;
    const TABLE: Option<&str> = Some("resources");
    type Output = HostedResources;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let query = self.query.as_ref().map(BoundedString::as_str);
        let found = cx
            .node
            .hosted_resources(query, PageRequest::first(SEARCHED))
            .await?;
        if found.len() >= SEARCHED as usize {
            cx.note(format!(
                "Only {SEARCHED} publications on the node were searched, there may be more."
            ));
        }
        let resources = self.page.of_whole(cx, Cursor::Offset, found);
        Ok(HostedResources {
            resources: resources.map(HostedResource::of),
        })
    }
}
