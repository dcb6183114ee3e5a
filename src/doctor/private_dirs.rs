//! Can leases, journals and temporary files be kept where nobody else can read them?

use std::path::Path;

use super::context::Context;
use super::{Check, Finding};
use crate::run::places::{private_dir, write_private};

pub(super) const CHECK: Check =
    Check { id: "private-dirs", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let places = &context.world.places;
    let kept = [
        (&places.state_root, "AGENT_BROWSER_NATIVE_STATE_DIR"),
        (&places.temp_root, "AGENT_BROWSER_NATIVE_TEMP_DIR"),
    ];
    for (path, variable) in kept {
        if let Err(error) = takes_private_files(path) {
            return Finding::failed(
                format!("{} cannot hold private files: {error}", path.display()),
                format!("Make it yours alone (chmod 700), or set {variable} to another directory."),
            );
        }
    }
    Finding::ok(format!("{} and {}", places.state_root.display(), places.temp_root.display()))
}

/// Creates the directory as a call would, and writes and removes a file in it.
pub(super) fn takes_private_files(path: &Path) -> std::io::Result<()> {
    private_dir(path)?;
    let trial = path.join(format!("doctor-{}", std::process::id()));
    write_private(&trial, b"doctor")?;
    std::fs::remove_file(&trial)
}
