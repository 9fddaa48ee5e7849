//! The configuration of this server.

use std::time::Duration;

use crate::{
    OutputSchemas,
    declare::{Context, Reply, Tool, ToolError, count},
};

params! { pub(crate) struct GetServerConfig; }

record! {
    pub(crate) struct ServerConfig {
        /// The version of the server.
        version: &'static str,
        /// The URL of the queried node. URLs with user names or passwords are rejected at start.
        node_url: String,
        /// Whether it has an API key for the node.
        has_api_key: bool,
        /// Nodes queried while the configured one is unreachable. They never receive the key.
        public_node_urls: Vec<String>,
        /// The number of nodes compared by compare_nodes.
        compared_nodes: u32,
        /// Requests sent to a node at once, at most.
        concurrency: u32,
        /// Limit for connecting, in seconds.
        connect_timeout: f64,
        /// Limit for a response, in seconds.
        timeout: f64,
        /// Limit for an expensive response, in seconds.
        slow_timeout: f64,
        /// The preset list of tools. Unlisted tools can still be called by name.
        surface: &'static str,
        /// The listed toolsets. Empty for all.
        toolsets: Vec<String>,
        /// Additional listed tools.
        tools: Vec<String>,
        /// Tools excluded from lists.
        exclude_tools: Vec<String>,
        /// Whether listed tools come with the schemas of their answers: off, lean or full.
        output_schemas: &'static str,
        /// Whether tools are linked to views, shown by hosts next to answers.
        views: bool
    }
}

impl Tool for GetServerConfig {
    const NAME: &str = "get_server_config";
    const TITLE: &str = "Server configuration";
    const DESCRIPTION: &str =
        "How this MCP server is configured. The node itself: get_node_settings.";
    const KEYWORDS: &str = "server, configuration, settings of this server, api key, mcp";
    const USES_NODE: bool = false;
    type Output = Reply<ServerConfig>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let timeouts = cx.node.timeouts();
        let selection = &*cx.selection;
        let config = ServerConfig {
            version: env!("CARGO_PKG_VERSION"),
            node_url: cx.node.url().to_owned(),
            has_api_key: cx.node.has_api_key(),
            public_node_urls: cx.node.public_urls().map(str::to_owned).collect(),
            compared_nodes: count(cx.comparison.len()),
            concurrency: count(cx.node.concurrency()),
            connect_timeout: seconds(timeouts.connect),
            timeout: seconds(timeouts.quick),
            slow_timeout: seconds(timeouts.slow),
            surface: selection.surface.name(),
            toolsets: selection.families.clone(),
            tools: selection.include.clone(),
            exclude_tools: selection.exclude.clone(),
            output_schemas: match selection.output_schemas() {
                OutputSchemas::Off => "off",
                OutputSchemas::Lean => "lean",
                OutputSchemas::Full => "full",
            },
            views: selection.views,
        };
        let reply = Reply::new(config);
        let others: Vec<_> = cx.node.own_urls().collect();
        let reply = if others.is_empty() {
            reply
        } else {
            reply.note(format!(
                "Before public nodes it queries its other configured nodes: {}.",
                others.join(", ")
            ))
        };
        Ok(match &cx.node_note {
            Some(note) => reply.note(&**note),
            None => reply,
        })
    }
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}
