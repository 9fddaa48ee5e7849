//! Watch of the payments to an account, and of its minting.

use qortal_tools::ToolError;
use serde_json::{Value, json};

use super::{
    change::{Change, flag, number, text},
    feed::{Feed, Listing},
    reader::{Reader, with},
};

/// The types of transactions by which an account may receive something.
const PAYING: [&str; 6] = [
    "PAYMENT",
    "MULTI_PAYMENT",
    "TRANSFER_ASSET",
    "AT",
    "MESSAGE",
    "BUY_NAME",
];

/// Blocks between two checks of the minting status: the list of minters is long, and levels change once in 1000 blocks.
const MINTING_EVERY: u32 = 5;

/// A watched account, by its address.
#[derive(Debug)]
pub(super) struct Account {
    address: String,
    feed: Feed,
    minting: Minting,
}

impl Account {
    pub(super) async fn begin(reader: Reader<'_>, address: &str) -> Result<Self, ToolError> {
        let listing = Listing {
            tool: "search_transactions",
            arguments: json!({"address": address, "tx_types": PAYING}),
            height: "blockHeight",
            window: ["start_block", "block_limit"],
        };
        Ok(Self {
            address: address.to_owned(),
            feed: Feed::begin(reader, listing).await?,
            minting: Minting::read(reader, address, &Minting::default()).await?,
        })
    }

    pub(super) fn state(&self) -> String {
        let status = &self.minting.status;
        let level = number(status, "level");
        let minting = match flag(status, "hasMintingKey") {
            true => "a minting key",
            false => "no minting key",
        };
        format!(
            "level {level}, {minting}, block {} is the last",
            self.feed.height()
        )
    }

    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let Some(fresh) = self.feed.read(reader).await? else {
            return Ok(Vec::new());
        };
        let mut changes: Vec<_> = self.feed.accept(&fresh).into_iter().collect();
        let paid = fresh.rows.iter();
        changes.extend(paid.filter_map(|it| payment(it, &self.address)));
        let height = self.feed.height();
        if height >= self.minting.height.saturating_add(MINTING_EVERY) {
            // Payments are reported even if this fails. The next check repeats it.
            match Minting::read(reader, &self.address, &self.minting).await {
                Ok(minting) => {
                    changes.extend(minting_changes(&self.minting.status, &minting.status));
                    self.minting = minting;
                }
                Err(err) => tracing::debug!(%err, "the minting status is not known"),
            }
        }
        Ok(changes)
    }
}

/// The minting status as of a block.
#[derive(Debug, Default)]
struct Minting {
    status: Value,
    height: u32,
    /// Checks since the account was last seen online.
    unseen: u32,
}

impl Minting {
    async fn read(reader: Reader<'_>, address: &str, before: &Self) -> Result<Self, ToolError> {
        let ask = async |online: bool| {
            let arguments = json!({"address": address, "include_online": online});
            reader.answer("get_minting_status", arguments).await
        };
        let mut status = ask(flag(&before.status, "hasMintingKey")).await?;
        if flag(&status, "hasMintingKey") && status.get(ONLINE).is_none() {
            status = ask(true).await?;
        }
        let unseen = believed(&before.status, &mut status, before.unseen);
        Ok(Self {
            height: number(&status, "height"),
            status,
            unseen,
        })
    }
}

const ONLINE: &str = "isOnline";

/// Corrects the online status. Minters announce their presence every few minutes, so an account counts as offline only if two checks in a
/// row do not find it online.
fn believed(before: &Value, now: &mut Value, unseen: u32) -> u32 {
    if now.get(ONLINE) != Some(&Value::Bool(false)) {
        return 0;
    }
    if flag(before, ONLINE) && unseen == 0 {
        *now = with(now.take(), ONLINE, true);
    }
    unseen.saturating_add(1)
}

/// Returns the change for a transaction that pays the account.
fn payment(row: &Value, address: &str) -> Option<Change> {
    let details = row.get("details").unwrap_or(&Value::Null);
    let said = text(row, "text");
    let payments = details.get("payments").and_then(Value::as_array);
    let told = if let Some(payments) = payments {
        let mut parts = payments
            .iter()
            .filter(|it| text(it, "recipient") == address);
        let first = parts.next();
        match (first, payments.len()) {
            (Some(_), 1) => said.to_owned(),
            (Some(part), _) => {
                let asset = number(part, "assetId");
                let of = if asset == 0 {
                    "QORT".to_owned()
                } else {
                    format!("of asset {asset}")
                };
                let amount = text(part, "amount");
                let more = if parts.next().is_some() {
                    ", and more"
                } else {
                    ""
                };
                format!("{said} This account receives {amount} {of}{more}.")
            }
            // The account's payment is not among those listed in the row.
            (None, _) if text(row, "creatorAddress") != address => {
                format!("{said} This account receives a part.")
            }
            (None, _) => return None,
        }
    } else {
        let receives = text(row, "recipient") == address || text(details, "seller") == address;
        let amount = [text(row, "amount"), text(details, "amount")];
        let is_something = |it: &&str| it.bytes().any(|it| (b'1'..=b'9').contains(&it));
        if !receives || !amount.iter().any(is_something) {
            return None;
        }
        said.to_owned()
    };
    Some(Change::new("payment", told, row))
}

/// Returns the differences between two minting statuses.
fn minting_changes(before: &Value, now: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut tell = |what, text: String| changes.push(Change::new(what, text, now));
    let [level, was] = [now, before].map(|it| number(it, "level"));
    if level > was {
        tell("level_reached", format!("Level {level} is reached."));
    } else if level < was {
        tell(
            "level_lost",
            format!("The level fell from {was} to {level}."),
        );
    }
    let [has_key, had_key] = [now, before].map(|it| flag(it, "hasMintingKey"));
    match (had_key, has_key) {
        (false, true) => tell("minting_key_made", "It has a minting key now.".to_owned()),
        (true, false) => tell(
            "minting_stopped",
            "Minting stopped: its minting key is gone.".to_owned(),
        ),
        (false, false) | (true, true) => {}
    }
    if has_key {
        let online = |it: &Value| it.get(ONLINE).and_then(Value::as_bool);
        match (online(before), online(now)) {
            (Some(true), Some(false)) => tell(
                "minting_stopped",
                "Minting stopped: it is not online as a minter, as far as this node knows."
                    .to_owned(),
            ),
            (Some(false), Some(true)) => tell(
                "minting_started",
                "It is online as a minter again.".to_owned(),
            ),
            _ => {}
        }
    }
    changes
}
