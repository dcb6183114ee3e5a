//! `outputPath`: a result in a file of the caller's choice (DEC-49).

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a path cannot take a result; the path itself is not repeated.
///
/// # Errors
/// A directory, or a relative path that leaves `cwd` through a link; `real` resolves links.
pub fn check(
    cwd: &Path,
    given: &str,
    real: impl Fn(&Path) -> Option<PathBuf>,
) -> Result<PathBuf, &'static str> {
    let path = crate::plan::rewrite::absolute(cwd, given);
    if given.is_empty() || given.ends_with('/') || path.is_dir() {
        return Err("it is a directory, not a file");
    }
    let below = Path::new(given).is_relative() && path.starts_with(cwd);
    if below {
        let home = real(cwd).ok_or("the directory of the call cannot be resolved")?;
        let leads_to = real(&path).ok_or("its links lead in a circle")?;
        if !leads_to.starts_with(home) {
            return Err("a symbolic link leads it out of the directory of the call");
        }
    }
    Ok(path)
}

/// True when `path` is one of `files`, by whatever name.
#[must_use]
pub fn is_alias(path: &Path, files: &[PathBuf]) -> bool {
    let same = |file: &PathBuf| {
        file == path
            || matches!(
                (std::fs::canonicalize(file), std::fs::canonicalize(path)),
                (Ok(one), Ok(other)) if one == other
            )
            || is_same_file(file, path)
    };
    files.iter().any(same)
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| std::fs::metadata(path).map(|data| (data.dev(), data.ino()));
    matches!((id(one), id(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(not(unix))]
fn is_same_file(_one: &Path, _other: &Path) -> bool {
    false
}

/// Writes the file as a whole or not at all.
///
/// # Errors
/// When a directory cannot be made or the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    super::create_parent(path)?;
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let random = getrandom::u64().map_err(|error| io::Error::other(error.to_string()))?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(format!(".{random:016x}"));
    let draft = path.with_file_name(draft);
    let created = std::fs::OpenOptions::new().write(true).create_new(true).open(&draft);
    let written = created.and_then(|mut file| file.write_all(bytes));
    let kept = written.and_then(|()| std::fs::rename(&draft, path));
    if kept.is_err() {
        let _not_there = std::fs::remove_file(&draft);
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn real(path: &Path) -> Option<PathBuf> {
        match std::fs::canonicalize(path) {
            Ok(found) => Some(found),
            Err(_) => Some(real(path.parent()?)?.join(path.file_name()?)),
        }
    }

    // DEC-49
    #[test]
    fn directories_and_ways_out_through_links_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let (cwd, outside) = (root.path().join("work"), root.path().join("outside"));
        std::fs::create_dir(&cwd).unwrap();
        std::fs::create_dir(&outside).unwrap();
        symlink(&outside, cwd.join("out")).unwrap();
        std::fs::create_dir(cwd.join("sub")).unwrap();
        assert!(check(&cwd, "a/b.json", real).is_ok());
        assert!(check(&cwd, "../outside/b.json", real).is_ok());
        assert!(check(&cwd, outside.join("b.json").to_str().unwrap(), real).is_ok());
        assert!(check(&cwd, "out/b.json", real).unwrap_err().contains("link"));
        for directory in ["sub", "new/", "", "."] {
            assert!(check(&cwd, directory, real).unwrap_err().contains("directory"), "{directory}");
        }
    }

    // DEC-49
    #[test]
    fn every_name_of_an_artifact_is_known() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.png");
        std::fs::write(&file, "x").unwrap();
        symlink(&file, root.path().join("link.png")).unwrap();
        std::fs::hard_link(&file, root.path().join("hard.png")).unwrap();
        std::fs::write(root.path().join("other.png"), "x").unwrap();
        for name in ["a.png", "./a.png", "link.png", "hard.png"] {
            assert!(is_alias(&root.path().join(name), std::slice::from_ref(&file)), "{name}");
        }
        assert!(!is_alias(&root.path().join("other.png"), &[file]));
    }

    // DEC-49
    #[test]
    fn a_file_is_replaced_as_a_whole_and_no_draft_stays() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("new/sub/a.json");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert!(write(&root.path().join("new/sub"), b"x").is_err());
    }
}
