//! The start of an app: a profile of its own, a port that the system chooses, and the proof that it
//! is ready (ELEC-16, ELEC-17).

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::App;
use super::devtools::{self, Target};
use super::lease::{APP_MARK, AppLease};
use crate::input::electron::TargetType;
use crate::run::places::private_dir;
use crate::run::proc::ProcId;
use crate::run::{ChildEnv, Invocation, ParentEnv, RunError, detached};

const POLL: Duration = Duration::from_millis(50);
/// How long a page may keep us waiting once the port answers.
const PAGE_PATIENCE: Duration = Duration::from_secs(4);
/// Apps make sockets below their temporary directory, with names of up to 40 characters.
const TEMP_PATH_LIMIT: usize = 64;
/// Browser variables of ours, and those that would make the app something else than an app.
const NOT_FOR_APPS: [&str; 3] =
    ["ELECTRON_RUN_AS_NODE", "ELECTRON_NO_ATTACH_CONSOLE", "NODE_OPTIONS"];

/// What is started.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// The app.
    pub app: &'a App,
    /// The caller's arguments for it.
    pub args: &'a [String],
    /// Its profile.
    pub user_data_dir: &'a Path,
    /// The id of the launch.
    pub launch_id: &'a str,
    /// The environment of this process.
    pub env: &'a ParentEnv,
}

/// An app that answers.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Its port.
    pub port: u16,
    /// Who answers there.
    pub version: Value,
    /// Its targets.
    pub targets: Vec<Target>,
    /// The one to attach to; none where the port has to do.
    pub chosen: Option<Target>,
}

/// Why a launch did not get so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The time is over.
    TimedOut,
    /// The app has ended.
    Ended,
    /// The host gave up.
    Cancelled,
}

/// What is known about a launch that failed (ELEC-29).
#[derive(Clone, Debug)]
pub struct Diagnostics {
    /// Its process.
    pub pid: Option<u32>,
    /// Something of it lives.
    pub pid_alive: bool,
    /// Its profile.
    pub user_data_dir: PathBuf,
    /// How long was waited, and how long it might have been.
    pub elapsed: Duration,
    /// The limit.
    pub timeout: Duration,
    /// `missing`, `incomplete` or `present`.
    pub port_file: &'static str,
    /// The port that the file names.
    pub port: Option<u16>,
    /// `/json/version` answered.
    pub version_reached: bool,
}

impl Diagnostics {
    /// `details.electron.failure.diagnostics`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        json!({
            "pid": self.pid,
            "pidAlive": self.pid_alive,
            "userDataDir": self.user_data_dir,
            "elapsedMs": u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX),
            "timeoutMs": u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX),
            "devToolsActivePort": self.port_file,
            "port": self.port,
            "jsonVersionReached": self.version_reached,
        })
    }
}

/// The arguments of the app's process (IN-ELEC-20).
#[must_use]
pub fn arguments(user_data_dir: &Path, args: &[String]) -> Vec<String> {
    let mut argv = vec![
        "--remote-debugging-port=0".to_owned(),
        format!("--user-data-dir={}", user_data_dir.display()),
        "--disable-extensions".to_owned(),
        "--no-first-run".to_owned(),
        "--no-default-browser-check".to_owned(),
    ];
    argv.extend(args.iter().cloned());
    argv
}

/// Makes the profile.
///
/// # Errors
/// When it cannot be a private directory.
pub fn make_profile(user_data_dir: &Path) -> io::Result<()> {
    if let Some(root) = user_data_dir.parent() {
        private_dir(root)?;
    }
    private_dir(user_data_dir)
}

/// Starts the app. It outlives the call; the lease that was written before proves it.
///
/// # Errors
/// When the system does not start it.
pub fn start(what: &Start<'_>) -> Result<Option<ProcId>, RunError> {
    let invocation = Invocation {
        exe: what.app.executable.clone(),
        argv: arguments(what.user_data_dir, what.args),
        stdin: Vec::new(),
        env: environment(what),
        cwd: what.user_data_dir.to_owned(),
        deadline: Duration::ZERO,
    };
    detached::start(&invocation)
}

fn environment(what: &Start<'_>) -> ChildEnv {
    let ours = |name: &str| {
        name.starts_with("AGENT_BROWSER_")
            || name.starts_with("PI_AGENT_BROWSER_")
            || NOT_FOR_APPS.contains(&name)
    };
    let env = what.env.unchanged().without(ours).and(APP_MARK, what.launch_id);
    let temp = what.user_data_dir.join("tmp");
    let short = temp.as_os_str().len() <= TEMP_PATH_LIMIT;
    if short && private_dir(&temp).is_ok() { env.and("TMPDIR", temp) } else { env }
}

