//! Spill files: what is too long to show, redacted, in a private directory of the session.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use crate::redact::SafeText;
use crate::run::places::{private_dir, write_private};
use crate::session::artifact::Scope;

/// Bytes kept per host session; the oldest files go first (ART-16).
pub const DEFAULT_BUDGET: u64 = 32 * 1024 * 1024;

/// No text takes that long to be written.
const DRAFT_KEPT: Duration = Duration::from_secs(60);

/// The private directory of one host session.
#[derive(Debug)]
pub struct SpillDir {
    dir: PathBuf,
    budget: u64,
    scope: Scope,
    next: AtomicU32,
}

/// A file that was written, and those that made room for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its path.
    pub path: PathBuf,
    /// Its size.
    pub size: u64,
    /// Older files that were deleted.
    pub evicted: Vec<PathBuf>,
}

impl SpillDir {
    /// A directory; it is created with the first file.
    #[must_use]
    pub fn new(dir: PathBuf, budget: u64, scope: Scope) -> Self {
        Self { dir, budget, scope, next: AtomicU32::new(1) }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// How long its files live.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Writes a redacted text and makes room for it.
    ///
    /// # Errors
    /// When the private directory cannot be made or written, or the text is larger than all of it.
    pub fn keep(&self, stem: &str, text: &SafeText) -> io::Result<Kept> {
        let size = text.len() as u64;
        if size > self.budget {
            let message = format!("{size} bytes are more than the budget of {}", self.budget);
            return Err(io::Error::other(message));
        }
        private_dir(&self.dir)?;
        let path = loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = self.dir.join(format!("{stem}-{number}.txt"));
            if path.symlink_metadata().is_err() {
                break path;
            }
        };
        let evicted = self.make_room(size)?;
        write_private(&path, text.as_str().as_bytes())?;
        Ok(Kept { path, size, evicted })
    }

    /// Removes the files that live no longer than this process (ART-18).
    pub fn leave(&self) {
        if self.scope == Scope::ProcessTemp {
            // What stays behind lies in a temporary directory.
            let _ = std::fs::remove_dir_all(&self.dir);
        }
    }

    fn make_room(&self, wanted: u64) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.dir)? {
            let path = entry?.path();
            // Another call may be making room at the same time: what it took is gone.
            let Some(data) = unless_gone(path.symlink_metadata())? else { continue };
            if data.is_file() && !is_being_written(&path, data.modified()?) {
                files.push((data.modified()?, data.len(), path));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        let mut evicted = Vec::new();
        for (_, size, path) in files {
            if total + wanted <= self.budget {
                break;
            }
            if unless_gone(std::fs::remove_file(&path))?.is_some() {
                evicted.push(path);
            }
            total -= size;
        }
        Ok(evicted)
    }
}

/// A draft that another call is about to give its name. An old one was left by a kill.
fn is_being_written(path: &Path, modified: SystemTime) -> bool {
    let is_draft = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    is_draft && !modified.elapsed().is_ok_and(|age| age >= DRAFT_KEPT)
}

fn unless_gone<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, symlink};

    use super::*;
    use crate::redact::Redactor;

    fn text(length: usize) -> SafeText {
        Redactor::new([]).safe_text(&"word ".repeat(length / 5))
    }

    // ART-16
    #[test]
    fn the_oldest_files_make_room_and_are_named() {
        let root = tempfile::tempdir().unwrap();
        let spill = SpillDir::new(root.path().join("s"), 1_000, Scope::PersistentSession);
        let first = spill.keep("snapshot", &text(600)).unwrap();
        assert_eq!((first.size, first.evicted.len()), (600, 0));
        let second = spill.keep("snapshot", &text(600)).unwrap();
        assert_eq!(second.evicted, [first.path]);
        assert!(spill.keep("snapshot", &text(2_000)).is_err());
        assert!(second.path.exists());
    }

    // ART-16
    #[test]
    fn two_calls_that_make_room_at_once_both_keep_their_text() {
        let root = tempfile::tempdir().unwrap();
        let dirs = ["a", "b"].map(|stem| {
            (stem, SpillDir::new(root.path().join("s"), 3_000, Scope::PersistentSession))
        });
        std::thread::scope(|threads| {
            let keep = |(stem, spill): &(&'static str, SpillDir)| {
                (0..300).try_for_each(|_| spill.keep(stem, &text(50)).map(drop))
            };
            let both = dirs.each_ref().map(|dir| threads.spawn(move || keep(dir)));
            for kept in both {
                kept.join().unwrap().unwrap();
            }
        });
    }

    // ART-16
    #[test]
    fn what_another_call_is_writing_does_not_make_room() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("s");
        let spill = SpillDir::new(dir.clone(), 1_000, Scope::PersistentSession);
        let first = spill.keep("snapshot", &text(600)).unwrap();
        let draft = |name: &str, age: u64| {
            let path = dir.join(name);
            std::fs::write(&path, "draft").unwrap();
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            path
        };
        let (written, left) = (draft(".a-1.txt.0f", 30), draft(".a-2.txt.0f", 90));
        let second = spill.keep("snapshot", &text(600)).unwrap();
        assert_eq!(second.evicted, [left, first.path]);
        assert!(written.exists());
    }

    // ART-15
    #[test]
    fn files_are_private_and_links_are_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = root.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        let dir = root.path().join("s");
        let spill = SpillDir::new(dir.clone(), 1_000_000, Scope::PersistentSession);
        let kept = spill.keep("snapshot", &text(50)).unwrap();
        let mode = |path: &Path| std::fs::symlink_metadata(path).unwrap().mode() & 0o777;
        assert_eq!((mode(&dir), mode(&kept.path)), (0o700, 0o600));
        // A link in the place of the next file is left alone.
        symlink(elsewhere.join("x"), dir.join("snapshot-2.txt")).unwrap();
        assert_eq!(spill.keep("snapshot", &text(50)).unwrap().path, dir.join("snapshot-3.txt"));
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
        // A link in the place of the directory is refused.
        let linked = root.path().join("linked");
        symlink(&elsewhere, &linked).unwrap();
        let spill = SpillDir::new(linked, 1_000_000, Scope::PersistentSession);
        assert!(spill.keep("snapshot", &text(50)).is_err());
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
    }

    // ART-18
    #[test]
    fn only_files_of_this_process_go_with_it() {
        let root = tempfile::tempdir().unwrap();
        for (scope, stays) in [(Scope::ProcessTemp, false), (Scope::PersistentSession, true)] {
            let spill = SpillDir::new(root.path().join(scope.name()), 1_000, scope);
            let kept = spill.keep("x", &text(50)).unwrap();
            spill.leave();
            assert_eq!(kept.path.exists(), stays);
        }
    }
}
