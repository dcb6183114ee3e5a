//! A world of its own for one test: directories, environment, and the stand-in for upstream.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use agent_browser_native::run::{Completed, Invocation, ParentEnv, Places, RunError};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// Everything that the test leaves on disk lies in one private directory, which goes with it.
pub struct TestEnv {
    root: PathBuf,
    vars: BTreeMap<String, String>,
}

impl TestEnv {
    /// An environment in which calls use the stand-in.
    pub fn new() -> Self {
        let fake = fake_upstream().to_str().unwrap();
        Self::without_upstream().with("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", fake)
    }

    /// An environment in which no upstream can be found.
    pub fn without_upstream() -> Self {
        // Short: the socket path is limited.
        let root = PathBuf::from(format!("/tmp/abnt-{:08x}", getrandom::u32().unwrap()));
        for name in ["", "home", "state", "temp", "data", "s", "work", "bin"] {
            fs::DirBuilder::new().mode(0o700).create(root.join(name)).unwrap();
        }
        let mut env = Self { root, vars: BTreeMap::new() };
        for (name, directory) in [
            ("HOME", "home"),
            ("AGENT_BROWSER_NATIVE_STATE_DIR", "state"),
            ("AGENT_BROWSER_NATIVE_TEMP_DIR", "temp"),
            ("AGENT_BROWSER_NATIVE_DATA_DIR", "data"),
            ("PI_AGENT_BROWSER_SOCKET_DIR", "s"),
            ("FAKE_UPSTREAM_LOG", "log.jsonl"),
        ] {
            env.set(name, env.path(directory).to_str().unwrap().to_owned());
        }
        env.set("PATH", format!("{}:/usr/bin:/bin", env.path("bin").display()));
        env
    }

    /// A file or directory of this test.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.vars.insert(name.to_owned(), value.into());
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.set(name, value);
        self
    }

    /// Gives the stand-in its rules (see `tests/fake_upstream/src/script.rs`).
    pub fn script(mut self, script: &Value) -> Self {
        let path = self.path(&format!("script-{:08x}.json", getrandom::u32().unwrap()));
        fs::write(&path, script.to_string()).unwrap();
        self.set("FAKE_UPSTREAM_SCRIPT", path.to_str().unwrap());
        self
    }

    /// Replaces the rules that were given before.
    pub fn rescript(&self, script: &Value) {
        fs::write(&self.vars["FAKE_UPSTREAM_SCRIPT"], script.to_string()).unwrap();
    }

    /// The environment as the program sees it.
    pub fn parent(&self) -> ParentEnv {
        self.vars().iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The same for a program that is started.
    pub fn vars(&self) -> &BTreeMap<String, String> {
        &self.vars
    }

    pub fn places(&self) -> Places {
        Places::resolve(&self.parent()).unwrap()
    }

    /// An executable shell script in this test's own directory of `PATH`.
    pub fn tool(&self, name: &str, body: &str) -> PathBuf {
        let path = self.path("bin").join(name);
        write_executable(&path, format!("#!/bin/sh\n{body}\n").as_bytes());
        path
    }

    /// A run of the stand-in.
    pub fn fake(&self, argv: &[&str]) -> Invocation {
        self.invocation(fake_upstream(), argv)
    }

    /// A run of a shell script.
    pub fn shell(&self, script: &str) -> Invocation {
        self.invocation(Path::new("/bin/sh"), &["-c", script])
    }

    pub fn invocation(&self, exe: &Path, argv: &[&str]) -> Invocation {
        Invocation {
            exe: exe.to_owned(),
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            stdin: Vec::new(),
            env: self.parent().plain(&self.path("s")),
            cwd: self.path("work"),
            deadline: Duration::from_secs(20),
        }
    }

    /// The built program in the directory `work`.
    pub fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"));
        command.args(args).current_dir(self.path("work")).env_clear().envs(self.vars());
        command
    }

    /// What the stand-in was asked, in order.
    pub fn log(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("log.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The arguments of every invocation of the stand-in.
    pub fn asked(&self) -> Vec<Vec<String>> {
        self.log()
            .iter()
            .map(|line| serde_json::from_value(line["argv"].clone()).unwrap())
            .collect()
    }

    /// Every file below a directory of this test.
    pub fn files(&self, name: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut left = vec![self.path(name)];
        while let Some(directory) = left.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { left.push(path) } else { found.push(path) }
            }
        }
        found
    }
}

impl Drop for TestEnv {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.root);
    }
}

/// Runs without anybody cancelling it.
pub async fn run(invocation: Invocation) -> Result<Completed, RunError> {
    agent_browser_native::run::run(invocation, &CancellationToken::new()).await
}

/// Waits until something is true, at most ten seconds.
pub async fn soon(what: impl Fn() -> bool) -> bool {
    for _ in 0..1_000 {
        if what() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    what()
}

pub fn write_executable(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The stand-in, built when it is missing or older than its source.
pub fn fake_upstream() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let this = std::env::current_exe().unwrap();
        let profile_dir = this.parent().and_then(Path::parent).unwrap();
        let exe = profile_dir.join("fake-upstream");
        let built = modified(&exe);
        if built.is_none_or(|built| newest_source() > built) {
            build_fake(profile_dir);
        }
        exe
    })
}

fn build_fake(profile_dir: &Path) {
    let profile = match profile_dir.file_name().unwrap().to_str().unwrap() {
        "debug" => "dev",
        other => other,
    };
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--quiet",
            "--package",
            "fake-upstream",
            "--profile",
            profile,
            "--target-dir",
        ])
        .arg(profile_dir.parent().unwrap())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(status.success(), "fake-upstream does not build");
}

fn newest_source() -> SystemTime {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_upstream");
    let sources = fs::read_dir(package.join("src")).unwrap().map(|entry| entry.unwrap().path());
    sources.chain([package.join("Cargo.toml")]).filter_map(|path| modified(&path)).max().unwrap()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}
