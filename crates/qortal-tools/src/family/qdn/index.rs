//! The index of resources, created by publishers for search apps.

use qortal_client::api::arbitrary::IndexMatch;
use tool_schema::{BoundedString, BoundedVec};

use crate::{
    declare::{Context, Cursor, Page, Paging, Tool, ToolError},
    support::untrusted::Untrusted,
};

params! {
    pub(super) struct SearchQdnIndex {
        /// Words to find.
        terms: BoundedVec<BoundedString<1, 100>, 10>,
        #[flatten]
        page: Paging<20>
    }
}

record! {
    pub(super) struct IndexMatches {
        /// The entries, the best match first.
        matches: Page<IndexEntry, u32>
    }

    pub(super) struct IndexEntry from(it: IndexMatch) {
        /// The publisher's name.
        name: Untrusted = Untrusted(it.name),
        /// The link it leads to.
        link: Untrusted = Untrusted(it.link),
        /// The number of its category, as the publisher has it.
        category: i64,
        /// The score of the match, in hundredths.
        score: String = format!("{:.2}", it.score)
    }
}

impl Tool for SearchQdnIndex {
    const NAME: &str = "search_qdn_index";
    const TITLE: &str = "Search the QDN index";
    const DESCRIPTION: &str = "Search the index of search apps, filled by publishers, by words. All resources: search_qdn_resources.";
    const EXAMPLE: &str = r#"{"terms":["weather","report"]}"#;
    const KEYWORDS: &str = "q-search, search index, index, indices, keyword search, search app";
    type Output = IndexMatches;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let terms = self
            .terms
            .into_vec()
            .into_iter()
            .map(BoundedString::into_string);
        let found = cx.node.search_indices(&terms.collect::<Vec<_>>()).await?;
        let matches = self.page.of_whole(cx, Cursor::Offset, found);
        Ok(IndexMatches {
            matches: matches.map(IndexEntry::of),
        })
    }
}
