//! The test bed: private directories, pages, a client for the MCP door, raw upstream beside it.

pub mod bed;
pub mod mcp;
pub mod pages;
pub mod process;

use std::time::{Duration, Instant};

/// Words of every warning and of every doubt.
pub const DOUBTS: [&str; 17] = [
    "diagnostic",
    "warning",
    "overlay",
    "differs",
    "not verified",
    "did not",
    "re-created",
    "hint",
    "Failed",
    "now stands in",
    "is now named",
    "meanwhile",
    "The page threw",
    "request failed",
    "could not",
    "had become another one",
    "is another one since",
];

/// All rounds instead of a few.
pub fn full() -> bool {
    std::env::var_os("ABN_FULL").is_some_and(|value| value == "1")
}

/// Waits until something is true, at most `limit`.
pub fn soon(limit: Duration, mut what: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    what()
}
