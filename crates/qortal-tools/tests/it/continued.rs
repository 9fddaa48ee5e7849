//! What was in a list and stays is on one page, whatever comes or goes while it is read.

mod lists;

use std::collections::BTreeMap;

use qortal_testnode::{Event, Scenario};
use qortal_tools::{Catalog, Entry, Object};
use qortal_types::Timestamp;
use serde_json::{Value, json};

use self::lists::{
    AFTER, BEFORE, BY_OFFSET, BY_TIME_ELSEWHERE, Changing, Gone, NOT_MOVED, THERE, by_row, by_time,
};
use crate::{Chain, walk};

#[test]
fn every_list_says_how_it_goes_on() {
    let tried = by_row().into_iter().chain(by_time()).map(|it| it.tool);
    let told = tried.chain(BY_TIME_ELSEWHERE).chain(NOT_MOVED);
    let by_offset = BY_OFFSET.iter().map(|(tool, _)| *tool);
    let told: Vec<_> = told.chain(by_offset).collect();
    for entry in Catalog::entries() {
        let has_next = entry.output_schema()["properties"].get("next").is_some();
        assert_eq!(told.contains(&entry.name), has_next, "{}", entry.name);
    }
}

/// Whoever reads such a list to its end, or a page that is not its first, is told what can happen to its rows.
#[tokio::test]
async fn every_list_that_goes_on_by_its_offset_has_a_caveat() {
    let chain = Chain::recorded().await;
    let mut noted = 0;
    for entry in Catalog::entries() {
        let arguments: Object = serde_json::from_str(entry.example).unwrap();
        let second = second_page(&chain, entry, arguments.clone()).await;
        let Some(pages) = chain.catalog.pages(entry, arguments) else {
            continue;
        };
        let of_table = BY_OFFSET.iter().any(|(tool, _)| *tool == entry.name);
        let is_at_once = entry.name.starts_with("get_groups_by");
        let caveat = pages.caveat().unwrap_or_default();
        let is_said = caveat.starts_with("A row of this list can come twice or be left out");
        assert_eq!(
            is_said,
            of_table && !is_at_once && entry.name != "list_penalties",
            "{}",
            entry.name
        );
        if let Some(second) = second {
            let notes = second.get("notes").and_then(Value::as_array);
            let is_noted = notes.is_some_and(|it| it.contains(&caveat.into()));
            assert_eq!(is_noted, is_said, "{}", entry.name);
            noted += u32::from(is_noted);
        }
    }
    assert!(noted > 9, "{noted}");
    chain.stop().await;
}

/// The second page of one row each, if the list has it.
async fn second_page(chain: &Chain, entry: &Entry, mut arguments: Object) -> Option<Value> {
    arguments.insert("limit".to_owned(), 1.into());
    let first = chain.call(entry.name, arguments.into()).await.ok()?;
    let next = first.get("next")?["arguments"].clone();
    Some(chain.call(entry.name, next).await.unwrap())
}

fn entry(tool: &str) -> &'static Entry {
    Catalog::entries().find(|it| it.name == tool).unwrap()
}

impl Changing {
    fn add(&self, chain: &Chain, at: usize) {
        if self.in_blocks && AFTER.contains(&at) {
            chain.node.apply(&Event::Block);
        }
        chain.node.apply(&Event::RowAdded {
            table: self.table,
            like: self.like.clone(),
            but: (self.row)(at),
        });
    }

    fn remove(&self, chain: &Chain, at: usize) {
        let row = (self.row)(at);
        let member = self.known[0];
        chain.node.apply(&Event::RowsRemoved {
            table: self.table,
            like: json!({ member: row[member] }),
        });
    }

    fn name(&self, at: usize) -> String {
        let [of_row, shown] = self.known;
        let name = (self.row)(at)[of_row].clone();
        match name.as_i64().filter(|_| shown.ends_with("Iso")) {
            Some(time) => Value::from(Timestamp::from_millis(time).to_string()).to_string(),
            None => name.to_string(),
        }
    }

    fn names(&self, rows: &[Value]) -> Vec<String> {
        let name = |row: &Value| match self.known[1] {
            "" => row.to_string(),
            member => row[member].to_string(),
        };
        rows.iter().map(name).collect()
    }

    /// A chain with more rows than it was recorded with.
    async fn chain(&self) -> Chain {
        let chain = Chain::recorded().await;
        THERE.for_each(|at| self.add(&chain, at));
        chain
    }

