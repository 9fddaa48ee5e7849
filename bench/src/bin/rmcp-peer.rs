//! A minimal server on the official Rust SDK with the one equivalent tool, over HTTP or stdio.
//!
//! Its HTTP side has no sessions, answers in JSON and shares the accept loop of the other peers: the SDK at its best.

use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hyper_util::service::TowerToHyperService;
use qortal_mcp_bench::address;
use qortal_mcp_bench::args::Args;
use qortal_mcp_bench::serve::serve;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

const TOOL: &str = "validate_address";

#[derive(Clone)]
struct Peer {
    tools: Arc<Vec<Tool>>,
}

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut config = ServerConfig::new(capabilities);
        config.server_info = Implementation::new("rmcp-peer", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.as_ref().clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != TOOL {
            let problem = format!("Unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(problem, None));
        }
        Ok(validate(request.arguments.as_ref()).into())
    }
}

fn validate(arguments: Option<&JsonObject>) -> CallToolResult {
    match arguments.and_then(|arguments| arguments.get("address")) {
        Some(Value::String(text)) => CallToolResult::structured(json!({
            "address": text,
            "isValid": address::is_valid(text),
        })),
        _ => CallToolResult::error(vec![ContentBlock::text("address must be a string")]),
    }
}

/// The tools of `tools/list`: those in a file, so that its answer is as long as ours, or the one there is.
fn tools(listed: Option<&Path>) -> Result<Vec<Tool>, Box<dyn Error>> {
    if let Some(path) = listed {
        return Ok(serde_json::from_slice(&std::fs::read(path)?)?);
    }
    let tool = json!([{
        "name": TOOL,
        "description": "Whether a text is a valid Qortal address.",
        "inputSchema": {
            "type": "object",
            "properties": {"address": {"type": "string", "description": "Base58 address."}},
            "required": ["address"],
            "additionalProperties": false,
        },
        "outputSchema": {
            "type": "object",
            "properties": {"address": {"type": "string"}, "isValid": {"type": "boolean"}},
            "required": ["address", "isValid"],
        },
        "annotations": {"readOnlyHint": true},
    }]);
    Ok(serde_json::from_value(tool)?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let listed: Option<PathBuf> = args.optional("--tools")?;
    let peer = Peer {
        tools: Arc::new(tools(listed.as_deref())?),
    };
    if args.switch("--stdio") {
        args.finish()?;
        peer.serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let address: SocketAddr = args.required("--listen")?;
    args.finish()?;
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(peer.clone()), sessions, config);
    Ok(serve(address, TowerToHyperService::new(service)).await?)
}
