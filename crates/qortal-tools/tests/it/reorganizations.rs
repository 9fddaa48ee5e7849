//! Lists that are read to their end while the chain replaces its newest blocks: no row is missing, and none comes twice.

use std::collections::{BTreeMap, BTreeSet};

use qortal_testnode::{Event, Fault};
use qortal_tools::Place;
use serde_json::{Value, json};

use crate::{Chain, paging::ALICE, walk};

const QUINN: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";

/// Lists of what is in blocks: a tool, its arguments and what payments of Alice change in it.
fn lists() -> Vec<(&'static str, Value)> {
    let account = json!({"address": ALICE});
    vec![
        ("find_payments", json!({"sender": ALICE})),
        ("get_account_ledger", account.clone()),
        ("list_transactions_by_creator", account),
        ("search_transactions", json!({"tx_types": ["PAYMENT"]})),
    ]
}

/// The transaction and the block of a row.
fn name(row: &Value) -> String {
    let transaction = row.get("transaction").or_else(|| row.get("signature"));
    let height = row.get("height").or_else(|| row.get("blockHeight"));
    format!(
        "{} {}",
        height.unwrap_or(&Value::Null),
        transaction.unwrap_or(&Value::Null)
    )
}

fn pay(chain: &Chain, count: u32) {
    let to = QUINN.to_owned();
    chain.node.apply(&Event::Payments {
        to,
        units: 1,
        count,
    });
}

/// Takes so many blocks back, and puts as many others and one more in their places: some of the transactions are in another block, and
/// there are new ones.
fn reorganize(chain: &Chain, blocks: u32) {
    for _ in 0..blocks {
        chain.node.apply(&Event::Orphaned);
    }
    for block in 0..=blocks {
        match block {
            0 => pay(chain, 2),
            1 => chain.node.apply(&Event::Confirmed),
            _ => chain.node.apply(&Event::Block),
        }
    }
}

/// A file of rows, and how it is kept.
struct Output {
    rows: Vec<Value>,
    place: Option<Place>,
    went_back: usize,
    /// Pages that may fail.
    failures: usize,
}

impl Output {
    /// Goes on to the end of the list. `happens` is called with the number of pages before each.
    async fn read(
        &mut self,
        chain: &Chain,
        (tool, arguments): (&str, &Value),
        happens: impl Fn(usize),
    ) {
        let entry = chain.catalog.entry(tool).unwrap();
        let arguments = arguments.as_object().unwrap().clone();
        let mut pages = chain.catalog.pages(entry, arguments).unwrap();
        if let Some(place) = self.place.take() {
            // As it is kept in a file.
            let place = serde_json::to_string(&place).unwrap();
            pages = pages.starting_at(serde_json::from_str(&place).unwrap());
        }
        for page in 0.. {
            assert!(page < 500, "{tool}: no end");
            happens(page);
            let Some(page) = pages.next().await else {
                break;
            };
            let page = match page {
                Err(_) if self.failures > 0 => {
                    self.failures -= 1;
                    assert_eq!(pages.place().rows(), self.rows.len() as u64, "{tool}");
                    continue;
                }
                page => page.unwrap(),
            };
            if let Some(keep) = page.keep {
                self.went_back += 1;
                self.rows.truncate(usize::try_from(keep).unwrap());
            }
            self.rows.extend(page.rows);
            assert_eq!(pages.place().rows(), self.rows.len() as u64, "{tool}");
        }
        self.place = Some(pages.place().clone());
    }
}

/// What is wrong with rows, of which these are expected.
fn problem(found: &[Value], expected: &[Value]) -> Option<String> {
    let mut counts = BTreeMap::<String, i32>::new();
    for row in found {
        *counts.entry(name(row)).or_default() += 1;
    }
    let expected: BTreeSet<String> = expected.iter().map(name).collect();
    let wrong = counts
        .iter()
        .filter(|(row, count)| **count > 1 || !expected.contains(*row));
    let missing = expected.iter().filter(|row| !counts.contains_key(*row));
    let (wrong, missing): (Vec<_>, Vec<_>) = (wrong.collect(), missing.collect());
    let is_right = wrong.is_empty() && missing.is_empty();
    (!is_right).then(|| format!("wrong {wrong:?}, missing {missing:?}"))
}

