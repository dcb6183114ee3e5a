//! A world of its own for one test: directories, environment, and the real upstream.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use agent_browser_native::run::locate::locate;
use agent_browser_native::run::{ParentEnv, Places};
use rustix::process::Signal;
use serde_json::Value;

use super::mcp::Mcp;
use super::process::{Process, marked, tree};
use super::soon;

/// Chromium must not talk to anybody but the pages of the test.
const BROWSER_ARGS: &str =
    "--disable-background-networking,--disable-component-update,--disable-sync,--no-first-run";

/// Everything of a test lies in one short directory, whose name marks its processes.
pub struct Bed {
    root: PathBuf,
    vars: BTreeMap<String, String>,
}

impl Bed {
    /// A bed whose tool starts the real upstream directly.
    pub fn new() -> Self {
        // Short: the socket path is limited.
        let root = PathBuf::from(format!("/tmp/abnl-{:08x}", getrandom::u32().unwrap()));
        for name in ["", "home", "state", "temp", "s", "raw", "work", "bin"] {
            fs::DirBuilder::new().mode(0o700).create(root.join(name)).unwrap();
        }
        let upstream = upstream();
        let mut bed = Self { root, vars: BTreeMap::new() };
        let inherited = ["PATH", "LANG", "TZ", "XDG_RUNTIME_DIR"];
        for name in inherited {
            if let Ok(value) = std::env::var(name) {
                bed.set(name, value);
            }
        }
        for (name, directory) in [
            ("HOME", "home"),
            ("TMPDIR", "temp"),
            ("AGENT_BROWSER_NATIVE_STATE_DIR", "state"),
            ("AGENT_BROWSER_NATIVE_TEMP_DIR", "temp/abn"),
            ("PI_AGENT_BROWSER_SOCKET_DIR", "s"),
        ] {
            bed.set(name, bed.path(directory).to_str().unwrap().to_owned());
        }
        bed.set("AGENT_BROWSER_ARGS", BROWSER_ARGS);
        bed.set("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", upstream.to_str().unwrap());
        bed
    }

    /// A bed in which every start of upstream by the tool is counted from outside.
    pub fn counting() -> Self {
        let mut bed = Self::new();
        let counter = bed.path("bin/counted-upstream");
        let (log, real) = (bed.path("starts.log"), upstream());
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$*\" >>{}\nexec {} \"$@\"\n",
            log.display(),
            real.display()
        );
        fs::write(&counter, script).unwrap();
        fs::set_permissions(&counter, fs::Permissions::from_mode(0o755)).unwrap();
        bed.set("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", counter.to_str().unwrap());
        bed
    }

    /// Arguments of every upstream that the tool has started so far.
    pub fn starts(&self) -> Vec<String> {
        let log = fs::read_to_string(self.path("starts.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.vars.insert(name.to_owned(), value.into());
    }

    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    /// The built program, in this bed's environment and working directory.
    pub fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"));
        command.env_clear().envs(&self.vars).current_dir(self.path("work"));
        command
    }

    /// One call through the one-shot door: exit code and what was printed.
    pub fn call(&self, args: &[&str]) -> (i32, String) {
        let params = serde_json::json!({ "args": args }).to_string();
        let output = self.program().args(["call", &params]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), text.trim_end().to_owned())
    }

    /// The next start of a door, which finds what others have left behind and ends it.
    pub fn start_door(&self, door: &str, foreign: Option<&Foreign<'_>>) {
        let mut command = self.program();
        command.arg(door);
        match door {
            "mcp" => {
                let next = Mcp::start(&mut command);
                self.assert_nothing_left_but(foreign, next.pid());
                next.end();
            }
            "rpc" => {
                let mut next = Mcp::connect(&mut command);
                let session = serde_json::json!({ "door": "pi", "sessionId": "s", "trusted": false,
                    "cwd": self.path("work"), "facts": [] });
                let hello = next.request("initialize", &session).message();
                assert!(hello.get("error").is_none(), "{hello}");
                self.assert_nothing_left_but(foreign, next.pid());
                next.end();
            }
            "call" => assert_eq!(self.call(&["session", "list"]).0, 0),
            _ => assert!(command.stdout(Stdio::null()).status().unwrap().success()),
        }
    }

    /// A server whose host is a shell: its stdin stays open when the host dies.
    pub fn hosted(&self) -> Mcp {
        let program = self.program();
        let mut host = Command::new("/bin/sh");
        host.args(["-c", "exec 3<&0; \"$0\" mcp <&3 & wait"]).arg(program.get_program());
        host.env_clear().current_dir(self.path("work"));
        host.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Mcp::start(&mut host)
    }

    /// Upstream without the tool, on a session of its own.
    pub fn raw(&self) -> Raw<'_> {
        Raw { bed: self, socket_dir: self.path("raw"), session: "raw".to_owned() }
    }

    /// The same under another name.
    pub fn raw_as(&self, session: &str) -> Raw<'_> {
        Raw { session: session.to_owned(), ..self.raw() }
    }

    /// A browser that is not the tool's, in the tool's own directory. Before the tool starts.
    pub fn foreign(&self, url: &str) -> Foreign<'_> {
        let raw = Raw { bed: self, socket_dir: self.path("s"), session: "foreign".to_owned() };
        raw.data(&["open", url]);
        let (started, profiles) = (self.processes(), self.profiles());
        Foreign { raw, started, profiles }
    }

    /// Every process of this bed.
    pub fn processes(&self) -> Vec<Process> {
        marked(self.root.to_str().unwrap())
    }

    /// The browser processes (not their helpers) of this bed.
    pub fn browsers(&self) -> Vec<Process> {
        let mut found = self.processes();
        found.retain(|process| {
            process.command.contains("--user-data-dir=") && !process.command.contains("--type=")
        });
        found
    }

    /// Upstream's daemons of this bed.
    pub fn daemons(&self, server: u32) -> Vec<Process> {
        let mut found = self.processes();
        found.retain(|process| {
            process.pid != server
                && process.command.contains("agent-browser")
                // A process for the next call may wait for its rows.
                && !process.command.contains(" batch ")
                && !process.command.contains("--user-data-dir")
                && !process.command.contains("--type=")
        });
        found
    }

    /// Throw-away profiles of browsers.
    pub fn profiles(&self) -> Vec<PathBuf> {
        let mut found = entries(&self.path("temp"), "agent-browser-chrome-");
        // The tool gives each of its browsers a directory of its own.
        found.extend(entries(&self.path("temp/abn"), ""));
        found
    }

    /// Sockets of sessions of the tool.
    pub fn sockets(&self) -> Vec<PathBuf> {
        let mut found = entries(&self.path("s"), "");
        found.retain(|path| path.extension().is_some_and(|ending| ending == "sock"));
        found
    }

    /// Waits until nothing of the tool is left: no process, no socket, no profile but those of the
    /// foreign session.
    pub fn assert_nothing_left(&self, foreign: Option<&Foreign<'_>>) {
        self.assert_nothing_left_but(foreign, 0);
    }

    /// The same while a server of the tool runs that has no browser.
    pub fn assert_nothing_left_but(&self, foreign: Option<&Foreign<'_>>, server: u32) {
        let left = || {
            let kept = foreign.map(Foreign::processes).unwrap_or_default();
            let profiles = foreign.map(|foreign| foreign.profiles.clone()).unwrap_or_default();
            let mut processes = self.processes();
            processes.retain(|process| !kept.contains(process) && process.pid != server);
            let mut paths: Vec<PathBuf> = self.profiles();
            paths.extend(self.sockets());
            paths.retain(|path| !path.ends_with("foreign.sock") && !profiles.contains(path));
            (processes, paths)
        };
        let gone = soon(Duration::from_secs(10), || {
            let (processes, paths) = left();
            processes.is_empty() && paths.is_empty()
        });
        assert!(gone, "left after 10 s: {:#?}", left());
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        for _ in 0..2 {
            for process in self.processes() {
                process.kill(Signal::KILL);
            }
            soon(Duration::from_secs(2), || self.processes().is_empty());
        }
        let _gone = fs::remove_dir_all(&self.root);
    }
}

