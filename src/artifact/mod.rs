//! Files on disk: what a command saved, images for the model, and private spill files.

pub mod image;
pub mod spill;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file may carry a time this much older than the call (DEC-63).
const TOLERANCE: Duration = Duration::from_secs(2);

/// What a file is worth as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// There, written by this call, not empty.
    Verified,
    /// Not there.
    Missing,
    /// There, but older than the call.
    Stale,
    /// There, but without a byte.
    Empty,
}

impl FileState {
    /// The word behind the path.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Verified => "exists",
            Self::Missing => "missing",
            Self::Stale => "not written by this call",
            Self::Empty => "empty",
        }
    }

    /// `state` of a verification entry.
    #[must_use]
    pub fn state(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Missing => "missing",
            Self::Stale | Self::Empty => "unverified",
        }
    }

    /// `status` of an artifact row.
    #[must_use]
    pub fn status(self) -> &'static str {
        match self {
            Self::Verified => "saved",
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Empty => "empty",
        }
    }
}

/// A file that a command names, as it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFact {
    /// Absolute path.
    pub path: PathBuf,
    /// The path as the caller wrote it.
    pub requested: Option<String>,
    /// What it is worth.
    pub state: FileState,
    /// Size in bytes.
    pub size: u64,
    /// Media type by its first bytes, else by its ending.
    pub media_type: String,
    /// Width and height of an image.
    pub dimensions: Option<(u32, u32)>,
}

/// Looks at a file that should have been written since `started`.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the home of looking at saved files")]
pub fn inspect(path: &Path, requested: Option<String>, started: SystemTime) -> FileFact {
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
    FileFact { path: path.to_owned(), requested, state, size, media_type, dimensions }
}

/// Creates the directory in which a command wants to save (DEC-27).
///
/// # Errors
/// When it cannot be created.
#[expect(clippy::disallowed_methods, reason = "this is the home of output directories")]
pub fn create_parent(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests")]
mod tests {
    use super::*;

    // DEC-63, ART-05
    #[test]
    fn only_a_fresh_file_with_content_is_verified() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        let now = SystemTime::now();
        assert_eq!(inspect(&path, None, now).state, FileState::Missing);
        std::fs::write(&path, b"").unwrap();
        assert_eq!(inspect(&path, None, now).state, FileState::Empty);
        std::fs::write(&path, b"x").unwrap();
        assert_eq!(inspect(&path, None, now).state, FileState::Verified);
        let later = now + Duration::from_secs(60);
        assert_eq!(inspect(&path, None, later).state, FileState::Stale);
        assert_eq!(inspect(dir.path(), None, now).state, FileState::Missing);
    }
}
