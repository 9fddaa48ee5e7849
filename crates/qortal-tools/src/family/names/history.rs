//! The history of a name: its owners, prices and former names.

use qortal_client::{
    PageRequest,
    api::transactions::{Transaction, TransactionFilter},
};
use qortal_types::{Address, Amount, Height, Name, Reduced, Timestamp, TransactionType};

use crate::{
    declare::{Context, Reply, Tool, ToolError, TransactionId},
    family::names::former,
    support::{
        primary_names::{Person, PrimaryNames},
        untrusted::Untrusted,
    },
};

/// Maximum number of transactions about names that are read for one owner.
const READ: u32 = 500;
/// Maximum number of owners that are followed back.
const OWNERS: usize = 10;
/// The types of transactions about names.
const TYPES: [TransactionType; 5] = [
    TransactionType::RegisterName,
    TransactionType::UpdateName,
    TransactionType::SellName,
    TransactionType::CancelSellName,
    TransactionType::BuyName,
];

params! {
    pub(super) struct GetNameHistory {
        /// Name.
        name: Name
    }
}

record! {
    pub(super) struct NameHistory {
        /// The name today.
        name: Untrusted,
        /// The owner.
        owner: Person,
        /// The events, the latest first.
        events: Vec<NameEvent>
    }

    pub(super) struct NameEvent from(it: &Event, names: &PrimaryNames) {
        /// The time.
        timestamp: Timestamp = it.transaction.timestamp,
        /// The event: REGISTER_NAME, UPDATE_NAME, SELL_NAME, CANCEL_SELL_NAME or BUY_NAME.
        kind: String = it.transaction.transaction_type.to_string(),
        /// The acting account: the owner then, or from then on.
        owner: Person = names.person(it.owner),
        /// The name it had then.
        name: Untrusted = Untrusted(it.name.clone()),
        /// The name it was given.
        new_name: Option<Untrusted> = renamed(&it.transaction).map(|it| Untrusted(it.to_owned())),
        /// The asking price, or the price paid, in QORT.
        price: Option<Amount> = it.transaction.amount(),
        /// The seller.
        seller: Option<Person> = seller(&it.transaction).map(|it| names.person(it)),
        /// The block it is in.
        height: Option<Height> = it.transaction.block_height,
        /// The transaction.
        transaction: TransactionId = (&it.transaction).into()
    }
}

/// One transaction about the name, under the name it had before.
struct Event {
    owner: Address,
    name: String,
    transaction: Transaction,
}

impl Tool for GetNameHistory {
    const NAME: &str = "get_name_history";
    const TITLE: &str = "Name history";
    const DESCRIPTION: &str = "History of a registered or former name: former owners, prices, renamings. Now: get_name_info.";
    const EXAMPLE: &str = r#"{"name":"collectible"}"#;
    const KEYWORDS: &str = "name history, ever for sale, was for sale, former owner, previous owner, former name, renamed, who sold this name, name price history";
    type Output = Reply<NameHistory>;

    /// The Core finds transactions by account and type, so the owners are followed from the last one to the first.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let asked = self.name.as_str();
        let found = former::registered(cx, asked).await?;
        let is_former = Reduced::of(&found.name).text() != Reduced::of(asked).text();
        let renamed_note = format!("{asked:?} is not registered now: its owner renamed it.");
        let (mut owner, mut name) = (Some(found.owner), found.name.clone());
        let mut events: Vec<Event> = Vec::new();
        let mut followed = 0;
        while let Some(of) = owner.take_if(|_| followed < OWNERS) {
            followed += 1;
            let filter = TransactionFilter::default()
                .with_types(TYPES)
                .with_address(of);
            let earlier = events.last().map(|it| it.transaction.timestamp);
            for it in cx
                .node
                .search_transactions(&filter, PageRequest::last(READ))
                .await?
            {
                let is_later = earlier.is_some_and(|earlier| it.timestamp >= earlier);
                if is_later || it.creator_address != Some(of) || !it.took_effect() {
                    continue;
                }
                if renamed(&it) == Some(&name) {
                    it.detail("name").unwrap_or_default().clone_into(&mut name);
                } else if it.detail("name") != Some(&name) {
                    continue;
                }
                let (before, is_first) = (
                    seller(&it),
                    it.transaction_type == TransactionType::RegisterName,
                );
                events.push(Event {
                    owner: of,
                    name: name.clone(),
                    transaction: it,
                });
                if before.is_some() || is_first {
                    owner = before;
                    break;
                }
            }
        }
        let is_whole = events
            .last()
            .is_some_and(|it| it.transaction.transaction_type == TransactionType::RegisterName);
        let people = events
            .iter()
            .flat_map(|it| [Some(it.owner), seller(&it.transaction)]);
        let people = people.chain([Some(found.owner)]).flatten();
        let names = PrimaryNames::of(cx, people.collect::<Vec<_>>()).await;
        let reply = Reply::new(NameHistory {
            name: found.name.into(),
            owner: names.person(found.owner),
            events: events.iter().map(|it| NameEvent::of(it, &names)).collect(),
        });
        Ok(reply.note_if(is_former, renamed_note).note_if(!is_whole, format!("Its beginning was not found among the latest {READ} transactions about names of each of its last {OWNERS} owners.")))
    }
}

/// Returns the new name that a transaction gave it.
fn renamed(it: &Transaction) -> Option<&str> {
    let new = it.detail("newName").filter(|it| !it.is_empty());
    new.filter(|new| it.detail("name") != Some(new))
}

/// Returns the seller in a transaction that bought the name.
fn seller(it: &Transaction) -> Option<Address> {
    it.detail("seller")?.parse().ok()
}
