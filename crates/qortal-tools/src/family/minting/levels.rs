//! The accounts of a level.

use std::cmp::Reverse;

use qortal_client::api::addresses::AccountLevel;
use qortal_types::Address;
use tool_schema::BoundedInt;

use crate::{
    declare::{Context, Cursor, Page, Paging, Tool, ToolError, count_by},
    family::minting::online::LevelCount,
    support::{primary_names::PrimaryNames, untrusted::Untrusted},
};

params! {
    pub(crate) struct ListAccountsByLevel {
        /// Only this level.
        level: Option<BoundedInt<1, 10>>,
        #[flatten]
        page: Paging<25>
    }
}

record! {
    pub(crate) struct AccountsByLevel {
        /// The number of accounts of each level, from `level` (or 1) on. Levels without any are absent.
        levels: Vec<LevelCount>,
        /// The accounts, highest level first.
        accounts: Page<AccountOfLevel, u32>
    }

    pub(crate) struct AccountOfLevel from(it: AccountLevel, names: &PrimaryNames) {
        /// The account.
        address: Address,
        /// The name it goes by.
        primary_name: Option<Untrusted> = names.get(&it.address),
        /// Its level, 1 to 10.
        level: u32
    }
}

impl Tool for ListAccountsByLevel {
    const NAME: &str = "list_accounts_by_level";
    const TITLE: &str = "Accounts by minting level";
    const DESCRIPTION: &str =
        "Count and list all accounts of a minting level. Those online: list_online_minters.";
    const EXAMPLE: &str = r#"{"limit":5}"#;
    const KEYWORDS: &str = "account by level, how many level, level distribution";
    const TABLE: Option<&str> = Some("accounts");
    type Output = AccountsByLevel;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let level = self.level.map(BoundedInt::value);
        let mut accounts = cx.node.accounts_of_level(level.unwrap_or(1)).await?;
        let levels = count_by(accounts.iter().map(|it| it.level)).into_iter();
        accounts.retain(|it| level.is_none_or(|level| it.level == level));
        // The node's order varies. This one is the same on every page.
        accounts.sort_by_cached_key(|it| (Reverse(it.level), it.address));
        let page = self.page.of_whole(cx, Cursor::Offset, accounts);
        let names = PrimaryNames::of(cx, page.items.iter().map(|it| it.address)).await;
        Ok(AccountsByLevel {
            levels: levels
                .map(|(level, count)| LevelCount { level, count })
                .collect(),
            accounts: page.map(|it| AccountOfLevel::of(it, &names)),
        })
    }
}
