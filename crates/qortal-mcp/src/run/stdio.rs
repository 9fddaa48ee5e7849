//! `qortal-mcp`: MCP on standard input and output.

use std::io;

use mcp_server::Limits;
use qortal_tools::Catalogue;

use crate::{
    exit::Exit,
    run::{server, stop_on_signals},
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
    let server = server(catalogue, Limits::default());
    let (input, output) = (mcp_stdio::stdin()?, mcp_stdio::stdout()?);
    mcp_stdio::serve(server, input, output, stop, mcp_stdio::Limits::default()).await
}
