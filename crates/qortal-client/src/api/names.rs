//! Registered names (resource `/names`).

use qortal_types::{Address, Amount, Timestamp};
use serde::Deserialize;

use crate::{
    Endpoint, Node, NodeFuture, PageRequest,
    answer::Record,
    call::Call,
    wildcards::{finds, has_wildcard},
};

/// Names that the Core reads as its own paths below `/names`.
const OWN_PATHS: &[&str] = &[
    "buy", "forsale", "list", "register", "search", "sell", "update",
];

/// A registered name (class `NameData`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RegisteredName {
    /// The name as it was registered.
    pub name: String,
    /// The reduced form, which must be unique. Absent before release 2.
    pub reduced_name: Option<String>,
    /// The owner's address.
    pub owner: Address,
    /// Free text by the owner, often JSON, at most 4,000 bytes.
    pub data: String,
    /// The time it was registered.
    pub registered: Timestamp,
    /// The time it was last changed. Absent if never.
    pub updated: Option<Timestamp>,
    /// Whether the name is for sale.
    pub is_for_sale: bool,
    /// The price, if it is. The Core keeps it after a sale: then it is the price that the owner paid.
    #[serde(default, deserialize_with = "crate::answer::unsigned_amount_if_any")]
    pub sale_price: Option<Amount>,
}

impl RegisteredName {
    /// The price, if the name is for sale.
    #[must_use]
    pub fn asked_price(&self) -> Option<Amount> {
        self.sale_price.filter(|_| self.is_for_sale)
    }

    /// The price of the last sale, until the new owner offers it.
    #[must_use]
    pub fn paid_price(&self) -> Option<Amount> {
        self.sale_price.filter(|_| !self.is_for_sale)
    }
}

impl Record for RegisteredName {}

/// A name and its owner (class `NameSummary`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct NameSummary {
    /// The name. Absent if the owner has no primary name.
    pub name: Option<String>,
    /// The owner's address.
    pub owner: Address,
}

/// The position of a search text in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameMatch {
    /// At any position. This is slow.
    Anywhere,
    /// At the beginning.
    Prefix,
}

impl Node {
    /// Returns the name with the same reduced form as `name`. Compare the result with the requested name.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// let name = node.name("Alice Test").await?;
    /// println!("{} belongs to {}", name.name, name.owner);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with code [`NAME_UNKNOWN`](crate::ApiError::NAME_UNKNOWN) if there is none.
    #[doc(alias = "/names/{name}")]
    pub fn name(&self, name: &str) -> NodeFuture<'_, RegisteredName> {
        // The look-up ignores case, the Core's own paths do not.
        let is_own_path = OWN_PATHS.contains(&name);
        let call = Call::to(Endpoint::Name);
        let call = if is_own_path {
            call.with(name.to_ascii_uppercase())
        } else {
            call.with(name)
        };
        self.json(call)
    }

    /// Returns the names of an account, oldest first.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/names/address/{address}")]
    pub fn names_of(
        &self,
        address: &Address,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<NameSummary>> {
        self.list(Call::to(Endpoint::NamesOfAddress).with(address).page(page))
    }

    /// Returns an account's primary name, or `None` if it has none.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// let address = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v".parse()?;
    /// match node.primary_name(&address).await? {
    ///     Some(name) => println!("{name}"),
    ///     None => println!("{address} has no name"),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/names/primary/{address}")]
    pub fn primary_name(&self, address: &Address) -> NodeFuture<'_, Option<String>> {
        self.read(
            Call::to(Endpoint::NamePrimary).with(address),
            |_, answer| {
                let summary: NameSummary = answer.json()?;
                Ok(summary.name)
            },
        )
    }

    /// Returns the primary names of many accounts, in the requested order.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if there is no address.
    #[doc(alias = "/names/list")]
    pub fn primary_names(&self, addresses: &[Address]) -> NodeFuture<'_, Vec<NameSummary>> {
        self.list(Call::to(Endpoint::NamesPrimary).json_body(&addresses))
    }

    /// Returns names that contain a text, in code point order, ignoring case.
    ///
    /// Every character is literal. The Core treats `%` and `_` as wildcards without an escape, so a search for them reads only the
    /// first 1,000 rows that the Core finds. [Observations](Node::observed) report if there are more.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/names/search")]
    pub fn search_names<'a>(
        &'a self,
        query: &'a str,
        place: NameMatch,
        page: PageRequest,
    ) -> NodeFuture<'a, Vec<RegisteredName>> {
        let prefix = place == NameMatch::Prefix;
        let call = move |page| {
            Call::to(Endpoint::NamesSearch)
                .query("query", query)
                .query_flag("prefix", prefix)
                .page(page)
        };
        if has_wildcard(query) {
            let fits = move |it: &RegisteredName| finds(&it.name, query, prefix);
            return Box::pin(self.find_exactly(Endpoint::NamesSearch, page, call, fits));
        }
        self.list(call(page))
    }

    /// Returns all names in code point order, or only names registered or changed after `after`.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/names")]
    pub fn names(
        &self,
        after: Option<Timestamp>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<RegisteredName>> {
        let after = after.map(Timestamp::millis);
        self.list(
            Call::to(Endpoint::Names)
                .query_if("after", after)
                .page(page),
        )
    }

    /// Returns the names that are for sale, in code point order.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/names/forsale")]
    pub fn names_for_sale(&self, page: PageRequest) -> NodeFuture<'_, Vec<RegisteredName>> {
        self.list(Call::to(Endpoint::NamesForSale).page(page))
    }
}
