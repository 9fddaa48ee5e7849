//! Start-up: from the spawn of a server to its first answered `initialize`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Instant;

use memchr::memmem::Finder;
use qortal_mcp_bench::args::{Args, UsageError};
use tokio::process::Command;

use crate::failure::Failure;
use crate::http::first_answer;
use crate::stdio::{Server, greet, read};

/// Starts the command `--times` times over and returns the milliseconds each took.
///
/// With `--address` the greeting is an HTTP request, else lines for the server's input.
pub(crate) async fn start(mut args: Args) -> Result<Vec<f64>, Failure> {
    let times: usize = args.required("--times")?;
    let greeting = read(&args.required::<PathBuf>("--greeting")?)?;
    let address: Option<SocketAddr> = args.optional("--address")?;
    let command = args.finish()?;
    let mut milliseconds = Vec::new();
    for _ in 0..times {
        let started = Instant::now();
        let taken = match address {
            Some(address) => over_http(started, &command, address, &greeting).await?,
            None => over_stdio(started, &command, &greeting).await?,
        };
        milliseconds.push(taken);
    }
    Ok(milliseconds)
}

async fn over_stdio(started: Instant, command: &[String], greeting: &[u8]) -> Result<f64, Failure> {
    let mut server = Server::start(command)?;
    greet(&mut server, greeting).await?;
    let taken = started.elapsed();
    server.stop().await?;
    Ok(taken.as_secs_f64() * 1000.0)
}

async fn over_http(
    started: Instant,
    command: &[String],
    address: SocketAddr,
    greeting: &[u8],
) -> Result<f64, Failure> {
    let (program, arguments) = command
        .split_first()
        .ok_or_else(|| UsageError::new("no command after --".to_owned()))?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(Failure::io(program))?;
    first_answer(greeting, address, &Finder::new("{")).await?;
    let taken = started.elapsed();
    child.kill().await.map_err(Failure::io("end the server"))?;
    Ok(taken.as_secs_f64() * 1000.0)
}
