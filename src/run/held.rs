//! A child that is kept and spoken to, line by line: a server of ours, seen from its host.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;

use super::child::Running;
use super::proc::ProcId;
use super::{Invocation, RunError};

/// The child; dropping it kills its whole group.
pub struct Held {
    child: Running,
    stdin: Option<ChildStdin>,
    stdout: Option<Lines<BufReader<ChildStdout>>>,
}

impl Held {
    /// Starts it and sends what `invocation.stdin` holds; its end is not sent.
    ///
    /// # Errors
    /// When it could not be started.
    pub async fn start(invocation: &Invocation) -> Result<Self, RunError> {
        let mut child = Running::start_unheard(invocation).await?;
        let (stdin, stdout, _) = child.take_pipes();
        let stdout = stdout.map(|stdout| BufReader::new(stdout).lines());
        let mut held = Self { child, stdin, stdout };
        held.send(&invocation.stdin).await;
        Ok(held)
    }

    /// Its entry in the process table.
    #[must_use]
    pub fn id(&self) -> Option<ProcId> {
        ProcId::of(self.child.pid()?)
    }

    /// Sends bytes. A child that is gone does not answer, and that is noticed there.
    pub async fn send(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _gone = stdin.write_all(bytes).await;
            let _gone = stdin.flush().await;
        }
    }

    /// The next line; nothing when none comes in time.
    pub async fn line(&mut self, limit: Duration) -> Option<String> {
        timeout(limit, self.stdout.as_mut()?.next_line()).await.ok()?.ok()?
    }

    /// Closes its standard input, waits for its end, and kills it when the time is over.
    pub async fn end(mut self, limit: Duration) {
        self.stdin = None;
        let _in_time = timeout(limit, self.child.exit()).await;
    }
}
