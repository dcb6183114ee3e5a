//! Can recordings be made (HAZ-18)?

use super::context::Context;
use super::{Check, Finding};
use crate::run::locate::find_program;

pub(super) const CHECK: Check =
    Check { id: "ffmpeg", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    match find_program(&context.world.env, "ffmpeg") {
        Some(path) => Finding::ok(format!("ffmpeg is at {}", path.display())),
        None => Finding::optional(
            "ffmpeg was not found on PATH; only `record` needs it.",
            "Install ffmpeg with the package manager of this system.",
        ),
    }
}
