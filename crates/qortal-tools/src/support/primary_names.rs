//! The primary names of accounts, shown beside their addresses.

use std::collections::{BTreeSet, HashMap};

use qortal_client::api::transactions::Transaction;
use qortal_types::Address;
use serde_json::Value;
use tool_schema::{JsonWriter, Object, Output, Property};

use crate::{
    declare::{Context, Qortal},
    support::untrusted::Untrusted,
};

/// The account of a row: the address, and a second field with its primary name, if it has one: `minter` and
/// `minterName`, `sellerAddress` and `sellerName`.
#[derive(Debug)]
pub(crate) struct Person {
    address: Address,
    name: Option<Untrusted>,
}

/// Returns the name of the second field.
fn name_member(member: &str) -> String {
    match member {
        "address" => "name".to_owned(),
        _ => format!("{}Name", member.trim_end_matches("Address")),
    }
}

impl Output<Qortal> for Person {
    fn schema() -> Object {
        Address::schema()
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        self.address.write(member, json);
    }

    fn write_field(&self, name: &str, json: &mut JsonWriter) {
        self.address.write_field(name, json);
        Output::<Qortal>::write_field(&self.name, &name_member(name), json);
    }

    fn add_properties(name: &str, doc: &'static str, members: &mut Vec<Property>) {
        Address::add_properties(name, doc, members);
        let doc = "The name that account goes by.";
        <Option<Untrusted> as Output<Qortal>>::add_properties(&name_member(name), doc, members);
    }
}

/// Maximum number of accounts whose names are looked up for one answer. A page rarely has more.
const NAMED: usize = 200;

/// Primary names by address.
#[derive(Debug, Default)]
pub(crate) struct PrimaryNames(HashMap<Address, String>);

impl PrimaryNames {
    /// Returns the names of some accounts, with one request if there are any. The names are an optional part of the
    /// answer: if the node does not provide them, no account has one and a note reports this.
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

    /// Returns the names of all accounts in transactions, except an account that needs none.
    pub(crate) async fn of_transactions(
        cx: &Context,
        transactions: &[Transaction],
        except: Option<&Address>,
    ) -> Self {
        let mut accounts = BTreeSet::new();
        for it in transactions {
            accounts.extend(it.creator_address);
            accounts.extend(it.recipient);
            let details = it.details.values().filter_map(Value::as_str);
            accounts.extend(details.filter_map(|text| text.parse::<Address>().ok()));
        }
        accounts.retain(|it| Some(it) != except);
        Self::of(cx, accounts).await
    }

    /// Returns the name for an address in a transaction.
    pub(crate) fn of_text(&self, address: &str) -> Option<&str> {
        self.0.get(&address.parse().ok()?).map(String::as_str)
    }

    /// Formats an account for a sentence: its name in quotes, as it can be any text, or its address.
    pub(crate) fn label(&self, address: &str) -> String {
        self.of_text(address)
            .map_or_else(|| address.to_owned(), |name| format!("{name:?}"))
    }

    /// Returns an account as a row shows it.
    pub(crate) fn person(&self, address: Address) -> Person {
        Person {
            address,
            name: self.get(&address),
        }
    }

    /// Returns the primary name of an account, if it has one.
    pub(crate) fn get(&self, account: &Address) -> Option<Untrusted> {
        self.0.get(account).cloned().map(Untrusted)
    }
}
