//! One request over HTTP, to a server that may still be starting.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use memchr::memmem::Finder;
use qortal_mcp_bench::args::Args;
use tokio::time::timeout;

use crate::exchange::exchange;
use crate::failure::Failure;
use crate::stdio::read;

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Makes one request, waiting for the server to listen, and returns the body of its answer.
pub(crate) async fn once(mut args: Args) -> Result<Vec<u8>, Failure> {
    let address = args.required("--address")?;
    let request = read(&args.required::<PathBuf>("--request")?)?;
    let needle: String = args.required("--needle")?;
    args.finish()?;
    first_answer(&request, address, &Finder::new(needle.as_bytes())).await
}

/// Returns the first answer of a server that is starting. Asks without a pause: a start is measured in fractions of a millisecond. But
/// whenever it is refused it gives way, since a new process is on the CPU of the load until it is moved to its own.
pub(crate) async fn first_answer(
    request: &[u8],
    address: SocketAddr,
    needle: &Finder<'_>,
) -> Result<Vec<u8>, Failure> {
    let answered = async {
        let stream = loop {
            match tokio::net::TcpStream::connect(address).await {
                Ok(stream) => break stream,
                Err(_) => thread::yield_now(),
            }
        };
        exchange(stream, request, needle).await
    };
    timeout(PATIENCE, answered)
        .await
        .map_err(|_| Failure::TooLong("the first answer"))?
}
