//! The answer of a call as doors get it.

use crate::outcome::FailureCategory;
use crate::redact::{SafeJson, SafeText};

/// The answer for a door: nothing in it can be unredacted.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What the model reads and sees.
    pub blocks: Vec<Block>,
    /// Everything else.
    pub details: SafeJson,
    /// Why the call failed, where it did.
    pub failure: Option<FailureCategory>,
    /// The call needed a browser, and none came up.
    pub no_browser: bool,
}

impl Reply {
    /// The call failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.failure.is_some()
    }
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
        path: SafeText,
        /// The size it was scaled to, where it was.
        scaled: Option<(u32, u32)>,
    },
}
