//! Plays a script of `cargo xtask interop` with the rmcp client: each step is done, and what the client made
//! of it is a line of JSON. Whether that is right is judged there.

mod answering;
mod script;
mod steps;

use std::{error::Error, fs, io::Write};

use rmcp::{
    ClientLifecycleMode, ClientServiceExt, RoleClient,
    model::ProtocolVersion,
    service::RunningService,
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use tokio::{process::Command, sync::mpsc};

use crate::{answering::Answering, script::Script, steps::Steps};

pub(crate) type Failure = Box<dyn Error>;

/// How many notifications may wait.
const WAITING: usize = 100;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("no script")?;
    let script: Script = serde_json::from_str(&fs::read_to_string(path)?)?;
    let (hear, heard) = mpsc::channel(WAITING);
    let answering = Answering::new(&script, hear);
    let service = match connect(&script, answering).await {
        Ok(service) => service,
        Err(failure) => return say(json!("connect"), Err(failure)),
    };
    let about = match service.peer_info() {
        Some(peer) => Ok(json!({"revision": peer.protocol_version})),
        None => Err("no protocol version".into()),
    };
    say(json!("connect"), about)?;
    let mut steps = Steps::new(service, heard);
    for (index, step) in script.steps.iter().enumerate() {
        say(json!(index), steps.play(step).await)?;
    }
    say(json!("close"), steps.close().await)
}

async fn connect(
    script: &Script,
    answering: Answering,
) -> Result<RunningService<RoleClient, Answering>, Failure> {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = match script.era.as_str() {
        "default" | "legacy" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: None,
        },
        "modern" => ClientLifecycleMode::Discover { preferred_versions },
        other => return Err(format!("no era {other}").into()),
    };
    if let Some(url) = &script.url {
        let transport = StreamableHttpClientTransport::from_uri(url.as_str());
        return Ok(answering.serve_with_lifecycle(transport, lifecycle).await?);
    }
    let (program, arguments) = script.command.split_first().ok_or("no command")?;
    let mut command = Command::new(program);
    command.args(arguments);
    let transport = TokioChildProcess::new(command)?;
    Ok(answering.serve_with_lifecycle(transport, lifecycle).await?)
}

fn say(step: Value, outcome: Result<Value, Failure>) -> Result<(), Failure> {
    let line = match outcome {
        Ok(got) => json!({"step": step, "got": got}),
        Err(failure) => json!({"step": step, "failed": failure.to_string()}),
    };
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
