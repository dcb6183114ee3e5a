//! Turns across processes (HAZ-06): invocations of one host session, and first calls of one session.

use std::fs::{File, TryLockError};
use std::time::{Duration, SystemTime};

use crate::run::Places;
use crate::run::places::private_dir;

/// How long anybody waits for a turn before it goes on alone.
const LIMIT: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(20);

/// Waits for the turn called `name`; `None` where there is no lock file, where the file system has
/// no locks, and after [`LIMIT`].
pub async fn take(places: &Places, name: &str) -> Option<File> {
    let dir = places.state_root.join("locks");
    private_dir(&places.state_root).ok()?;
    private_dir(&dir).ok()?;
    let file =
        File::options().create(true).append(true).open(dir.join(format!("{name}.lock"))).ok()?;
    if !wait_for(|| file.try_lock()).await {
        return None;
    }
    // A lock that is in use is no old one; where this fails it is only forgotten earlier.
    let _ = file.set_modified(SystemTime::now());
    Some(file)
}

async fn wait_for(try_lock: impl Fn() -> Result<(), TryLockError>) -> bool {
    let end = tokio::time::Instant::now() + LIMIT;
    while tokio::time::Instant::now() < end {
        match try_lock() {
            Ok(()) => return true,
            Err(TryLockError::WouldBlock) => tokio::time::sleep(POLL).await,
            Err(TryLockError::Error(_)) => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io;

    use super::*;

    // HAZ-06
    #[tokio::test]
    async fn a_turn_is_waited_for_only_where_somebody_has_it() {
        let tries = Cell::new(0);
        let free_at_the_third = || {
            tries.set(tries.get() + 1);
            if tries.get() < 3 { Err(TryLockError::WouldBlock) } else { Ok(()) }
        };
        assert!(wait_for(free_at_the_third).await);
        tries.set(0);
        let unsupported = || {
            tries.set(tries.get() + 1);
            Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))
        };
        assert!(!wait_for(unsupported).await, "a file system without locks");
        assert_eq!(tries.get(), 1, "nothing to wait for");
    }

    // HAZ-06
    #[tokio::test]
    async fn a_turn_belongs_to_one_at_a_time() {
        let root = tempfile::tempdir().unwrap();
        let places = Places {
            state_root: root.path().join("state"),
            temp_root: root.path().join("temp"),
            socket_dir: root.path().join("sock"),
            data_root: root.path().join("data"),
            socket_dir_note: None,
        };
        let mine = take(&places, "s").await.unwrap();
        let path = places.state_root.join("locks/s.lock");
        let other = File::options().append(true).open(path).unwrap();
        assert!(matches!(other.try_lock(), Err(TryLockError::WouldBlock)));
        assert!(take(&places, "t").await.is_some(), "another turn is free");
        drop(mine);
        assert!(other.try_lock().is_ok());
    }
}