/// Waits until the app answers and shows a page.
///
/// # Errors
/// Why it does not, and everything that was seen of it.
pub async fn wait_ready(
    lease: &AppLease,
    wanted: TargetType,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Result<Ready, (NotReady, Box<Diagnostics>)> {
    let started = Instant::now();
    let dir = PathBuf::from(&lease.record.user_data_dir);
    let mut seen: Option<(Instant, Ready)> = None;
    loop {
        let (port_file, port) = read_port(&dir);
        if let Some(port) = port
            && let Some(ready) = ask(port, wanted).await
        {
            let since = seen.as_ref().map_or_else(Instant::now, |(since, _)| *since);
            let settled = devtools::is_settled(ready.chosen.as_ref());
            if settled || since.elapsed() >= PAGE_PATIENCE.min(timeout) {
                return Ok(ready);
            }
            seen = Some((since, ready));
        }
        let alive = !lease.processes().is_empty();
        let over = if cancel.is_cancelled() {
            Some(NotReady::Cancelled)
        } else if !alive {
            Some(NotReady::Ended)
        } else if started.elapsed() >= timeout {
            Some(NotReady::TimedOut)
        } else {
            None
        };
        match (over, seen.take()) {
            // It answers, only without a page to show: that is enough to attach to.
            (Some(NotReady::TimedOut), Some((_, ready))) => return Ok(ready),
            (Some(why), kept) => {
                let diagnostics = Diagnostics {
                    pid: Some(lease.record.pid).filter(|pid| *pid != 0),
                    pid_alive: alive,
                    user_data_dir: dir,
                    elapsed: started.elapsed(),
                    timeout,
                    port_file,
                    port,
                    version_reached: kept.is_some(),
                };
                return Err((why, Box::new(diagnostics)));
            }
            (None, kept) => seen = kept,
        }
        tokio::select! {
            () = tokio::time::sleep(POLL) => {}
            () = cancel.cancelled() => {}
        }
    }
}

async fn ask(port: u16, wanted: TargetType) -> Option<Ready> {
    let version = devtools::version(port).await?;
    let targets = devtools::targets(port).await.unwrap_or_default();
    let chosen = devtools::choose(&targets, wanted).cloned();
    Some(Ready { port, version, targets, chosen })
}

/// The file in which Chromium tells its port: the port, and a path.
fn read_port(dir: &Path) -> (&'static str, Option<u16>) {
    let Ok(text) = std::fs::read_to_string(dir.join("DevToolsActivePort")) else {
        return ("missing", None);
    };
    let port = text.lines().next().and_then(|line| line.trim().parse().ok());
    match port.filter(|port| *port != 0) {
        Some(port) => ("present", Some(port)),
        None => ("incomplete", None),
    }
}

/// The app itself among the processes of a launch: it may have been started by a script that is gone.
#[must_use]
pub fn app_process(lease: &AppLease) -> Option<ProcId> {
    let wanted = format!("--user-data-dir={}", lease.record.user_data_dir);
    let is_app = |process: &ProcId| {
        process.command_line().is_some_and(|words| {
            words.contains(&wanted) && !words.iter().any(|word| word.starts_with("--type="))
        })
    };
    let processes = lease.processes();
    processes.iter().copied().find(is_app).or_else(|| lease.main_process())
}

#[cfg(test)]
mod tests {
    use super::*;

    // IN-ELEC-20, ELEC-16, ELEC-17
    #[test]
    fn the_process_gets_a_profile_of_its_own_and_a_port_of_the_systems_choice() {
        let args = ["--lang=de".to_owned(), "file.txt".to_owned()];
        assert_eq!(
            arguments(Path::new("/tmp/x/electron-1"), &args),
            [
                "--remote-debugging-port=0",
                "--user-data-dir=/tmp/x/electron-1",
                "--disable-extensions",
                "--no-first-run",
                "--no-default-browser-check",
                "--lang=de",
                "file.txt",
            ]
        );
    }

    // ELEC-29
    #[test]
    fn the_port_file_is_missing_incomplete_or_present() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read_port(dir.path()), ("missing", None));
        for (text, expected) in [
            ("", ("incomplete", None)),
            ("0\n", ("incomplete", None)),
            ("40123\n/devtools/browser/x", ("present", Some(40_123))),
        ] {
            std::fs::write(dir.path().join("DevToolsActivePort"), text).unwrap();
            assert_eq!(read_port(dir.path()), expected, "{text:?}");
        }
    }

    #[test]
    fn the_app_does_not_inherit_our_settings_nor_becomes_a_script_runner() {
        let dir = tempfile::tempdir().unwrap();
        let env: ParentEnv = [
            ("HOME", "/h"),
            ("AGENT_BROWSER_PROXY", "http://u:p@x"),
            ("PI_AGENT_BROWSER_SOCKET_DIR", "/s"),
            ("ELECTRON_RUN_AS_NODE", "1"),
        ]
        .into_iter()
        .collect();
        let app = App {
            platform: super::super::Platform::Linux,
            name: "Notes".into(),
            bundle_id: None,
            desktop_id: None,
            app_path: "/opt/notes".into(),
            executable: "/opt/notes/notes".into(),
            icon: None,
            package_source: "directory",
        };
        let start = Start {
            app: &app,
            args: &[],
            user_data_dir: dir.path(),
            launch_id: "electron-1",
            env: &env,
        };
        let child = environment(&start);
        let names: Vec<String> =
            child.iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        assert!(names.contains(&"HOME".to_owned()) && names.contains(&APP_MARK.to_owned()));
        assert!(!names.iter().any(|name| name.contains("PROXY") || name.contains("AS_NODE")));
        assert!(!names.iter().any(|name| name.starts_with("PI_")));
    }
}
