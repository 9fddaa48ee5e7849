//! An MCP server that uses every feature of the crates, over stdio or HTTP. It is an example to read, and
//! what the official conformance suite runs against: the names of tools, prompts and resources are the suite's.

mod asking;
mod asking_handshake;
mod changing;
mod content;
mod prompts;
mod resources;
mod skill;
mod tasks;
mod tool;
mod view;

use std::{
    error::Error,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use mcp_protocol::ServerInfo;
use mcp_server::{
    BuildError, ChangeNotifier, InMemoryTaskStore, ListKinds, Server, ServerLimits, ShutdownToken,
};
use tokio::net::TcpListener;

/// Here no one waits for a tool that can be a task.
const TASK_AFTER: Duration = Duration::from_millis(100);

type Failure = Box<dyn Error + Send + Sync>;

/// Builds the server. Everything it offers is in one of the modules.
fn server() -> Result<Server, BuildError> {
    let changes = ChangeNotifier::new();
    let has_more_prompts = Arc::new(AtomicBool::new(false));
    Server::builder(ServerInfo::new(
        "everything-server",
        env!("CARGO_PKG_VERSION"),
    ))
    .tools(changing::Tools::new(&changes, &has_more_prompts))
    .resources(resources::resources())
    .view(view::view())
    .skill(skill::skill())
    .prompts(prompts::Prompts::new(has_more_prompts))
    .completer(prompts::Completions)
    .list_changed(&changes, ListKinds::ALL)
    .logging()
    .tasks(InMemoryTaskStore::default())
    .limits(ServerLimits::default().with_task_after(TASK_AFTER))
    .sends_requests()
    .instructions("Tools, prompts and resources that use every feature of the protocol.")
    .build()
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let server = Arc::new(server()?);
    let stop = ShutdownToken::new();
    let on_signal = stop.clone();
    let signal = tokio::spawn(async move {
        // Without signals the server ends with its input, or by force.
        if tokio::signal::ctrl_c().await.is_ok() {
            on_signal.start_draining();
        }
    });
    let served = match std::env::args().nth(1).as_deref() {
        None => stdio(server, stop).await,
        Some(address) => http(server, address, stop).await,
    };
    signal.abort();
    served
}

async fn stdio(server: Arc<Server>, stop: ShutdownToken) -> Result<(), Failure> {
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    mcp_stdio::serve(
        server,
        input,
        output,
        stop,
        mcp_stdio::StdioLimits::default(),
    )
    .await?;
    Ok(())
}

async fn http(server: Arc<Server>, address: &str, stop: ShutdownToken) -> Result<(), Failure> {
    let listener = TcpListener::bind(address).await?;
    // With port 0 the system chooses one.
    let address = listener.local_addr()?;
    announce(&format!("http://{address}/mcp"))?;
    mcp_http::serve(listener, mcp_http::HttpConfig::new(server), stop).await?;
    Ok(())
}

fn announce(url: &str) -> Result<(), std::io::Error> {
    use std::io::Write;
    writeln!(std::io::stderr(), "listening on {url}")
}
