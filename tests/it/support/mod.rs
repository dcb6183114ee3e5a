//! What several test files share.

pub mod app;
pub mod engine;
pub mod env;
pub mod families;
pub mod host;
pub mod http;
/// The client of the live tests.
#[allow(dead_code, reason = "shared with another test binary")]
#[path = "../../live/support/mcp.rs"]
pub mod mcp;
