//! The MCP door over stdio. The only folder that names rmcp.

mod resources;
mod roots;
mod server;
mod transport;

pub use server::{Options, serve};
