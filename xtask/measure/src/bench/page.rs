//! What a page of 100 rows costs, from the node's bytes to the bytes of the answer.

use serde_json::{Value, json};

use crate::bench::aims::{Found, Quantity};
use crate::bench::cases::Node;
use crate::bench::figures::{Figures, Table};
use crate::bench::load::Workbench;
use crate::bench::node::{APART, NONE_KEPT, NodeLoad, call, load, result, serve};
use crate::bench::options::Options;
use xtask::command::progress;
use xtask::failure::Failure;

const CONNECTIONS: usize = 16;
/// Rows of a page, and how many pages are asked for in turn: more than there are connections, so that none is asked for twice at once.
const ROWS: u32 = 100;
const PAGES: u32 = 24;

/// What is kept of the node's answers: its bytes are at hand, or each call asks for them.
const KEPT: &[(&str, &[&str])] = &[("kept for a moment", &[]), ("not kept", NONE_KEPT)];

/// A round, and the members of all rows of a page.
struct Measured {
    asked: NodeLoad,
    members: f64,
}

/// Measures pages with and without the node's answers at hand, and returns a table.
pub(super) fn measure(
    bench: &Workbench,
    options: &Options,
    found: &mut Found,
) -> Result<String, Failure> {
    let columns = [
        "the node's answers are",
        "calls/s",
        "p50 ms",
        "node requests/call",
        "members of all rows",
        "server CPU µs/call",
        "CPU µs/row and member",
    ];
    let title = format!("list_names, pages of {ROWS} rows, {CONNECTIONS} connections");
    let mut table = Table::new(&title, &columns);
    let mut rounds: Vec<Vec<Measured>> = KEPT.iter().map(|_| Vec::new()).collect();
    for round in 1..=options.rounds {
        for ((kept, more), rounds) in KEPT.iter().zip(&mut rounds) {
            progress(&format!("round {round}: list_names, answers {kept}"))?;
            rounds.push(once(bench, options, more)?);
        }
    }
    for ((kept, more), rounds) in KEPT.iter().zip(&rounds) {
        let of = |figure: fn(&Measured) -> f64| rounds.iter().map(figure).collect::<Figures>();
        let cpu = of(|it| it.asked.report.cpu_us / it.members);
        table.row(&[
            (*kept).to_owned(),
            of(|it| it.asked.report.per_second).spread(),
            of(|it| it.asked.report.p50_us / 1000.0).shown(),
            of(|it| it.asked.requests).shown(),
            of(|it| it.members).shown(),
            of(|it| it.asked.report.cpu_us).shown(),
            cpu.spread(),
        ]);
        if more.is_empty() {
            found.add(Quantity::Member, cpu);
        }
    }
    Ok(table.finish())
}

fn once(bench: &Workbench, options: &Options, more: &[&str]) -> Result<Measured, Failure> {
    let serving = serve(bench, Node::Large, more)?;
    let page = |page| json!({"limit": ROWS, "offset": page * ROWS});
    let call = |arguments: Value| call(serving.address(), "list_names", &arguments);
    let calls: Vec<_> = (0..PAGES).map(page).map(call).collect();
    let mut members = 0;
    for call in &calls {
        members += members_of_rows(&result(bench, &serving, call)?)?;
    }
    let seconds = options.seconds.to_string();
    let extent = ["--seconds", seconds.as_str()];
    let node = Node::Large;
    let asked = load(
        bench,
        &serving,
        node,
        &calls,
        CONNECTIONS,
        extent,
        vec![APART.to_owned()],
    )?;
    Ok(Measured {
        asked,
        members: f64::from(members) / f64::from(PAGES),
    })
}

/// The members of all rows of a page, which is a full one.
fn members_of_rows(page: &Value) -> Result<u32, Failure> {
    let rows = page.get("names").and_then(Value::as_array);
    let rows = rows.map_or(&[][..], Vec::as_slice);
    if u32::try_from(rows.len()) != Ok(ROWS) {
        let why = format!("it has {} rows", rows.len());
        return Err(Failure::unreadable("a page of names", why));
    }
    let members = rows.iter().filter_map(|row| Some(row.as_object()?.len()));
    u32::try_from(members.sum::<usize>()).map_err(|why| Failure::unreadable("a page of names", why))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ROWS, members_of_rows};

    #[test]
    fn members_of_a_full_page_are_counted() {
        let mut rows: Vec<_> = (1..ROWS)
            .map(|_| json!({"name": "a", "owner": {}}))
            .collect();
        let failure = members_of_rows(&json!({"names": rows})).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "a page of names is not as expected: it has 99 rows"
        );
        rows.push(json!({"name": "b", "owner": {"is": "nested"}, "salePrice": "1"}));
        let page = json!({"notes": ["a"], "names": rows});
        assert_eq!(members_of_rows(&page).unwrap(), 201);
        assert!(members_of_rows(&json!({})).is_err());
    }
}
