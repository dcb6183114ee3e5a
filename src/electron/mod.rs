//! Desktop apps that are made with Electron: found, proven, started apart from everything the user
//! has, watched, and ended without a trace.
//!
//! Nothing here talks to upstream; `call` joins both.

pub mod cleanup;
pub mod devtools;
pub mod discover;
pub mod evidence;
pub mod launch;
pub mod lease;
pub mod policy;
pub mod sensitivity;
pub mod status;

mod asar;

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use sensitivity::Sensitivity;

/// Whose rules an app was found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Desktop entries and install roots.
    Linux,
    /// App bundles.
    Macos,
    /// No discovery: an app has to be named by its path.
    Unsupported,
}

impl Platform {
    /// The platform that this program was built for.
    pub const HERE: Self = if cfg!(target_os = "linux") {
        Self::Linux
    } else if cfg!(target_os = "macos") {
        Self::Macos
    } else {
        Self::Unsupported
    };

    /// The word in `details`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Macos => "macos",
            Self::Unsupported => "unsupported",
        }
    }
}

/// An app that was proven to be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// Whose rules it was found by.
    pub platform: Platform,
    /// What people call it.
    pub name: String,
    /// Bundle id of macOS.
    pub bundle_id: Option<String>,
    /// Name of its desktop entry, without the ending.
    pub desktop_id: Option<String>,
    /// Its directory or bundle.
    pub app_path: PathBuf,
    /// What is started.
    pub executable: PathBuf,
    /// Its icon, as its entry names it.
    pub icon: Option<String>,
    /// `snap`, `flatpak`, `appimage`, `bundle`, `directory`.
    pub package_source: &'static str,
}

impl App {
    /// What its name says about the data that it may show.
    #[must_use]
    pub fn sensitivity(&self) -> Option<Sensitivity> {
        sensitivity::judge(&[
            &self.name,
            self.bundle_id.as_deref().unwrap_or_default(),
            self.desktop_id.as_deref().unwrap_or_default(),
        ])
    }

    /// Everything that a query or a policy may match.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = vec![self.name.clone()];
        names.extend(self.bundle_id.clone());
        names.extend(self.desktop_id.clone());
        names.push(self.app_path.to_string_lossy().into_owned());
        names.push(self.executable.to_string_lossy().into_owned());
        names
    }

    /// Its row in `details.electron.apps`.
    #[must_use]
    pub fn to_details(&self) -> Value {
        let mut row = Map::new();
        row.insert("platform".into(), self.platform.name().into());
        row.insert("name".into(), self.name.clone().into());
        let known = [
            ("bundleId", self.bundle_id.clone()),
            ("desktopId", self.desktop_id.clone()),
            ("icon", self.icon.clone()),
        ];
        row.extend(known.into_iter().filter_map(|(key, value)| Some((key.into(), value?.into()))));
        row.insert("appPath".into(), json!(self.app_path));
        row.insert("executablePath".into(), json!(self.executable));
        row.insert("packageSource".into(), self.package_source.into());
        if let Some(found) = self.sensitivity() {
            row.insert("sensitivity".into(), found.to_details());
        }
        Value::Object(row)
    }
}

/// What a launch never does, and what to do instead where that is wanted (ELEC-27).
#[must_use]
pub fn profile_isolation() -> Value {
    json!({
        "isolatedLaunch": true,
        "reusesExistingSignedInProfile": false,
        "attachesToAlreadyRunningApp": false,
        "hostDebugLaunchExample": {
            "hostCommand": "<app> --remote-debugging-port=9222 --remote-allow-origins='*'",
            "thenCall": { "args": ["connect", "9222"], "sessionMode": "fresh" },
        },
    })
}
