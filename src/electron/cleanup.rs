//! The end of a launch: process, port, profile, within one budget. Nothing is touched that the
//! lease does not prove (ELEC-43, ELEC-49).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::devtools;
use super::lease::{AppLease, AppLeases};
use crate::run::Places;
use crate::run::proc::{ProcId, Signal};
use crate::session::lease::now_seconds;

/// How long a clean-up may take where nobody says otherwise (ELEC-46).
pub const BUDGET: Duration = Duration::from_millis(5_000);
/// How long an app may take to end by itself after it was asked to.
const ASKED_GRACE: Duration = Duration::from_millis(1_500);
const POLL: Duration = Duration::from_millis(20);
const REMOVE_PAUSE: Duration = Duration::from_millis(50);

/// What became of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is done, or there was nothing to do.
    Succeeded,
    /// It could not be done in time.
    Failed,
    /// It would not have been safe, or nobody may.
    Skipped,
}

/// One step, in the order of ELEC-44.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanupStep {
    /// `managed-session`, `process`, `debug-port`, `user-data-dir`.
    pub step: &'static str,
    /// What became of it.
    pub done: Done,
    /// In a few words.
    pub words: String,
}

impl CleanupStep {
    /// A step and its words.
    #[must_use]
    pub fn new(step: &'static str, done: Done, words: impl Into<String>) -> Self {
        Self { step, done, words: words.into() }
    }

    /// Its row in `details`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        let status = match self.done {
            Done::Succeeded => "succeeded",
            Done::Failed => "failed",
            Done::Skipped => "skipped",
        };
        json!({ "step": self.step, "status": status, "summary": self.words })
    }
}

/// Time that is left of a budget.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    end: Instant,
}

impl Budget {
    /// From now on.
    #[must_use]
    pub fn new(limit: Duration) -> Self {
        Self { end: Instant::now() + limit }
    }

    /// What is left.
    #[must_use]
    pub fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }
}

/// Ends the process, looks after the port, removes the profile.
pub async fn end_app(lease: &AppLease, budget: Budget) -> Vec<CleanupStep> {
    let processes = lease.processes();
    // Where nothing of it was alive, whoever listens at its port now is a stranger.
    let ran = !processes.is_empty();
    let process = end_process(lease, processes, budget).await;
    let port = port_closed(lease, ran, budget).await;
    let safe = process.done == Done::Succeeded && port.done == Done::Succeeded;
    let profile = if safe {
        remove_profile(Path::new(&lease.record.user_data_dir), budget).await
    } else {
        CleanupStep::new("user-data-dir", Done::Skipped, "profile kept, it may be in use")
    };
    vec![process, port, profile]
}

async fn end_process(lease: &AppLease, processes: Vec<ProcId>, budget: Budget) -> CleanupStep {
    let step = |done, words: &str| CleanupStep::new("process", done, words);
    if processes.is_empty() {
        return step(Done::Succeeded, "process was gone already");
    }
    // Helpers end with their parent; asked alone they would be started anew.
    let asked: Vec<ProcId> = lease.main_process().into_iter().collect();
    let asked = if asked.is_empty() { processes } else { asked };
    signal(&asked, Signal::Terminate);
    if all_gone(lease, ASKED_GRACE.min(budget.left() / 2)).await {
        return step(Done::Succeeded, "process ended");
    }
    signal(&lease.processes(), Signal::Kill);
    // Whatever the budget was: a killed process is gone in a moment.
    if all_gone(lease, budget.left().max(Duration::from_millis(300))).await {
        return step(Done::Succeeded, "process ended by force");
    }
    step(Done::Failed, "process still runs")
}

fn signal(processes: &[ProcId], signal: Signal) {
    for process in processes {
        // A process that is gone already is what is wanted.
        let _ = process.kill(signal);
    }
}

async fn all_gone(lease: &AppLease, limit: Duration) -> bool {
    let end = Instant::now() + limit;
    loop {
        if lease.processes().is_empty() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        tokio::time::sleep(POLL).await;
    }
}

async fn port_closed(lease: &AppLease, ran: bool, budget: Budget) -> CleanupStep {
    let port = lease.record.port;
    if port == 0 {
        return CleanupStep::new("debug-port", Done::Succeeded, "port was never opened");
    }
    loop {
        if !devtools::is_open(port).await {
            return CleanupStep::new("debug-port", Done::Succeeded, "port closed");
        }
        if !ran {
            let words = format!("port {port} is another program's now");
            return CleanupStep::new("debug-port", Done::Succeeded, words);
        }
        if budget.left().is_zero() {
            let words = format!("port {port} still answers");
            return CleanupStep::new("debug-port", Done::Failed, words);
        }
        tokio::time::sleep(POLL).await;
    }
}

async fn remove_profile(path: &Path, budget: Budget) -> CleanupStep {
    let step = |done, words: &str| CleanupStep::new("user-data-dir", done, words);
    if !is_profile(path) {
        return step(Done::Skipped, "profile kept, it is not one of ours");
    }
    loop {
        let _ = std::fs::remove_dir_all(path);
        let gone = !path.exists();
        // Whoever still holds it makes it anew: it has to stay away for a moment.
        tokio::time::sleep(REMOVE_PAUSE).await;
        if gone && !path.exists() {
            return step(Done::Succeeded, "profile removed");
        }
        if budget.left().is_zero() {
            return step(Done::Failed, "profile could not be removed");
        }
    }
}

