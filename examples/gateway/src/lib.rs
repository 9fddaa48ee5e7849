//! A set of tools that are those of other servers.

use mcp_client::{Client, ClientError};
use mcp_protocol::{CallToolResult, Object, Tool};
use mcp_server::{BoxFuture, CallContext, ListVariant, ToolReply, ToolSet};

/// The servers behind the gateway, their tools, and what stands before the names of these.
#[derive(Debug, Default)]
pub struct Gateway(Vec<(String, Client, Vec<Tool>)>);

impl Gateway {
    /// With the tools of one more server.
    ///
    /// # Errors
    /// Fails if it has no list of them.
    pub async fn add(&mut self, prefix: String, client: Client) -> Result<(), ClientError> {
        let mut tools = client.list_all::<Tool>().await?;
        for tool in &mut tools {
            tool.name.insert_str(0, &prefix);
        }
        self.0.push((prefix, client, tools));
        Ok(())
    }
}

impl ToolSet for Gateway {
    fn tools(&self, _: &ListVariant) -> Vec<Tool> {
        let all = self.0.iter().flat_map(|(_, _, tools)| tools);
        all.cloned().collect()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let mut servers = self.0.iter();
        let (prefix, client, _) = servers.find(|(prefix, ..)| name.starts_with(prefix))?;
        let name = name.strip_prefix(prefix)?.to_owned();
        Some(Box::pin(async move {
            let result = client.call_tool(&name, arguments).await;
            let result = result.unwrap_or_else(|why| CallToolResult::error(why.to_string()));
            result.into()
        }))
    }
}
