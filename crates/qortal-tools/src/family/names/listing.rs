//! All names, and those for sale.

use qortal_client::api::names::RegisteredName;
use qortal_types::{Address, Amount, Timestamp};

use super::FoundName;
use crate::{
    context::Context,
    declare::{Paged, Paging, Tool},
    error::ToolError,
    untrusted::Untrusted,
};

pub(super) struct ListNames;

params! {
    pub(super) struct ListNamesParams {
        /// Only names registered or changed later than this, in milliseconds since 1970.
        after: Option<Timestamp>,
        #[flatten("names")]
        page: Paging<25, 100, 10_000_000>,
        /// From the end of the alphabet.
        reverse: bool = false
    }
}

record! {
    pub(super) struct Names {
        /// The names, in the order of their characters unless reversed.
        names: Paged<ListedName>
    }
}

record! {
    pub(super) struct ListedName {
        /// The name as it was registered.
        name: Untrusted,
        /// The owner's address.
        owner: Address,
        /// When it was registered.
        registered: Timestamp,
        /// When it was last changed; left out if never.
        updated: Option<Timestamp>,
        /// Whether it is for sale.
        is_for_sale: bool,
        /// The price in QORT, if it is.
        sale_price: Option<Amount>
    }
}

impl From<RegisteredName> for ListedName {
    fn from(it: RegisteredName) -> Self {
        Self {
            is_for_sale: it.is_for_sale,
            sale_price: it.asked_price(),
            name: it.name.into(),
            owner: it.owner,
            registered: it.registered,
            updated: it.updated,
        }
    }
}

impl Tool for ListNames {
    const NAME: &'static str = "list_names";
    const TITLE: &'static str = "All names";
    const DESCRIPTION: &'static str = "List registered names in alphabetical order, all or only those registered or changed after a moment.";
    const TABLE: Option<&'static str> = Some("names");
    type Params = ListNamesParams;
    type Output = Names;

    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let page = params.page.one_more(params.reverse);
        let names = cx.node.names(params.after, page).await?;
        let names = params.page.of(cx, names);
        Ok(Names {
            names: names.map(ListedName::from),
        })
    }
}

pub(super) struct ListNamesForSale;

params! {
    pub(super) struct ListNamesForSaleParams {
        #[flatten("names")]
        page: Paging<25, 100, 10_000_000>,
        /// From the end of the alphabet.
        reverse: bool = false
    }
}

record! {
    pub(super) struct NamesForSale {
        /// The names, in the order of their characters unless reversed.
        names: Paged<FoundName>
    }
}

impl Tool for ListNamesForSale {
    const NAME: &'static str = "list_names_for_sale";
    const TITLE: &'static str = "Names for sale";
    const DESCRIPTION: &'static str =
        "List the registered names that are for sale, with their prices in QORT and owners.";
    const TABLE: Option<&'static str> = Some("names");
    type Params = ListNamesForSaleParams;
    type Output = NamesForSale;

    async fn call(cx: &Context, params: Self::Params) -> Result<Self::Output, ToolError> {
        let page = params.page.one_more(params.reverse);
        let names = cx.node.names_for_sale(page).await?;
        let names = params.page.of(cx, names);
        Ok(NamesForSale {
            names: names.map(FoundName::from),
        })
    }
}
