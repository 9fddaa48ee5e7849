//! The simulated node as a process of its own, each answer delayed; writes its URL, and for each line it reads how many
//! requests came so far, and serves until it is ended.

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use qortal_mcp_bench::args::Args;
use qortal_testnode::{Scenario, TestNode};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = Args::of_process();
    let latency: u64 = args.required("--latency-ms")?;
    args.finish()?;
    let node = TestNode::start_lenient(Scenario::recorded()).await?;
    node.latency(Duration::from_millis(latency));
    writeln!(std::io::stdout(), "{}", node.url())?;
    let mut lines = BufReader::new(stdin()).lines();
    while lines.next_line().await?.is_some() {
        writeln!(std::io::stdout(), "{}", node.request_count())?;
    }
    // Without anyone who could ask, it serves all the same.
    std::future::pending().await
}
