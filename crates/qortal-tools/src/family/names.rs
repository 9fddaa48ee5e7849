//! Tools about registered names.

mod check;
mod count;
mod former;
mod history;
mod listing;
mod sale;

use qortal_client::{
    ApiError,
    api::names::{NameMatch, NameSummary, RegisteredName},
};
use qortal_types::{Address, Amount, Name, Timestamp};
use tool_schema::{BoundedString, CappedInt};

use crate::{
    declare::{
        Account, AccountRef, By, Context, Continued, Order, Page, Reply, SortKey, Tool, ToolError,
    },
    support::{
        nearest,
        untrusted::{Untrusted, WholeUntrusted},
    },
};

family! {
    "names", "Who owns a registered name, and which names exist?":
    GetNameInfo,
    history::GetNameHistory,
    check::CheckName,
    GetNamesByAddress,
    GetPrimaryName,
    SearchNames,
    listing::ListNames,
    listing::ListNamesForSale,
    count::CountNames,
    sale::CheckNameSale,
}

/// Maximum size of the data of a name (class `Name`), in bytes.
const MOST_DATA: u32 = 4_000;

params! {
    struct GetNameInfo {
        /// Name, in any case or look-alike.
        name: Name,
        /// Characters of data.
        data_limit: CappedInt<0, MOST_DATA> = CappedInt::from_const(1_000)
    }
}

record! {
    struct NameInfo {
        /// The name as it was registered.
        name: Untrusted,
        /// Whether it is exactly the requested name, not a look-alike.
        is_exact: bool,
        /// The reduced form. Names must differ in it.
        reduced_name: Option<Untrusted>,
        /// The owner's address.
        owner: Address,
        /// The owner's data, often JSON.
        data: WholeUntrusted,
        /// The time of its registration.
        registered: Timestamp,
        /// The time of the last change. Absent if never changed.
        updated: Option<Timestamp>,
        /// Whether it is for sale.
        is_for_sale: bool,
        /// The price in QORT, if it is.
        sale_price: Option<Amount>,
        /// The price its owner paid, in QORT, if it was bought and is not for sale again.
        last_sale_price: Option<Amount>
    }
}

impl Tool for GetNameInfo {
    const NAME: &str = "get_name_info";
    const TITLE: &str = "Registered name";
    const DESCRIPTION: &str = "A registered name's owner, data, and current or last sale price. Not registered: check_name.";
    const EXAMPLE: &str = r#"{"name":"Alice Test"}"#;
    const KEYWORDS: &str =
        "name owner, who owns name, who bought name, name data, name taken, name sold";
    type Output = Reply<NameInfo>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let asked = self.name.as_str();
        let found = match cx.node.name(asked).await {
            Ok(found) => found,
            Err(err) if err.is(ApiError::NAME_UNKNOWN) => {
                let nearest = nearest::name(&cx.node, asked).await;
                return Err(not_registered(asked, None, nearest));
            }
            Err(err) => return Err(err.into()),
        };
        let (shown, characters) = (self.data_limit.value(), found.data.chars().count());
        let is_cut = characters > shown as usize;
        let reply = Reply::new(NameInfo {
            is_exact: found.name == asked,
            sale_price: found.asked_price(),
            last_sale_price: found.paid_price(),
            name: found.name.into(),
            reduced_name: found.reduced_name.map(Untrusted),
            owner: found.owner,
            data: WholeUntrusted(found.data.chars().take(shown as usize).collect()),
            registered: found.registered,
            updated: found.updated,
            is_for_sale: found.is_for_sale,
        });
        Ok(reply.note_if(
            is_cut,
            format!("data was cut at {shown} of {characters} characters; data_limit shows up to {MOST_DATA}."),
        ))
    }
}

