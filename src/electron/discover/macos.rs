//! macOS: bundles that carry the Electron framework.

use std::path::{Path, PathBuf};

use super::{App, Descend, Found, Platform, Roots, evidence, plist, walk};
use crate::run::locate::is_executable;

/// Largest property list that is read.
const PLIST_BYTES: u64 = 1024 * 1024;

/// The usual places.
pub(super) fn usual(home: Option<&Path>) -> Roots {
    let mut installs = vec![PathBuf::from("/Applications"), PathBuf::from("/usr/local/Caskroom")];
    installs.extend(home.map(|home| home.join("Applications")));
    Roots { installs, ..Roots::none(Platform::Macos) }
}

pub(super) fn discover(roots: &Roots) -> Found {
    let mut found = Found::default();
    for root in &roots.installs {
        walk(root, |dir| {
            if dir.extension().is_none_or(|ending| ending != "app") {
                return Descend::Yes;
            }
            if evidence::has_framework(dir) {
                match bundle(dir) {
                    Some(app) => found.add(app),
                    None => found.skipped += 1,
                }
            }
            Descend::No
        });
    }
    found
}

/// The app of a bundle; `None` where it is not Electron or has no executable.
pub(super) fn bundle(path: &Path) -> Option<App> {
    let real = std::fs::canonicalize(path).ok()?;
    if !evidence::has_framework(&real) {
        return None;
    }
    let info = read(&real.join("Contents/Info.plist"));
    let value = |key: &str| info.as_deref().and_then(|xml| plist::text(xml, key));
    let stem = real.file_stem()?.to_string_lossy().into_owned();
    let programs = real.join("Contents/MacOS");
    // A list that cannot be read names nothing: the program is called like the bundle then.
    let named = value("CFBundleExecutable").filter(|name| !name.contains('/'));
    let executable = programs.join(named.unwrap_or_else(|| stem.clone()));
    if !is_executable(&executable) {
        return None;
    }
    Some(App {
        platform: Platform::Macos,
        name: value("CFBundleDisplayName").or_else(|| value("CFBundleName")).unwrap_or(stem),
        bundle_id: value("CFBundleIdentifier"),
        desktop_id: None,
        app_path: real,
        executable,
        icon: value("CFBundleIconFile"),
        package_source: "bundle",
    })
}

fn read(path: &Path) -> Option<String> {
    let small = std::fs::metadata(path).is_ok_and(|found| found.len() <= PLIST_BYTES);
    let bytes = small.then(|| std::fs::read(path).ok()).flatten()?;
    String::from_utf8(bytes).ok()
}
