//! The tools of a catalog as a set of an MCP server.

use std::{collections::HashMap, sync::Arc};

use mcp_protocol::Tool;
use mcp_server::tool_schema::remove_descriptions;
use mcp_server::{CallContext, LazyTool, ListVariant, ResourceSet, ToolReply, ToolSet};
use qortal_client::{Node, NodeConfig};
use qortal_resources::mcp::{Resources, Tools};
use qortal_testnode::Scenario;
use qortal_tools::{Catalog, Object, OutputSchemas, Selection, Surface};
use serde_json::{Value, json};
use test_chain::Chain;

#[tokio::test]
async fn schemas_of_answers_are_listed_unless_the_surface_is_small_or_they_are_off() {
    use OutputSchemas::{Full, Lean, Off};

    for (surface, output_schemas, expected) in [
        (Surface::Core, None, Off),
        (Surface::Standard, None, Lean),
        (Surface::Python, None, Lean),
        (Surface::Extended, None, Lean),
        (Surface::Dynamic, None, Lean),
        (Surface::Core, Some(Lean), Lean),
        (Surface::Extended, Some(Off), Off),
        (Surface::Core, Some(Full), Full),
        (Surface::Python, Some(Off), Off),
    ] {
        let chain = Chain::recorded().await;
        let mut selection = Selection::of(surface);
        selection.output_schemas = output_schemas;
        let catalog = Catalog::new(chain.catalog.node().clone(), &selection).unwrap();
        let catalog = Arc::new(catalog);
        assert_eq!(catalog.selection().output_schemas(), expected);
        for tool in Tools::new(Arc::clone(&catalog)).tools(&ListVariant::default()) {
            // A tool that may return an image has no output schema.
            let images = catalog.entry(&tool.name).unwrap().images;
            assert_eq!(
                tool.output_schema.is_some(),
                expected != Off && !images,
                "{surface:?} {}",
                tool.name
            );
            let schema = tool.output_schema.unwrap_or_default();
            let mut brief = schema.clone();
            remove_descriptions(&mut brief);
            let is_described = brief != schema;
            assert_eq!(
                is_described,
                expected == Full && !images,
                "{surface:?} {}",
                tool.name
            );
        }
        // Results repeat their text as structured content where a schema may describe it.
        let tools = Tools::new(catalog);
        let cx = CallContext::default();
        let call = tools.call("get_block_height", Object::new(), &cx).unwrap();
        let is_text_only = match call.await {
            ToolReply::Result(result) => result.structured_content.is_none(),
            _ => false,
        };
        assert_eq!(
            is_text_only,
            expected == Off && surface != Surface::Python,
            "{surface:?}"
        );
        chain.stop().await;
    }
}

/// A tool that was called by its name can be called again.
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
            Surface::Extended,
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
        let tools = Tools::new(Arc::new(chain.catalog));
        let call = tools.call(tool, arguments, &cx).unwrap();
        let said = format!("{:?}", call.await).replace('\\', "");
        assert!(said.contains(expected), "{surface:?} {tool}: {said}");
        chain.node.stop().await;
    }
}

#[cfg(feature = "charts")]
#[tokio::test]
async fn a_chart_counts_as_many_calls_however_it_is_asked_for() {
    let node = Node::new(NodeConfig::new("http://127.0.0.1:9")).unwrap();
    let catalog = Catalog::new(node, &Selection::default()).unwrap();
    let catalog = Arc::new(catalog);
    let resources = Resources::new(Arc::clone(&catalog));
    let tools = Tools::new(catalog);
    let of_call = |name: &str, arguments: Value| {
        let cx = CallContext::default();
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}");
        };
        drop(tools.call(name, arguments, &cx));
        cx.rate_weight()
    };
    let of_resource = |uri: &str| {
        let cx = CallContext::default();
        drop(resources.read(uri, &cx));
        cx.rate_weight()
    };
    let chart = of_call("get_chart", json!({"kind": "minters"}));
    assert!(chart > 10, "{chart}");
    for (calls, expected) in [
        (of_call("get_price_chart", json!({})), chart),
        (of_call("call_tool", json!({"name": "get_chart"})), chart),
        (of_call("call_tool", json!({"name": "get_balance"})), 1),
        (of_call("describe_tool", json!({"name": "get_chart"})), 1),
        (of_call("get_balance", json!({})), 1),
        (of_resource("qortal://chart/price/LITECOIN.png"), chart),
        (of_resource("qortal://chain/tip"), 1),
        (of_resource("qortal://none"), 1),
    ] {
        assert_eq!(calls, expected);
    }
}

#[tokio::test]
async fn outlines_are_the_tools_of_every_selection_without_their_schemas() {
    let chain = Chain::recorded().await;
    let node = chain.catalog.node().clone();
    let catalog = Arc::new(Catalog::new(node, &Selection::default()).unwrap());
    let tools = Tools::new(Arc::clone(&catalog));
    let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
    let mut seen = HashMap::<_, Tool>::new();
    for surface in Surface::ALL {
        for (include, exclude) in [
            (vec![], vec![]),
            (vec!["get_block_height"], vec!["list_names"]),
            (vec![], vec!["call_tool"]),
            (vec!["call_tool"], vec!["find_tools", "get_name_info"]),
        ] {
            for (schemas, views) in [(None, false), (Some(OutputSchemas::Lean), true)] {
                let mut selection = Selection::of(surface);
                selection.include = names(&include);
                selection.exclude = names(&exclude);
                selection.output_schemas = schemas;
                selection.views = views;
                let scope = ListVariant::private("any").with_data(Arc::new(selection));
                let outlines = tools.outlines(&scope).unwrap();
                let outlined: Vec<_> = outlines.iter().map(LazyTool::tool).collect();
                assert_eq!(outlined, tools.tools(&scope), "{surface:?}");
                // Tools of one variant differ only in their descriptions.
                for (outline, mut tool) in outlines.iter().zip(outlined) {
                    tool.description.clear();
                    let same = seen.entry((tool.name.clone(), outline.variant()));
                    assert_eq!(*same.or_insert_with(|| tool.clone()), tool);
                }
            }
        }
    }
    chain.stop().await;
}
