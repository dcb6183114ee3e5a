//! Who keeps a launched app alive, and the proof of what belongs to it (DEC-106).
//!
//! The same idea as the lease of a browser session, in a file of its own: a session that is closed
//! leaves the app running, and an app that is ended leaves the session's lease alone.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run::places::{private_dir, write_private};
use crate::run::proc::{ProcId, descendants, with_environment};
use crate::session::electron::ElectronRecord;
use crate::session::lease::{LeaseOwner, read_all};

/// The variable that marks every process of a launch.
pub const APP_MARK: &str = "AGENT_BROWSER_NATIVE_APP";

/// A lease file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppLease {
    /// Who keeps it alive.
    pub owner: LeaseOwner,
    /// The launch; without a process before it was started.
    pub record: ElectronRecord,
}

impl AppLease {
    /// The process that was recorded, as long as it is the same one.
    #[must_use]
    pub fn main_process(&self) -> Option<ProcId> {
        main_process(&self.record)
    }

    /// Every living process that provably belongs to the launch.
    #[must_use]
    pub fn processes(&self) -> Vec<ProcId> {
        let mut all: Vec<ProcId> = self.main_process().into_iter().collect();
        all.extend(with_environment(&[format!("{APP_MARK}={}", self.record.launch_id)]));
        all.extend(descendants(&all));
        all.sort_by_key(|process| process.pid);
        all.dedup();
        all
    }
}

/// The process of a record, as long as it is the same one.
#[must_use]
pub fn main_process(record: &ElectronRecord) -> Option<ProcId> {
    let id = ProcId { pid: record.pid, start: record.pid_start };
    (record.pid != 0 && id.is_alive()).then_some(id)
}

/// The directory of these leases.
#[derive(Clone, Debug)]
pub struct AppLeases {
    dir: PathBuf,
}

impl AppLeases {
    /// Below the state root.
    #[must_use]
    pub fn below(state_root: &Path) -> Self {
        Self { dir: state_root.join("apps") }
    }

    /// Writes or replaces a lease.
    ///
    /// # Errors
    /// When the private directory cannot be written: then nothing may be started.
    pub fn write(&self, lease: &AppLease) -> io::Result<()> {
        private_dir(&self.dir)?;
        let path = self.path(&lease.record.launch_id).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the launch has no usable id")
        })?;
        write_private(&path, &serde_json::to_vec(lease)?)
    }

    /// The lease of a launch.
    #[must_use]
    pub fn read(&self, launch_id: &str) -> Option<AppLease> {
        let text = std::fs::read(self.path(launch_id)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Removes the lease of an app that is gone.
    pub fn remove(&self, launch_id: &str) {
        if let Some(path) = self.path(launch_id) {
            // A lease that is not there is what is wanted.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Every readable lease.
    #[must_use]
    pub fn all(&self) -> Vec<AppLease> {
        read_all(&self.dir)
    }

    /// Ids come from the caller too: one that is not ours names no file.
    fn path(&self, launch_id: &str) -> Option<PathBuf> {
        let digits = launch_id.strip_prefix("electron-")?;
        let ours = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        ours.then(|| self.dir.join(format!("{launch_id}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-106
    #[test]
    fn leases_are_kept_by_launch_and_foreign_ids_lead_nowhere() {
        let dir = tempfile::tempdir().unwrap();
        let leases = AppLeases::below(dir.path());
        let record =
            ElectronRecord { launch_id: "electron-0a1b".into(), ..ElectronRecord::default() };
        let lease = AppLease { owner: LeaseOwner::KeptUntil(5), record };
        leases.write(&lease).unwrap();
        assert_eq!(leases.read("electron-0a1b"), Some(lease.clone()));
        assert_eq!(leases.all(), vec![lease.clone()]);
        for foreign in ["electron-../../x", "x", "electron-", ""] {
            assert_eq!(leases.read(foreign), None);
        }
        leases.remove("electron-0a1b");
        assert!(leases.all().is_empty());
    }

    // ELEC-49, ELEC-53, SES-27, SES-37
    #[test]
    fn a_number_that_another_process_has_got_by_now_proves_nothing() {
        let me = ProcId::current().unwrap();
        let record = ElectronRecord {
            launch_id: "electron-0a1b".into(),
            pid: me.pid,
            pid_start: me.start + 1,
            ..ElectronRecord::default()
        };
        let lease = AppLease { owner: LeaseOwner::KeptUntil(0), record };
        assert_eq!(lease.main_process(), None);
        assert!(lease.processes().is_empty());
    }
}
