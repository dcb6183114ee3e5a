//! The turn of a call: it waits for those in front of it as long as its limit, its host and the
//! branch that it belongs to let it.

use std::time::{Duration, Instant};

use tokio::sync::OwnedMutexGuard;

use super::{CallContext, Engine, Trace};
use crate::error::{Checked, Refusal};
use crate::outcome::FailureCategory;
use crate::plan::timeouts::{DEFAULT_MS, Limits};
use crate::session::lock::Lane;

impl CallContext {
    /// When the call began, whoever has waited for it since.
    pub(super) fn began(&self) -> Instant {
        self.began.unwrap_or_else(Instant::now)
    }
}

impl Engine {
    /// What decides how long a call may take.
    pub(super) fn limits(&self, own: Option<u64>, context: &CallContext) -> Limits {
        let default_ms = self.options.env.text("PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS");
        Limits {
            own,
            default_ms: default_ms.and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_MS),
            silent_host: self.options.door == "mcp" && !context.reports_progress,
        }
    }

    /// Waits for the calls in front. Where the call may take so long in all, it gives up in time
    /// (HAZ-23).
    pub(super) async fn enter(
        &self,
        lane: Lane,
        own: Option<u64>,
        context: &CallContext,
        trace: &Trace,
    ) -> Checked<OwnedMutexGuard<()>> {
        let in_all = self.limits(own, context).in_all();
        let over = async {
            match in_all {
                Some(limit) => {
                    tokio::time::sleep(limit.saturating_sub(context.began().elapsed())).await;
                }
                None => std::future::pending().await,
            }
        };
        let held = tokio::select! {
            biased;
            () = context.cancel.cancelled() => return Err(Refusal::new(
                FailureCategory::Aborted,
                "cancelled while waiting for an earlier call; nothing was done.",
            )),
            held = self.lanes.enter(lane) => held,
            () = over => return Err(out_of_time(in_all.unwrap_or_default())),
        };
        if self.is_current(trace) {
            return Ok(held);
        }
        // What it would learn is kept by nobody: the next call would use its session's name (SES-42).
        Err(Refusal::new(
            FailureCategory::Aborted,
            "the host's session went to another branch while this call waited; nothing was done.",
        ))
    }
}

/// The limit was over before the call had its turn.
pub(super) fn out_of_time(limit: Duration) -> Box<Refusal> {
    let ms = limit.as_millis();
    Refusal::new(
        FailureCategory::Timeout,
        format!("stopped after {ms} ms, an earlier call still runs; nothing was done."),
    )
}
