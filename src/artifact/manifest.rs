//! The manifest: which files there are, as they are on disk now.

use std::path::Path;

use serde_json::{Value, json};

use crate::session::artifact::{Artifact, Scope};

/// Entries shown unless the environment says otherwise (ART-12).
pub const DEFAULT_ENTRIES: usize = 100;
/// Paths that `artifactCleanup` names (ART-23).
const CLEANUP_PATHS: usize = 10;

/// What has become of a file (ART-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retention {
    Live,
    Ephemeral,
    Missing,
    Evicted,
}

impl Retention {
    fn of(artifact: &Artifact) -> Self {
        if artifact.evicted {
            Self::Evicted
        } else if !Path::new(&artifact.path).is_file() {
            Self::Missing
        } else if artifact.scope == Scope::ProcessTemp {
            Self::Ephemeral
        } else {
            Self::Live
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Ephemeral => "ephemeral",
            Self::Missing => "missing",
            Self::Evicted => "evicted",
        }
    }
}

/// The manifest of one moment.
#[derive(Debug)]
pub struct Manifest<'a> {
    window: usize,
    entries: Vec<(&'a Artifact, Retention)>,
}

impl<'a> Manifest<'a> {
    /// Looks at the latest `window` files. Ageing out of the window deletes nothing.
    #[must_use]
    pub fn look(artifacts: &'a [Artifact], window: usize) -> Self {
        let first = artifacts.len().saturating_sub(window);
        let recent = artifacts.iter().skip(first);
        Self { window, entries: recent.map(|one| (one, Retention::of(one))).collect() }
    }

    /// True when nothing was ever saved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn count(&self, wanted: Retention) -> usize {
        self.entries.iter().filter(|(_, retention)| *retention == wanted).count()
    }

    /// `Session artifacts: 42 live, 0 evicted (42/100 recent)` (ART-13).
    #[must_use]
    pub fn summary(&self) -> String {
        let mut counts = format!(
            "{} live, {} evicted",
            self.count(Retention::Live),
            self.count(Retention::Evicted)
        );
        for (retention, word) in
            [(Retention::Ephemeral, "ephemeral"), (Retention::Missing, "missing")]
        {
            let count = self.count(retention);
            if count > 0 {
                counts.push_str(&format!(", {count} {word}"));
            }
        }
        format!("Session artifacts: {counts} ({}/{} recent)", self.entries.len(), self.window)
    }

    /// `details.artifactManifest`, the latest `limit` entries of it.
    #[must_use]
    pub fn details(&self, limit: usize) -> Value {
        let hidden = self.entries.len().saturating_sub(limit);
        let entries: Vec<Value> = self.entries.iter().skip(hidden).map(entry).collect();
        let mut details = json!({
            "entries": entries,
            "maxEntries": self.window,
            "liveCount": self.count(Retention::Live),
            "ephemeralCount": self.count(Retention::Ephemeral),
            "missingCount": self.count(Retention::Missing),
            "evictedCount": self.count(Retention::Evicted),
        });
        if hidden > 0
            && let Some(fields) = details.as_object_mut()
        {
            fields.insert("omittedEntries".into(), hidden.into());
        }
        details
    }

    /// Verification entries of spill files that this result points to (ART-05, ART-06).
    #[must_use]
    pub fn spilled(&self, paths: &[String]) -> Vec<Value> {
        let own = self
            .entries
            .iter()
            .filter(|(one, _)| one.scope != Scope::ExplicitPath && paths.contains(&one.path));
        own.map(|(one, retention)| {
            let state = match retention {
                Retention::Live | Retention::Ephemeral => "verified",
                Retention::Missing => "missing",
                Retention::Evicted => "unverified",
            };
            let limitation = match retention {
                Retention::Live => None,
                Retention::Ephemeral => Some("the file goes with this process"),
                Retention::Missing => Some("the file is not there"),
                Retention::Evicted => Some("the file was deleted to make room"),
            };
            json!({
                "path": one.path, "absolutePath": one.path, "kind": "spill",
                "exists": state == "verified", "sizeBytes": one.size, "status": "saved",
                "storageScope": one.scope.name(), "retentionState": retention.name(),
                "state": state, "limitation": limitation,
            })
        })
        .collect()
    }

    /// `details.artifactCleanup` behind a close: whose the files are from now on (ART-22, ART-23).
    #[must_use]
    pub fn cleanup(&self) -> Value {
        let mut paths: Vec<&str> = Vec::new();
        let own = self.entries.iter().filter(|(one, retention)| {
            one.scope == Scope::ExplicitPath && *retention == Retention::Live
        });
        for (one, _) in own {
            if !paths.contains(&one.path.as_str()) {
                paths.push(&one.path);
            }
        }
        paths.truncate(CLEANUP_PATHS);
        json!({
            "owner": "host-file-tools",
            "summary": self.summary(),
            "note": CLEANUP_NOTE,
            "explicitArtifactPaths": paths,
        })
    }
}

