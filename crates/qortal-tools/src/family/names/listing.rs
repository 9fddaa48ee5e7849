//! All names, and those for sale.

use std::cmp::Reverse;

use qortal_client::{PageRequest, api::names::RegisteredName};
use qortal_types::{Address, Amount, Timestamp};
use tool_schema::choice;

use super::FoundName;
use crate::{
    declare::{By, Context, Continued, Cursor, Page, Range, SortKey, Tool, ToolError},
    support::{untrusted::Untrusted, words::note_searched},
};

params! {
    pub(super) struct ListNames {
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<25, 100, 10_000_000>,
        /// Reverse the order.
        reverse: bool = false
    }
}

record! {
    pub(super) struct Names {
        /// The names, in the order of their characters unless reversed.
        names: Page<ListedName>
    }

    pub(super) struct ListedName from(it: RegisteredName) {
        /// The name as it was registered.
        name: Untrusted = Untrusted(it.name),
        /// The owner's address.
        owner: Address,
        /// The time of its registration.
        registered: Timestamp,
        /// The time of the last change. Absent if never changed.
        updated: Option<Timestamp>,
        /// Whether it is for sale.
        is_for_sale: bool,
        /// The price in QORT, if it is.
        sale_price: Option<Amount> = it.sale_price.filter(|_| it.is_for_sale)
    }
}

impl Tool for ListNames {
    const NAME: &str = "list_names";
    const TITLE: &str = "All names";
    const DESCRIPTION: &str = "Registered names from A to Z, or those registered or changed in a period. By words: search_names.";
    const KEYWORDS: &str = "new name, first name, oldest name, first registered, all name, last registered name, name list";
    const TABLE: Option<&str> = Some("names");
    type Output = Names;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let names = if self.range.is_given() {
            let period = self.range.period(cx).await?;
            // The Core's lower bound is exclusive.
            let after = period.after.map(|it| it.millis().saturating_sub(1));
            let all = PageRequest::first(MOST_NAMES).with_reverse(self.reverse);
            let names = cx.node.names(after.map(Timestamp::from_millis), all);
            let mut names = names.await?;
            note_searched(cx, names.len(), MOST_NAMES);
            let changed = |it: &RegisteredName| it.updated.is_some_and(|it| period.has(it));
            names.retain(|it| period.has(it.registered) || changed(it));
            let cursor = Cursor::AfterRow(by_name(self.reverse));
            self.page.of_whole(cx, cursor, names)
        } else {
            let ask = |page| cx.node.names(None, page);
            self.page.read(cx, by_name(self.reverse), ask).await?
        };
        Ok(Names {
            names: names.map(ListedName::of),
        })
    }
}

/// Orders names by their characters.
pub(super) fn by_name(reverse: bool) -> SortKey<RegisteredName> {
    SortKey::new(By::Characters, reverse, |it| it.name.as_str().into())
}

choice! {
    /// How names for sale are ordered.
    enum SaleOrder {
        /// By the characters of the name.
        Name = "name",
        /// The cheapest first.
        Price = "price",
    }
}

/// Maximum number of names that are read to find those registered or changed in a range.
const MOST_NAMES: u32 = 20_000;

/// Maximum number of names for sale that are read to order them by price, which the node cannot do. The main network
/// has fewer.
const MOST_FOR_SALE: u32 = 10_000;

params! {
    pub(super) struct ListNamesForSale {
        /// Sort order.
        order: SaleOrder = SaleOrder::Name,
        #[flatten]
        page: Continued<25, 100, 10_000_000>,
        /// Reverse the order.
        reverse: bool = false
    }
}

record! {
    pub(super) struct NamesForSale {
        /// The names in this order.
        names: Page<FoundName, Option<u32>>
    }
}

impl Tool for ListNamesForSale {
    const NAME: &str = "list_names_for_sale";
    const TITLE: &str = "Names for sale";
    const DESCRIPTION: &str = "Names for sale, by name or the cheapest first, with prices and owners. One name: get_name_info.";
    const KEYWORDS: &str =
        "name for sale, cheap name, buy name, names I can buy, name market, sale";
    const TABLE: Option<&str> = Some("names");
    type Output = NamesForSale;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let names = match self.order {
            SaleOrder::Name => {
                let ask = |page| cx.node.names_for_sale(page);
                let names = self.page.read(cx, by_name(self.reverse), ask).await?;
                names.with_total(None)
            }
            SaleOrder::Price => {
                let all = PageRequest::first(MOST_FOR_SALE);
                let mut names = cx.node.names_for_sale(all).await?;
                note_searched(cx, names.len(), MOST_FOR_SALE);
                // Names with equal prices stay in alphabetical order.
                if self.reverse {
                    names.sort_by_cached_key(|it| Reverse(it.asked_price()));
                } else {
                    names.sort_by_cached_key(RegisteredName::asked_price);
                }
                let by_price = SortKey::new(By::Number, self.reverse, |it: &RegisteredName| {
                    let price = it.asked_price().unwrap_or_default();
                    format!("{price} {}", it.name).into()
                });
                self.page.of_whole(cx, Cursor::AfterRow(by_price), names)
            }
        };
        Ok(NamesForSale {
            names: names.map(FoundName::of),
        })
    }
}
