//! `qortal-mcp`: MCP on standard input and output.

use std::{io, sync::Arc};

use qortal_tools::Catalogue;

use crate::{
    exit::Exit,
    live::Live,
    run::{limits, server, stop_on_signals},
    text,
};

pub(crate) async fn serve(catalogue: Catalogue) -> Exit {
    match try_serve(catalogue).await {
        Ok(()) => Exit::Success,
        Err(err) => text::complain(&err, Exit::Io),
    }
}

async fn try_serve(catalogue: Catalogue) -> io::Result<()> {
    let stop = stop_on_signals()?;
    tracing::info!(
        tools = catalogue.listed().len(),
        "serving on standard input and output"
    );
    let catalogue = Arc::new(catalogue);
    let live = Live::new(Arc::clone(&catalogue));
    let server = Arc::new(server(catalogue, &live).limits(limits()).build());
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    let served = mcp_stdio::serve(server, input, output, stop, mcp_stdio::Limits::default()).await;
    live.stop().await;
    served
}
