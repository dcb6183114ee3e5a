//! How a launch is: its process, its port, its targets. Only looks (ELEC-32).

use serde_json::{Value, json};

use super::devtools::{self, Target};
use super::lease::main_process;
use crate::session::electron::{CleanupState, ElectronRecord};

/// What was seen of a launch.
#[derive(Clone, Debug)]
pub struct LaunchStatus {
    /// The launch.
    pub launch_id: String,
    /// Its process.
    pub pid: u32,
    /// That very process lives.
    pub pid_alive: bool,
    /// Its port.
    pub port: u16,
    /// `/json/version` answers there.
    pub port_alive: bool,
    /// Its targets.
    pub targets: Vec<Target>,
    /// No lease proves it any more: it is reported and left alone (ELEC-53).
    pub stale: bool,
}

impl LaunchStatus {
    /// The app is there.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.pid_alive && self.port_alive
    }

    /// What the record's state has become.
    #[must_use]
    pub fn state(&self, record: &ElectronRecord) -> CleanupState {
        match record.cleanup_state {
            CleanupState::Active if !self.pid_alive && !self.port_alive => CleanupState::Dead,
            state => state,
        }
    }

    /// `process 4711 alive, port 40123 answers`.
    #[must_use]
    pub fn words(&self) -> String {
        format!(
            "process {} {}, port {} {}",
            self.pid,
            if self.pid_alive { "alive" } else { "gone" },
            self.port,
            if self.port_alive { "answers" } else { "is closed" },
        )
    }

    /// A row of `details.electron.statuses`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        json!({
            "launchId": self.launch_id,
            "pid": self.pid,
            "pidAlive": self.pid_alive,
            "port": self.port,
            "portAlive": self.port_alive,
            "targetCount": self.targets.len(),
            "stale": self.stale,
        })
    }
}

/// Looks at a launch.
pub async fn inspect(record: &ElectronRecord, has_lease: bool) -> LaunchStatus {
    let over = !record.is_open();
    let port_alive = !over && record.port != 0 && devtools::version(record.port).await.is_some();
    let targets = if port_alive { devtools::targets(record.port).await } else { None };
    LaunchStatus {
        launch_id: record.launch_id.clone(),
        pid: record.pid,
        pid_alive: main_process(record).is_some(),
        port: record.port,
        port_alive,
        targets: targets.unwrap_or_default(),
        stale: !has_lease && record.is_open(),
    }
}
