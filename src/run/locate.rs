//! Finds the upstream executable without starting anything.
//!
//! The `agent-browser` that npm puts on `PATH` is a Node script around a native binary beside it;
//! the script alone costs more than most calls, so the native binary is started directly.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::env::ParentEnv;
use super::error::RunError;
use super::places::Places;

/// Names another executable.
pub const UPSTREAM_PATH: &str = "AGENT_BROWSER_NATIVE_UPSTREAM_PATH";

/// Upstream uses this browser and no other when it is set.
pub const BROWSER_PATH: &str = "AGENT_BROWSER_EXECUTABLE_PATH";

const NAME: &str = "agent-browser";
const LAUNCHER: &str = "agent-browser.js";

/// Launcher scripts are a few kilobytes.
const SCRIPT_LIMIT: u64 = 16 * 1024;

/// Who named the executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// `AGENT_BROWSER_NATIVE_UPSTREAM_PATH`.
    Env,
    /// Our own copy, installed by `setup`.
    Own,
    /// The `PATH`.
    Path,
}

/// An executable that was found and not yet asked for its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// What to start.
    pub exe: PathBuf,
    /// What was found: the same, or the launcher in front of it.
    pub found_as: PathBuf,
    /// Who named it.
    pub source: Source,
}

/// The executable that comes first.
///
/// # Errors
/// When there is none, or the named one cannot be executed.
pub fn locate(env: &ParentEnv, places: &Places) -> Result<Located, RunError> {
    candidates(env, places)?.into_iter().next().ok_or(RunError::NotFound)
}

/// Every executable that may be used, best first: the named one alone, else the one on `PATH`, then
/// our own copy.
///
/// # Errors
/// When there is none, or the named one cannot be executed.
pub fn candidates(env: &ParentEnv, places: &Places) -> Result<Vec<Located>, RunError> {
    if let Some(named) = env.get(UPSTREAM_PATH) {
        let named = std::path::absolute(named).unwrap_or_else(|_| PathBuf::from(named));
        return Ok(vec![named_executable(&named)?]);
    }
    let (on_path, locked) = search_path(env, NAME);
    let on_path = on_path.map(|found| located(&found, Source::Path));
    joined(on_path, own_copy(places), locked)
}

/// One that cannot be executed is what is wrong only where there is no other.
fn joined(
    on_path: Option<Located>,
    own: Result<Option<Located>, RunError>,
    locked: Option<PathBuf>,
) -> Result<Vec<Located>, RunError> {
    let (own, broken) = match own {
        Ok(own) => (own, None),
        Err(error) => (None, Some(error)),
    };
    let found: Vec<Located> = on_path.into_iter().chain(own).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let locked = locked.map(|path| RunError::NotExecutable { path });
    Err(broken.or(locked).unwrap_or(RunError::NotFound))
}

/// The directory of our own copy, as npm lays it out.
#[must_use]
pub fn own_prefix(places: &Places) -> PathBuf {
    places.data_root.join("upstream")
}

fn own_copy(places: &Places) -> Result<Option<Located>, RunError> {
    let bin = own_prefix(places).join("node_modules").join(NAME).join("bin");
    let Some(exe) = native_beside(&bin) else {
        return Ok(None);
    };
    // npm unpacks the binaries without execute bits and its scripts, which we do not run, set them.
    if !is_executable(&exe) {
        let repaired = fs::set_permissions(&exe, fs::Permissions::from_mode(0o755));
        repaired.map_err(|_refused| RunError::NotExecutable { path: exe.clone() })?;
    }
    Ok(Some(Located { found_as: exe.clone(), exe, source: Source::Own }))
}

fn named_executable(named: &Path) -> Result<Located, RunError> {
    if !named.is_file() {
        return Err(RunError::Missing { path: named.to_owned() });
    }
    let found = located(named, Source::Env);
    if is_executable(&found.exe) {
        Ok(found)
    } else {
        Err(RunError::NotExecutable { path: found.exe })
    }
}

/// A program of the environment's `PATH`.
#[must_use]
pub fn find_program(env: &ParentEnv, name: &str) -> Option<PathBuf> {
    search_path(env, name).0
}

/// The first executable of that name, and the first file that only lacks the execute bit.
fn search_path(env: &ParentEnv, name: &str) -> (Option<PathBuf>, Option<PathBuf>) {
    let mut locked = None;
    let path = env.get("PATH").unwrap_or_default();
    // A relative entry would run whatever the directory of the call holds.
    for directory in std::env::split_paths(path).filter(|directory| directory.is_absolute()) {
        let found = directory.join(name);
        if !found.is_file() {
            continue;
        }
        if is_executable(&found) {
            return (Some(found), locked);
        }
        locked.get_or_insert(found);
    }
    (None, locked)
}

