//! The child process of a client. A task owns it, so any clone of the client can wait for its end.

use tokio::process::Child;
use tokio_util::sync::CancellationToken;

use crate::tasks::Tasks;

/// The program that a client has started.
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
                // It ends now, or has ended already.
                let _killed = child.kill().await;
            }
            drop(ended);
        });
        process
    }

    /// Waits for its end.
    pub(crate) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// Ends it by force, and waits for that.
    pub(crate) async fn kill(&self) {
        self.kill.cancel();
        self.ended().await;
    }
}
