//! The only place that starts processes.
//!
//! A child gets a process group of its own, a complete environment, arguments as a list and never
//! a shell. Its pipes are bounded, it has a deadline, and it can be cancelled; both end the whole
//! group. Upstream's daemon leaves the group by itself and is meant to outlive the call.

use std::path::PathBuf;
use std::pin::Pin;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

pub mod config_files;
pub mod detached;
pub mod devtools;
pub mod env;
pub mod error;
pub mod held;
pub mod locate;
pub mod memory;
pub mod places;
pub mod proc;
pub mod ready;
pub mod upstream;
pub mod version;

mod child;
mod pipes;
mod private;

pub use env::{ChildEnv, ParentEnv};
pub use error::RunError;
pub use places::Places;

use child::{Running, ending_signal};
use ready::Ready;

/// How long output may still arrive after the child has ended, when descendants hold its pipes.
const PIPE_GRACE: Duration = Duration::from_millis(100);

/// How long a child may take to end after its answer, before it is ended.
const END_GRACE: Duration = Duration::from_secs(1);

/// The exit code of a child that ran into its deadline.
const TIMEOUT_CODE: i32 = 124;

/// The exit code of a child that a signal ended is this plus the signal's number.
const SIGNAL_BASE: i32 = 128;

const SIGTERM: i32 = 15;
const SIGKILL: i32 = 9;

/// One process to run.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The executable, as a path.
    pub exe: PathBuf,
    /// The arguments behind the executable's name.
    pub argv: Vec<String>,
    /// What the child reads. Empty: its standard input is at its end at once.
    pub stdin: Vec<u8>,
    /// The complete environment.
    pub env: ChildEnv,
    /// The working directory.
    pub cwd: PathBuf,
    /// After this time the whole group is ended.
    pub deadline: Duration,
}

/// Who ended the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It ended by itself; one that has given its answer may take a moment more.
    Exited,
    /// The deadline passed.
    TimedOut,
    /// The caller gave up.
    Cancelled,
}

/// A child that was started and is gone.
#[derive(Clone, Debug)]
pub struct Completed {
    /// What it printed, up to the bound.
    pub stdout: Vec<u8>,
    /// Whether it printed more than was kept.
    pub stdout_truncated: bool,
    /// The beginning of its standard error.
    pub stderr: String,
    /// Its own exit code; 0 behind an answer; 124 for the deadline; else 128 plus the signal.
    pub exit_code: i32,
    /// Who ended it.
    pub end: End,
    /// From before the start to after the end.
    pub elapsed: Duration,
}

/// Runs one process to its end, its deadline or its cancellation.
///
/// # Errors
/// When the process could not be started. Whatever happens afterwards is a [`Completed`].
pub async fn run(
    invocation: Invocation,
    cancel: &CancellationToken,
) -> Result<Completed, RunError> {
    run_or_take(invocation, None, cancel).await
}

/// Runs one process up to its answer, a JSON value: one that waits for that where there is one. It
/// takes a moment more to end, which nobody has to wait for.
///
/// # Errors
/// When the process could not be started.
pub async fn run_rows(
    invocation: Invocation,
    ready: &Ready,
    cancel: &CancellationToken,
) -> Result<Completed, RunError> {
    run_or_take(invocation, Some(ready), cancel).await
}

