//! Is it a version that calls may use (DEC-01)?

use super::context::Context;
use super::{Check, Finding};
use crate::run::RunError;
use crate::run::upstream::{Support, TESTED_VERSION};

pub(super) const CHECK: Check =
    Check { id: "version", run: |context| Box::pin(async move { check(context).await }) };

async fn check(context: &Context) -> Finding {
    let upstream = match context.upstream().await {
        Ok(upstream) => upstream,
        Err(RunError::Cancelled { .. }) if context.world.cancel.is_cancelled() => {
            return Finding::failed(
                "The check was interrupted.",
                "Run `agent-browser-native doctor` again.",
            );
        }
        Err(RunError::Cancelled { exe }) => {
            return Finding::failed(
                format!("{} does not answer --version within 5 s.", exe.display()),
                "Run `agent-browser-native setup` to install the tested version.",
            );
        }
        Err(error) if error.is_missing_binary() => {
            return Finding::not_run("Not checked: there is no upstream that can be started.");
        }
        Err(error) => {
            return Finding::failed(
                error.reason(),
                "Run `agent-browser-native setup` to install the tested version.",
            );
        }
    };
    match &upstream.support {
        Support::Tested => {
            Finding::ok(format!("agent-browser {} is the tested version", upstream.version))
        }
        // What a newer one can do is the next check.
        Support::Newer | Support::ProbeFailed { .. } | Support::TrialFailed { .. } => {
            Finding::ok(format!(
                "agent-browser {} is newer than the tested version {TESTED_VERSION}.",
                upstream.version
            ))
        }
        Support::TooOld | Support::NotExact => Finding::failed(
            upstream.refusal_reason().unwrap_or_default(),
            format!(
                "Run `agent-browser-native setup` to install {TESTED_VERSION} in a directory of its own."
            ),
        ),
    }
}