fn entries(directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let found = fs::read_dir(directory).into_iter().flatten().flatten();
    let named = found.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    named.map(|entry| entry.path()).collect()
}

/// The upstream that the tool itself would use in the environment of the test run.
pub fn upstream() -> PathBuf {
    let env = ParentEnv::from_process();
    let places = Places::resolve(&env).unwrap();
    locate(&env, &places).expect("live tests need upstream: run agent-browser-native setup").exe
}

/// Upstream as anybody can start it: for showing what it does without the tool.
pub struct Raw<'a> {
    bed: &'a Bed,
    socket_dir: PathBuf,
    session: String,
}

impl Raw<'_> {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(upstream());
        command.env_clear().envs(&self.bed.vars).current_dir(self.bed.path("work"));
        command.env("AGENT_BROWSER_SOCKET_DIR", &self.socket_dir);
        command.args(["--json", "--session", &self.session]).args(args).stdin(Stdio::null());
        command
    }

    /// Starts a command and gives up on it: whether it was still running after `limit`.
    pub fn runs_longer_than(&self, limit: Duration, args: &[&str]) -> bool {
        let mut child = self.command(args).stdout(Stdio::null()).spawn().unwrap();
        let ended = soon(limit, || child.try_wait().unwrap().is_some());
        let _ended_already = child.kill();
        child.wait().unwrap();
        !ended
    }

    /// One command; its envelope.
    pub fn run(&self, args: &[&str]) -> Value {
        let output = self.command(args).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{args:?}: {error}: {}", String::from_utf8_lossy(&output.stdout))
        })
    }

    /// One command that succeeds; its data.
    pub fn data(&self, args: &[&str]) -> Value {
        let answer = self.run(args);
        assert_eq!(answer["success"], true, "{args:?}: {answer}");
        answer["data"].clone()
    }

    /// The result of a script.
    pub fn eval(&self, script: &str) -> Value {
        self.data(&["eval", script])["result"].clone()
    }

    pub fn close(&self) {
        self.run(&["close"]);
    }
}

/// A session of somebody else.
pub struct Foreign<'a> {
    pub raw: Raw<'a>,
    /// Some helpers of a browser do not descend from its daemon.
    started: Vec<Process>,
    profiles: Vec<PathBuf>,
}

impl Foreign<'_> {
    fn processes(&self) -> Vec<Process> {
        let file = self.raw.socket_dir.join(format!("{}.pid", self.raw.session));
        let pid = fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok());
        let mut found = pid.map(tree).unwrap_or_default();
        found.extend(self.started.iter().cloned());
        found
    }
}
