//! The lists of the node: followed names and blocked accounts.

use tool_schema::CappedInt;

use crate::{
    declare::{Context, Cursor, NextPage, Rows, Slice, Tool, ToolError},
    support::untrusted::Untrusted,
};

/// The largest limit.
const MOST: u32 = 500;

params! {
    pub(crate) struct GetNodeLists {
        /// Rows.
        limit: CappedInt<1, MOST> = CappedInt::from_const(50),
        /// Entries of each list to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0)
    }
}

record! {
    pub(crate) struct NodeLists {
        /// Names with automatically downloaded QDN data.
        followed_names: Rows<Untrusted>,
        /// The number of followed names.
        followed_name_count: u32,
        /// Names with hidden QDN data and offers.
        blocked_names: Rows<Untrusted>,
        /// The number of blocked names.
        blocked_name_count: u32,
        /// Accounts with hidden data and messages.
        blocked_addresses: Rows<Untrusted>,
        /// The number of blocked accounts.
        blocked_address_count: u32,
        /// Whether one of the lists has more entries than these.
        remainder: NextPage
    }
}

impl Tool for GetNodeLists {
    const NAME: &str = "get_node_lists";
    const TITLE: &str = "Followed and blocked names";
    const DESCRIPTION: &str =
        "Names the node follows, names and accounts it blocks. Needs the node's API key.";
    const KEYWORDS: &str =
        "follow, follow name, block list, blocked name, followed name, blocked user";
    const NEEDS_KEY: bool = true;
    const MANY_LISTS: bool = true;
    type Output = NodeLists;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (followed, blocked, addresses) = tokio::try_join!(
            cx.node.list_entries("followedNames"),
            cx.node.list_entries("blockedNames"),
            cx.node.list_entries("blockedAddresses"),
        )?;
        let slice = Slice::new(self.limit, self.offset);
        let followed = slice.of_whole(cx, Cursor::Offset, followed).map(Untrusted);
        let blocked = slice.of_whole(cx, Cursor::Offset, blocked).map(Untrusted);
        let addresses = slice.of_whole(cx, Cursor::Offset, addresses).map(Untrusted);
        Ok(NodeLists {
            followed_names: Rows(followed.items),
            followed_name_count: followed.total,
            blocked_names: Rows(blocked.items),
            blocked_name_count: blocked.total,
            blocked_addresses: Rows(addresses.items),
            blocked_address_count: addresses.total,
            remainder: followed
                .remainder
                .or(blocked.remainder)
                .or(addresses.remainder),
        })
    }
}
