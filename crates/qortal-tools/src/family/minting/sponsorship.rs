//! The sponsors and sponsees of an account, and their activity.

use qortal_client::{
    ApiError,
    api::addresses::{Mintership, Sponsorship},
};
use qortal_types::Address;

use crate::{
    declare::{Account, AccountRef, Context, NodeResult, Reply, Tool, ToolError},
    family::accounts::known_account,
    support::{primary_names::PrimaryNames, untrusted::Untrusted},
};

/// Maximum number of names of sponsees shown.
const NAMES_SHOWN: usize = 50;

params! {
    pub(crate) struct GetSponsorship {
        /// Account.
        address: AccountRef
    }
}

record! {
    pub(crate) struct SponsorshipOfAccount {
        /// The account's address.
        address: Account,
        /// Its level, 0 to 10.
        level: u32,
        /// Blocks it has minted.
        blocks_minted: i64,
        /// Blocks added when a level was set or privileges were transferred.
        blocks_added: i64,
        /// Blocks taken off as a penalty, 0 or less.
        blocks_minted_penalty: i64,
        /// Whether it got its privileges from another account.
        has_received_privileges: bool,
        /// Its balance in whole QORT, rounded down.
        balance_qort: i64,
        /// Its sponsor, by a reward share. Absent if there is none.
        sponsor: Option<Address>,
        /// The name the sponsor goes by.
        sponsor_name: Option<Untrusted>,
        /// The sponsor's level.
        sponsor_level: Option<u32>,
        /// The number of sponsored accounts.
        sponsee_count: i64,
        /// All names of the sponsored accounts, at most 50. An account may have several.
        sponsee_names: Vec<Untrusted>,
        /// The mean balance of those accounts in whole QORT, rounded down.
        sponsees_average_balance_qort: i64,
        /// The account's own activity.
        activity: Activity,
        /// The combined activity of the sponsored accounts.
        sponsees_activity: Activity
    }

    pub(crate) struct Activity {
        /// QDN transactions.
        qdn_transactions: i64,
        /// Transactions transferring assets.
        asset_transfers: i64,
        /// Transactions transferring privileges.
        privilege_transfers: i64,
        /// Trades selling QORT.
        sales: i64,
        /// QORT sold in them, whole QORT rounded down.
        sold_qort: i64,
        /// Trades buying QORT.
        purchases: i64,
        /// QORT bought in them, whole QORT rounded down.
        bought_qort: i64
    }
}

/// Reads the same counts from both reports of the Core.
macro_rules! activity_of {
    ($($Report:ty),+) => {
        $(
            impl From<&$Report> for Activity {
                fn from(it: &$Report) -> Self {
                    Self {
                        qdn_transactions: it.arbitrary_count,
                        asset_transfers: it.transfer_asset_count,
                        privilege_transfers: it.transfer_privs_count,
                        sales: it.sell_count,
                        sold_qort: it.sell_amount,
                        purchases: it.buy_count,
                        bought_qort: it.buy_amount,
                    }
                }
            }
        )+
    };
}

activity_of!(Mintership, Sponsorship);

impl Tool for GetSponsorship {
    const NAME: &str = "get_sponsorship";
    const TITLE: &str = "Account sponsorship";
    const DESCRIPTION: &str = "An account's sponsor, the accounts it sponsors, and their activity. Slow. Only shares: list_reward_shares.";
    const EXAMPLE: &str = r#"{"address":"Alice Test"}"#;
    const KEYWORDS: &str = "sponsor, who sponsors";
    type Output = Reply<SponsorshipOfAccount>;

    /// Requests the account first: the reports of an unknown one fail with a code that has other causes too.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let address = found.address;
        if known_account(&cx.node, &address).await?.is_none() {
            return Err(ToolError::not_found(
                "Account not found.",
                format!(
                    "{address} is a valid address, but has never appeared on the chain: no one sponsors it."
                ),
            ));
        }
        let sponsor = async {
            let sponsor = cx.node.sponsor(&address).await;
            sponsor.none_if(ApiError::ADDRESS_UNKNOWN)
        };
        let (own, sponsees, sponsor) = tokio::try_join!(
            cx.node.mintership(&address),
            cx.node.sponsorship(&address),
            sponsor,
        )?;
        let names = PrimaryNames::of(cx, sponsor.iter().map(|it| it.address)).await;
        let (sponsee_count, name_count) = (sponsees.sponsee_count, sponsees.names.len());
        let have_more_names = i64::try_from(name_count).is_ok_and(|it| it > sponsee_count);
        let reply = Reply::new(SponsorshipOfAccount {
            address: found,
            level: own.level,
            blocks_minted: own.blocks_minted,
            blocks_added: own.adjustments,
            blocks_minted_penalty: own.penalties,
            has_received_privileges: own.transfer,
            balance_qort: own.balance,
            sponsor_name: sponsor.as_ref().and_then(|it| names.get(&it.address)),
            sponsor_level: sponsor.as_ref().map(|it| it.level),
            sponsor: sponsor.map(|it| it.address),
            sponsee_count,
            activity: Activity::from(&own),
            sponsees_activity: Activity::from(&sponsees),
            sponsees_average_balance_qort: sponsees.avg_balance,
            sponsee_names: sponsees
                .names
                .into_iter()
                .take(NAMES_SHOWN)
                .map(Untrusted)
                .collect(),
        });
        Ok(reply.note_if(have_more_names, format!("It sponsors {sponsee_count} accounts: sponseeNames has all {name_count} names of those, as an account may have several.")))
    }
}
