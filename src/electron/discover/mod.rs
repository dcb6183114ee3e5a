//! Which Electron apps are installed. Every root is a parameter, so that fixture trees test the
//! rules of both platforms on any machine (DEC-86).

mod desktop_entry;
mod linux;
mod macos;
mod plist;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::evidence::{self, NotAnApp};
use super::{App, Platform};
use crate::input::electron::AppTarget;
use crate::run::ParentEnv;

/// How deep and how far below one root is looked.
pub(super) const DEPTH: usize = 7;
pub(super) const ENTRIES: usize = 5_000;

/// Where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    /// Whose rules.
    pub platform: Platform,
    /// Directories of desktop entries (Linux).
    pub entries: Vec<PathBuf>,
    /// Directories below which apps are installed.
    pub installs: Vec<PathBuf>,
    /// Directories of programs that an entry names without a path (Linux).
    pub programs: Vec<PathBuf>,
    /// Where snaps lie (Linux).
    pub snaps: Vec<PathBuf>,
    /// Where flatpaks lie (Linux).
    pub flatpaks: Vec<PathBuf>,
}

impl Roots {
    /// The usual places of this machine.
    #[must_use]
    pub fn of(env: &ParentEnv) -> Self {
        let home = env.path("HOME");
        match Platform::HERE {
            Platform::Linux => linux::usual(home.as_deref()),
            Platform::Macos => macos::usual(home.as_deref()),
            Platform::Unsupported => Self::none(Platform::Unsupported),
        }
    }

    /// Nowhere.
    #[must_use]
    pub fn none(platform: Platform) -> Self {
        Self {
            platform,
            entries: Vec::new(),
            installs: Vec::new(),
            programs: Vec::new(),
            snaps: Vec::new(),
            flatpaks: Vec::new(),
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Proven apps, by name.
    pub apps: Vec<App>,
    /// Candidates that could not be proven.
    pub skipped: usize,
}

impl Found {
    fn add(&mut self, app: App) {
        if !self.apps.iter().any(|known| known.executable == app.executable) {
            self.apps.push(app);
        }
    }
}

/// Looks everywhere.
#[must_use]
pub fn discover(roots: &Roots) -> Found {
    let mut found = match roots.platform {
        Platform::Linux => linux::discover(roots),
        Platform::Macos => macos::discover(roots),
        Platform::Unsupported => Found::default(),
    };
    found.apps.sort_by_key(|app| (app.name.to_lowercase(), app.executable.clone()));
    found
}

/// The apps whose name, ids or paths hold `query`, in any case.
#[must_use]
pub fn matching(apps: Vec<App>, query: Option<&str>) -> Vec<App> {
    let Some(query) = query.map(|query| query.trim().to_lowercase()) else { return apps };
    let holds = |app: &App| app.names().iter().any(|name| name.to_lowercase().contains(&query));
    apps.into_iter().filter(holds).collect()
}

/// Why no app can be started for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// The path leads to no app.
    NotAnApp(PathBuf, NotAnApp),
    /// No installed app is called so.
    Unknown,
    /// Several are: their executables.
    Ambiguous(Vec<PathBuf>),
    /// There is no discovery on this platform.
    NoDiscovery,
}

/// The one app that a launch names.
///
/// # Errors
/// Why there is not exactly one.
pub fn resolve(target: &AppTarget, roots: &Roots, cwd: &Path) -> Result<App, Unresolved> {
    match target {
        AppTarget::Path(path) => at_path(roots.platform, &cwd.join(path)),
        AppTarget::Executable(path) => {
            let path = cwd.join(path);
            evidence::of_executable(&path)
                .map(|proof| app_of(roots.platform, proof))
                .map_err(|why| Unresolved::NotAnApp(path, why))
        }
        AppTarget::Name(name) => by_name(roots, |app| {
            app.name.eq_ignore_ascii_case(name)
                || app.desktop_id.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(name))
        }),
        AppTarget::Bundle(id) => by_name(roots, |app| {
            [&app.bundle_id, &app.desktop_id]
                .into_iter()
                .flatten()
                .any(|known| known.eq_ignore_ascii_case(id))
        }),
    }
}

fn by_name(roots: &Roots, matches: impl Fn(&App) -> bool) -> Result<App, Unresolved> {
    if roots.platform == Platform::Unsupported {
        return Err(Unresolved::NoDiscovery);
    }
    let mut apps = discover(roots).apps;
    apps.retain(matches);
    match (apps.pop(), apps.is_empty()) {
        (None, _) => Err(Unresolved::Unknown),
        (Some(app), true) => Ok(app),
        (Some(last), false) => {
            let paths = apps.into_iter().chain([last]).map(|app| app.executable);
            Err(Unresolved::Ambiguous(paths.collect()))
        }
    }
}

fn at_path(platform: Platform, path: &Path) -> Result<App, Unresolved> {
    if path.extension().is_some_and(|ending| ending == "app") && path.is_dir() {
        return macos::bundle(path)
            .ok_or_else(|| Unresolved::NotAnApp(path.to_owned(), NotAnApp::NoEvidence));
    }
    evidence::of_directory(path)
        .map(|proof| app_of(platform, proof))
        .map_err(|why| Unresolved::NotAnApp(path.to_owned(), why))
}

/// An app of which only its files are known.
fn app_of(platform: Platform, proof: evidence::Proof) -> App {
    if let Some(app) = macos::bundle(&proof.app_path) {
        return app;
    }
    let dir_name = proof.app_path.file_name().map(|name| name.to_string_lossy().into_owned());
    App {
        platform,
        name: proof.package_name.or(dir_name).unwrap_or_else(|| "app".to_owned()),
        bundle_id: None,
        desktop_id: None,
        package_source: source_of(&proof.app_path),
        app_path: proof.app_path,
        executable: proof.executable,
        icon: None,
    }
}

/// Where an app comes from, by its path.
pub(super) fn source_of(path: &Path) -> &'static str {
    let parts: BTreeSet<String> =
        path.iter().map(|part| part.to_string_lossy().to_lowercase()).collect();
    let has = |name: &str| parts.contains(name);
    if has("snap") || has("snapd") {
        "snap"
    } else if has("flatpak") {
        "flatpak"
    } else if parts.iter().any(|part| part == "squashfs-root" || part.starts_with(".mount_")) {
        "appimage"
    } else {
        "directory"
    }
}

/// Directories below a root, the root first, level by level, within the bounds. Links are not
/// followed, but for `current` and `active`, by which snaps and flatpaks name what is in use.
pub(super) fn walk(root: &Path, mut visit: impl FnMut(&Path) -> Descend) {
    let mut level = vec![root.to_owned()];
    let mut left = ENTRIES;
    for _ in 0..=DEPTH {
        let mut next = Vec::new();
        for dir in level {
            if visit(&dir) == Descend::No {
                continue;
            }
            for child in directories(&dir, &mut left) {
                next.push(child);
            }
            if left == 0 {
                break;
            }
        }
        level = next;
    }
}

/// Whether to look below a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Descend {
    Yes,
    No,
}

fn directories(dir: &Path, left: &mut usize) -> Vec<PathBuf> {
    for name in ["current", "active"] {
        let link = dir.join(name);
        if link.is_symlink()
            && let Ok(real) = std::fs::canonicalize(&link)
            && real.is_dir()
        {
            return vec![real];
        }
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
