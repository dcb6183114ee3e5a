//! Small files of host sessions that nobody has taken up for a long time.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long journals and locks stay after their last use.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Removes journals and locks that are older than that. A lock that somebody holds stays.
pub(super) fn prune_state(state_root: &Path) {
    for path in old_files(&state_root.join("journal")) {
        // It is tried again with the next clean-up.
        let _ = fs::remove_file(path);
    }
    for path in old_files(&state_root.join("locks")) {
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

fn old_files(dir: &Path) -> Vec<std::path::PathBuf> {
    let Some(oldest) = SystemTime::now().checked_sub(KEPT) else { return Vec::new() };
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let old = entries.flatten().filter(|entry| {
        let data = entry.metadata().ok().filter(fs::Metadata::is_file);
        data.and_then(|data| data.modified().ok()).is_some_and(|used| used < oldest)
    });
    old.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
