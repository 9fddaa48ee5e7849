//! The check for missing data of a publisher on this node.

use std::collections::BTreeMap;

use qortal_client::{
    PageRequest,
    api::arbitrary::{Resource, ResourceSearch},
};
use qortal_types::Name;

use super::{FoundResource, with_states};
use crate::{
    declare::{Context, Cursor, Page, Paging, Reply, Tool, ToolError, count},
    support::{untrusted::Untrusted, words::note_searched},
};

/// Maximum number of resources read for one name.
const MOST: u32 = 1_000;
/// The states in which the node has all of a resource (class `ArbitraryResourceStatus`).
const WHOLE: [&str; 3] = ["READY", "DOWNLOADED", "BUILDING"];

params! {
    pub(super) struct CheckPublications {
        /// Publisher's name.
        name: Name,
        #[flatten]
        page: Paging<15>
    }
}

record! {
    pub(super) struct CheckedPublications {
        /// The publisher's name.
        name: Untrusted,
        /// The number of resources it has published.
        published_count: u32,
        /// The number of them complete on this node.
        whole_count: u32,
        /// The number of resources in each state.
        states: BTreeMap<String, u64>,
        /// The incomplete resources, the latest first.
        incomplete: Page<FoundResource, u32>
    }
}

impl Tool for CheckPublications {
    const NAME: &str = "check_publications";
    const TITLE: &str = "Publication completeness";
    const DESCRIPTION: &str = "Check whether this node has all data published by a name, and list the incomplete. Why: get_qdn_resource_status.";
    const EXAMPLE: &str = r#"{"name":"rita-trades"}"#;
    const KEYWORDS: &str = "my publications, all my publications, are my publications whole, complete, missing data, did everything publish";
    type Output = Reply<CheckedPublications>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let search = ResourceSearch::default()
            .with_names([self.name.as_str().to_owned()])
            .with_exact_names(true);
        let found = with_states(cx, &search, PageRequest::last(MOST)).await?;
        note_searched(cx, found.len(), MOST);
        let mut states = BTreeMap::new();
        for it in &found {
            *states.entry(state(it)).or_insert(0) += 1;
        }
        let published_count = count(found.len());
        let incomplete = found.into_iter();
        let incomplete = incomplete.filter(|it| !WHOLE.contains(&state(it).as_str()));
        let incomplete = self.page.of_whole(cx, Cursor::Offset, incomplete.collect());
        let reply = Reply::new(CheckedPublications {
            name: Untrusted(self.name.as_str().to_owned()),
            published_count,
            whole_count: published_count.saturating_sub(incomplete.total),
            states,
            incomplete: incomplete.map(FoundResource::from),
        });
        Ok(reply.note("Other nodes may have the missing data. PUBLISHED means that this node has not tried to fetch it."))
    }
}

fn state(it: &Resource) -> String {
    let state = it.status.as_ref().map(|it| it.status.to_string());
    state.unwrap_or_else(|| "UNKNOWN".to_owned())
}
