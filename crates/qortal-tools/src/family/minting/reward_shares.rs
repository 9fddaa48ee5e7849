//! Reward shares: minters, their keys, and recipients.

use qortal_client::api::addresses::{RewardShare, RewardShareFilter};
use qortal_types::Address;
use tool_schema::choice;

use crate::{
    declare::{
        Account, AccountRef, By, Context, Continued, Full, Page, SortKey, Tool, ToolError, given,
    },
    support::primary_names::{Person, PrimaryNames},
};

choice! {
    /// The role of the account in a reward share.
    enum Role {
        /// Either.
        Any = "any",
        /// The minter.
        Minter = "minter",
        /// The recipient.
        Recipient = "recipient",
    }
}

params! {
    pub(crate) struct ListRewardShares {
        /// Only this account.
        address: Option<AccountRef>,
        /// Role of the account.
        role: Role = Role::Any,
        #[flatten]
        page: Continued<25>,
        /// Each recipient's largest share first.
        reverse: bool = false
    }
}

record! {
    pub(crate) struct RewardShares {
        /// The requested account.
        address: Option<Account>,
        /// The shares, by recipient, the smallest part first unless reversed.
        reward_shares: Page<RewardShareInfo>
    }

    pub(crate) struct RewardShareInfo from(it: RewardShare, minter: Address, names: &PrimaryNames) {
        /// The minter.
        minter: Person = names.person(minter),
        /// The rewarded account.
        recipient: Person = names.person(it.recipient),
        /// The recipient's part of the reward in percent. In a self share it does not matter.
        share_percent: String,
        /// Whether minter and recipient are the same: the account's minting key.
        is_self_share: bool = minter == it.recipient,
        /// The public key of the share, in Base58.
        reward_share_public_key: Full<String> = Full(it.reward_share_public_key.to_string())
    }
}

fn minter(it: &RewardShare) -> Address {
    it.minting_account
        .unwrap_or_else(|| it.minter_public_key.address())
}

impl Tool for ListRewardShares {
    const NAME: &str = "list_reward_shares";
    const TITLE: &str = "Reward shares";
    const DESCRIPTION: &str =
        "Reward shares of an account, or all: minters and recipients. Sponsors: get_sponsorship.";
    const EXAMPLE: &str = r#"{"address":"Alice Test"}"#;
    const KEYWORDS: &str =
        "reward share, rewardshare, who mints for whom, self share, share key, percent";
    const TABLE: Option<&str> = Some("rewardShares");
    type Output = RewardShares;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        if self.address.is_none() && self.role != Role::Any {
            return Err(ToolError::argument(
                "address",
                "Missing argument.",
                "is required with `role`, which is about that account",
                "an address or a registered name",
            ));
        }
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let addresses: Vec<_> = account.iter().map(|it| it.address).collect();
        let mut filter = RewardShareFilter::default();
        match self.role {
            Role::Any => filter.involving = addresses,
            Role::Minter => filter.minters = addresses,
            Role::Recipient => filter.recipients = addresses,
        }
        // Only the parts of each recipient are reversed.
        let key = SortKey::new(By::Other, self.reverse, |it: &RewardShare| {
            it.reward_share_public_key.to_string().into()
        });
        let ask = |page| cx.node.reward_shares(&filter, page);
        let found = self.page.read(cx, key, ask).await?;
        let accounts = found.items.iter().flat_map(|it| [minter(it), it.recipient]);
        let names = PrimaryNames::of(cx, accounts.collect::<Vec<_>>()).await;
        Ok(RewardShares {
            address: account,
            reward_shares: found.map(|it| {
                let minter = minter(&it);
                RewardShareInfo::of(it, minter, &names)
            }),
        })
    }
}
