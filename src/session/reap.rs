//! Ending browser sessions: upstream's `close` first, then the processes that a lease proves.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::key::SessionKey;
use super::lease::{
    Lease, Leases, daemon_of, is_private_profile, now_seconds, profile_of, socket_exists,
};
use super::prune::prune_state;
use crate::run::env::is_daemon_variable;
use crate::run::places::{remove_socket_files, socket_dir_of};
use crate::run::proc::{ProcId, Signal, descendants, some_become_programs, with_environment};
use crate::run::{Invocation, ParentEnv, Places, run};

/// How long upstream's `close` may take (DEC-02).
const CLOSE_MS: u64 = 5_000;
/// How long a process may take to end after a signal.
const SIGNAL_GRACE: Duration = Duration::from_millis(1_500);
const LATE_ROUNDS: u32 = 20;
const LATE_PAUSE: Duration = Duration::from_millis(60);
const REMOVE_TRIES: u32 = 20;
const REMOVE_PAUSE: Duration = Duration::from_millis(50);
const POLL: Duration = Duration::from_millis(20);

/// How long upstream's `close` of a managed session, or the cleanup of an app, may take: five seconds,
/// or what the environment says (PLAN-59, ELEC-46).
#[must_use]
pub fn close_timeout(env: &ParentEnv) -> Duration {
    let own = env.text("PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS");
    let own = own.and_then(|text| text.trim().parse().ok()).filter(|ms| *ms > 0);
    Duration::from_millis(own.unwrap_or(CLOSE_MS))
}

/// Everything that is needed to end one session.
#[derive(Clone, Debug)]
pub struct Ending {
    /// Its lease.
    pub lease: Lease,
    /// Where leases are kept.
    pub leases: Leases,
    /// Environment for upstream.
    pub env: ParentEnv,
    /// A directory that exists.
    pub cwd: PathBuf,
}

/// What became of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Upstream closed it.
    Closed,
    /// Its processes had to be ended.
    Killed,
    /// Nothing of it was left.
    Gone,
    /// Something of it is still there.
    Left,
}

impl Ended {
    /// A word for reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Killed => "ended by force",
            Self::Gone => "was gone already",
            Self::Left => "could not be ended",
        }
    }
}

impl Ending {
    /// Closes the session, ends what is left of it, and removes its lease when nothing is.
    pub async fn close_and_end(mut self) -> Ended {
        let key = self.lease.key.clone();
        let socket_dir = self.lease.socket_dir.clone();
        // What was started after the lease was written belongs to it too.
        if self.lease.daemon.is_none() {
            super::lease::complete(&mut self.lease);
        }
        let there = socket_exists(&socket_dir, &key) && daemon_of(&socket_dir, &key).is_some();
        let closed = there && self.upstream_close().await;
        let processes = self.processes();
        let profiles = profiles_of(&processes);
        let alive = wait_gone(&processes, if closed { SIGNAL_GRACE } else { Duration::ZERO }).await;
        let killed = !alive.is_empty();
        if killed {
            end_processes(&alive).await;
        }
        end_late_starters(&self.lease).await;
        let left = processes.iter().any(ProcId::is_alive);
        if left || !remove_remains(&self.lease, &profiles).await {
            return Ended::Left;
        }
        self.leases.remove(&socket_dir, &key);
        match (closed, killed) {
            (_, true) => Ended::Killed,
            (true, false) => Ended::Closed,
            (false, false) => Ended::Gone,
        }
    }

    /// Ends the processes of the session without asking upstream, which does not answer.
    pub async fn end_only(mut self) -> Ended {
        if self.lease.daemon.is_none() {
            super::lease::complete(&mut self.lease);
        }
        let processes = self.processes();
        let profiles = profiles_of(&processes);
        // A stopped process takes no other signal.
        for process in &processes {
            let _ = process.kill(Signal::Kill);
        }
        end_late_starters(&self.lease).await;
        let left = !wait_gone(&processes, SIGNAL_GRACE).await.is_empty();
        if left || !remove_remains(&self.lease, &profiles).await {
            return Ended::Left;
        }
        self.leases.remove(&self.lease.socket_dir, &self.lease.key);
        Ended::Killed
    }