    /// What is wrong when it is read with this many rows a page, while rows come before and after those and go.
    async fn problem(&self, arguments: &Value, limit: usize) -> Option<String> {
        let chain = self.chain().await;
        let asked = |limit: usize| {
            let mut arguments = arguments.clone();
            arguments["limit"] = limit.into();
            arguments
        };
        let before = chain.rows(self.tool, self.list, asked(100)).await;
        let mut stays = self.names(&before);
        for at in THERE {
            assert!(stays.contains(&self.name(at)), "{} {stays:?}", self.tool);
        }
        let (mut earlier, mut later, mut first) = (BEFORE, AFTER, THERE);
        let mut seen = BTreeMap::<String, usize>::new();
        let mut next = Some(asked(limit));
        for page in 0..200 {
            let Some(arguments) = next.take() else {
                break;
            };
            let answer = chain.call(self.tool, arguments).await.unwrap();
            next = answer.get("next").map(|it| it["arguments"].clone());
            let names = self.names(answer[self.list].as_array().unwrap());
            let is_last = |at: &usize| names.last() == Some(&self.name(*at));
            let gone = match page % 5 {
                1 if self.gone == Gone::Any => { THERE }.find(is_last),
                3 if self.gone != Gone::None => {
                    first.find(|at| self.gone == Gone::Any || !is_last(at))
                }
                _ => None,
            };
            if let Some(at) = gone {
                self.remove(&chain, at);
                stays.retain(|it| *it != self.name(at));
            }
            let count = if page % 5 == 4 { 12 } else { 1 };
            for _ in 0..count {
                let earlier = earlier.next().filter(|_| !self.grows_at_end);
                let new = earlier.into_iter().chain(later.next());
                new.for_each(|at| self.add(&chain, at));
            }
            for name in names {
                *seen.entry(name).or_default() += 1;
            }
        }
        chain.stop().await;
        if next.is_some() {
            return Some("no end".to_owned());
        }
        let count = |name: &String| seen.get(name).copied().unwrap_or(0);
        let left_out = stays.iter().filter(|it| count(it) == 0);
        let repeated = seen.keys().filter(|it| count(it) > 1);
        let wrong: Vec<_> = left_out.chain(repeated).collect();
        let wrong = wrong.iter().map(|it| format!("{it} {} times", count(it)));
        let wrong: Vec<_> = wrong.collect();
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

#[tokio::test]
async fn what_comes_or_goes_anywhere_moves_no_row_to_another_page() {
    check(by_row()).await;
}

#[tokio::test]
async fn what_comes_later_moves_no_row_of_a_list_by_time() {
    check(by_time()).await;
}

/// At each limit, and at some from the other end.
async fn check(lists: Vec<Changing>) {
    let mut problems = Vec::new();
    for list in lists.iter().filter(|it| walk::tries(it.tool)) {
        let schema = entry(list.tool).input_schema();
        let has = |name: &str| schema["properties"].get(name).is_some();
        let mut turned = list.arguments.clone();
        let mut cases = [1, 2, 3, 7, 20].map(|it| (&list.arguments, it)).to_vec();
        if has("reverse") {
            turned["reverse"] = true.into();
            cases.extend([2, 7].map(|it| (&turned, it)));
        } else if has("order") {
            turned["order"] = "oldest".into();
            cases.extend([2, 7].map(|it| (&turned, it)));
        }
        for (arguments, limit) in cases {
            if let Some(problem) = list.problem(arguments, limit).await {
                problems.push(format!("{} {arguments} {limit}: {problem}", list.tool));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// How many requests pages take after which 0, 3 and 15 rows come, beyond those for the names of people.
#[tokio::test]
async fn going_on_takes_no_request_more_unless_the_row_is_far() {
    for list in by_row() {
        let chain = list.chain().await;
        let mut next = list.arguments.clone();
        next["limit"] = 5.into();
        let mut asked = Vec::new();
        for new in [0..0, 0..3, 10..25, 0..0] {
            let before = chain.node.journal().len();
            let answer = chain.call(list.tool, next).await.unwrap();
            let asks = chain.node.journal().split_off(before);
            let of_list = asks.iter().filter(|it| it.method == "GET");
            asked.push(of_list.count());
            next = answer["next"]["arguments"].clone();
            new.for_each(|at| list.add(&chain, at));
        }
        chain.stop().await;
        let [first, near, nearer, far] = asked[..] else {
            panic!("{asked:?}");
        };
        assert!(near.max(nearer) <= first, "{} {asked:?}", list.tool);
        assert!(far <= first + 1, "{} {asked:?}", list.tool);
        if list.tool == "search_names" {
            assert_eq!(far, 2, "{asked:?}");
        }
    }
}

#[tokio::test]
async fn a_row_that_is_nowhere_near_is_said() {
    for (scenario, tool, arguments) in [
        (
            Scenario::of_size::<1_000>(),
            "list_names",
            json!({"offset": 900, "limit": 2, "start_after": "!"}),
        ),
        (
            Scenario::recorded(),
            "get_names_by_address",
            json!({"address": "victor", "limit": 1, "start_after": "stranger"}),
        ),
        (
            Scenario::recorded(),
            "list_assets",
            json!({"offset": 3, "limit": 2, "start_after": "no number"}),
        ),
    ] {
        let chain = Chain::of(scenario).await;
        let mut plain = arguments.clone();
        plain.as_object_mut().unwrap().remove("start_after");
        let plain = chain.call(tool, plain).await.unwrap();
        let answer = chain.call(tool, arguments).await.unwrap();
        let said = answer["notes"].to_string();
        let is_said = said.contains("The row `start_after` is no longer near `offset`");
        assert!(is_said, "{tool} {said}");
        let list = if tool == "list_assets" {
            "assets"
        } else {
            "names"
        };
        assert_eq!(answer[list], plain[list], "{tool}");
        chain.stop().await;
    }
}

/// What was the last row when it was shown may be beyond the end now.
#[tokio::test]
async fn nothing_comes_after_the_end() {
    let chain = Chain::recorded().await;
    let arguments = json!({"limit": 2, "start_after": "日本語の名前"});
    let answer = chain.call("list_names", arguments).await.unwrap();
    assert_eq!(answer["names"], json!([]));
    assert_eq!(answer["truncated"], false);
    chain.stop().await;
}

/// Rows on either side of a page that are read with it to find the last row of the page before.
const BESIDE: usize = 10;

/// As many rows as are read beside a page come or go at once, and one more or fewer.
#[tokio::test]
async fn a_list_that_moves_as_far_as_is_read_beside_a_page_goes_on() {
    let mut problems = Vec::new();
    for list in by_row() {
        if list.gone != Gone::Any || list.grows_at_end {
            continue;
        }
        for moved in [BESIDE - 1, BESIDE, BESIDE + 1, 2 * BESIDE + 1] {
            for comes in [true, false] {
                let chain = list.chain().await;
                let mut arguments = list.arguments.clone();
                arguments["limit"] = 100.into();
                let before = list.names(&chain.rows(list.tool, list.list, arguments.clone()).await);
                // Half of the list is read, and what comes or goes is at its beginning.
                let half = before.len() / 2;
                arguments["limit"] = half.into();
                let answer = chain.call(list.tool, arguments).await.unwrap();
                let mut seen = list.names(answer[list.list].as_array().unwrap());
                let is_up = seen.contains(&list.name(THERE.start));
                let new = if is_up { BEFORE } else { AFTER };
                let mut gone = Vec::new();
                if comes {
                    new.take(moved).for_each(|at| list.add(&chain, at));
                } else {
                    let read = THERE.filter(|at| seen.contains(&list.name(*at)));
                    gone.extend(read.take(moved).map(|at| list.name(at)));
                    for at in THERE.filter(|at| gone.contains(&list.name(*at))) {
                        list.remove(&chain, at);
                    }
                }
                let mut next = answer["next"]["arguments"].clone();
                next["limit"] = 5.into();
                let rest = chain.rows(list.tool, list.list, next).await;
                seen.extend(list.names(&rest));
                chain.stop().await;
                if seen != before {
                    problems.push(format!("{} {moved} {comes}: {seen:?}", list.tool));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Three rows of one moment, at the end of a page and across several.
#[tokio::test]
async fn rows_of_one_moment_are_each_on_one_page() {
    let mut problems = Vec::new();
    let lists = by_time().into_iter().chain(by_row()).filter(|it| {
        let key = it.known[0];
        key.ends_with("timestamp") || key.ends_with("completed")
    });
    for list in walk::cases(lists) {
        let chain = Chain::recorded().await;
        for at in THERE.take(9) {
            // Those of three places have the time of the first.
            let mut row = (list.row)(at);
            row[list.known[0]] = (list.row)(at - at % 3)[list.known[0]].clone();
            chain.node.apply(&Event::RowAdded {
                table: list.table,
                like: list.like.clone(),
                but: row,
            });
        }
        let mut orders = vec![list.arguments.clone()];
        if entry(list.tool).input_schema()["properties"]
            .get("order")
            .is_some()
        {
            let mut oldest = list.arguments.clone();
            oldest["order"] = "oldest".into();
            orders.push(oldest);
        }
        for mut arguments in orders {
            arguments["limit"] = 50.into();
            let whole = chain.rows(list.tool, list.list, arguments.clone()).await;
            assert!(whole.len() >= 9, "{}", list.tool);
            for limit in [1, 2, 3, 4] {
                arguments["limit"] = limit.into();
                let rows = chain.rows(list.tool, list.list, arguments.clone()).await;
                if rows != whole {
                    problems.push(format!("{} {arguments}", list.tool));
                }
            }
        }
        chain.stop().await;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
