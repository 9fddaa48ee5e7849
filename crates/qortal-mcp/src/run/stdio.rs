//! `qortal-mcp`: MCP on standard input and output.

use std::{io, sync::Arc};

use qortal_tools::Catalog;

use crate::{
    exit::Exit,
    live::Live,
    run::{limits, server, stop_on_signals},
    text,
};

pub(crate) async fn serve(catalog: Catalog) -> Exit {
    match try_serve(catalog).await {
        Ok(()) => Exit::Success,
        Err(err) => text::print_error(&err, Exit::Io),
    }
}

async fn try_serve(catalog: Catalog) -> io::Result<()> {
    let stop = stop_on_signals()?;
    tracing::info!(
        tools = catalog.selection().listed().count(),
        "serving on standard input and output"
    );
    let catalog = Arc::new(catalog);
    let live = Live::new(Arc::clone(&catalog));
    let server = server(catalog, &live)
        .limits(limits())
        .build()
        .map_err(io::Error::other)?;
    let server = Arc::new(server);
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    let served = mcp_stdio::serve(server, input, output, stop, mcp_stdio::Limits::default()).await;
    live.stop().await;
    served
}
