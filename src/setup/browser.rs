//! Finds the browser that upstream would find.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::run::locate::{BROWSER_PATH, find_program, is_executable};
use crate::run::{End, Invocation, ParentEnv, run};

/// The names that upstream looks for on `PATH`.
const ON_PATH: [&str; 6] = [
    "google-chrome",
    "google-chrome-stable",
    "chromium-browser",
    "chromium",
    "brave-browser",
    "brave-browser-stable",
];

const ON_MACOS: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
];

/// Below a directory of upstream's own downloads.
const IN_DOWNLOAD: [&str; 5] = [
    "chrome",
    "chrome-linux64/chrome",
    "chrome-linux/chrome",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
];

const VERSION_DEADLINE: Duration = Duration::from_secs(20);

/// A browser that starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    /// The executable.
    pub path: PathBuf,
    /// What it says of itself, for example `Chromium 156.0`.
    pub version: String,
}

/// No browser that starts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoBrowser {
    /// The one that the environment insists on.
    pub(super) named: Option<PathBuf>,
    /// Those that were found and do not start.
    pub(super) tried: Vec<PathBuf>,
}

/// The first browser that starts. Some distributions put a script in its place that only says how to
/// install one, so existence is not enough.
pub(super) async fn find(
    env: &ParentEnv,
    cancel: &CancellationToken,
) -> Result<Browser, NoBrowser> {
    let named = env.get(BROWSER_PATH).map(PathBuf::from);
    let candidates = match &named {
        Some(path) => vec![path.clone()],
        None => candidates(env),
    };
    let mut tried = Vec::new();
    for path in candidates {
        match version(env, &path, cancel).await {
            Some(version) => return Ok(Browser { path, version }),
            None => tried.push(path),
        }
    }
    Err(NoBrowser { named, tried })
}

/// The browser that a launch would use: the named one, or the first that starts.
pub async fn find_browser(env: &ParentEnv, named: Option<PathBuf>) -> Option<Browser> {
    // Who does not want to know any more drops this, which ends what runs.
    let never = CancellationToken::new();
    match named {
        Some(path) => {
            let version = version(env, &path, &never).await?;
            Some(Browser { path, version })
        }
        None => find(env, &never).await.ok(),
    }
}

fn candidates(env: &ParentEnv) -> Vec<PathBuf> {
    let downloads = env.path("HOME").map(|home| home.join(".agent-browser/browsers"));
    let downloaded = downloads.map(|directory| downloaded(&directory)).unwrap_or_default();
    let macos = ON_MACOS.iter().filter(|_| cfg!(target_os = "macos")).map(PathBuf::from);
    let on_path = ON_PATH.iter().filter_map(|name| find_program(env, name));
    downloaded.into_iter().chain(on_path).chain(macos).filter(|path| is_executable(path)).collect()
}

fn downloaded(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let releases =
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("chrome-"));
    let mut releases: Vec<PathBuf> = releases.map(|entry| entry.path()).collect();
    releases.sort();
    releases
        .iter()
        .rev()
        .flat_map(|release| IN_DOWNLOAD.iter().map(move |name| release.join(name)))
        .collect()
}

async fn version(env: &ParentEnv, path: &Path, cancel: &CancellationToken) -> Option<String> {
    let invocation = Invocation {
        exe: path.to_owned(),
        argv: vec!["--version".to_owned()],
        stdin: Vec::new(),
        env: env.unchanged(),
        cwd: PathBuf::from("/"),
        deadline: VERSION_DEADLINE,
    };
    let done = run(invocation, cancel).await.ok()?;
    let text = String::from_utf8_lossy(&done.stdout);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    (done.end == End::Exited && done.exit_code == 0).then(|| line.to_owned())
}