fn located(found: &Path, source: Source) -> Located {
    let exe = behind_launcher(found).unwrap_or_else(|| found.to_owned());
    Located { exe, found_as: found.to_owned(), source }
}

/// The native binary that a found file stands for, if it is one of upstream's own forms.
fn behind_launcher(found: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(found).ok()?;
    match script_text(&real) {
        Some(script) => {
            let launcher = launcher_named_in(&script, found).unwrap_or(real);
            native_beside(launcher.parent()?).filter(|native| is_executable(native))
        }
        // Links of version managers lead to a program that looks at the name it was called by.
        None => Some(real).filter(|real| has_our_name(real)),
    }
}

fn has_our_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(NAME))
}

fn script_text(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(path).ok()?.take(SCRIPT_LIMIT).read_to_end(&mut start).ok()?;
    start.starts_with(b"#!").then(|| String::from_utf8_lossy(&start).into_owned())
}

/// Package managers that write a shell script in place of a link name the launcher in it, relative
/// to the script's directory.
fn launcher_named_in(script: &str, found: &Path) -> Option<PathBuf> {
    let mut words = script.split(['"', '\'', ' ', '\n', '\t']);
    let word = words.find(|word| word.ends_with(&format!("{NAME}/bin/{LAUNCHER}")))?;
    let relative = word.strip_prefix("$basedir/").unwrap_or(word);
    fs::canonicalize(found.parent()?.join(relative)).ok()
}

fn native_beside(bin: &Path) -> Option<PathBuf> {
    let names = native_names(std::env::consts::OS, std::env::consts::ARCH, has_glibc());
    names.into_iter().map(|name| bin.join(name)).find(|path| path.is_file())
}

/// The file names of the native binary, best first.
fn native_names(os: &str, arch: &str, glibc: bool) -> Vec<String> {
    let arch = match arch {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let kinds: &[&str] = match (os, glibc) {
        ("macos", _) => &["darwin"],
        ("linux", true) => &["linux", "linux-musl"],
        ("linux", false) => &["linux-musl"],
        _ => &[],
    };
    kinds.iter().map(|kind| format!("{NAME}-{kind}-{arch}")).collect()
}

fn has_glibc() -> bool {
    ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
        .iter()
        .any(|loader| Path::new(loader).exists())
}

/// Whether we may execute a file.
#[must_use]
pub fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // RUN-01, DEC-01
    #[test]
    fn a_broken_copy_of_ours_does_not_take_away_the_one_on_path() {
        let at = |path: &str, source| Located { exe: path.into(), found_as: path.into(), source };
        let broken = || Err(RunError::NotExecutable { path: "/own".into() });
        let on_path = at("/bin/agent-browser", Source::Path);
        let found = joined(Some(on_path.clone()), broken(), None).unwrap();
        assert_eq!(found, std::slice::from_ref(&on_path));
        let own = at("/own", Source::Own);
        let both = joined(Some(on_path.clone()), Ok(Some(own.clone())), None).unwrap();
        assert_eq!(both, [on_path, own.clone()], "PATH comes first");
        assert_eq!(joined(None, Ok(Some(own.clone())), Some("/x".into())).unwrap(), [own]);
        let path_of = |found| match found {
            Err(RunError::NotExecutable { path }) => path,
            other => panic!("{other:?}"),
        };
        assert_eq!(path_of(joined(None, broken(), None)), Path::new("/own"));
        assert_eq!(path_of(joined(None, Ok(None), Some("/x".into()))), Path::new("/x"));
        assert!(matches!(joined(None, Ok(None), None), Err(RunError::NotFound)));
    }

    // RUN-01, DEC-111
    #[test]
    fn native_binary_is_named_by_system_processor_and_c_library() {
        assert_eq!(
            native_names("linux", "x86_64", true),
            ["agent-browser-linux-x64", "agent-browser-linux-musl-x64"]
        );
        assert_eq!(native_names("linux", "aarch64", false), ["agent-browser-linux-musl-arm64"]);
        assert_eq!(native_names("macos", "aarch64", false), ["agent-browser-darwin-arm64"]);
        assert!(native_names("plan9", "mips", false).is_empty());
    }
}
