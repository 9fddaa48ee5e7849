//! A server on the crates of this repository with as many tools as asked for: what a call costs must not depend on that.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use mcp_protocol::{ServerInfo, ToolAnnotations};
use mcp_server::tool_schema::{Text, params, record};
use mcp_server::{Limits, Server, ToolRouter};
use qortal_mcp_bench::address;
use qortal_mcp_bench::args::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const DESCRIPTION: &str = "Whether a text is a valid Qortal address.";

params! {
    struct AddressParams {
        /// Base58 address.
        address: Text<1, 100>
    }
}

record! {
    struct Validity {
        /// The text.
        address: String,
        /// Whether it is an address.
        is_valid: bool
    }
}

async fn validate(params: AddressParams) -> Result<Validity, Infallible> {
    let address = params.address.as_str().to_owned();
    Ok(Validity {
        is_valid: address::is_valid(&address),
        address,
    })
}

/// As many tools as that; the one that is called is in the middle.
fn tools(count: usize) -> ToolRouter {
    let pure = ToolAnnotations::PURE;
    (0..count).fold(ToolRouter::new(), |tools, index| {
        let name = match index == count / 2 {
            true => "validate_address".to_owned(),
            false => format!("validate_address_{index}"),
        };
        tools.tool(name, DESCRIPTION, pure, validate)
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let address: SocketAddr = args.required("--listen")?;
    let count: usize = args.required("--tools")?;
    args.finish()?;
    let server = Server::builder(ServerInfo::new("catalog", env!("CARGO_PKG_VERSION")));
    // The load is one client, and as fast as it can be.
    let limits = Limits::default().with_calls_per_client(None);
    let server = Arc::new(server.limits(limits).tools(tools(count)).build()?);
    let listener = TcpListener::bind(address).await?;
    mcp_http::serve(
        listener,
        mcp_http::Config::new(server),
        CancellationToken::new(),
    )
    .await?;
    Ok(())
}
