//! The offers bought by an amount of a coin now.

use std::cmp::Ordering;

use qortal_client::api::crosschain::Trade;
use qortal_types::{Address, Amount, Timestamp};

use super::{is_online, sum};
use crate::{
    declare::{Context, count},
    support::primary_names::{Person, PrimaryNames},
};

/// Maximum number of offers listed for a purchase. Few people take more, because each trade takes about an hour.
const MOST_LISTED: usize = 25;

record! {
    pub(super) struct Purchase {
        /// QORT bought.
        qort_amount: Amount,
        /// Their cost in the foreign coin, without the fees of its network.
        foreign_amount: Amount,
        /// The price of all of them: foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount>,
        /// The rest of the coin.
        rest: Amount,
        /// The number of offers.
        offer_count: u32,
        /// The first of them, the cheapest first. Each is taken whole.
        offers: Vec<OfferToTake>
    }

    pub(super) struct OfferToTake from(it: &Trade, names: &PrimaryNames) {
        /// Identifies the offer.
        at_address: Address = it.qortal_at_address,
        /// QORT in it.
        qort_amount: Amount,
        /// Its cost in the foreign coin.
        foreign_amount: Amount = it.expected_foreign_amount,
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount> = it.expected_foreign_amount.checked_price_of(it.qort_amount),
        /// The seller.
        seller: Person = names.person(it.qortal_creator)
    }
}

/// The offers that a budget buys, the cheapest first.
pub(super) struct Chosen<'a> {
    offers: Vec<&'a Trade>,
    rest: Amount,
}

impl<'a> Chosen<'a> {
    /// Chooses the offers of online sellers that a budget buys whole: the cheapest first, and among equal prices the
    /// oldest. An offer that costs more than the rest of the budget is skipped.
    pub(super) fn of(
        cx: &Context,
        oldest_first: impl Iterator<Item = &'a Trade>,
        budget: Amount,
        now: Timestamp,
    ) -> Self {
        let online = |it: &&Trade| is_online(it.creator_presence_expiry, now);
        let mut offers: Vec<_> = oldest_first.filter(online).collect();
        offers.sort_by(|one, other| by_price(one, other));
        let least = offers.iter().map(|it| it.expected_foreign_amount).min();
        let mut rest = budget;
        offers.retain(|it| {
            let left = rest.checked_sub(it.expected_foreign_amount);
            let left = left.filter(|it| *it >= Amount::ZERO);
            rest = left.unwrap_or(rest);
            left.is_some()
        });
        cx.note(match least {
            None => "No seller is online, so nothing can be bought now.".to_owned(),
            Some(least) if offers.is_empty() => {
                format!("The smallest offer of a seller who is online costs {least}.")
            }
            Some(_) => "The fees of the coin's network come on top.".to_owned(),
        });
        Self { offers, rest }
    }

    /// Returns the listed offers.
    fn listed(&self) -> impl Iterator<Item = &'a Trade> {
        self.offers.iter().copied().take(MOST_LISTED)
    }

    /// Returns the sellers whose names are shown.
    pub(super) fn sellers(&self) -> impl Iterator<Item = Address> {
        self.listed().map(|it| it.qortal_creator)
    }

    pub(super) fn purchase(&self, names: &PrimaryNames) -> Purchase {
        let qort_amount = sum(self.offers.iter().map(|it| it.qort_amount));
        let foreign_amount = sum(self.offers.iter().map(|it| it.expected_foreign_amount));
        Purchase {
            qort_amount,
            foreign_amount,
            price_per_qort: foreign_amount.checked_price_of(qort_amount),
            rest: self.rest,
            offer_count: count(self.offers.len()),
            offers: self.listed().map(|it| OfferToTake::of(it, names)).collect(),
        }
    }
}

/// Compares exact prices. [`Amount::checked_price_of`] has only 8 decimal places.
fn by_price(one: &Trade, other: &Trade) -> Ordering {
    let product =
        |price: Amount, quantity: Amount| i128::from(price.units()) * i128::from(quantity.units());
    let first = product(one.expected_foreign_amount, other.qort_amount);
    let second = product(other.expected_foreign_amount, one.qort_amount);
    first.cmp(&second)
}
