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
    /// It will be written when a recording stops.
    Pending,
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
            Self::Pending => "written on record stop",
        }
    }

    /// `state` of a verification entry.
    #[must_use]
    pub fn state(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Missing => "missing",
            Self::Stale | Self::Empty => "unverified",
            Self::Pending => "pending",
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
            Self::Pending => "pending",
        }
    }

    /// Why the file proves nothing yet, for `limitation`.
    #[must_use]
    pub fn limitation(self) -> Option<&'static str> {
        match self {
            Self::Verified => None,
            Self::Missing => Some("the file is not there although upstream reports success"),
            Self::Stale => Some("the file is older than the call"),
            Self::Empty => Some("the file has no content"),
            Self::Pending => Some("the recording is written when it stops"),
        }
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum FileKind {
    Screenshot,
    DiffImage,
    ContactSheet,
    Pdf,
    Download,
    State,
    Trace,
    Profile,
    Recording,
    Har,
}

impl FileKind {
    /// `kind` in `details`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Screenshot | Self::DiffImage | Self::ContactSheet => "image",
            Self::Pdf => "pdf",
            Self::Download => "download",
            Self::State => "state",
            Self::Trace => "trace",
            Self::Profile => "profile",
            Self::Recording => "video",
            Self::Har => "har",
        }
    }

    /// `artifactType` in `details`.
    #[must_use]
    pub fn artifact_type(self) -> &'static str {
        match self {
            Self::Screenshot => "screenshot",
            Self::DiffImage => "diff-image",
            Self::ContactSheet => "contact-sheet",
            Self::Recording => "recording",
            other => other.kind(),
        }
    }

    /// The word that opens its line.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Screenshot => "Screenshot",
            Self::DiffImage => "Diff image",
            Self::ContactSheet => "Contact sheet",
            Self::Pdf => "PDF",
            Self::Download => "Download",
            Self::State => "State file",
            Self::Trace => "Trace",
            Self::Profile => "Profile",
            Self::Recording => "Recording",
            Self::Har => "HAR file",
        }
    }
}

/// A file that a command names, as it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFact {
    /// What it is.
    pub kind: FileKind,
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
    /// Where upstream had put it, when it was copied to the requested path (PLAN-61).
    pub copied_from: Option<PathBuf>,
}
