//! The hosts' ways in: each door maps its wire form to one `call` and back.

pub mod lines;
pub mod mcp;
pub mod oneshot;
pub mod parent;
pub mod rpc;
