//! The real upstream in a private home, with the page server beside it.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent_browser_native::run::version::TESTED_VERSION;
use serde_json::Value;

use super::normalise::Places;
use crate::pages::PageServer;
use crate::process::{self, Exchange, Line};
use crate::{Result, root};

/// No call of upstream takes longer.
const CALL_LIMIT: Duration = Duration::from_secs(100);
/// Keeps the browser from calling its maker; given with the launch only, as the product does.
const LAUNCH_ARGS: &str =
    "--disable-background-networking,--disable-component-update,--disable-sync,--no-first-run";

/// Everything that the calls of a run share.
pub(super) struct World {
    upstream: PathBuf,
    folder: PathBuf,
    pub(super) server: PageServer,
    closed_port: u16,
    pub(super) places: Places,
}

/// One call, ready to run.
pub(super) struct Call<'a> {
    pub(super) argv: &'a [String],
    pub(super) stdin: Option<&'a str>,
    pub(super) envs: &'a [(&'a str, String)],
    pub(super) launches: bool,
}

impl World {
    pub(super) fn create() -> Result<Self> {
        let upstream = tested_upstream()?;
        let folder = process::temporary_folder("abn-record")?;
        for name in ["home/out", "tmp", "s"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let server = PageServer::start()?;
        let closed_port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let package = upstream.parent().and_then(Path::parent).unwrap_or(&upstream);
        let places = Places::new(
            server.port(),
            closed_port,
            &[
                (&folder.join("home"), "/home/ann"),
                (&folder.join("s"), "/home/ann/.sockets"),
                (&folder.join("tmp"), "/tmp"),
                (package, "/usr/lib/node_modules/agent-browser"),
                (&root(), "/home/ann/project"),
            ],
        );
        let world = Self { upstream, folder, server, closed_port, places };
        world.write_inputs()?;
        Ok(world)
    }

    /// Runs upstream to its end, or to the limit.
    pub(super) fn call(&self, call: &Call<'_>) -> Result<Exchange> {
        let mut line = Line::new(&self.upstream, call.argv)
            .clean_env()
            .env("PATH", process::variable("PATH").unwrap_or_default())
            .env("HOME", self.folder.join("home"))
            .env("TMPDIR", self.folder.join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("TZ", "UTC")
            .env("AGENT_BROWSER_SOCKET_DIR", self.folder.join("s"))
            // A daemon that this run fails to close goes away by itself.
            .env("AGENT_BROWSER_IDLE_TIMEOUT_MS", "300000")
            .folder(self.folder.join("home"));
        if call.launches {
            line = line.env("AGENT_BROWSER_ARGS", LAUNCH_ARGS);
        }
        for (name, value) in call.envs {
            line = line.env(name, value);
        }
        line.exchange(call.stdin.unwrap_or_default(), CALL_LIMIT)
    }

    /// Fills in `{u}`, `{closed}` and `{out}`.
    pub(super) fn fill(&self, text: &str, captured: Option<&str>) -> String {
        let out = self.folder.join("home/out");
        text.replace("{u}", &self.server.url(""))
            .replace("{closed}", &format!("http://127.0.0.1:{}", self.closed_port))
            .replace("{out}", &out.to_string_lossy())
            .replace("{captured}", captured.unwrap_or_default())
    }

    /// Files that calls refer to.
    fn write_inputs(&self) -> Result<()> {
        let out = self.folder.join("home/out");
        let files: [(&str, &str); 5] = [
            ("upload.txt", "a file to upload\n"),
            ("baseline.txt", "- heading \"Blank\" [level=1]\n"),
            (
                "policy.json",
                r#"{"default":"deny","allow":["navigate","snapshot","launch","close"]}"#,
            ),
            ("state.json", r#"{"cookies":[],"origins":[]}"#),
            ("curl.txt", "no cookies here\n"),
        ];
        for (name, text) in files {
            fs::File::create(out.join(name))?.write_all(text.as_bytes())?;
        }
        write_ffmpeg(&out.join("bin"))
    }
}

/// A program that keeps the frames it is given, in the place of ffmpeg.
fn write_ffmpeg(folder: &Path) -> Result<()> {
    let path = folder.join("ffmpeg");
    fs::create_dir_all(folder)?;
    let script = "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n\
                  for last in \"$@\"; do :; done\ncat > \"$last\"\n";
    fs::write(&path, script)?;
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

impl Drop for World {
    fn drop(&mut self) {
        let argv = ["--json".to_owned(), "close".to_owned(), "--all".to_owned()];
        // Best effort: what stays behind ends by the idle timeout.
        drop(self.call(&Call { argv: &argv, ..Call::plain() }));
        std::thread::sleep(Duration::from_millis(500));
        drop(fs::remove_dir_all(&self.folder));
    }
}

impl Call<'_> {
    pub(super) fn plain() -> Self {
        Self { argv: &[], stdin: None, envs: &[], launches: false }
    }
}

/// The last value under `key` anywhere in an answer.
pub(super) fn find_key(answer: &str, key: &str) -> Option<String> {
    fn walk(value: &Value, key: &str, found: &mut Option<String>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    if let (true, Value::String(text)) = (name == key, value) {
                        *found = Some(text.clone());
                    }
                    walk(value, key, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, key, found)),
            _ => {}
        }
    }
    let mut found = None;
    walk(&serde_json::from_str(answer).ok()?, key, &mut found);
    found
}

/// The first executable of the tested version.
pub(crate) fn tested_upstream() -> Result<PathBuf> {
    let mut seen = Vec::new();
    for candidate in candidates()? {
        let answer = Line::new(&candidate, &["--version"]).exchange("", CALL_LIMIT);
        let version = answer.map(|answer| answer.stdout.trim().to_owned()).unwrap_or_default();
        if version == format!("agent-browser {TESTED_VERSION}") {
            return Ok(candidate);
        }
        seen.push(format!("{} says \"{version}\"", candidate.display()));
    }
    let seen = if seen.is_empty() { "none found".to_owned() } else { seen.join(", ") };
    Err(format!(
        "recordings want agent-browser {TESTED_VERSION} ({seen}); run `cargo run -- setup`"
    )
    .into())
}

/// Executables as the product looks for them: the named one alone, else PATH, then our own copy.
fn candidates() -> Result<Vec<PathBuf>> {
    if let Some(named) = process::variable("AGENT_BROWSER_NATIVE_UPSTREAM_PATH") {
        return Ok(vec![PathBuf::from(named)]);
    }
    let mut found = Vec::new();
    if let Some(on_path) = process::on_path("agent-browser") {
        let real = fs::canonicalize(on_path)?;
        let is_launcher = real.extension().is_some_and(|ending| ending == "js");
        let folder = real.parent().map(Path::to_path_buf).unwrap_or_default();
        found.push(if is_launcher { folder.join(native_name()) } else { real });
    }
    let data = process::variable("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| process::variable("HOME").map(|home| PathBuf::from(home).join(".local/share")));
    found.push(data.unwrap_or_default().join(format!(
        "agent-browser-native/upstream/node_modules/agent-browser/bin/{}",
        native_name()
    )));
    found.retain(|path| path.is_file());
    Ok(found)
}

/// Name of the native executable in the npm package.
fn native_name() -> String {
    let system = if cfg!(target_os = "macos") {
        "darwin"
    } else if cfg!(windows) {
        "win32"
    } else if cfg!(target_env = "musl") {
        "linux-musl"
    } else {
        "linux"
    };
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let ending = if cfg!(windows) { ".exe" } else { "" };
    format!("agent-browser-{system}-{machine}{ending}")
}