    async fn upstream_close(&self) -> bool {
        let mut argv = vec!["--json".to_owned()];
        argv.extend(self.lease.key.tokens());
        argv.extend(self.lease.daemon_tokens.iter().cloned());
        argv.push("close".to_owned());
        let invocation = Invocation {
            exe: self.lease.exe.clone(),
            argv,
            stdin: Vec::new(),
            env: self
                .env
                .following(&self.lease.socket_dir)
                .without(is_daemon_variable)
                .with(&self.lease.daemon_vars)
                // Upstream starts a daemon where it finds none that answers.
                .and(SESSION_MARK, self.lease.key.name.clone()),
            cwd: self.cwd.clone(),
            deadline: close_timeout(&self.env),
        };
        run(invocation, &CancellationToken::new()).await.is_ok_and(|done| done.exit_code == 0)
    }

    /// The processes that provably belong to the session: recorded ones that still are the same,
    /// and their children.
    fn processes(&self) -> Vec<ProcId> {
        let recorded = self.lease.daemon.iter().chain(&self.lease.browsers);
        let mut all: Vec<ProcId> = recorded.filter(|one| one.is_alive()).copied().collect();
        all.extend(started_for(&self.lease));
        all.extend(descendants(&all));
        all.sort_by_key(|process| process.pid);
        all.dedup();
        all
    }
}

/// The variable that marks every process of a session: the client, the daemon that it starts, and
/// the browser, which inherit it.
pub const SESSION_MARK: &str = "AGENT_BROWSER_NATIVE_SESSION";

/// The processes of a session by their environment, also where nobody had the time to write down
/// their numbers.
fn started_for(lease: &Lease) -> Vec<ProcId> {
    with_environment(&[
        format!("{SESSION_MARK}={}", lease.key.name),
        format!("AGENT_BROWSER_SOCKET_DIR={}", lease.socket_dir.display()),
    ])
}

/// Waits until all are gone or the time is over; returns those that live.
async fn wait_gone(processes: &[ProcId], limit: Duration) -> Vec<ProcId> {
    let end = tokio::time::Instant::now() + limit;
    loop {
        let alive: Vec<ProcId> = processes.iter().copied().filter(ProcId::is_alive).collect();
        if alive.is_empty() || tokio::time::Instant::now() >= end {
            return alive;
        }
        tokio::time::sleep(POLL).await;
    }
}

/// The throw-away profiles of living browsers.
fn profiles_of(processes: &[ProcId]) -> Vec<PathBuf> {
    processes.iter().filter_map(|process| profile_of(process.command_line()?)).collect()
}

/// A client that was just ended may have started a daemon, and that one a browser. A process that is
/// just becoming another program cannot be told yet.
async fn end_late_starters(lease: &Lease) {
    for _ in 0..LATE_ROUNDS {
        tokio::time::sleep(LATE_PAUSE).await;
        let unknown = some_become_programs();
        let late = started_for(lease);
        if late.is_empty() && !unknown {
            return;
        }
        end_processes(&late).await;
    }
}

async fn end_processes(processes: &[ProcId]) {
    for signal in [Signal::Terminate, Signal::Kill] {
        for process in processes {
            // A process that is gone already is what is wanted.
            let _ = process.kill(signal);
        }
        if wait_gone(processes, SIGNAL_GRACE).await.is_empty() {
            return;
        }
    }
}

/// Removes what the session has left on disk; false when something of it cannot be removed yet.
async fn remove_remains(lease: &Lease, profiles: &[PathBuf]) -> bool {
    let ours = lease.profile.iter().chain(profiles).filter(|path| is_private_profile(path));
    let mut removed = true;
    for directory in ours.chain(&lease.temp) {
        removed &= remove_directory(directory).await;
    }
    let dir = socket_dir_of(&lease.socket_dir, lease.key.namespace.as_deref());
    remove_socket_files(&dir, &lease.key.name);
    removed
}

/// A process that just ended may still have written into it: a few tries.
async fn remove_directory(path: &Path) -> bool {
    for _ in 0..REMOVE_TRIES {
        let _ = std::fs::remove_dir_all(path);
        if !path.exists() {
            return true;
        }
        tokio::time::sleep(REMOVE_PAUSE).await;
    }
    false
}

/// Removes the lease of a session that upstream has closed, and what was made for it.
pub async fn forget(leases: &Leases, lease: &Lease) {
    if remove_remains(lease, &[]).await {
        leases.remove(&lease.socket_dir, &lease.key);
    }
}