/// Who removes files that were saved to chosen paths.
pub const CLEANUP_NOTE: &str =
    "Closing deletes no saved file; remove files at chosen paths with the host's file tools.";

fn entry((artifact, retention): &(&Artifact, Retention)) -> Value {
    json!({
        "path": artifact.path,
        "absolutePath": artifact.path,
        "kind": artifact.kind,
        "command": artifact.command,
        "storageScope": artifact.scope.name(),
        "retentionState": retention.name(),
        "sizeBytes": artifact.size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(path: &Path, scope: Scope) -> Artifact {
        let path = path.to_string_lossy().into_owned();
        Artifact { path, kind: "image".into(), scope, ..Artifact::default() }
    }

    // ART-11, ART-13
    #[test]
    fn every_file_is_looked_at_again() {
        let dir = tempfile::tempdir().unwrap();
        let (there, gone) = (dir.path().join("a.png"), dir.path().join("b.png"));
        std::fs::write(&there, "x").unwrap();
        let evicted = Artifact { evicted: true, ..artifact(&gone, Scope::PersistentSession) };
        let all = [
            artifact(&there, Scope::ExplicitPath),
            artifact(&gone, Scope::ExplicitPath),
            evicted,
            artifact(&there, Scope::ProcessTemp),
        ];
        let manifest = Manifest::look(&all, 100);
        assert_eq!(
            manifest.summary(),
            "Session artifacts: 1 live, 1 evicted, 1 ephemeral, 1 missing (4/100 recent)"
        );
        let states: Vec<Value> = manifest.details(100)["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["retentionState"].clone())
            .collect();
        assert_eq!(states, ["live", "missing", "evicted", "ephemeral"]);
    }

    // ART-12, ART-17
    #[test]
    fn the_window_holds_the_latest_files_only() {
        let all: Vec<Artifact> = (0..120)
            .map(|n| Artifact { path: format!("/none/{n}"), ..Artifact::default() })
            .collect();
        let manifest = Manifest::look(&all, 100);
        assert!(manifest.summary().ends_with("(100/100 recent)"));
        let shown = manifest.details(20);
        assert_eq!(shown["omittedEntries"], 80);
        assert_eq!(shown["entries"][19]["path"], "/none/119");
    }

    // ART-22, ART-23
    #[test]
    fn cleanup_names_at_most_ten_files_that_are_still_there() {
        let dir = tempfile::tempdir().unwrap();
        let mut all = Vec::new();
        for n in 0..12 {
            let path = dir.path().join(format!("{n}.png"));
            std::fs::write(&path, "x").unwrap();
            all.push(artifact(&path, Scope::ExplicitPath));
        }
        all.insert(0, artifact(&dir.path().join("gone.png"), Scope::ExplicitPath));
        let manifest = Manifest::look(&all, 100);
        let cleanup = manifest.cleanup();
        assert_eq!(cleanup["owner"], "host-file-tools");
        assert_eq!(cleanup["summary"], manifest.summary());
        let paths = cleanup["explicitArtifactPaths"].as_array().unwrap();
        assert_eq!(paths.len(), 10);
        assert!(paths[0].as_str().unwrap().ends_with("/0.png"));
    }
}
