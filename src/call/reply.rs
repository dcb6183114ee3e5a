//! The answer of a call as doors get it.

use std::path::PathBuf;

use crate::outcome::FailureCategory;
use crate::redact::{SafeJson, SafeText};

/// The answer for a door: nothing in it can be unredacted.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What the model reads and sees.
    pub blocks: Vec<Block>,
    /// Everything else.
    pub details: SafeJson,
    /// The call failed.
    pub is_error: bool,
    /// Why, for exit codes.
    pub failure: Option<FailureCategory>,
    /// The caller asked for JSON, so the text is one JSON document.
    pub is_json: bool,
}

/// One piece of content.
#[derive(Clone, Debug)]
pub enum Block {
    /// Text.
    Text(SafeText),
    /// An image.
    Image {
        /// Bytes, base64.
        base64: String,
        /// Media type.
        mime: &'static str,
        /// The file on disk.
        path: PathBuf,
        /// The size it was scaled to, where it was.
        scaled: Option<(u32, u32)>,
    },
}
