//! The program at the other end of two pipes.

use std::process::Stdio as Pipe;

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::client::{Heard, is_request, response_to, soon};

pub(crate) struct Stdio {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Stdio {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_everything-server"))
            .stdin(Pipe::piped())
            .stdout(Pipe::piped())
            .stderr(Pipe::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        soon(self.input.write_all(line.as_bytes())).await.unwrap();
    }

    /// The next line, which has to be a message.
    pub(crate) async fn hear(&mut self) -> Value {
        let line = soon(self.output.next_line()).await.unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) async fn exchange(&mut self, message: &Value) -> Heard {
        self.say(message).await;
        let mut before = Vec::new();
        loop {
            let heard = self.hear().await;
            if is_request(&heard) {
                self.say(&response_to(&heard)).await;
            } else if heard.get("method").is_none() {
                return Heard {
                    before,
                    response: heard,
                };
            }
            before.push(heard);
        }
    }

    pub(crate) async fn finish(mut self) {
        drop(self.input);
        while soon(self.output.next_line()).await.unwrap().is_some() {}
        let status = soon(self.child.wait()).await.unwrap();
        assert!(status.success(), "{status}");
    }
}