/// Only directories that a launch has made are ever removed.
fn is_profile(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let digits = name.strip_prefix("electron-").unwrap_or_default();
    path.is_absolute() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Where the profile of a launch lies.
#[must_use]
pub fn profile_of(places: &Places, launch_id: &str) -> PathBuf {
    places.temp_root.join(launch_id)
}

/// Ends every app whose owner is provably gone: their ids, and whether they were ended (DEC-106).
pub async fn reap(places: &Places, dry_run: bool) -> Vec<(String, bool)> {
    let leases = AppLeases::below(&places.state_root);
    let now = now_seconds();
    let mut report = Vec::new();
    for found in leases.all().into_iter().filter(|lease| lease.owner.is_over(now)) {
        let id = found.record.launch_id;
        // The end of those before took its time: somebody may have taken it over meanwhile.
        let current = leases.read(&id).filter(|lease| lease.owner.is_over(now));
        let Some(lease) = current else { continue };
        let ended = !dry_run && ended(&leases, &lease, BUDGET).await;
        report.push((id, ended));
    }
    report
}

/// Ends an app that nobody looks at any more; false when something of it is left.
pub async fn ended(leases: &AppLeases, lease: &AppLease, limit: Duration) -> bool {
    let steps = end_app(lease, Budget::new(limit)).await;
    let clean = steps.iter().all(|step| step.done == Done::Succeeded);
    if clean {
        leases.remove(&lease.record.launch_id);
    }
    clean
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]
    use super::*;
    use crate::session::electron::ElectronRecord;
    use crate::session::lease::LeaseOwner;

    fn lease(dir: &Path) -> AppLease {
        let record = ElectronRecord {
            launch_id: "electron-00ff".into(),
            user_data_dir: dir.to_string_lossy().into_owned(),
            ..ElectronRecord::default()
        };
        AppLease { owner: LeaseOwner::KeptUntil(0), record }
    }

    // ELEC-43, ELEC-49
    #[tokio::test]
    async fn only_a_directory_of_a_launch_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let mine = dir.path().join("electron-00ff");
        let other = dir.path().join("Signal");
        for path in [&mine, &other] {
            std::fs::create_dir_all(path.join("Default")).unwrap();
        }
        let budget = || Budget::new(Duration::from_millis(100));
        let steps = end_app(&lease(&mine), budget()).await;
        assert!(steps.iter().all(|step| step.done == Done::Succeeded), "{steps:?}");
        assert!(!mine.exists());
        let steps = end_app(&lease(&other), budget()).await;
        assert_eq!(steps[2].done, Done::Skipped);
        assert!(other.exists());
    }

    // ELEC-49, DEC-106
    #[tokio::test]
    async fn a_stranger_at_the_port_of_an_app_that_was_gone_blocks_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mine = dir.path().join("electron-00ff");
        std::fs::create_dir_all(&mine).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut lease = lease(&mine);
        lease.record.port = listener.local_addr().unwrap().port();
        let steps = end_app(&lease, Budget::new(Duration::from_millis(80))).await;
        assert!(steps.iter().all(|step| step.done == Done::Succeeded), "{steps:?}");
        assert!(steps[1].words.ends_with("is another program's now"), "{steps:?}");
        assert!(!mine.exists());
    }

    // ELEC-44, ELEC-52
    #[tokio::test]
    async fn a_profile_stays_while_somebody_answers_at_the_port_of_an_app_that_ran() {
        let dir = tempfile::tempdir().unwrap();
        let mine = dir.path().join("electron-00ff");
        std::fs::create_dir_all(&mine).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut lease = lease(&mine);
        lease.record.port = listener.local_addr().unwrap().port();
        let mut app = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let id = ProcId::of(app.id()).unwrap();
        (lease.record.pid, lease.record.pid_start) = (id.pid, id.start);
        let steps = end_app(&lease, Budget::new(Duration::from_millis(80))).await;
        app.wait().unwrap();
        let rows: Vec<Value> = steps.iter().map(CleanupStep::to_details).collect();
        assert_eq!(rows[0]["step"], "process");
        assert_eq!(
            (&rows[1]["step"], &rows[1]["status"]),
            (&"debug-port".into(), &"failed".into())
        );
        assert_eq!(
            (&rows[2]["step"], &rows[2]["status"]),
            (&"user-data-dir".into(), &"skipped".into())
        );
        assert!(mine.exists());
    }

    // ELEC-52, SES-34, DEC-106
    #[tokio::test]
    async fn the_reaper_leaves_apps_alone_whose_time_has_not_come() {
        let dir = tempfile::tempdir().unwrap();
        let env: crate::run::ParentEnv = [("HOME", "/h")].into_iter().collect();
        let mut places = Places::resolve(&env).unwrap();
        places.state_root = dir.path().to_owned();
        let mine = dir.path().join("electron-00ff");
        std::fs::create_dir_all(&mine).unwrap();
        let leases = AppLeases::below(dir.path());
        let mut kept = lease(&mine);
        kept.owner = LeaseOwner::KeptUntil(u64::MAX);
        leases.write(&kept).unwrap();
        assert!(reap(&places, false).await.is_empty());
        assert!(mine.exists());
        kept.owner = LeaseOwner::KeptUntil(0);
        leases.write(&kept).unwrap();
        assert_eq!(reap(&places, true).await, [("electron-00ff".to_owned(), false)]);
        assert!(mine.exists());
        assert_eq!(reap(&places, false).await, [("electron-00ff".to_owned(), true)]);
        assert!(!mine.exists() && leases.all().is_empty());
    }
}
