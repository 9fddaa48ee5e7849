//! Rankings of accounts by joins, leaves, kicks and bans in a year.

use qortal_client::api::groups::{GroupRanking, RankedAccount};
use qortal_types::Address;
use tool_schema::{CappedInt, choice};

use crate::{
    declare::{Context, Cursor, Page, Paging, Tool, ToolError},
    support::untrusted::Untrusted,
};

choice! {
    /// The count for the ranking.
    enum By {
        /// Groups joined, or requested to join.
        Joins = "joins",
        /// Groups left.
        Leaves = "leaves",
        /// Groups they were kicked out of.
        Kicks = "kicks",
        /// Groups they were banned from.
        Bans = "bans",
    }
}

params! {
    pub(super) struct GetGroupRankings {
        /// What to count.
        by: By = By::Joins,
        /// Year (UTC).
        year: CappedInt<2020, 9_999>,
        #[flatten]
        page: Paging<10>
    }
}

record! {
    pub(super) struct GroupRankings {
        /// The accounts, those of the highest count first.
        accounts: Page<Ranked>
    }

    pub(super) struct Ranked from(it: RankedAccount) {
        /// The number of events.
        count: u32,
        /// The account.
        address: Address,
        /// The account's primary name.
        name: Option<Untrusted> = it.name.map(Untrusted)
    }
}

impl Tool for GetGroupRankings {
    const NAME: &str = "get_group_rankings";
    const TITLE: &str = "Group rankings";
    const DESCRIPTION: &str =
        "Rank accounts by groups joined or left in a year, or by kicks or bans.";
    const EXAMPLE: &str = r#"{"by":"kicks","year":2026}"#;
    const KEYWORDS: &str = "ranking, top joins, most kicked, most banned, who joined most groups";
    const TABLE: Option<&str> = Some("accounts");
    type Output = GroupRankings;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let ranking = match self.by {
            By::Joins => GroupRanking::Joins,
            By::Leaves => GroupRanking::Leaves,
            By::Kicks => GroupRanking::Kicks,
            By::Bans => GroupRanking::Bans,
        };
        let page = self.page.one_more(false);
        let ranked = cx
            .node
            .group_ranking(ranking, self.year.value(), page)
            .await?;
        let accounts = self.page.of(cx, Cursor::Offset, ranked).map(Ranked::of);
        Ok(GroupRankings { accounts })
    }
}
