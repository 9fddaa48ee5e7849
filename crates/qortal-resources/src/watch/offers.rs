//! Watch of the offers of QORT for one coin: new ones and removed ones.

use std::collections::HashMap;

use qortal_tools::ToolError;
use qortal_types::{Amount, Blockchain};
use serde_json::{Value, json};

use super::{
    change::{Change, flag, person, text},
    reader::Reader,
};

/// The open offers, by the address of their automated transaction.
#[derive(Debug)]
pub(super) struct Offers {
    coin: String,
    below: Option<Amount>,
    open: HashMap<String, Value>,
}

const AT: &str = "qortalAtAddress";

impl Offers {
    pub(super) async fn begin(
        reader: Reader<'_>,
        coin: &str,
        below: Option<Amount>,
    ) -> Result<Self, ToolError> {
        let mut offers = Self {
            coin: coin.to_owned(),
            below,
            open: HashMap::new(),
        };
        (offers.open, _) = offers.read(reader).await?.unwrap_or_default();
        Ok(offers)
    }

    pub(super) fn state(&self) -> String {
        let is_cheap = |it: &&Value| is_below(it, self.below);
        let cheap = self.open.values().filter(is_cheap).count();
        match self.below {
            Some(_) => format!(
                "{} offers, {cheap} of them below that price",
                self.open.len()
            ),
            None => format!("{cheap} offers"),
        }
    }

    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let Some((now, is_cut)) = self.read(reader).await? else {
            return Ok(Vec::new());
        };
        let mut changes = changes(&self.open, &now, self.below);
        if is_cut {
            // The offer may be among those that were not read.
            changes.retain(|it| it.event != GONE);
        }
        self.open = now;
        Ok(changes)
    }

    /// Returns the newest offers and whether more exist, or `None` if the list changed between its pages.
    async fn read(
        &self,
        reader: Reader<'_>,
    ) -> Result<Option<(HashMap<String, Value>, bool)>, ToolError> {
        let arguments = json!({"blockchain": self.coin});
        let found = reader.rows("list_trade_offers", arguments, |_| false);
        let found = found.await?;
        let rows = found.rows.into_iter();
        let open: HashMap<_, _> = rows.map(|it| (text(&it, AT).to_owned(), it)).collect();
        let is_whole = found.total.is_none_or(|it| it == open.len() as u64);
        Ok((is_whole || found.is_cut).then_some((open, found.is_cut)))
    }
}

fn is_below(offer: &Value, below: Option<Amount>) -> bool {
    let price = text(offer, "pricePerQort").parse::<Amount>();
    below.is_none_or(|below| price.is_ok_and(|it| it < below))
}

fn changes(
    before: &HashMap<String, Value>,
    now: &HashMap<String, Value>,
    below: Option<Amount>,
) -> Vec<Change> {
    let told = |from: &HashMap<String, Value>, without: &HashMap<String, Value>, what| {
        let rows = from.iter().filter(|(at, _)| !without.contains_key(*at));
        let mut rows: Vec<_> = rows.map(|(_, row)| row).collect();
        rows.retain(|it| is_below(it, below));
        rows.sort_by_key(|it| (text(it, "creationTimestampIso"), text(it, AT)));
        { rows.into_iter() }
            .map(|row| Change::new(what, words(row, what), row))
            .collect::<Vec<_>>()
    };
    let mut changes = told(before, now, GONE);
    for change in &mut changes {
        // The offer is older than the check.
        change.timestamp.clear();
    }
    changes.extend(told(now, before, OFFER));
    changes
}

const OFFER: &str = "offer";
const GONE: &str = "offer_gone";

fn words(offer: &Value, what: &str) -> String {
    let coin = text(offer, "foreignBlockchain");
    let symbol = coin.parse().ok().and_then(|it: Blockchain| it.symbol());
    let symbol = symbol.unwrap_or(coin);
    let about = format!(
        "{} QORT for {} {symbol}, {} each, by {} ({})",
        text(offer, "qortAmount"),
        text(offer, "expectedForeignAmount"),
        text(offer, "pricePerQort"),
        person(offer, "qortalCreator"),
        text(offer, AT),
    );
    match (what, flag(offer, "sellerOnline")) {
        (GONE, _) => format!("An offer was taken or withdrawn: {about}."),
        (_, true) => format!("New offer: {about}. The seller is online."),
        (_, false) => {
            format!("New offer: {about}. The seller is offline, so that no one can take it now.")
        }
    }
}
