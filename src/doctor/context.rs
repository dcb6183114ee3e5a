//! What several checks build on, found once.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use super::trial::{self, Trial};
use crate::run::upstream::{Located, Source, TESTED_VERSION, Upstream, locate, resolve};
use crate::run::{ParentEnv, Places, RunError};

/// How long upstream may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// What an examination starts from.
#[derive(Clone)]
pub(super) struct World {
    pub(super) env: ParentEnv,
    pub(super) places: Places,
    pub(super) cwd: PathBuf,
    pub(super) cancel: CancellationToken,
}

/// The world, and what was found in it so far.
pub(super) struct Context {
    pub(super) world: World,
    upstream: OnceCell<Result<Upstream, RunError>>,
    trial: OnceCell<Option<Trial>>,
}

/// The upstream that calls use, for programs that read the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpstreamFacts {
    /// What calls start.
    pub executable: Option<PathBuf>,
    /// What was found: the same, or the launcher in front of it.
    pub found_as: Option<PathBuf>,
    /// Who named it: `path`, `environment` or `own`.
    pub source: Option<&'static str>,
    /// Its version.
    pub version: Option<String>,
    /// The version that this program is tested with.
    pub tested_version: &'static str,
    /// Whether browser-backed calls may use it.
    pub usable: bool,
}

impl Context {
    pub(super) fn new(world: World) -> Self {
        Self { world, upstream: OnceCell::new(), trial: OnceCell::new() }
    }

    /// The executable that comes first, not yet asked for anything.
    pub(super) fn located(&self) -> Result<Located, RunError> {
        locate(&self.world.env, &self.world.places)
    }

    /// The upstream that calls would use.
    pub(super) async fn upstream(&self) -> &Result<Upstream, RunError> {
        let ask = async {
            let in_time = self.world.cancel.child_token();
            let watch = in_time.clone();
            let clock = tokio::spawn(async move {
                tokio::time::sleep(VERSION_LIMIT).await;
                watch.cancel();
            });
            let found = resolve(&self.world.env, &self.world.places, &in_time).await;
            clock.abort();
            found
        };
        self.upstream.get_or_init(|| ask).await
    }

    /// The one that a browser may be launched with.
    pub(super) async fn usable_upstream(&self) -> Option<&Upstream> {
        let found = self.upstream().await.as_ref().ok();
        found.filter(|upstream| upstream.support.is_usable())
    }

    /// The trial launch; nothing when there is no upstream to launch with.
    pub(super) async fn trial(&self) -> Option<&Trial> {
        let launch = async {
            let upstream = self.usable_upstream().await?;
            Some(trial::launch(&self.world, upstream).await)
        };
        self.trial.get_or_init(|| launch).await.as_ref()
    }

    pub(super) async fn upstream_facts(&self) -> UpstreamFacts {
        let nothing = UpstreamFacts {
            executable: None,
            found_as: None,
            source: None,
            version: None,
            tested_version: TESTED_VERSION,
            usable: false,
        };
        match (self.upstream().await, self.located()) {
            (Ok(found), _) => UpstreamFacts {
                executable: Some(found.exe.clone()),
                found_as: Some(found.found_as.clone()),
                source: Some(source_word(found.source)),
                version: Some(found.version.to_string()),
                usable: found.support.is_usable(),
                ..nothing
            },
            (Err(_), Ok(found)) => UpstreamFacts {
                executable: Some(found.exe),
                found_as: Some(found.found_as),
                source: Some(source_word(found.source)),
                ..nothing
            },
            (Err(_), Err(RunError::NotExecutable { path })) => {
                UpstreamFacts { executable: Some(path), ..nothing }
            }
            (Err(_), Err(_)) => nothing,
        }
    }
}

fn source_word(source: Source) -> &'static str {
    match source {
        Source::Env => "environment",
        Source::Own => "own",
        Source::Path => "path",
    }
}