/// Returns the error for a name that is not registered, with its fate if known.
fn not_registered(asked: &str, fate: Option<String>, nearest: Option<String>) -> ToolError {
    let hint = if asked.parse::<Address>().is_ok() {
        "This is an address: get_names_by_address lists the names of an account.".to_owned()
    } else {
        let nearest = nearest.map(|it| format!("The nearest name is {it:?}. "));
        let searched = match fate {
            Some(_) => "search_names finds names by a part of them.",
            None => {
                "search_names finds names by a part of them, get_name_history a former or refused one."
            }
        };
        let (fate, nearest) = (fate.unwrap_or_default(), nearest.unwrap_or_default());
        format!("{fate}{nearest}{searched}")
    };
    ToolError::not_found(
        "Name not found.",
        format!("{asked:?} is not registered. {hint}"),
    )
}

params! {
    struct GetNamesByAddress {
        /// Owner.
        address: AccountRef,
        #[flatten]
        page: Continued<50>,
        #[flatten]
        order: Order
    }
}

record! {
    struct NamesOfAddress {
        /// The owner's address.
        address: Account,
        /// The names, in this order.
        names: Page<Untrusted>
    }
}

impl Tool for GetNamesByAddress {
    const NAME: &str = "get_names_by_address";
    const TITLE: &str = "Account names";
    const DESCRIPTION: &str = "All names of one account. Its primary name: get_primary_name.";
    const EXAMPLE: &str = r#"{"address":"QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq"}"#;
    const KEYWORDS: &str = "my names, names, name of account, own name";
    type Output = NamesOfAddress;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        // The order is by registration time, which the node does not return.
        let key = SortKey::new(
            By::Other,
            self.order.is_newest_first(),
            |it: &NameSummary| it.name.as_deref().unwrap_or_default().into(),
        );
        let ask = |page| cx.node.names_of(&found.address, page);
        let names = self.page.read(cx, key, ask).await?;
        Ok(NamesOfAddress {
            address: found,
            names: names.filter_map(|it| it.name.map(Untrusted)),
        })
    }
}

params! {
    struct GetPrimaryName {
        /// Account.
        address: AccountRef
    }
}

record! {
    struct PrimaryName {
        /// The account's address.
        address: Account,
        /// The account's primary name. Absent if it has none.
        name: Option<Untrusted>
    }
}

impl Tool for GetPrimaryName {
    const NAME: &str = "get_primary_name";
    const TITLE: &str = "Primary name";
    const DESCRIPTION: &str = "The primary name of an account. All names: get_names_by_address.";
    const EXAMPLE: &str = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
    const KEYWORDS: &str = "primary name, name of address, main name";
    type Output = PrimaryName;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let name = cx.node.primary_name(&found.address).await?;
        Ok(PrimaryName {
            address: found,
            name: name.map(Untrusted),
        })
    }
}

params! {
    struct SearchNames {
        /// Part of the name, in any case.
        query: BoundedString<1, 100>,
        /// Match only the start.
        prefix: bool = false,
        #[flatten]
        page: Continued<20>,
        /// Reverse the order.
        reverse: bool = false
    }
}

record! {
    struct FoundNames {
        /// The names, in the order of their characters unless reversed.
        names: Page<FoundName>
    }

    pub(super) struct FoundName from(it: RegisteredName) {
        /// The name as it was registered.
        name: Untrusted = Untrusted(it.name),
        /// The owner's address.
        owner: Address,
        /// The time of its registration.
        registered: Timestamp,
        /// Whether it is for sale.
        is_for_sale: bool,
        /// The price in QORT, if it is.
        sale_price: Option<Amount> = it.sale_price.filter(|_| it.is_for_sale)
    }
}

impl Tool for SearchNames {
    const NAME: &str = "search_names";
    const TITLE: &str = "Search names";
    const DESCRIPTION: &str = "Find registered names by a part of them. Exact name: get_name_info.";
    const EXAMPLE: &str = r#"{"query":"al"}"#;
    const KEYWORDS: &str = "search name, find name, name contains, similar name";
    type Output = FoundNames;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let place = if self.prefix {
            NameMatch::Prefix
        } else {
            NameMatch::Anywhere
        };
        let ask = |page| cx.node.search_names(self.query.as_str(), place, page);
        let key = listing::by_name(self.reverse);
        let names = self.page.read(cx, key, ask).await?;
        Ok(FoundNames {
            names: names.map(FoundName::of),
        })
    }
}
