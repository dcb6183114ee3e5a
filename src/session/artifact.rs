//! What the session remembers of files: metadata only, never content (RED-19).

use serde::{Deserialize, Serialize};

/// Entries that are remembered at all; the manifest shows a window of them (ART-12).
pub const REMEMBERED: usize = 500;

/// Whose file it is, and how long it lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Output that was too long, kept with the session.
    PersistentSession,
    /// Output that was too long, gone with this process.
    ProcessTemp,
    /// A file at a path that the caller or upstream chose; never deleted by us.
    #[default]
    ExplicitPath,
}

impl Scope {
    /// `storageScope` in `details`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PersistentSession => "persistent-session",
            Self::ProcessTemp => "process-temp",
            Self::ExplicitPath => "explicit-path",
        }
    }
}

/// One file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Artifact {
    /// Absolute path.
    pub path: String,
    /// `image`, `download`, `spill` …
    pub kind: String,
    /// The command that made it.
    pub command: String,
    /// Whose file it is.
    pub scope: Scope,
    /// The caller named the path.
    pub requested: bool,
    /// Size in bytes when it was saved.
    pub size: u64,
    /// It was deleted to make room (ART-16).
    pub evicted: bool,
}

/// Adds a file, or brings it to the end of the list again.
pub(super) fn keep(artifacts: &mut Vec<Artifact>, artifact: &Artifact) {
    artifacts.retain(|known| known.path != artifact.path);
    artifacts.push(artifact.clone());
    let extra = artifacts.len().saturating_sub(REMEMBERED);
    artifacts.drain(..extra);
}

/// Remembers that a file is gone.
pub(super) fn evict(artifacts: &mut [Artifact], path: &str) {
    artifacts.iter_mut().filter(|known| known.path == path).for_each(|known| known.evicted = true);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> Artifact {
        Artifact { path: path.into(), ..Artifact::default() }
    }

    fn paths(artifacts: &[Artifact]) -> Vec<&str> {
        artifacts.iter().map(|artifact| artifact.path.as_str()).collect()
    }

    #[test]
    fn a_file_that_is_saved_again_is_remembered_once_and_last() {
        let mut artifacts = Vec::new();
        for path in ["a", "b", "a"] {
            keep(&mut artifacts, &file(path));
        }
        assert_eq!(paths(&artifacts), ["b", "a"]);
    }

    #[test]
    fn the_oldest_files_are_forgotten() {
        let mut artifacts = Vec::new();
        for number in 0..REMEMBERED + 2 {
            keep(&mut artifacts, &file(&number.to_string()));
        }
        assert_eq!(artifacts.len(), REMEMBERED);
        assert_eq!(artifacts[0].path, "2");
    }

    // ART-16
    #[test]
    fn only_the_file_that_was_deleted_counts_as_evicted() {
        let mut artifacts = vec![file("a"), file("b")];
        evict(&mut artifacts, "b");
        assert_eq!(artifacts.iter().map(|one| one.evicted).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn scopes_are_called_the_same_in_details_and_in_facts() {
        for scope in [Scope::PersistentSession, Scope::ProcessTemp, Scope::ExplicitPath] {
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
        }
    }
}
