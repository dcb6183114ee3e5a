//! Is the pi coding agent installed?

use super::context::Context;
use super::{Check, Finding};
use crate::run::locate::find_program;

pub(super) const CHECK: Check =
    Check { id: "pi", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    match find_program(&context.world.env, "pi") {
        Some(path) => Finding::ok(format!("pi is at {}", path.display())),
        None => Finding::optional(
            "pi was not found on PATH; only the pi door needs it.",
            "Nothing, unless you want to use the tool in pi.",
        ),
    }
}
