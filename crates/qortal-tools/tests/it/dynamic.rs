//! The three tools that stand for all.

use std::sync::Arc;

use mcp_server::{CallContext, ResourceSet, Scope, ToolSet};
use qortal_client::{Config, Node};
use qortal_testnode::Scenario;
use qortal_tools::{Catalog, Object, OutputSchemas, Selection, Surface, mcp::Resources};
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
    let mut selection = Selection::of(Surface::Full);
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
    assert!(is_named(found(&Selection::of(Surface::Full)).await));
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
fn larger_surfaces_contain_smaller_ones_and_all_but_full_the_three_tools() {
    let listed = |surface| {
        let selection = Selection::of(surface);
        selection.listed().map(|it| it.name).collect::<Vec<_>>()
    };
    let [core, standard, python, full, dynamic] = Surface::ALL.map(listed);
    assert!(core.iter().all(|it| standard.contains(it)));
    assert_eq!(dynamic, THREE);
    let beyond_full = |surface: &[&str]| {
        assert!(surface.ends_with(&THREE));
        let others = surface.iter().filter(|it| !THREE.contains(it));
        others.filter(|it| !full.contains(it)).count()
    };
    assert_eq!([&core, &standard].map(|it| beyond_full(it)), [0, 0]);
    assert_eq!(python.len(), 51 + THREE.len());
    // What another tool answers better is there for programs of the Python server alone.
    let superseded = beyond_full(&python);
    assert!(THREE.iter().all(|it| !full.contains(it)));
    let all = full.len() + superseded + dynamic.len();
    assert_eq!(all, Catalog::entries().count());
}

#[tokio::test]
async fn schemas_of_answers_are_listed_unless_the_surface_is_small_or_they_are_off() {
    use OutputSchemas::{Lean, Off};

    for (surface, output_schemas, expected) in [
        (Surface::Core, None, Off),
        (Surface::Standard, None, Lean),
        (Surface::Python, None, Lean),
        (Surface::Full, None, Lean),
        (Surface::Dynamic, None, Lean),
        (Surface::Core, Some(Lean), Lean),
        (Surface::Full, Some(Off), Off),
    ] {
        let chain = Chain::recorded().await;
        let mut selection = Selection::of(surface);
        selection.output_schemas = output_schemas;
        let catalog = Catalog::new(chain.catalog.node().clone(), &selection).unwrap();
        assert_eq!(catalog.selection().output_schemas(), expected);
        for tool in catalog.tools(&Scope::default()) {
            // A tool that may answer with a picture has none.
            let pictures = catalog.entry(&tool.name).unwrap().pictures;
            assert_eq!(
                tool.output_schema.is_some(),
                expected == Lean && !pictures,
                "{surface:?} {}",
                tool.name
            );
        }
        // What is listed changes no answer.
        let entry = catalog.entry("get_block_height").unwrap();
        let answer = catalog.call(entry, Object::new()).await.unwrap();
        assert_eq!(answer.structure()["height"], 468);
        chain.stop().await;
    }
}

/// Who called a tool by its name can do so again.
#[tokio::test]
async fn next_calls_are_those_of_listed_tools() {
    let limit = json!({"limit": 2});
    let identifier = json!({"text": "200"});
    let through = |name: &str, arguments: &Value| json!({"name": name, "arguments": arguments});
    for (surface, tool, arguments, expected) in [
        (
            Surface::Dynamic,
            "list_names",
            limit.clone(),
            "\"next\":{\"tool\":\"list_names\"",
        ),
        (
            Surface::Dynamic,
            "call_tool",
            through("list_names", &limit),
            "\"next\":{\"tool\":\"call_tool\",\"arguments\":{\"name\":\"list_names\",\"arguments\":{\"limit\":2",
        ),
        (
            Surface::Full,
            "call_tool",
            through("list_names", &limit),
            "\"next\":{\"tool\":\"list_names\"",
        ),
        (
            Surface::Dynamic,
            "call_tool",
            through("inspect_identifier", &identifier),
            "\"next\":{\"tool\":\"call_tool\",\"arguments\":{\"name\":\"get_block_by_height\"",
        ),
    ] {
        let chain = Chain::listing(surface, Scenario::recorded(), None).await;
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}");
        };
        let cx = CallContext::default();
        let call = ToolSet::call(&chain.catalog, tool, arguments, &cx).unwrap();
        let said = format!("{:?}", call.await).replace('\\', "");
        assert!(said.contains(expected), "{surface:?} {tool}: {said}");
        chain.stop().await;
    }
}

#[cfg(feature = "charts")]
#[tokio::test]
async fn a_picture_counts_as_many_calls_however_it_is_asked_for() {
    let node = Node::new(Config::new("http://127.0.0.1:9")).unwrap();
    let catalog = Catalog::new(node, &Selection::default()).unwrap();
    let resources = Resources::new(Arc::new(catalog.clone()));
    let of_call = |name: &str, arguments: Value| {
        let cx = CallContext::default();
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}");
        };
        drop(ToolSet::call(&catalog, name, arguments, &cx));
        cx.calls()
    };
    let of_resource = |uri: &str| {
        let cx = CallContext::default();
        drop(resources.read(uri, &cx));
        cx.calls()
    };
    let picture = of_call("get_picture", json!({"of": "minters"}));
    assert!(picture > 10, "{picture}");
    for (calls, expected) in [
        (of_call("get_price_chart", json!({})), picture),
        (
            of_call("call_tool", json!({"name": "get_picture"})),
            picture,
        ),
        (of_call("call_tool", json!({"name": "get_balance"})), 1),
        (of_call("describe_tool", json!({"name": "get_picture"})), 1),
        (of_call("get_balance", json!({})), 1),
        (of_resource("qortal://chart/price/LITECOIN.png"), picture),
        (of_resource("qortal://chain/tip"), 1),
        (of_resource("qortal://none"), 1),
    ] {
        assert_eq!(calls, expected);
    }
}
