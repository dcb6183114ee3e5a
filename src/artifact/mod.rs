//! Files on disk: what a command saved, images for the model, and private spill files.

pub mod image;
pub mod manifest;
pub mod output;
pub mod saved;
pub mod spill;

use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::file_fact::{FileFact, FileKind, FileState};

/// A file may carry a time this much older than the call (DEC-63).
const TOLERANCE: Duration = Duration::from_secs(2);

/// Looks at a file that should have been written since `started`.
#[must_use]
pub fn inspect(
    path: &Path,
    kind: FileKind,
    requested: Option<String>,
    started: SystemTime,
) -> FileFact {
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    let size = metadata.as_ref().map_or(0, std::fs::Metadata::len);
    let modified = metadata.as_ref().and_then(|data| data.modified().ok());
    let fresh = modified.is_none_or(|time| time + TOLERANCE >= started);
    let state = match metadata {
        None => FileState::Missing,
        Some(_) if !fresh => FileState::Stale,
        Some(_) if size == 0 => FileState::Empty,
        Some(_) => FileState::Verified,
    };
    let (media_type, dimensions) = image::kind_of(path);
    FileFact {
        kind,
        path: path.to_owned(),
        requested,
        state,
        size,
        media_type,
        dimensions,
        copied_from: None,
    }
}

/// Creates the directory in which a command wants to save (DEC-27).
///
/// # Errors
/// When it cannot be created.
pub fn create_parent(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-63, ART-05
    #[test]
    fn only_a_fresh_file_with_content_is_verified() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        let now = SystemTime::now();
        let inspect = |path: &Path, time| inspect(path, FileKind::Download, None, time);
        assert_eq!(inspect(&path, now).state, FileState::Missing);
        std::fs::write(&path, b"").unwrap();
        assert_eq!(inspect(&path, now).state, FileState::Empty);
        std::fs::write(&path, b"x").unwrap();
        assert_eq!(inspect(&path, now).state, FileState::Verified);
        let later = now + Duration::from_secs(60);
        assert_eq!(inspect(&path, later).state, FileState::Stale);
        assert_eq!(inspect(dir.path(), now).state, FileState::Missing);
    }
}