/// Removes temporary directories of processes that are gone: `<16 hex>-<pid>`.
async fn prune_temp(root: &Path) {
    let Ok(entries) = std::fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let owner = owner_of_temp(&entry.file_name().to_string_lossy());
        if owner.is_some_and(|pid| ProcId::of(pid).is_none()) {
            remove_directory(&entry.path()).await;
        }
    }
}

/// The process that a temporary directory of this name belongs to.
pub(crate) fn owner_of_temp(name: &str) -> Option<u32> {
    let (hash, pid) = name.split_once('-')?;
    let ours = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    pid.parse().ok().filter(|_| ours)
}

/// One line of a reaper's report.
#[derive(Clone, Debug)]
pub struct Reaped {
    /// The session.
    pub key: SessionKey,
    /// What became of it; nothing in a dry run.
    pub ended: Option<Ended>,
}

/// How often a server looks for what others have left behind.
const EVERY: Duration = Duration::from_secs(300);

/// Ends every session and every launched app whose owner is provably gone (DEC-106).
pub async fn reap(places: &Places, env: &ParentEnv, cwd: &Path, dry_run: bool) -> Vec<Reaped> {
    Reaper { places, env, cwd, dry_run, spared: None }.run().await
}

/// The same beside a call of its own: sessions whose names begin so are being used by it.
pub async fn reap_others(places: Places, env: ParentEnv, cwd: PathBuf, spared: String) {
    let (places, env, cwd) = (&places, &env, &*cwd);
    Reaper { places, env, cwd, dry_run: false, spared: Some(&spared) }.run().await;
}

/// Reaps now and again every few minutes, until `stop` is cancelled; what has begun is finished.
pub async fn keep_reaping(places: Places, env: ParentEnv, cwd: PathBuf, stop: CancellationToken) {
    keep_reaping_every(EVERY, places, env, cwd, stop).await;
}

/// The same, as often as one likes.
pub async fn keep_reaping_every(
    every: Duration,
    places: Places,
    env: ParentEnv,
    cwd: PathBuf,
    stop: CancellationToken,
) {
    loop {
        reap(&places, &env, &cwd, false).await;
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(every) => {}
        }
    }
}

struct Reaper<'a> {
    places: &'a Places,
    env: &'a ParentEnv,
    cwd: &'a Path,
    dry_run: bool,
    spared: Option<&'a str>,
}

impl Reaper<'_> {
    async fn run(&self) -> Vec<Reaped> {
        if !self.dry_run {
            prune_temp(&self.places.temp_root).await;
            prune_state(&self.places.state_root);
        }
        let (mut report, apps) = tokio::join!(self.sessions(), self.apps());
        report.sort_by(|one, other| one.key.cmp(&other.key));
        report.extend(apps);
        report
    }

    /// All at once: each of them may take seconds.
    async fn sessions(&self) -> Vec<Reaped> {
        let leases = Leases::below(&self.places.state_root);
        let now = now_seconds();
        let is_spared =
            |lease: &Lease| self.spared.is_some_and(|name| lease.key.name.starts_with(name));
        let mut over = leases.all();
        over.retain(|lease| lease.owner.is_over(now) && !is_spared(lease));
        if self.dry_run {
            return over.into_iter().map(|lease| Reaped { key: lease.key, ended: None }).collect();
        }
        let mut endings = JoinSet::new();
        for found in over {
            // A call may have taken it up since it was read.
            let current = leases.read(&found.socket_dir, &found.key);
            let Some(lease) = current.filter(|lease| lease.owner.is_over(now)) else { continue };
            let (leases, env) = (leases.clone(), self.env.clone());
            let ending = Ending { lease, leases, env, cwd: self.cwd.to_owned() };
            endings.spawn(async move {
                let key = ending.lease.key.clone();
                Reaped { key, ended: Some(ending.close_and_end().await) }
            });
        }
        endings.join_all().await
    }

    async fn apps(&self) -> Vec<Reaped> {
        let reaped = crate::electron::cleanup::reap(self.places, self.dry_run).await;
        let row = |(launch_id, ended): (String, bool)| {
            let ended = if ended { Ended::Killed } else { Ended::Left };
            let key = SessionKey::named(launch_id);
            Reaped { key, ended: (!self.dry_run).then_some(ended) }
        };
        reaped.into_iter().map(row).collect()
    }
}
