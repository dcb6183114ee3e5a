//! The door for a host that keeps the transcript itself: JSON-RPC 2.0, one message a line (DEC-109).
//!
//! The host is the pi package under `pi/`; `protocol` is its contract, and the TypeScript types
//! there are made from it.

mod bash_check;
mod calls;
pub mod protocol;
mod server;
mod shell;
mod wire;

pub use server::{Options, serve};
