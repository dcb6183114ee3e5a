//! Linux: desktop entries first, because they know names, then the usual install roots.

use std::path::{Path, PathBuf};

use super::desktop_entry::{self, Entry};
use super::{App, Descend, Found, Platform, Roots, app_of, evidence, source_of, walk};

/// Most entries of one directory, and the largest entry that is read.
const ENTRY_FILES: usize = 2_000;
const ENTRY_BYTES: u64 = 256 * 1024;

/// The usual places.
pub(super) fn usual(home: Option<&Path>) -> Roots {
    let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<PathBuf>>();
    let below = |list: &[&str]| {
        home.map(|home| list.iter().map(|name| home.join(name)).collect::<Vec<PathBuf>>())
            .unwrap_or_default()
    };
    let mut entries = paths(&[
        "/usr/share/applications",
        "/usr/local/share/applications",
        "/var/lib/snapd/desktop/applications",
        "/var/lib/flatpak/exports/share/applications",
    ]);
    entries.extend(below(&[
        ".local/share/applications",
        ".local/share/flatpak/exports/share/applications",
    ]));
    let mut installs = paths(&["/opt", "/usr/lib", "/usr/lib64", "/usr/share", "/usr/local/lib"]);
    installs.extend(below(&["Applications", ".local/opt", ".local/lib", "opt"]));
    let mut flatpaks = paths(&["/var/lib/flatpak/app"]);
    flatpaks.extend(below(&[".local/share/flatpak/app"]));
    Roots {
        platform: Platform::Linux,
        entries,
        installs,
        programs: paths(&["/usr/local/bin", "/usr/bin", "/bin"]),
        snaps: paths(&["/snap"]),
        flatpaks,
    }
}

pub(super) fn discover(roots: &Roots) -> Found {
    let mut found = Found::default();
    for dir in &roots.entries {
        for (id, entry) in entries_of(dir) {
            match app_of_entry(roots, &id, &entry) {
                Entered::App(app) => found.add(app),
                Entered::Unproven => found.skipped += 1,
                Entered::Other => {}
            }
        }
    }
    for root in roots.installs.iter().chain(&roots.snaps).chain(&roots.flatpaks) {
        for dir in app_directories(root) {
            match evidence::of_directory(&dir) {
                Ok(proof) => found.add(app_of(Platform::Linux, proof)),
                Err(_) => found.skipped += 1,
            }
        }
    }
    found
}

enum Entered {
    App(App),
    /// It looks like Electron, but nothing proves it.
    Unproven,
    /// Some other program.
    Other,
}

fn entries_of(dir: &Path) -> Vec<(String, Entry)> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten().take(ENTRY_FILES);
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let id = path.file_name()?.to_str()?.strip_suffix(".desktop")?.to_owned();
        let small = std::fs::metadata(&path).is_ok_and(|found| found.len() <= ENTRY_BYTES);
        let text = small.then(|| std::fs::read(&path).ok()).flatten()?;
        Some((id, desktop_entry::parse(&String::from_utf8_lossy(&text))?))
    };
    paths.into_iter().filter_map(read).collect()
}

fn app_of_entry(roots: &Roots, id: &str, entry: &Entry) -> Entered {
    let proof = match (&entry.snap, &entry.flatpak) {
        (Some(name), _) => below_package(&roots.snaps, name),
        (None, Some(name)) => below_package(&roots.flatpaks, name),
        (None, None) => by_program(roots, &entry.program),
    };
    let Some(proof) = proof else {
        let image = Path::new(&entry.program).extension();
        let image = image.is_some_and(|ending| ending.eq_ignore_ascii_case("appimage"));
        return if image { Entered::Unproven } else { Entered::Other };
    };
    Entered::App(App {
        platform: Platform::Linux,
        name: entry.name.clone(),
        bundle_id: None,
        desktop_id: Some(id.to_owned()),
        package_source: source_of(&proof.app_path),
        app_path: proof.app_path,
        executable: proof.executable,
        icon: entry.icon.clone(),
    })
}

/// The app behind a program: itself, or, for a script in `bin/`, the one beside that directory.
fn by_program(roots: &Roots, program: &str) -> Option<evidence::Proof> {
    let path = Path::new(program);
    let candidates: Vec<PathBuf> = if path.is_absolute() {
        vec![path.to_owned()]
    } else if path.components().count() == 1 {
        roots.programs.iter().map(|dir| dir.join(program)).collect()
    } else {
        return None;
    };
    let real = candidates.iter().find_map(|path| std::fs::canonicalize(path).ok())?;
    if let Ok(proof) = evidence::of_executable(&real) {
        return Some(proof);
    }
    let dir = real.parent().filter(|dir| dir.ends_with("bin"))?.parent()?;
    evidence::of_directory(dir).ok()
}

/// The first app below the package of that name.
fn below_package(roots: &[PathBuf], name: &str) -> Option<evidence::Proof> {
    // A name, not a way out of the root.
    let plain = !name.is_empty() && !name.contains('/') && name != "..";
    let dirs = roots.iter().filter(|_| plain).map(|root| root.join(name));
    dirs.flat_map(|dir| app_directories(&dir)).find_map(|dir| evidence::of_directory(&dir).ok())
}

/// Directories below a root that hold an app.
fn app_directories(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(root, |dir| {
        if evidence::has_app(dir) {
            found.push(dir.to_owned());
            return Descend::No;
        }
        Descend::Yes
    });
    found
}
