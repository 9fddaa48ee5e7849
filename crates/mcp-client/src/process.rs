//! The child process of a client. A task owns it, so any clone of the client can wait for its end.

use tokio::process::Child;
use tokio_util::sync::CancellationToken;

use crate::tasks::Tasks;

/// The child process that a client has started.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    kill: CancellationToken,
    ended: CancellationToken,
}

impl ServerProcess {
    pub(crate) fn new(mut child: Child, tasks: &Tasks) -> Self {
        let process = Self {
            kill: CancellationToken::new(),
            ended: CancellationToken::new(),
        };
        let (kill, ended) = (process.kill.clone(), process.ended.clone().drop_guard());
        tasks.spawn(async move {
            if kill.run_until_cancelled(child.wait()).await.is_none() {
                // The process ends now, or has already ended.
                let _killed = child.kill().await;
            }
            drop(ended);
        });
        process
    }

    /// Waits until the process has ended.
    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// Kills the process and waits until it has ended.
    pub(crate) async fn kill(&self) {
        self.kill.cancel();
        self.ended().await;
    }
}
