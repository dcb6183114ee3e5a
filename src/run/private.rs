//! Directories and files that nobody else can read, and that nobody else can have put there.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Creates a directory that only we can enter, or makes sure that it is one.
///
/// # Errors
/// When it cannot be created, is a link or a file, belongs to somebody else, or is open to others.
pub fn private_dir(path: &Path) -> io::Result<()> {
    match check_private_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            DirBuilder::new().recursive(true).mode(0o700).create(path)?;
            check_private_dir(path)
        }
        other => other,
    }
}

/// Makes sure that a directory is private, without creating it.
///
/// # Errors
/// As [`private_dir`], and `NotFound` when there is nothing at the path.
pub fn check_private_dir(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    let problem = if found.file_type().is_symlink() {
        "is a symbolic link"
    } else if !found.is_dir() {
        "is not a directory"
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        "belongs to another user"
    } else if found.mode() & 0o077 != 0 {
        "can be entered by other users (chmod 700 would close it)"
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{} {problem}", path.display())))
}

/// Writes a file that only we can read. It is replaced as a whole or not at all, and a link in its
/// place is replaced, never followed.
///
/// # Errors
/// When the directory does not allow it.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft_beside(path)?;
    let written = create_new(&draft).and_then(|mut file| file.write_all(bytes));
    let kept = written.and_then(|()| fs::rename(&draft, path));
    if kept.is_err() {
        let _not_there = fs::remove_file(&draft);
    }
    kept
}

/// An open private file without a name: it is gone when it is closed, whatever happens to us.
pub(super) fn unnamed_file(directory: &Path) -> io::Result<File> {
    let path = directory.join(format!(".agent-browser-native-{}", random_name()?));
    let file = create_new(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

fn create_new(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(flags)
        .open(path)
}

fn draft_beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("{} names no file", path.display()))
    })?;
    let mut draft = std::ffi::OsString::from(".");
    draft.push(name);
    draft.push(format!(".{}", random_name()?));
    Ok(path.with_file_name(draft))
}

fn random_name() -> io::Result<String> {
    Ok(format!("{:016x}", getrandom::u64().map_err(|error| io::Error::other(error.to_string()))?))
}
