//! Resources that are files for other programs. Tool results with the same data link to them.

use crate::resources::source::{
    Argument,
    Freshness::{Block, Moment},
    Part, Source, source, variable,
};

/// Files in list order. Their URIs have a file extension.
pub(super) static ALL: &[Source] = &[
    source("qortal://trades/{blockchain}.csv", "trades_csv", Block)
        .titled(
            "Completed trades as CSV",
            "The last 100 completed trades for one coin, latest first.",
        )
        .calls(
            "list_completed_trades",
            &[
                variable("blockchain"),
                ("limit", Argument::Integer(100)),
                ("format", Argument::Text("csv")),
            ],
        )
        .part(Part::Csv),
    source("qortal://ledger/{address}.csv", "ledger_csv", Block)
        .titled(
            "Trade ledger as CSV",
            "All trades of one account, for spreadsheets and taxes. Refused rather than cut.",
        )
        .calls(
            "get_trade_ledger",
            &[
                variable("address"),
                ("limit", Argument::Integer(10_000)),
                ("order", Argument::Text("oldest")),
                ("format", Argument::Text("csv")),
            ],
        )
        .part(Part::WholeCsv),
    source(
        "qortal://account/{address}/ledger.csv",
        "account_ledger_csv",
        Block,
    )
    .titled(
        "Account ledger as CSV",
        "All that an account received and paid, for spreadsheets and taxes. Refused rather than cut.",
    )
    .calls(
        "get_account_ledger",
        &[
            variable("address"),
            ("limit", Argument::Integer(10_000)),
            ("order", Argument::Text("oldest")),
            ("format", Argument::Text("csv")),
        ],
    )
    .part(Part::WholeCsv),
    source(
        "qortal://chart/price/{blockchain}.png",
        "price_chart",
        Block,
    )
    .titled("Price chart", "The price history in one coin as a chart.")
    .calls("get_price_chart", &[variable("blockchain")])
    .part(Part::Image),
    source(
        "qortal://chart/price/{blockchain}.svg",
        "price_drawing",
        Block,
    )
    .titled(
        "Price chart as SVG",
        "The price history in one coin as a drawing of any size.",
    )
    .calls("get_price_chart", &[variable("blockchain")])
    .part(Part::Drawing),
    source(
        "qortal://chart/order-book/{blockchain}.svg",
        "order_book_drawing",
        Moment,
    )
    .titled(
        "Order book as SVG",
        "What is offered for one coin, as a drawing of any size.",
    )
    .calls("get_chart", &[kind("order_book"), variable("blockchain")])
    .part(Part::Drawing),
    source(
        "qortal://chart/minting/{address}.svg",
        "minting_drawing",
        Block,
    )
    .titled(
        "Minting level as SVG",
        "How far an account is on its way to the next minting level, as a drawing.",
    )
    .calls("get_chart", &[kind("minting"), variable("address")])
    .part(Part::Drawing),
    source(
        "qortal://chart/balance/{address}.svg",
        "balance_drawing",
        Block,
    )
    .titled(
        "Balance changes as SVG",
        "What an account received and spent over time, as a drawing.",
    )
    .calls("get_chart", &[kind("balance"), variable("address")])
    .part(Part::Drawing),
    source("qortal://chart/minters.svg", "minters_drawing", Moment)
        .titled(
            "Online minters as SVG",
            "The minters online by level, as a drawing.",
        )
        .calls("get_chart", &[kind("minters")])
        .part(Part::Drawing),
];

/// Returns the argument that names a chart's subject.
const fn kind(subject: &'static str) -> (&'static str, Argument) {
    ("kind", Argument::Text(subject))
}
