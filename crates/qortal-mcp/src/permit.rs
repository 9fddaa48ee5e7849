//! The tools of the catalog, as the scopes of tokens name them.

use std::sync::Arc;

use mcp_operate::{ScopeGrants, ScopedSet, ScopedToolResolver};
use mcp_server::ServerBuilder;
use qortal_resources::{
    Completions,
    mcp::{Prompts, ResourceUpdates, Resources, Tools},
    sources, tool_at,
};
use qortal_tools::{CALL_TOOL, Catalog, Object};
use serde_json::Value;

use crate::run::server_without_sets;

/// Tools that tell of others, and the one that calls them by name: what it calls is looked at instead.
const ALWAYS: &str = "dynamic";

/// Reads the rules of scopes, with the names of toolsets and tools; `None` if one is invalid.
pub(crate) fn rules<'a>(rules: impl IntoIterator<Item = &'a str>) -> Option<ScopeGrants> {
    ScopeGrants::parse(rules, tools, Some(ALWAYS))
}

/// The tools of a toolset, or the one tool, of this name.
fn tools(name: &str) -> Option<Vec<&'static str>> {
    let family = Catalog::families().iter().find(|it| it.name == name);
    match family {
        Some(family) => Some(family.tools.iter().map(|it| it.name).collect()),
        None => Catalog::find(name).ok().map(|it| vec![it.name]),
    }
}

/// A server all of whose sets are for callers with scopes.
pub(crate) fn in_server(
    catalog: &Arc<Catalog>,
    live: &ResourceUpdates,
    rules: &Arc<ScopeGrants>,
) -> ServerBuilder {
    let tools: Arc<dyn ScopedToolResolver> = Arc::new(Index(Arc::clone(catalog)));
    let resources = Resources::new(Arc::clone(catalog)).with_subscriptions(&live.subscriptions);
    let listed = Tools::new(Arc::clone(catalog));
    let prompts = Prompts::new(Arc::clone(catalog));
    let completions = Completions::new(Arc::clone(catalog));
    server_without_sets(catalog, live)
        .tools(ScopedSet::with_grants(listed, rules, &tools))
        .resources(ScopedSet::with_grants(resources, rules, &tools))
        .prompts(ScopedSet::with_grants(prompts, rules, &tools))
        .completer(ScopedSet::with_grants(completions, rules, &tools))
}

#[derive(Debug)]
struct Index(Arc<Catalog>);

impl ScopedToolResolver for Index {
    fn target_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &Object,
    ) -> Result<Option<&'a str>, String> {
        if name != CALL_TOOL || self.0.entry(name).is_none() {
            return Ok(self.0.entry(name).map(|it| it.name));
        }
        let target = arguments.get("name").and_then(Value::as_str);
        // Only a name as it is written in the catalog can be looked up in the rules: others might be read as one.
        match Catalog::find(target.unwrap_or_default()) {
            Ok(entry) => Ok(Some(entry.name)),
            Err(err) => Err(format!("Unknown tool. {err}.")),
        }
    }

    fn tool_of_resource(&self, uri: &str) -> Option<&str> {
        tool_at(&self.0, uri).map(|it| it.name)
    }

    fn tool_of_template(&self, template: &str) -> Option<&str> {
        let mut sources = sources(&self.0);
        let source = sources.find(|(source, _)| source.template == template);
        source.map(|(_, entry)| entry.name)
    }
}

#[cfg(test)]
mod tests {
    use qortal_tools::Selection;

    use super::*;

    #[test]
    fn a_resource_and_a_template_are_for_those_who_may_call_the_tool() {
        let node = qortal_client::Node::new(qortal_client::NodeConfig::new("http://127.0.0.1:9"));
        let catalog = Catalog::new(node.unwrap(), &Selection::default()).unwrap();
        let index = Index(Arc::new(catalog));
        let block = "qortal://block/468";
        assert_eq!(index.tool_of_resource(block), Some("get_block_by_height"));
        assert_eq!(
            index.tool_of_template("qortal://block/{height}"),
            Some("get_block_by_height")
        );
        assert_eq!(index.tool_of_resource("qortal://none"), None);
        assert_eq!(index.tool_of_template(block), None);
    }

    #[test]
    fn a_rule_names_toolsets_and_tools_of_the_catalog() {
        for (text, is_valid) in [
            ("q:read, q:trade=trade+get_balance", true),
            ("a=nothing", false),
            ("a=trade+", false),
        ] {
            assert_eq!(rules(text.split(',')).is_some(), is_valid, "{text}");
        }
        let rules = rules(["q:trade=trade+get_balance"]).unwrap();
        let grant = mcp_server::AuthInfo::default().with_scope("q:trade");
        let permit = rules.permissions(Some(&grant));
        let all = ["get_balance", "get_trade_price", "find_tools", CALL_TOOL];
        assert!(all.into_iter().all(|it| permit.allows_tool(it)));
        assert!(!permit.allows_tool("list_polls"));
    }
}
