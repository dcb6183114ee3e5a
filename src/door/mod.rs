//! The hosts' ways in: each door maps its wire form to one `call` and back.

pub mod lines;
pub mod mcp;
pub mod oneshot;
pub mod parent;
pub mod rpc;

/// What a host is told of a call that panicked.
const BROKEN_CALL: &str = "The call failed inside this program; it may have taken effect";
