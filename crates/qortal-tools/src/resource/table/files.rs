//! Resources that are files: what a tool answers in a form that other programs open. Each is named beside the answer.

use super::json;
use crate::resource::{Freshness, Part, Source};

const fn file(
    part: Part,
    names: [&'static str; 2],
    words: [&'static str; 2],
    call: [&'static str; 2],
) -> Source {
    Source {
        part,
        ..json(names, words, call, Freshness::Block)
    }
}

/// In the order they are listed. Their addresses have an ending.
pub(super) static ALL: &[Source] = &[
    file(
        Part::Csv,
        ["qortal://trades/{blockchain}.csv", "trades_csv"],
        [
            "Completed trades as CSV",
            "The last 100 completed trades for one coin, latest first.",
        ],
        [
            "list_completed_trades",
            r#"{"foreign_blockchain":"{blockchain}","reverse":true,"limit":100,"format":"csv"}"#,
        ],
    ),
    file(
        Part::WholeCsv,
        ["qortal://ledger/{public_key}.csv", "ledger_csv"],
        [
            "Trade ledger as CSV",
            "All trades of one public key, for spreadsheets and taxes. Refused rather than cut.",
        ],
        [
            "get_trade_ledger",
            r#"{"public_key":"{public_key}","limit":10000,"format":"csv"}"#,
        ],
    ),
    file(
        Part::Picture,
        ["qortal://chart/price/{blockchain}.png", "price_chart"],
        ["Price chart", "The price history in one coin as a picture."],
        ["get_price_chart", r#"{"blockchain":"{blockchain}"}"#],
    ),
    file(
        Part::Drawing,
        ["qortal://chart/price/{blockchain}.svg", "price_drawing"],
        [
            "Price chart as SVG",
            "The price history in one coin as a drawing of any size.",
        ],
        ["get_price_chart", r#"{"blockchain":"{blockchain}"}"#],
    ),
];
