//! The three tools that stand for all.

use mcp_server::{Scope, ToolSet};
use qortal_tools::{Catalog, Object, OutputSchemas, Selection, Surface};
use serde_json::json;

use crate::{Chain, check};

#[tokio::test]
async fn find_tools() {
    for (case, arguments) in [
        ("by_words", json!({"query": "open trade offers"})),
        ("nothing_fits", json!({"query": "weather forecast"})),
    ] {
        check("find_tools", case, arguments).await;
    }
    let chain = Chain::recorded().await;
    let all = chain
        .call("find_tools", json!({"limit": 100}))
        .await
        .unwrap();
    assert_eq!(all["total"], Catalog::entries().count() - 3);
    chain.stop().await;
}

#[tokio::test]
async fn describe_tool() {
    check("describe_tool", "known", json!({"name": "get_balance"})).await;
    check("describe_tool", "mistyped", json!({"name": "get_balanc"})).await;
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
            assert!(passed["notes"].as_array_mut().unwrap().pop().is_some());
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

#[test]
fn surfaces_contain_each_other_but_for_the_dynamic_one() {
    let listed = |surface| {
        let selection = Selection::of(surface);
        selection.listed().map(|it| it.name).collect::<Vec<_>>()
    };
    let [core, standard, full, dynamic] = Surface::ALL.map(listed);
    assert!(core.iter().all(|it| standard.contains(it)));
    assert!(standard.iter().all(|it| full.contains(it)));
    assert_eq!(dynamic, ["find_tools", "describe_tool", "call_tool"]);
    assert!(dynamic.iter().all(|it| !full.contains(it)));
    assert_eq!(full.len() + dynamic.len(), Catalog::entries().count());
}

#[tokio::test]
async fn schemas_of_answers_are_listed_unless_the_surface_is_small_or_they_are_off() {
    use OutputSchemas::{Lean, Off};

    for (surface, output_schemas, expected) in [
        (Surface::Core, None, Off),
        (Surface::Standard, None, Lean),
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
        assert_eq!(answer.structure["height"], 468);
        chain.stop().await;
    }
}
