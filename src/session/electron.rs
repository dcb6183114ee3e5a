//! The record of an app that a call has launched (ELEC-24).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::key::SessionKey;

/// The version of the record's shape.
const VERSION: u32 = 1;

/// What has become of a launch (ELEC-25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CleanupState {
    /// It runs, as far as we know.
    #[default]
    Active,
    /// Nothing of it is left.
    Cleaned,
    /// It ended by itself; its profile is still there.
    Dead,
    /// The launch failed, and something of it may be left.
    Failed,
    /// A clean-up left something behind.
    Partial,
}

impl CleanupState {
    /// The word in `details`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Cleaned => "cleaned",
            Self::Dead => "dead",
            Self::Failed => "failed",
            Self::Partial => "partial",
        }
    }
}

/// One launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ElectronRecord {
    /// Of this shape.
    pub version: u32,
    /// `electron-` and random digits.
    pub launch_id: String,
    /// Always: apps that the user started have no record.
    pub launched_by_wrapper: bool,
    /// What people call the app.
    pub app_name: String,
    /// Its bundle id, on macOS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle_id: Option<String>,
    /// Its directory or bundle.
    pub app_path: String,
    /// What was started.
    pub executable_path: String,
    /// The profile that was made for it.
    pub user_data_dir: String,
    /// Its DevTools port on 127.0.0.1.
    pub port: u16,
    /// Its process.
    pub pid: u32,
    /// When that was started, in a measure of the system.
    pub pid_start: u64,
    /// The upstream session that is attached to it.
    pub session_name: String,
    /// Where that was attached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_socket_debugger_url: Option<String>,
    /// Milliseconds since 1970.
    pub created_at_ms: u64,
    /// What has become of it.
    pub cleanup_state: CleanupState,
}

impl Default for ElectronRecord {
    fn default() -> Self {
        Self {
            version: VERSION,
            launch_id: String::new(),
            launched_by_wrapper: true,
            app_name: String::new(),
            bundle_id: None,
            app_path: String::new(),
            executable_path: String::new(),
            user_data_dir: String::new(),
            port: 0,
            pid: 0,
            pid_start: 0,
            session_name: String::new(),
            web_socket_debugger_url: None,
            created_at_ms: 0,
            cleanup_state: CleanupState::Active,
        }
    }
}

impl ElectronRecord {
    /// Something of it may still be there.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.cleanup_state != CleanupState::Cleaned
    }

    /// Its session.
    #[must_use]
    pub fn key(&self) -> SessionKey {
        SessionKey::named(&self.session_name)
    }

    /// `details.electron.launch`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
