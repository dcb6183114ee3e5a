//! `doctor`: tests the path that real calls take and says how to mend what is broken.
//!
//! Every check is a file and a line of [`CHECKS`]. They run side by side and share what is costly:
//! the upstream that calls would use, and one trial launch of a browser (`context`, `trial`). Each
//! is bounded, so the whole ends within half a minute whatever hangs.

mod browser;
mod capabilities;
mod config_files;
mod context;
mod execute_bit;
mod ffmpeg;
mod fonts;
mod leftovers;
mod npm;
mod pi;
mod private_dirs;
mod report;
mod socket_dir;
mod stuck_daemons;
mod trial;
mod upstream;
mod version;

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::run::{ParentEnv, Places};
use context::{Context, World};

pub use context::UpstreamFacts;
pub use report::Report;

/// No check takes longer; what it started is then left to the reaper.
const CHECK_LIMIT: Duration = Duration::from_secs(29);

/// The colour of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Ok,
    /// Calls fail or go wrong until it is mended.
    Failed,
    /// Calls work without it, or in spite of it.
    Optional,
    /// Another check failed that this one builds on.
    NotRun,
}

impl State {
    /// The word in `--json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Optional => "optional",
            Self::NotRun => "not-run",
        }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The colour.
    pub state: State,
    /// One sentence: what was found.
    pub text: String,
    /// One line: what to do about it.
    pub remedy: Option<String>,
}

impl Finding {
    fn ok(text: impl Into<String>) -> Self {
        Self { state: State::Ok, text: text.into(), remedy: None }
    }

    fn failed(text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Failed, text: text.into(), remedy: Some(remedy.into()) }
    }

    fn optional(text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Optional, text: text.into(), remedy: Some(remedy.into()) }
    }

    fn not_run(text: impl Into<String>) -> Self {
        Self { state: State::NotRun, text: text.into(), remedy: None }
    }
}

type Running<'a> = Pin<Box<dyn Future<Output = Finding> + Send + 'a>>;

/// One thing that is tested.
struct Check {
    id: &'static str,
    run: for<'a> fn(&'a Context) -> Running<'a>,
}

/// Every check, in the order of the report.
const CHECKS: &[Check] = &[
    upstream::CHECK,
    execute_bit::CHECK,
    version::CHECK,
    private_dirs::CHECK,
    socket_dir::CHECK,
    browser::CHECK,
    capabilities::CHECK,
    stuck_daemons::CHECK,
    leftovers::CHECK,
    config_files::CHECK,
    npm::CHECK,
    ffmpeg::CHECK,
    fonts::CHECK,
    pi::CHECK,
];

/// Runs every check.
pub async fn examine(
    env: ParentEnv,
    places: Places,
    cwd: PathBuf,
    cancel: CancellationToken,
) -> Report {
    let context = Arc::new(Context::new(World { env, places, cwd, cancel }));
    let mut running = tokio::task::JoinSet::new();
    for (at, check) in CHECKS.iter().enumerate() {
        let context = Arc::clone(&context);
        running.spawn(async move { (at, bounded((check.run)(&context)).await) });
    }
    let mut found = running.join_all().await;
    found.sort_by_key(|(at, _)| *at);
    let named = CHECKS.iter().map(|check| check.id).zip(found.into_iter().map(|(_, found)| found));
    Report { upstream: context.upstream_facts().await, findings: named.collect() }
}

async fn bounded(check: Running<'_>) -> Finding {
    tokio::time::timeout(CHECK_LIMIT, check).await.unwrap_or_else(|_| {
        Finding::failed(
            format!("The check did not end within {} s.", CHECK_LIMIT.as_secs()),
            "Run `agent-browser-native reap`, then `agent-browser-native doctor` again.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_name_of_its_own() {
        let mut ids: Vec<&str> = CHECKS.iter().map(|check| check.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), CHECKS.len());
        let is_word = |id: &str| id.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(ids.iter().all(|id| is_word(id) && id.len() <= report::ID_WIDTH), "{ids:?}");
    }
}
