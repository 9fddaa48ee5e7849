//! The three tools that stand for all.

use qortal_tools::{Catalog, Object, Selection, Surface};
use serde_json::{Value, json};

use crate::{Chain, check};

#[tokio::test]
async fn find_tools() {
    let cases = [
        ("by_words", json!({"query": "open trade offers"})),
        ("nothing_fits", json!({"query": "weather forecast"})),
        ("in_chinese", json!({"query": "账户余额", "limit": 2})),
    ];
    check("find_tools", cases).await;
    let chain = Chain::recorded().await;
    let all = chain
        .call("find_tools", json!({"limit": 200}))
        .await
        .unwrap();
    assert_eq!(all["total"], Catalog::entries().count() - 3);
    assert_eq!(
        all["tools"].as_array().unwrap().len(),
        Catalog::entries().count() - 3
    );
    chain.stop().await;
}

/// A caller whose token is not for a tool is not told of it.
#[tokio::test]
async fn tools_that_are_withheld_are_not_found() {
    let chain = Chain::recorded().await;
    let node = chain.catalog.node().clone();
    let withheld = "get_trade_order_book";
    let mut selection = Selection::of(Surface::Extended);
    selection.withheld = vec![withheld.to_owned()];
    assert!(selection.listed().all(|it| it.name != withheld));
    let found = async |selection: &Selection| {
        let catalog = Catalog::new(node.clone(), selection).unwrap();
        let entry = catalog.entry("find_tools").unwrap();
        let arguments: Object = [("query".to_owned(), json!("order book"))]
            .into_iter()
            .collect();
        let found = catalog.call(entry, arguments).await.unwrap();
        Value::Object(found.structure()).to_string()
    };
    let is_named = |found: String| found.contains(&format!("\"name\":\"{withheld}\""));
    assert!(is_named(found(&Selection::of(Surface::Extended)).await));
    assert!(!is_named(found(&selection).await));
    chain.stop().await;
}

#[tokio::test]
async fn describe_tool() {
    let cases = [
        ("known", json!({"name": "get_balance"})),
        ("mistyped", json!({"name": "get_balanc"})),
    ];
    check("describe_tool", cases).await;
}

#[tokio::test]
async fn call_tool_answers_as_the_tool_itself() {
    let chain = Chain::recorded().await;
    let arguments = json!({"address": "chloe"});
    let direct = chain.call("get_balance", arguments.clone()).await;
    for arguments in [arguments.clone(), arguments.to_string().into()] {
        let passed = json!({"name": "get_balance", "arguments": arguments});
        let mut passed = chain.call("call_tool", passed).await.unwrap();
        if arguments.is_string() {
            // That the text was read as an object is noted.
            let notes = passed["notes"].as_array_mut().unwrap();
            assert!(notes.pop().is_some());
            if notes.is_empty() {
                passed.as_object_mut().unwrap().remove("notes");
            }
        }
        assert_eq!(Ok(passed), direct);
    }
    let wrong = chain
        .call("call_tool", json!({"name": "get_balance"}))
        .await
        .unwrap_err();
    assert!(
        wrong.starts_with("Missing argument. `address` is required."),
        "{wrong}"
    );
    let itself = chain
        .call("call_tool", json!({"name": "call_tool"}))
        .await
        .unwrap_err();
    assert!(itself.starts_with("Unknown tool."), "{itself}");
    chain.stop().await;
}

const THREE: [&str; 3] = ["find_tools", "describe_tool", "call_tool"];

#[test]
fn larger_surfaces_contain_smaller_ones_and_all_but_extended_the_three_tools() {
    let listed = |surface| {
        let selection = Selection::of(surface);
        selection.listed().map(|it| it.name).collect::<Vec<_>>()
    };
    let [core, standard, python, extended, dynamic] = Surface::ALL.map(listed);
    assert!(core.iter().all(|it| standard.contains(it)));
    assert_eq!(dynamic, THREE);
    let beyond_extended = |surface: &[&str]| {
        assert!(surface.ends_with(&THREE));
        let others = surface.iter().filter(|it| !THREE.contains(it));
        others.filter(|it| !extended.contains(it)).count()
    };
    assert_eq!([&core, &standard].map(|it| beyond_extended(it)), [0, 0]);
    assert_eq!(python.len(), 51 + THREE.len());
    // What another tool answers better is there for programs of the Python server alone.
    let superseded = beyond_extended(&python);
    assert!(THREE.iter().all(|it| !extended.contains(it)));
    let all = extended.len() + superseded + dynamic.len();
    assert_eq!(all, Catalog::entries().count());
}
