//! Can upstream put its sockets where calls want them (DEC-11)?

use super::context::Context;
use super::private_dirs::takes_private_files;
use super::{Check, Finding};
use crate::run::places::socket_path_fits;
use crate::session::key::base_name;

pub(super) const CHECK: Check =
    Check { id: "socket-dir", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let dir = &context.world.places.socket_dir;
    if let Err(error) = takes_private_files(dir) {
        return Finding::failed(
            format!("{} cannot hold sockets: {error}", dir.display()),
            "Make it yours alone and writable (chmod 700), or set PI_AGENT_BROWSER_SOCKET_DIR to a short private directory.",
        );
    }
    // The longest name that a managed session gets in this directory.
    let session = format!("{}-f999", base_name("mcp", &context.world.cwd, "doctor"));
    if let Err(error) = socket_path_fits(dir, &session) {
        return Finding::failed(
            error.to_string(),
            "Set PI_AGENT_BROWSER_SOCKET_DIR to a shorter private directory, for example one below /tmp.",
        );
    }
    match &context.world.places.socket_dir_note {
        Some(note) => Finding::optional(
            format!("{} is used. {note}", dir.display()),
            "Correct or unset PI_AGENT_BROWSER_SOCKET_DIR.",
        ),
        None => Finding::ok(format!("{} is private, writable and short enough", dir.display())),
    }
}
