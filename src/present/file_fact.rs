//! Files as facts: what a saved file is worth as evidence. Looking at them is `artifact`'s work.

use std::path::PathBuf;

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
