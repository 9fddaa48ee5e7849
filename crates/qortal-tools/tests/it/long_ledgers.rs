//! Ledgers of accounts with more transactions than one call reads.

use std::collections::BTreeSet;

use qortal_client::Node;
use qortal_testnode::{Scenario, TestNode};
use qortal_tools::{Catalog, Pages, Selection};
use serde_json::{Value, json};

use crate::Chain;

/// An account that made 6,000 payments, 500 in each block, and the largest response that is read of the node.
async fn chain(max_answer_bytes: usize) -> Chain {
    let node = TestNode::start(Scenario::of_size::<6_000>()).await.unwrap();
    let client = Node::new(test_chain::config(&node, None, max_answer_bytes)).unwrap();
    let catalog = Catalog::new(client, &Selection::default()).unwrap();
    Chain { node, catalog }
}

fn pages(chain: &Chain, arguments: Value) -> Pages<'_> {
    let entry = chain.catalog.entry("get_account_ledger").unwrap();
    let Value::Object(arguments) = arguments else {
        unreachable!()
    };
    chain.catalog.pages(entry, arguments).unwrap()
}

/// The rows of each page, and the notes.
async fn read(pages: &mut Pages<'_>) -> (Vec<Vec<Value>>, BTreeSet<String>) {
    let (mut rows, mut notes) = (Vec::new(), BTreeSet::new());
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        rows.push(page.rows);
        notes.extend(page.notes);
    }
    (rows, notes)
}

fn ids(rows: &[Vec<Value>]) -> Vec<&str> {
    let rows = rows.iter().flatten();
    rows.map(|it| it["transaction"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_long_ledger_continues_with_its_other_blocks_in_each_order() {
    let chain = chain(8 << 20).await;
    let newest = json!({"address": "Alice Test"});
    let (newest, _) = read(&mut pages(&chain, newest).by_next()).await;
    let oldest = json!({"address": "Alice Test", "order": "oldest"});
    let (oldest, _) = read(&mut pages(&chain, oldest).by_next()).await;
    assert_eq!((newest.len(), oldest.len()), (2, 2));
    let (newest, mut oldest) = (ids(&newest), ids(&oldest));
    assert!(newest.len() >= 6_000, "{}", newest.len());
    assert_eq!(BTreeSet::from_iter(&newest).len(), newest.len());
    oldest.reverse();
    assert!(newest == oldest);
    chain.stop().await;
}

/// A page within the newest part, the last one of that part, and the first one of the next part.
#[tokio::test]
async fn a_page_of_a_long_ledger_names_its_part_and_the_next() {
    let chain = chain(8 << 20).await;
    let call = async |arguments| chain.call("get_account_ledger", arguments).await.unwrap();
    let balance = json!({"address": "Alice Test"});
    let balance = chain.call("get_balance", balance).await.unwrap();
    let page = call(json!({"address": "Alice Test", "limit": 5})).await;
    assert_eq!(page["total"], 4_500);
    assert_eq!(page["totals"][0]["rows"], 4_500);
    assert_eq!(page["next"]["arguments"]["offset"], 5);
    assert_eq!(page["closingBalance"], balance["balance"]);
    for field in ["openingBalance", "rewards"] {
        assert_eq!(page[field], Value::Null);
    }
    let notes = page["notes"].to_string();
    assert!(notes.contains("are of its newest blocks"), "{notes}");
    let largest = call(json!({"address": "Alice Test", "limit": 10_000})).await;
    let shown = largest["rows"].as_array().unwrap().len();
    let note = format!("This answer has room for {shown} of the 4500 rows.");
    assert!(largest["notes"].to_string().contains(&note), "{largest}");
    let last = json!({"address": "Alice Test", "limit": 5, "offset": 4_498});
    let last = call(last).await;
    assert_eq!(last["rows"].as_array().unwrap().len(), 2);
    let height = last["rows"][1]["height"].as_u64().unwrap();
    let next = &last["next"]["arguments"];
    let before = format!("height {height}");
    assert_eq!(
        *next,
        json!({"address": "Alice Test", "limit": 5, "before": before})
    );
    let earlier = call(next.clone()).await;
    assert_eq!(earlier["rows"][0]["height"], height - 1);
    assert_eq!(earlier["closingBalance"], Value::Null);
    assert!(!earlier["notes"].to_string().contains("`next`"));
    chain.stop().await;
}

#[tokio::test]
async fn a_long_ledger_is_read_to_its_end_with_the_sums_of_all_rows() {
    let chain = chain(1 << 20).await;
    for (range, expected) in [
        (json!({}), 6_000..6_010),
        (
            json!({"after": "height 164", "before": "height 169"}),
            2_500..2_501,
        ),
    ] {
        let mut arguments = range;
        arguments["address"] = json!("Alice Test");
        let mut pages = pages(&chain, arguments);
        let (rows, notes) = read(&mut pages).await;
        let ids = ids(&rows);
        assert!(expected.contains(&ids.len()), "{}", ids.len());
        assert_eq!(BTreeSet::from_iter(&ids).len(), ids.len());
        assert_eq!(pages.sums()[0]["rows"], ids.len());
        assert!(!notes.iter().any(|it| it.contains("`next`")), "{notes:?}");
    }
    chain.stop().await;
}
