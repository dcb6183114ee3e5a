//! Files of host sessions that nobody has taken up for a long time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long journals, kept files and locks stay after their last use.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Removes what is older than that. A lock that somebody holds stays.
pub(super) fn prune_state(state_root: &Path) {
    for path in old_files(&state_root.join("journal")) {
        // It is tried again with the next clean-up.
        let _ = fs::remove_file(path);
    }
    for dir in old_directories(&state_root.join("artifacts")) {
        let _ = fs::remove_dir_all(dir);
    }
    for path in old_files(&state_root.join("locks")) {
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

fn old_files(dir: &Path) -> Vec<PathBuf> {
    old_entries(dir, fs::Metadata::is_file)
}

/// Directories in which nothing was made, removed or written for so long.
fn old_directories(dir: &Path) -> Vec<PathBuf> {
    let mut old = old_entries(dir, fs::Metadata::is_dir);
    old.retain(|dir| {
        fs::read_dir(dir).is_ok_and(|all| all.count() == old_entries(dir, |_| true).len())
    });
    old
}

/// No link is followed.
fn old_entries(dir: &Path, wanted: fn(&fs::Metadata) -> bool) -> Vec<PathBuf> {
    let Some(oldest) = SystemTime::now().checked_sub(KEPT) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let old = entries.flatten().filter(|entry| {
        let data = entry.metadata().ok().filter(wanted);
        data.and_then(|data| data.modified().ok()).is_some_and(|used| used < oldest)
    });
    old.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // SES-27, ART-15
    #[test]
    fn a_directory_of_kept_files_goes_when_all_of_it_is_old() {
        let root = tempfile::tempdir().unwrap();
        let (old, new) = (31, 29);
        let dirs = [("old", old, old), ("written", old, new), ("changed", new, old)];
        let aged = |path: &Path, days: u32| {
            let age = Duration::from_secs(24 * 60 * 60) * days;
            File::open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
        };
        for (name, own, file) in dirs {
            let dir = root.path().join("artifacts").join(name);
            fs::create_dir_all(&dir).unwrap();
            for (name, days) in [("a.txt", old), ("b.txt", file)] {
                fs::write(dir.join(name), "x").unwrap();
                aged(&dir.join(name), days);
            }
            aged(&dir, own);
        }
        prune_state(root.path());
        let left = dirs.map(|(name, ..)| root.path().join("artifacts").join(name).exists());
        assert_eq!(left, [false, true, true]);
    }

    // SES-27, HAZ-06
    #[test]
    fn only_old_files_that_nobody_holds_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let make = |name: &str, days: u32| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let file = File::create(&path).unwrap();
            let age = Duration::from_secs(24 * 60 * 60) * days;
            file.set_modified(SystemTime::now() - age).unwrap();
            file
        };
        make("journal/old.jsonl", 31);
        make("journal/new.jsonl", 29);
        make("locks/old.lock", 31);
        make("leases/old.json", 400);
        let held = make("locks/held.lock", 31);
        held.try_lock().unwrap();
        prune_state(root.path());
        let is_there = |name: &str| root.path().join(name).exists();
        assert!(!is_there("journal/old.jsonl") && !is_there("locks/old.lock"));
        assert!(is_there("journal/new.jsonl") && is_there("locks/held.lock"));
        assert!(is_there("leases/old.json"), "leases are ended, not aged out");
    }
}
