//! Watch of new blocks, or of QDN publications in new blocks.

use qortal_tools::ToolError;
use serde_json::{Value, json};

use super::{
    change::{Change, number, text},
    feed::{BLOCKS, Feed, Fresh, Listing},
    reader::Reader,
};

/// Rows of new blocks, with one change per row.
#[derive(Debug)]
pub(super) struct Blocks {
    feed: Feed,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Tip,
    /// The publications with this identifier, empty for the default one.
    Publications(String),
}

impl Blocks {
    /// Starts a watch of blocks.
    pub(super) async fn tip(reader: Reader<'_>) -> Result<Self, ToolError> {
        let listing = Listing {
            tool: BLOCKS,
            arguments: json!({}),
            height: "height",
            window: ["height", "count"],
        };
        let feed = Feed::begin(reader, listing).await?;
        let kind = Kind::Tip;
        Ok(Self { feed, kind })
    }

    /// Starts a watch of one QDN resource's publications.
    pub(super) async fn publications(
        reader: Reader<'_>,
        service: &str,
        name: &str,
        identifier: &str,
    ) -> Result<Self, ToolError> {
        let listing = Listing {
            tool: "search_qdn",
            arguments: json!({"service": service, "name": name}),
            height: "blockHeight",
            window: ["start_block", "block_limit"],
        };
        let feed = Feed::begin(reader, listing).await?;
        let kind = Kind::Publications(identifier.to_owned());
        Ok(Self { feed, kind })
    }

    pub(super) fn state(&self) -> String {
        match self.kind {
            Kind::Tip => format!("block {} is the last", self.feed.height()),
            Kind::Publications(_) => String::new(),
        }
    }

    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let Some(fresh) = self.feed.read(reader).await? else {
            return Ok(Vec::new());
        };
        let mut changes: Vec<_> = self.feed.accept(&fresh).into_iter().collect();
        changes.extend(self.kind.changes(&fresh));
        Ok(changes)
    }
}

impl Kind {
    fn changes(&self, fresh: &Fresh) -> Vec<Change> {
        let rows = fresh.rows.iter();
        match self {
            Self::Tip => rows.map(|row| block(row, fresh.replaced)).collect(),
            Self::Publications(identifier) => rows
                .filter(|row| text(row, "identifier") == identifier)
                .map(publication)
                .collect(),
        }
    }
}

/// Returns the change for a block, which replaces another one at heights up to `replaced`.
fn block(row: &Value, replaced: u32) -> Change {
    let height = number(row, "height");
    let minter = text(row, "minterAddress");
    let minter = if minter.is_empty() {
        "an account that is not known".to_owned()
    } else {
        format!("{minter} (level {})", number(row, "minterLevel"))
    };
    let transactions = match number(row, "transactionCount") {
        1 => "1 transaction".to_owned(),
        count => format!("{count} transactions"),
    };
    let (what, instead) = if height <= replaced {
        ("block_replaced", ", in the place of another one")
    } else {
        ("block", "")
    };
    let text = format!("Block {height} by {minter}, {transactions}{instead}.");
    Change::new(what, text, row)
}

fn publication(row: &Value) -> Change {
    let size = number(row, "size");
    let by = text(row, "creatorAddress");
    let text = format!("{by} published it anew, {size} bytes.");
    Change::new("published", text, row)
}
