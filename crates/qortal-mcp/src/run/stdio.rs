//! `qortal-mcp`: MCP on standard input and output.

use std::{
    io::{self, IsTerminal},
    sync::Arc,
    time::Duration,
};

use mcp_operate::Signals;
use mcp_server::InMemoryTaskStore;
use qortal_resources::mcp::ResourceUpdates;
use qortal_tools::Catalog;

use crate::{
    args::Arguments,
    config::Config,
    exit::Exit,
    operate::{Observers, Transport},
    run::{configured, reload::Reload, server},
    text,
};

pub(crate) async fn serve(
    config: &Config,
    arguments: &Arc<Arguments>,
    catalog: Catalog,
) -> io::Result<Exit> {
    let reload = Reload::new(config, arguments);
    let stop = Signals::handle(Duration::ZERO, move || reload.run())?.stop;
    tracing::info!(
        tools = catalog.selection().listed().count(),
        "serving on standard input and output"
    );
    if io::stdin().is_terminal() {
        text::print_note(
            "Waiting for an MCP host on standard input. Press Ctrl-D to stop. Commands for people:\n  \
             qortal-mcp install HOST --write   add this server to Claude, Codex, Cursor, VS Code and others\n  \
             qortal-mcp call TOOL              call a tool from here (qortal-mcp tools lists them)\n  \
             qortal-mcp http                   serve at a URL",
        );
    }
    let catalog = Arc::new(catalog);
    let live = ResourceUpdates::new(Arc::clone(&catalog));
    let server = server(catalog, &live)
        .tasks(InMemoryTaskStore::default())
        .limits(configured(config))
        .memory_budget(config.memory.clone());
    let observed = Observers::start(Transport::Stdio, server);
    let (observers, server) = observed.map_err(io::Error::other)?;
    let server = Arc::new(server.build().map_err(io::Error::other)?);
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    let bounds = mcp_stdio::StdioLimits::default().with_grace_period(config.values.drain_timeout);
    let served = mcp_stdio::serve(server, input, output, stop, bounds).await;
    live.stop().await;
    observers.stop().await;
    Ok(served?.into())
}
