//! Turns across processes (HAZ-06): invocations of one host session, and first calls of one session.

use std::fs::File;
use std::time::Duration;

use crate::run::Places;
use crate::run::places::private_dir;

/// How long anybody waits for a turn before it goes on alone.
const LIMIT: Duration = Duration::from_secs(120);
const POLL: Duration = Duration::from_millis(20);

/// Waits for the turn called `name`; `None` when no lock file can be made.
pub async fn take(places: &Places, name: &str) -> Option<File> {
    let dir = places.state_root.join("locks");
    private_dir(&places.state_root).ok()?;
    private_dir(&dir).ok()?;
    let file =
        File::options().create(true).append(true).open(dir.join(format!("{name}.lock"))).ok()?;
    let end = tokio::time::Instant::now() + LIMIT;
    while file.try_lock().is_err() {
        if tokio::time::Instant::now() >= end {
            return None;
        }
        tokio::time::sleep(POLL).await;
    }
    Some(file)
}
