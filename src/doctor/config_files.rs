//! Do upstream's own config files carry launch options (HAZ-02)? Calls cannot leave those out, so a
//! browser that was replaced behind our back is harder to notice.

use super::context::Context;
use super::{Check, Finding};
use crate::run::config_files::{config_files, launch_options, read_config};

pub(super) const CHECK: Check =
    Check { id: "config-files", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let mut named = Vec::new();
    for path in config_files(&context.world.env, &context.world.cwd) {
        match read_config(&path) {
            None => {}
            Some(Err(problem)) => {
                return Finding::optional(
                    format!("{} is ignored by agent-browser: {problem}.", path.display()),
                    "Correct or remove the file.",
                );
            }
            Some(Ok(options)) => {
                let launch = launch_options(&options);
                if !launch.is_empty() {
                    named.push(format!("{} sets {}", path.display(), launch.join(", ")));
                }
            }
        }
    }
    if named.is_empty() {
        return Finding::ok("No launch options in agent-browser's config files");
    }
    Finding::optional(
        format!("Launch options apply to every call: {}.", named.join("; ")),
        "Better give them as flags of the call that opens the browser, and remove them from the file.",
    )
}
