//! Penalties: blocks deducted from the level of an account.

use qortal_client::api::addresses::Penalty;
use qortal_types::Address;

use crate::{
    declare::{
        Account, AccountRef, Context, Cursor, Page, Paging, Reply, Tool, ToolError, count, given,
    },
    support::{primary_names::PrimaryNames, untrusted::Untrusted},
};

params! {
    pub(crate) struct ListPenalties {
        /// Only this account.
        address: Option<AccountRef>,
        #[flatten]
        page: Paging<25>
    }
}

record! {
    pub(crate) struct Penalties {
        /// The requested account.
        address: Option<Account>,
        /// The number of accounts of the chain with a penalty.
        accounts_with_penalty: u32,
        /// All their penalties together, in blocks, 0 or less.
        blocks_of_all: i64,
        /// The penalties, the largest first.
        penalties: Page<PenaltyOfAccount, u32>
    }

    pub(crate) struct PenaltyOfAccount from(it: Penalty, names: &PrimaryNames) {
        /// The account.
        address: Address,
        /// The name it goes by.
        primary_name: Option<Untrusted> = names.get(&it.address),
        /// Blocks deducted from its counted blocks, as a negative number.
        blocks_minted_penalty: i64
    }
}

impl Tool for ListPenalties {
    const NAME: &str = "list_penalties";
    const TITLE: &str = "Minting penalties";
    const DESCRIPTION: &str = "Penalties on minted blocks, of all accounts or of one.";
    const KEYWORDS: &str = "penalty, penalized, self sponsor, block taken away, punish";
    const TABLE: Option<&str> = Some("penalties");
    type Output = Reply<Penalties>;

    /// The Core ignores all parameters here and returns the whole list.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let mut found = cx.node.penalties().await?;
        let accounts_with_penalty = count(found.len());
        let blocks_of_all = found
            .iter()
            .map(|it| it.blocks_minted_penalty)
            .fold(0, i64::saturating_add);
        if let Some(account) = &account {
            found.retain(|it| it.address == account.address);
        }
        found.sort_by_cached_key(|it| (it.blocks_minted_penalty, it.address));
        let has_none = account.is_some() && found.is_empty();
        let page = self.page.of_whole(cx, Cursor::Offset, found);
        let names = PrimaryNames::of(cx, page.items.iter().map(|it| it.address)).await;
        let reply = Reply::new(Penalties {
            address: account,
            accounts_with_penalty,
            blocks_of_all,
            penalties: page.map(|it| PenaltyOfAccount::of(it, &names)),
        });
        Ok(reply.note_if(has_none, "The account has no penalty."))
    }
}
