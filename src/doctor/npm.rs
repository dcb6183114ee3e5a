//! Can `setup` install upstream?

use super::context::Context;
use super::{Check, Finding};
use crate::run::locate::find_program;

pub(super) const CHECK: Check =
    Check { id: "npm", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    match find_program(&context.world.env, "npm") {
        Some(path) => Finding::ok(format!("npm is at {}", path.display())),
        None => Finding::optional(
            "npm was not found on PATH; only `setup` needs it.",
            "Install Node.js with npm.",
        ),
    }
}