async fn run_or_take(
    invocation: Invocation,
    ready: Option<&Ready>,
    cancel: &CancellationToken,
) -> Result<Completed, RunError> {
    let started = Instant::now();
    if cancel.is_cancelled() {
        return Ok(never_started(started));
    }
    let mut child = match ready.and_then(|ready| ready.take(&invocation)) {
        Some(child) => child,
        None => Running::start(&invocation).await?,
    };
    let (stdin, stdout, stderr) = child.take_pipes();
    let mut printed = pipes::Stdout::new(overflow_directories(&invocation.env));
    let mut complained = pipes::Stderr::default();
    let answered = Notify::new();
    let Watched { end, exit_code, goes_on } = {
        let listen = async {
            if ready.is_none() {
                pipes::drain(stdout, &mut printed).await;
            } else if pipes::drain_answer(stdout, &mut printed).await {
                answered.notify_one();
            }
        };
        let flow = async {
            let feed = pipes::feed(stdin, &invocation.stdin);
            tokio::join!(feed, listen, pipes::drain(stderr, &mut complained));
        };
        tokio::pin!(flow);
        watch(&mut child, flow, &answered, invocation.deadline, cancel).await
    };
    if goes_on {
        tokio::spawn(async move {
            let _overdue = tokio::time::timeout(END_GRACE, child.exit()).await;
        });
    }
    let (stdout, stdout_truncated) = printed.finish();
    let stderr = complained.finish();
    let elapsed = started.elapsed();
    Ok(Completed { stdout, stdout_truncated, stderr, exit_code, end, elapsed })
}

/// What a child was seen to do.
enum Seen {
    Exited(Option<ExitStatus>),
    /// It has given its answer, and ends by itself in a moment.
    Answered,
    Cut(End),
}

/// How it came to an end, for us.
struct Watched {
    end: End,
    exit_code: i32,
    /// It still runs.
    goes_on: bool,
}

/// Lets the pipes flow until the direct child is gone, and a moment longer; or until it has answered.
async fn watch(
    child: &mut Running,
    mut flow: Pin<&mut impl Future<Output = ()>>,
    answered: &Notify,
    deadline: Duration,
    cancel: &CancellationToken,
) -> Watched {
    let mut flowing = true;
    let seen = async {
        tokio::select! {
            biased;
            status = child.exit() => Seen::Exited(status),
            () = answered.notified() => Seen::Answered,
            () = cancel.cancelled() => Seen::Cut(End::Cancelled),
            () = tokio::time::sleep(deadline) => Seen::Cut(End::TimedOut),
        }
    };
    let (end, status) = match alongside(flow.as_mut(), &mut flowing, seen).await {
        Seen::Answered => return Watched { end: End::Exited, exit_code: 0, goes_on: true },
        Seen::Exited(status) => (End::Exited, status),
        Seen::Cut(end) => (end, alongside(flow.as_mut(), &mut flowing, child.end_group()).await),
    };
    if flowing {
        let _held_open = tokio::time::timeout(PIPE_GRACE, flow).await;
    }
    Watched { end, exit_code: exit_code(status, end), goes_on: false }
}

/// Waits for `main` while the pipes flow.
async fn alongside<T>(
    mut flow: Pin<&mut impl Future<Output = ()>>,
    flowing: &mut bool,
    main: impl Future<Output = T>,
) -> T {
    tokio::pin!(main);
    loop {
        tokio::select! {
            biased;
            result = &mut main => return result,
            () = flow.as_mut(), if *flowing => *flowing = false,
        }
    }
}

fn exit_code(status: Option<ExitStatus>, end: End) -> i32 {
    if let Some(code) = status.and_then(|status| status.code()) {
        return code;
    }
    if end == End::TimedOut {
        return TIMEOUT_CODE;
    }
    SIGNAL_BASE + status.and_then(ending_signal).unwrap_or(SIGKILL)
}

fn never_started(started: Instant) -> Completed {
    Completed {
        stdout: Vec::new(),
        stdout_truncated: false,
        stderr: String::new(),
        exit_code: SIGNAL_BASE + SIGTERM,
        end: End::Cancelled,
        elapsed: started.elapsed(),
    }
}

/// Where output may overflow to, best first: our own temporary root, then the system's.
fn overflow_directories(env: &ChildEnv) -> Vec<PathBuf> {
    let named = ["AGENT_BROWSER_NATIVE_TEMP_DIR", "TMPDIR"];
    let named = named.iter().filter_map(|name| env.get(name)).map(PathBuf::from);
    named.filter(|path| path.is_absolute()).chain([PathBuf::from("/tmp")]).collect()
}