/// Reads the list of each case, and compares it with what the chain has in the end.
async fn check(happens: impl AsyncFn(&Chain, (&str, &Value), u32) -> (Output, usize)) {
    let mut problems = Vec::new();
    for (tool, arguments, order, blocks, limit) in walk::cases(cases()) {
        let mut arguments = arguments.clone();
        arguments["limit"] = limit.into();
        arguments["order"] = order.into();
        if limit < 100 {
            // In small windows, as a long list.
            arguments["after"] = "height 440".into();
        }
        let chain = Chain::recorded().await;
        for _ in 0..6 {
            pay(&chain, 3);
        }
        let call = (tool, &arguments);
        let (output, went_back) = happens(&chain, call, blocks).await;
        let mut whole = arguments.clone();
        whole["limit"] = 100.into();
        whole["confirmation_status"] = "CONFIRMED".into();
        if tool == "get_account_ledger" {
            let of_call = whole.as_object_mut().unwrap();
            of_call.remove("confirmation_status");
        }
        let entry = chain.catalog.entry(tool).unwrap();
        let list = entry.output_schema()["properties"].clone();
        let list = list.as_object().unwrap();
        let list = list.iter().find(|(name, schema)| {
            let is_other = ["notes", "totals", "months"].contains(&name.as_str());
            schema["type"] == "array" && !is_other
        });
        let expected = chain.rows(tool, list.unwrap().0, whole).await;
        assert!(expected.len() > 12, "{tool}");
        if let Some(problem) = problem(&output.rows, &expected) {
            problems.push(format!("{tool} {arguments} {blocks} blocks: {problem}"));
        }
        assert!(
            output.went_back >= went_back,
            "{tool} {arguments} {blocks}: went back {} times",
            output.went_back
        );
        chain.stop().await;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Each list in small and in large pages, with its oldest rows first and with its newest, and each number of blocks.
fn cases() -> Vec<(&'static str, Value, &'static str, u32, u32)> {
    let mut cases = Vec::new();
    for (tool, arguments) in lists() {
        for order in ["oldest", "newest"] {
            for blocks in [1, 2, 5] {
                let of_limit = |limit| (tool, arguments.clone(), order, blocks, limit);
                cases.extend([2, 100].map(of_limit));
            }
        }
    }
    cases
}

const fn empty() -> Output {
    Output {
        rows: Vec::new(),
        place: None,
        went_back: 0,
        failures: 0,
    }
}

#[tokio::test]
async fn a_list_that_is_resumed_after_a_reorganization_has_each_row_once() {
    check(async |chain, call, blocks| {
        let mut output = empty();
        if call.1["order"] == "newest" {
            // It is as it was at its first page, and complete then.
            reorganize(chain, blocks);
            output.read(chain, call, |_| ()).await;
            return (output, 0);
        }
        output.read(chain, call, |_| ()).await;
        reorganize(chain, blocks);
        output.read(chain, call, |_| ()).await;
        pay(chain, 1);
        output.read(chain, call, |_| ()).await;
        (output, 1)
    })
    .await;
}

#[tokio::test]
async fn a_list_during_a_reorganization_has_each_row_once() {
    check(async |chain, call, blocks| {
        let mut output = empty();
        let is_newest = call.1["order"] == "newest";
        // In the middle of its newest blocks, which are one page if that is large.
        let is_large = call.1["limit"] == 100;
        let at = match (is_newest, is_large) {
            (true, _) => usize::from(!is_large),
            (false, _) => 5,
        };
        let happens = |page| {
            if page == at {
                reorganize(chain, blocks);
            }
        };
        output.read(chain, call, happens).await;
        if !is_newest {
            output.read(chain, call, |_| ()).await;
        }
        (output, 0)
    })
    .await;
}

/// A page that fails leaves the list at its place: what the chain replaced is taken out with the next page, in this run or another one.
#[tokio::test]
async fn a_page_that_fails_after_a_reorganization_is_read_again() {
    check(async |chain, call, blocks| {
        let mut output = empty();
        let fail = || {
            let fault = Fault::Status(500, String::new());
            chain.node.fault_times("/transactions/*", fault, 1);
        };
        if call.1["order"] == "newest" {
            reorganize(chain, blocks);
            output.failures = 1;
            fail();
            output.read(chain, call, |_| ()).await;
            return (output, 0);
        }
        output.read(chain, call, |_| ()).await;
        reorganize(chain, blocks);
        output.failures = 1;
        fail();
        output.read(chain, call, |_| ()).await;
        assert_eq!(output.failures, 0, "{call:?}");
        (output, 1)
    })
    .await;
}

/// The member of an answer that is its list.
fn list_of(tool: &str) -> &'static str {
    match tool {
        "find_payments" => "payments",
        "get_account_activity" => "activities",
        _ => "transactions",
    }
}

/// Pages that are called for one after the other: what is in blocks before the fork is on one of them, although the newest rows, which are
/// counted in `offset`, were replaced by more or fewer.
#[tokio::test]
async fn the_next_page_after_a_reorganization_goes_on_after_the_last_row() {
    let account = json!({"address": ALICE});
    let payments = json!({"sender": ALICE, "confirmation_status": "CONFIRMED"});
    let lists = [
        ("find_payments", payments),
        ("get_account_activity", account.clone()),
        ("list_transactions_by_address", account),
        ("search_transactions", json!({"tx_types": ["PAYMENT"]})),
    ];
    let mut problems = Vec::new();
    let cases = lists.iter().flat_map(|list| {
        let of_list = |(blocks, limit)| (list.0, &list.1, blocks, limit);
        [(1, 7), (2, 7), (5, 5), (5, 17)].map(of_list)
    });
    for (tool, arguments, blocks, limit) in walk::cases(cases) {
        let chain = Chain::recorded().await;
        for _ in 0..6 {
            pay(&chain, 3);
        }
        let mut next = arguments.clone();
        next["limit"] = limit.into();
        let whole = chain.rows(tool, list_of(tool), arguments.clone()).await;
        let tip = chain.catalog.node().height().await.unwrap().number();
        let is_before = |row: &&Value| {
            let height = row.get("height").or_else(|| row.get("blockHeight"));
            height.and_then(Value::as_u64).unwrap() <= u64::from(tip - blocks)
        };
        let expected: Vec<_> = whole.iter().filter(is_before).map(name).collect();
        assert!(expected.len() > 5, "{tool}");
        let answer = chain.call(tool, next).await.unwrap();
        let mut rows = answer[list_of(tool)].as_array().unwrap().clone();
        reorganize(&chain, blocks);
        pay(&chain, 2);
        let next = answer["next"]["arguments"].clone();
        rows.extend(chain.rows(tool, list_of(tool), next).await);
        let found: Vec<_> = rows.iter().filter(is_before).map(name).collect();
        if found != expected {
            problems.push(format!("{tool} {blocks} {limit}: {found:?}"));
        }
        chain.stop().await;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
