//! The names that accounts go by, beside their addresses.

use std::collections::{BTreeSet, HashMap};

use qortal_types::Address;

use crate::{context::Context, untrusted::Untrusted};

/// Accounts whose names are looked up for one answer: a page rarely has more.
const NAMED: usize = 200;

/// Primary names by address.
#[derive(Debug, Default)]
pub(crate) struct PrimaryNames(HashMap<Address, String>);

impl PrimaryNames {
    /// Those of some accounts, with one request if there are any. They are a part of the answer: where the node does not
    /// give them, no account has one and a note says so.
    pub(crate) async fn of(cx: &Context, accounts: impl IntoIterator<Item = Address>) -> Self {
        let accounts: BTreeSet<Address> = accounts.into_iter().collect();
        let accounts: Vec<Address> = accounts.into_iter().take(NAMED).collect();
        if accounts.is_empty() {
            return Self::default();
        }
        let names = cx.node.primary_names(&accounts).await;
        let names = cx.part("The names of accounts are", names);
        let named = names.into_iter().flatten();
        Self(named.filter_map(|it| Some((it.owner, it.name?))).collect())
    }

    /// The name behind an address in a transaction.
    pub(crate) fn of_text(&self, address: &str) -> Option<&str> {
        self.0.get(&address.parse().ok()?).map(String::as_str)
    }

    /// The name that one account goes by, if it has one.
    pub(crate) fn get(&self, account: &Address) -> Option<Untrusted> {
        self.0.get(account).cloned().map(Untrusted)
    }
}
