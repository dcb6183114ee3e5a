//! What upstream leaves in its socket directory, and the processes behind it.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, setsid};
use serde_json::{Value, json};

use crate::answers::Page;
use crate::command_line::CommandLine;

const ROLE: &str = "FAKE_UPSTREAM_ROLE";

/// No process of a test lives longer.
const LONGEST_LIFE: Duration = Duration::from_secs(180);

const GONE_AFTER_CLOSE: [&str; 6] = ["sock", "pid", "version", "config", "engine", "fake"];

pub(crate) struct Session {
    name: String,
    directory: PathBuf,
}

impl Session {
    pub(crate) fn of(line: &CommandLine) -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let chosen =
            |flag: &str, name: &str| line.value(flag).map(str::to_owned).or_else(|| variable(name));
        let mut directory = variable("AGENT_BROWSER_SOCKET_DIR").map_or_else(
            || PathBuf::from(variable("HOME").unwrap_or_default()).join(".agent-browser"),
            PathBuf::from,
        );
        if let Some(namespace) = chosen("--namespace", "AGENT_BROWSER_NAMESPACE") {
            directory = directory.join("namespaces").join(namespace).join("run");
        }
        let name =
            chosen("--session", "AGENT_BROWSER_SESSION").unwrap_or_else(|| "default".to_owned());
        Self { name, directory }
    }

    /// The page of a running session, or a new session with a blank one.
    pub(crate) fn start(&self) -> Page {
        let stored =
            fs::read(self.file("fake")).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(page) = stored.filter(|_| self.file("sock").exists()) {
            return page;
        }
        let _exists = fs::create_dir_all(&self.directory);
        let _stale = fs::remove_file(self.file("sock"));
        drop(UnixListener::bind(self.file("sock")));
        self.write("pid", &self.daemon_pid().to_string());
        self.write("version", "0.41.0");
        self.write("config", "8ac7231d51426f23");
        self.write("engine", "chrome");
        self.write("target", r#"{"targetId":"FAKE1","url":"about:blank","pinned":false}"#);
        Page::blank()
    }

    pub(crate) fn save(&self, page: &Page) {
        self.write("fake", &serde_json::to_string(page).unwrap_or_default());
    }

    pub(crate) fn close(&self, words: &[String]) -> Value {
        if words.iter().any(|word| word == "--all") {
            let names = self.running();
            names.iter().for_each(|name| self.sibling(name).end());
            return json!({"data": {"closed": names.len(), "failed": [], "sessions": names}, "success": true});
        }
        self.end();
        let data = json!({"closed": true, "restoreStatus": "not_configured", "saveStatus": "not_configured"});
        json!({"success": true, "data": data, "error": null})
    }

    pub(crate) fn describe(&self, words: &[String]) -> Value {
        let data = match words.get(1).map(String::as_str) {
            Some("list") => json!({"sessions": self.running()}),
            Some("info") => self.info(),
            _ => json!({"session": self.name}),
        };
        json!({"data": data, "success": true})
    }

    fn info(&self) -> Value {
        let pid = self.pid();
        let page: Option<Page> =
            fs::read(self.file("fake")).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let runtime = page.filter(|_| pid.is_some()).map(|page| {
            json!({
                "backgroundPid": pid, "browserLaunched": true, "compatibilityStatus": "current", "engine": "chrome",
                "effectiveLaunch": {"browserLaunched": true, "engine": "chrome", "launchHash": page.launch_hash},
                "launchHash": page.launch_hash, "pageCount": page.tabs.len(), "restoreKey": null,
                "restoreSave": "auto", "restoreStatus": "not_configured", "saveStatus": "not_attempted",
            })
        });
        json!({
            "active": pid.is_some(), "namespace": null, "pid": pid, "runtime": runtime, "runtimeError": null,
            "session": self.name, "socketDir": self.directory, "version": pid.map(|_| "0.41.0"),
        })
    }

    fn end(&self) {
        // Only a daemon of our own has a profile; any other pid is that of the caller.
        if let Ok(profile) = fs::read_to_string(self.file("profile")) {
            if let Some(pid) = self.pid().and_then(|pid| Pid::from_raw(pid.cast_signed())) {
                let _gone = kill_process(pid, Signal::KILL);
            }
            let _gone = fs::remove_dir_all(profile);
            let _gone = fs::remove_file(self.file("profile"));
        }
        for kind in GONE_AFTER_CLOSE {
            let _not_there = fs::remove_file(self.file(kind));
        }
    }

    fn running(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter_map(|name| Some(name.strip_suffix(".pid")?.to_owned())).collect();
        names.sort();
        names
    }

    fn sibling(&self, name: &str) -> Self {
        Self { name: name.to_owned(), directory: self.directory.clone() }
    }

    fn pid(&self) -> Option<u32> {
        fs::read_to_string(self.file("pid")).ok()?.trim().parse().ok()
    }

    fn daemon_pid(&self) -> u32 {
        if !wants_daemon() {
            return std::os::unix::process::parent_id();
        }
        // Where a test names no temporary directory, its own directory of sockets is removed with it.
        let temp = std::env::var_os("TMPDIR").map_or_else(|| self.directory.clone(), PathBuf::from);
        let profile = temp.join(format!("agent-browser-chrome-fake-{}", std::process::id()));
        let _exists = fs::create_dir_all(&profile);
        self.write("profile", &profile.to_string_lossy());
        spawn_role("daemon", &[&profile.to_string_lossy()], false).unwrap_or_default()
    }

    fn file(&self, kind: &str) -> PathBuf {
        self.directory.join(format!("{}.{kind}", self.name))
    }

    fn write(&self, kind: &str, text: &str) {
        let path = self.file(kind);
        if let Err(error) = fs::write(&path, text) {
            crate::err(&format!("fake-upstream: {}: {error}\n", path.display()));
        }
    }
}

fn wants_daemon() -> bool {
    std::env::var("FAKE_UPSTREAM_DAEMON").is_ok_and(|value| value == "1")
}

/// Leaves a process behind that keeps our pipes open.
pub(crate) fn hold_pipes(milliseconds: u64) {
    let _started = spawn_role("holder", &[&milliseconds.to_string()], true);
}

fn spawn_role(role: &str, arguments: &[&str], with_pipes: bool) -> Option<u32> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(arguments).env(ROLE, role).stdin(Stdio::null());
    if !with_pipes {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    command.spawn().ok().map(|child| child.id())
}

/// The same executable serves as the daemon, the browser and the holder of pipes.
pub(crate) fn play_a_role() -> Option<ExitCode> {
    let role = std::env::var(ROLE).ok()?;
    let argument = std::env::args().nth(1).unwrap_or_default();
    match role.as_str() {
        "holder" => std::thread::sleep(Duration::from_millis(argument.parse().unwrap_or(0))),
        "daemon" => {
            let _leads_already = setsid();
            let profile = argument.trim_start_matches("--user-data-dir=").to_owned();
            let _browser = spawn_role("browser", &[&format!("--user-data-dir={profile}")], false);
            live_as_long_as(Path::new(&profile));
        }
        _ => live_as_long_as(Path::new(argument.trim_start_matches("--user-data-dir="))),
    }
    Some(ExitCode::SUCCESS)
}

fn live_as_long_as(directory: &Path) {
    let born = Instant::now();
    while directory.exists() && born.elapsed() < LONGEST_LIFE {
        std::thread::sleep(Duration::from_millis(50));
    }
}
