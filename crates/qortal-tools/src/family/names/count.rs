//! The number of registered names.

use qortal_client::{Node, NodeError, PageRequest};

use crate::declare::{Context, Tool, ToolError};

/// The first number that is compared. A smaller one takes a few requests more than needed.
const FIRST: u32 = 1_024;
/// An upper bound that the number of names cannot reach.
const MOST: u32 = 1 << 30;

params! { pub(super) struct CountNames; }

record! {
    pub(super) struct NameCount {
        /// The number of registered names.
        registered_names: u32
    }
}

impl Tool for CountNames {
    const NAME: &str = "count_names";
    const TITLE: &str = "Registered name count";
    const DESCRIPTION: &str = "Count all registered names. The names: list_names.";
    const KEYWORDS: &str =
        "how many names, number of names, name count, total names, names registered in all";
    type Output = NameCount;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(NameCount {
            registered_names: count(&cx.node).await?,
        })
    }
}

/// Counts by bisection, as no endpoint of the Core returns the number: some twenty small requests for fifty thousand names.
async fn count(node: &Node) -> Result<u32, NodeError> {
    let (mut least, mut most) = (0, FIRST);
    // There are at least `least` names, and in the end fewer than `most`.
    while has(node, most).await? {
        least = most;
        if most >= MOST {
            return Ok(least);
        }
        most = most.saturating_mul(2);
    }
    while most - least > 1 {
        let middle = least.midpoint(most);
        match has(node, middle).await? {
            true => least = middle,
            false => most = middle,
        }
    }
    Ok(least)
}

/// Returns whether there are at least `count` names.
async fn has(node: &Node, count: u32) -> Result<bool, NodeError> {
    let page = PageRequest::first(1).with_offset(count.saturating_sub(1));
    let names = node.names(None, page).await?;
    Ok(!names.is_empty())
}
