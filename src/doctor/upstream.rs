//! Is there an upstream, and which file do calls start?

use super::context::Context;
use super::{Check, Finding};
use crate::run::RunError;
use crate::run::locate::UPSTREAM_PATH;
use crate::run::upstream::Source;

pub(super) const CHECK: Check =
    Check { id: "upstream", run: |context| Box::pin(async move { check(context).await }) };

async fn check(context: &Context) -> Finding {
    // The one that calls use, which is our own copy when the first one found is refused.
    let used = context.upstream().await.as_ref().ok();
    let used = used.map(|upstream| (&upstream.exe, &upstream.found_as, upstream.source));
    let located = context.located();
    let first = located.as_ref().ok().map(|found| (&found.exe, &found.found_as, found.source));
    let Some((exe, found_as, source)) = used.or(first) else {
        return missing(located.err().as_ref());
    };
    let origin = match source {
        Source::Env => format!("named by {UPSTREAM_PATH}"),
        Source::Own => "our own copy".to_owned(),
        Source::Path if exe == found_as => "on PATH".to_owned(),
        Source::Path => format!("behind {} on PATH", found_as.display()),
    };
    Finding::ok(format!("Calls start {} ({origin})", exe.display()))
}

fn missing(error: Option<&RunError>) -> Finding {
    match error {
        Some(RunError::NotExecutable { path }) => Finding::ok(format!("Found {}", path.display())),
        Some(error @ RunError::Missing { .. }) => Finding::failed(
            error.reason(),
            format!("Correct or unset {UPSTREAM_PATH}, or run `agent-browser-native setup`."),
        ),
        _ => Finding::failed(
            "agent-browser was not found, neither on PATH nor as our own copy.",
            "Run `agent-browser-native setup`.",
        ),
    }
}
