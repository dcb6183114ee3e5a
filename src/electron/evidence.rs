//! Is it Electron? Nothing is started that does not prove it (DEC-86, ELEC-15).

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use serde_json::Value;

use super::asar;
use crate::run::locate::is_executable;

/// Most entries of one directory that are looked at.
const ENTRY_LIMIT: usize = 500;
/// Most bytes of an executable that are searched for the marker.
const SCAN_LIMIT: u64 = 400 * 1024 * 1024;
/// Every Electron executable holds the mark of its fuses, and asks for this variable.
const MARKERS: [&str; 2] = ["dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX", "ELECTRON_RUN_AS_NODE"];
/// Helpers that lie beside the executable and are never the app.
const HELPERS: [&str; 4] =
    ["chrome-sandbox", "chrome_crashpad_handler", "crashpad_handler", "update-mime-database"];
/// The framework that every bundle of macOS carries.
const FRAMEWORK: &str = "Contents/Frameworks/Electron Framework.framework";

/// Why something is not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAnApp {
    /// There is nothing at the path.
    Missing,
    /// A directory where a file was expected.
    Directory,
    /// A file that cannot be run.
    NotExecutable,
    /// It runs, but nothing shows that it is Electron.
    NoEvidence,
    /// It may be one, but it cannot be looked into.
    AppImage,
}

impl NotAnApp {
    /// The rest of the sentence behind the path.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Missing => "does not exist",
            Self::Directory => "is a directory; name the executable in it, or use appPath",
            Self::NotExecutable => "is not executable",
            Self::AppImage => {
                "is an AppImage, which cannot be looked into; extract it with --appimage-extract \
                 and name the directory as appPath"
            }
            Self::NoEvidence => {
                "is not an Electron app (no app.asar or app directory with Chromium resources beside it)"
            }
        }
    }
}

/// The directory of an app that was proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Directory or bundle.
    pub app_path: PathBuf,
    /// The executable.
    pub executable: PathBuf,
    /// `productName` or `name` of its package.
    pub package_name: Option<String>,
}

/// Proves an executable.
///
/// # Errors
/// Why it does not hold.
pub fn of_executable(path: &Path) -> Result<Proof, NotAnApp> {
    // The name that is started may be a link to the app.
    let real = std::fs::canonicalize(path).map_err(|_| NotAnApp::Missing)?;
    if real.is_dir() {
        return Err(NotAnApp::Directory);
    }
    if !is_executable(&real) {
        return Err(NotAnApp::NotExecutable);
    }
    if let Some(bundle) = bundle_of(&real) {
        if !has_framework(&bundle) {
            return Err(NotAnApp::NoEvidence);
        }
        return Ok(Proof { app_path: bundle, executable: real, package_name: None });
    }
    let dir = real.parent().ok_or(NotAnApp::NoEvidence)?;
    let proven = has_app(dir) && (has_paks(dir) || has_marker(&real));
    if !proven || is_helper(&real) {
        let packed = is_app_image(&real);
        return Err(if packed { NotAnApp::AppImage } else { NotAnApp::NoEvidence });
    }
    Ok(Proof { app_path: dir.to_owned(), package_name: package_name(dir), executable: real })
}

/// Finds and proves the executable of an install directory.
///
/// # Errors
/// Why there is none.
pub fn of_directory(dir: &Path) -> Result<Proof, NotAnApp> {
    let real = std::fs::canonicalize(dir).map_err(|_| NotAnApp::Missing)?;
    if real.is_file() {
        return of_executable(&real);
    }
    if !has_app(&real) {
        return Err(NotAnApp::NoEvidence);
    }
    let mut found: Vec<(bool, u64, PathBuf)> = entries(&real)
        .into_iter()
        .filter(|path| path.is_file() && is_executable(path) && !is_helper(path))
        .map(|path| {
            let size = std::fs::metadata(&path).map_or(0, |found| found.len());
            (named_like(&path, &real), size, path)
        })
        .collect();
    // The one that is called like the app, else the largest.
    found.sort_by(|one, other| (other.0, other.1, &one.2).cmp(&(one.0, one.1, &other.2)));
    let proven = found.into_iter().find_map(|(_, _, path)| of_executable(&path).ok());
    proven.ok_or(NotAnApp::NoEvidence)
}

/// A bundle of macOS carries the framework.
#[must_use]
pub fn has_framework(bundle: &Path) -> bool {
    bundle.join(FRAMEWORK).is_dir()
}

/// The directory holds an app's resources.
#[must_use]
pub fn has_app(dir: &Path) -> bool {
    let resources = dir.join("resources");
    resources.join("app/package.json").is_file()
        || ["app.asar", "default_app.asar"]
            .iter()
            .any(|name| asar::is_archive(&resources.join(name)))
}

fn has_paks(dir: &Path) -> bool {
    entries(dir).iter().any(|path| path.extension().is_some_and(|ending| ending == "pak"))
}

fn bundle_of(executable: &Path) -> Option<PathBuf> {
    let macos = executable.parent().filter(|dir| dir.ends_with("Contents/MacOS"))?;
    let bundle = macos.parent()?.parent()?;
    bundle.extension().is_some_and(|ending| ending == "app").then(|| bundle.to_owned())
}

fn package_name(dir: &Path) -> Option<String> {
    let resources = dir.join("resources");
    let text = std::fs::read(resources.join("app/package.json")).ok();
    let package: Value = text
        .and_then(|text| serde_json::from_slice(&text).ok())
        .or_else(|| asar::package_json(&resources.join("app.asar")))?;
    let name = ["productName", "name"].iter().find_map(|key| package.get(key)?.as_str());
    name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty() && name.len() <= 200)
}

fn is_helper(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    HELPERS.contains(&name) || name.contains(".so")
}

/// `signal-desktop` in `Signal`, `code` in `code`.
fn named_like(path: &Path, dir: &Path) -> bool {
    let plain = |path: &Path| {
        let name = path.file_stem().map(|name| name.to_string_lossy().to_lowercase());
        name.unwrap_or_default().replace([' ', '-', '_'], "")
    };
    let (file, dir) = (plain(path), plain(dir));
    !dir.is_empty() && (file.starts_with(&dir) || dir.starts_with(&file))
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(dir).into_iter().flatten().flatten();
    found.take(ENTRY_LIMIT).map(|entry| entry.path()).collect()
}

/// Only an ELF file is searched, and only so far.
fn has_marker(path: &Path) -> bool {
    let Ok(mut file) = File::open(path) else { return false };
    let mut magic = [0; 4];
    if file.read_exact(&mut magic).is_err() || magic != *b"\x7fELF" {
        return false;
    }
    let Ok(search) = AhoCorasick::new(MARKERS) else { return false };
    search.stream_find_iter(file.take(SCAN_LIMIT)).next().is_some_and(|found| found.is_ok())
}

/// An AppImage says so in its first bytes.
fn is_app_image(path: &Path) -> bool {
    let mut head = [0; 11];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.get(8..10) == Some(b"AI".as_slice())
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
