//! Charts of the numbers of other tools.

mod balance;
mod minting;
mod order_book;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use qortal_charts::{Canvas, Theme, is_drawable};
use qortal_types::Blockchain;
use serde_json::Value;
use tool_schema::{InvalidValue, Object, Param, choice};

use crate::{
    Attachment, Body,
    declare::{Account, AccountRef, Context, File, Qortal, Reply, Tool, ToolError, given},
};

/// Number of calls that a chart counts as. Most other tools need less than a tenth of a millisecond of processor time.
pub(super) const DRAWING: u32 = 50;

family! {
    "charts", "What does it look like?":
    GetChart,
}

choice! {
    /// The subject of a chart.
    enum Subject {
        /// Open offers for one coin.
        OrderBook = "order_book",
        /// An account's way to the next level.
        Minting = "minting",
        /// Amounts an account received and spent.
        Balance = "balance",
        /// The minters online by level.
        Minters = "minters"
    }
}

/// The subject in a parameter. The error for an unknown one names the tool for prices.
#[derive(Debug, Clone, Copy)]
struct Drawn(Subject);

impl Param<Qortal> for Drawn {
    fn schema() -> Object {
        <Subject as Param<Qortal>>::schema()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        let read = <Subject as Param<Qortal>>::read(value);
        read.map(Self).map_err(|mut invalid| {
            invalid
                .expected
                .push_str(", or for prices the tool get_price_chart");
            invalid
        })
    }

    fn coerce_json(value: &Value) -> Option<Value> {
        <Subject as Param<Qortal>>::coerce_json(value)
    }

    fn to_value(&self) -> Value {
        Param::<Qortal>::to_value(&self.0)
    }
}

params! {
    struct GetChart {
        /// minters counts online minters by level.
        kind: Drawn,
        /// Coin of order_book.
        blockchain: Option<Blockchain>,
        /// For minting and balance.
        address: Option<AccountRef>,
        /// Background.
        theme: Theme = Theme::Light
    }
}

record! {
    struct Chart {
        /// The title of the chart.
        title: String,
        /// A summary of the chart, with the most important numbers.
        summary: String,
        /// The tool for the numbers.
        numbers: &'static str
    }
}

impl Tool for GetChart {
    const NAME: &str = "get_chart";
    const TITLE: &str = "Chart";
    const DESCRIPTION: &str = "Draw (PNG) an order book, an account's minting level or balance changes, or the minters online. Prices: get_price_chart.";
    const EXAMPLE: &str = r#"{"kind":"order_book","blockchain":"LITECOIN"}"#;
    const KEYWORDS: &str = "picture, image, draw, diagram, visual, depth chart, order book picture, level bar, minting progress picture, balance chart, balance changes picture, minters chart";
    const IMAGES: bool = true;
    const FILES: &[File] = &[
        drawing("order_book", "qortal://chart/order-book/{blockchain}.svg"),
        drawing("minting", "qortal://chart/minting/{address}.svg"),
        drawing("balance", "qortal://chart/balance/{address}.svg"),
        drawing("minters", "qortal://chart/minters.svg"),
    ];
    const CALLS: u32 = DRAWING;
    type Output = Reply<Chart>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let theme = self.theme;
        let unused = match self.kind.0 {
            Subject::OrderBook => self.address.as_ref().map(|_| "address"),
            Subject::Minting | Subject::Balance => self.blockchain.as_ref().map(|_| "blockchain"),
            Subject::Minters => {
                let address = self.address.as_ref().map(|_| "address");
                address.or(self.blockchain.as_ref().map(|_| "blockchain"))
            }
        };
        let account = |kind| account(cx, self.address, kind);
        let (canvas, numbers) = match self.kind.0 {
            Subject::OrderBook => {
                let coin = self.blockchain.ok_or_else(|| {
                    missing("blockchain", "order_book", "a coin, such as LITECOIN")
                })?;
                (
                    order_book::draw(cx, &coin, theme).await?,
                    "get_trade_order_book",
                )
            }
            Subject::Minting => {
                let account = account("minting").await?;
                (
                    minting::progress(cx, account, theme).await?,
                    "get_minting_status",
                )
            }
            Subject::Balance => {
                let account = account("balance").await?;
                (
                    balance::draw(cx, account, theme).await?,
                    "get_account_activity",
                )
            }
            Subject::Minters => (minting::levels(cx, theme).await?, "list_online_minters"),
        };
        let mut reply = Reply::new(Chart {
            title: canvas.title().to_owned(),
            summary: canvas.description().to_owned(),
            numbers,
        });
        reply.attachments = attachments(cx, canvas, Self::NAME).await?;
        if let Some(name) = unused {
            reply = reply.note(format!("This chart does not depend on {name}."));
        }
        Ok(reply)
    }
}

/// Declares the drawing of one subject.
const fn drawing(kind: &'static str, template: &'static str) -> File {
    File::of(template, "image/svg+xml").only("kind", kind)
}

async fn account(
    cx: &Context,
    address: Option<AccountRef>,
    kind: &'static str,
) -> Result<Account, ToolError> {
    let found = given(address, |it| cx.account("address", it)).await?;
    found.ok_or_else(|| missing("address", kind, "an address or a registered name"))
}

fn missing(argument: &'static str, kind: &str, accepted: &str) -> ToolError {
    ToolError::argument(
        argument,
        "Missing argument.",
        format!("is missing, which a chart of {kind} needs"),
        accepted,
    )
}

/// Returns the account for a heading: as the caller named it, if the font has those characters, or else by its address.
fn heading(account: &Account) -> String {
    let name = account.resolved_from.as_deref();
    let drawable = name.filter(|it| is_drawable(it));
    drawable.unwrap_or(account.address.as_str()).to_owned()
}

/// Renders a chart as PNG and as SVG.
pub(super) async fn attachments(
    cx: &Context,
    canvas: Canvas,
    tool: &'static str,
) -> Result<Vec<Attachment>, ToolError> {
    let svg = canvas.svg();
    let draw = move || canvas.png().map(|it| STANDARD.encode(it));
    let failed = |err: &dyn std::error::Error| ToolError::Declaration(format!("{tool}: {err}"));
    let drawn = cx.drawings.draw(&svg, draw).await;
    let png = drawn.map_err(|err| failed(&err))?;
    Ok(vec![
        Attachment {
            body: Body::Base64(png.map_err(|err| failed(&err))?),
            mime_type: "image/png".to_owned(),
        },
        Attachment {
            body: Body::Text(svg),
            mime_type: "image/svg+xml".to_owned(),
        },
    ])
}
