//! One child in a process group of its own, and the end of that group.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep, timeout};

use super::Invocation;
use super::error::RunError;

/// How long a group may take to end by itself after it was asked to.
const TERM_GRACE: Duration = Duration::from_millis(200);

/// How often it is looked at meanwhile.
const TERM_POLL: Duration = Duration::from_millis(5);

/// How long the system may take to end a killed child before we stop waiting for it.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// An executable that is being replaced cannot be started for a moment.
const BUSY_RETRIES: u32 = 5;
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// A running child. Dropping it before its end kills the whole group: an abandoned call leaves
/// nothing behind.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
}

impl Running {
    pub(super) async fn start(invocation: &Invocation) -> Result<Self, RunError> {
        Self::start_with(invocation, !invocation.stdin.is_empty(), Stdio::piped).await
    }

    /// One whose input comes later.
    pub(super) async fn start_waiting(invocation: &Invocation) -> Result<Self, RunError> {
        Self::start_with(invocation, true, Stdio::piped).await
    }

    /// One whose complaints nobody reads: a pipe for them would stop it once it is full.
    pub(super) async fn start_unheard(invocation: &Invocation) -> Result<Self, RunError> {
        Self::start_with(invocation, !invocation.stdin.is_empty(), Stdio::null).await
    }

    async fn start_with(
        invocation: &Invocation,
        reads: bool,
        stderr: fn() -> Stdio,
    ) -> Result<Self, RunError> {
        refuse_nul(invocation)?;
        let mut attempt = 0;
        loop {
            // No pre_exec hook: only so can the standard library use posix_spawn.
            let input = if reads { Stdio::piped() } else { Stdio::null() };
            let mut command = prepared(invocation);
            command.stdin(input).stdout(Stdio::piped()).stderr(stderr());
            let spawned = command.spawn();
            match spawned {
                Ok(child) => return Ok(Self { child }),
                Err(error)
                    if error.kind() == io::ErrorKind::ExecutableFileBusy
                        && attempt < BUSY_RETRIES =>
                {
                    attempt += 1;
                    sleep(BUSY_PAUSE).await;
                }
                Err(error) => return Err(spawn_error(invocation, error)),
            }
        }
    }

    pub(super) fn take_pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Its number, until it is reaped.
    pub(super) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// It has not ended.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The status of the direct child, however long its descendants live.
    pub(super) async fn exit(&mut self) -> Option<ExitStatus> {
        self.child.wait().await.ok()
    }

    /// Ends the whole group and gives the status of the direct child.
    pub(super) async fn end_group(&mut self) -> Option<ExitStatus> {
        if let Some(group) = self.group() {
            signal_group(group, Signal::TERM);
            let until = Instant::now() + TERM_GRACE;
            // The child is looked at without being reaped: until it is, nobody else can get its
            // number, so the second signal can only meet this group.
            while Instant::now() < until && !has_exited(group) {
                sleep(TERM_POLL).await;
            }
            signal_group(group, Signal::KILL);
        }
        timeout(KILL_GRACE, self.child.wait()).await.ok()?.ok()
    }

    /// The group, as long as the child is not reaped and its number therefore is its own.
    fn group(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id()?.cast_signed())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(group) = self.group() {
            signal_group(group, Signal::KILL);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the place that starts processes")]
pub(super) fn prepared(invocation: &Invocation) -> Command {
    let mut command = Command::new(&invocation.exe);
    command
        .args(&invocation.argv)
        .env_clear()
        .envs(invocation.env.iter())
        .current_dir(&invocation.cwd)
        .process_group(0);
    command
}

pub(super) fn refuse_nul(invocation: &Invocation) -> Result<(), RunError> {
    let refuse = |place: String| Err(RunError::BadArgument { place });
    let has_nul = |text: &std::ffi::OsStr| text.as_encoded_bytes().contains(&0);
    for (at, argument) in invocation.argv.iter().enumerate() {
        if argument.contains('\0') {
            return refuse(format!("Argument {}", at + 1));
        }
    }
    if has_nul(invocation.exe.as_os_str()) || has_nul(invocation.cwd.as_os_str()) {
        return refuse("The path of the executable or of the working directory".to_owned());
    }
    match invocation.env.iter().find(|(name, value)| has_nul(name) || has_nul(value)) {
        Some((name, _)) => refuse(format!("The environment variable {}", name.to_string_lossy())),
        None => Ok(()),
    }
}

pub(super) fn spawn_error(invocation: &Invocation, source: io::Error) -> RunError {
    let exe = invocation.exe.clone();
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if !invocation.cwd.is_dir() => {
            RunError::BadDirectory { cwd: invocation.cwd.clone() }
        }
        io::ErrorKind::NotFound if !exe.exists() => RunError::Missing { path: exe },
        io::ErrorKind::PermissionDenied if invocation.cwd.is_dir() => {
            RunError::NotExecutable { path: exe }
        }
        _ => RunError::Spawn { exe, source },
    }
}

/// A group that is gone already needs no signal.
fn signal_group(group: Pid, signal: Signal) {
    let _gone = kill_process_group(group, signal);
}

fn has_exited(pid: Pid) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
}

/// The number of the signal that ended a child.
pub(super) fn ending_signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}
