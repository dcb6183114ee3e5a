//! The upstream that calls use: where it is, which version it has, and whether it may be used.
//!
//! The answers are kept in a file, by path, size and times of the executable, so that a call in the
//! steady state starts no process for them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::env::ParentEnv;
use super::error::RunError;
pub use super::locate::{Located, Source, locate};
use super::places::{Places, private_dir, write_private};
pub use super::version::{Support, TESTED_VERSION, Version};
use super::{End, Invocation, locate as finder, run, version};

/// Demands the tested version.
const EXACT: &str = "AGENT_BROWSER_NATIVE_UPSTREAM_EXACT";

/// A check asks for a few lines of text; Node launchers take a moment to start.
const CHECK_DEADLINE: Duration = Duration::from_secs(15);

const CACHE_FILE: &str = "upstream-checks.json";
const CACHE_LIMIT: u64 = 64 * 1024;
const CACHED_EXECUTABLES: usize = 16;

/// An upstream whose version is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// What to start.
    pub exe: PathBuf,
    /// What was found: the same, or the launcher in front of it.
    pub found_as: PathBuf,
    /// Its version.
    pub version: Version,
    /// Who named it.
    pub source: Source,
    /// Whether browser-backed calls may use it.
    pub support: Support,
    /// Tells whether the file is still the one that was checked.
    pub stamp: Stamp,
    /// A browser was started with it, and it did what we rely on.
    pub tried: bool,
}

impl Upstream {
    /// Why browser-backed calls may not use it, and what to do; nothing when they may.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let advice = format!(
            "Run `agent-browser-native setup` to install {TESTED_VERSION} in a directory of its own"
        );
        self.refusal_reason().map(|reason| format!("{reason}. {advice}"))
    }

    /// Why browser-backed calls may not use it; nothing when they may.
    #[must_use]
    pub fn refusal_reason(&self) -> Option<String> {
        let found = format!("agent-browser {} ({})", self.version, self.found_as.display());
        match &self.support {
            Support::Tested | Support::Newer => None,
            Support::TooOld => {
                Some(format!("{found} is older than the tested version {TESTED_VERSION}"))
            }
            Support::NotExact => Some(format!(
                "{found} is not the tested version {TESTED_VERSION}, which {EXACT} demands"
            )),
            Support::ProbeFailed { missing } => {
                Some(self.failed_probe(&format!("its help does not name {}", missing.join(", "))))
            }
            Support::TrialFailed { gap } => Some(self.failed_probe(gap)),
        }
    }

    fn failed_probe(&self, gap: &str) -> String {
        format!(
            "agent-browser {} ({}) is newer than the tested version {TESTED_VERSION} and failed the capability probe: {gap}",
            self.version,
            self.found_as.display()
        )
    }

    /// What to say when the trial has just shown a gap.
    #[must_use]
    pub fn lacks(&self, gap: &str) -> String {
        let support = Support::TrialFailed { gap: gap.to_owned() };
        Self { support, ..self.clone() }.refusal().unwrap_or_default()
    }

    /// A newer version with which no browser was started yet.
    #[must_use]
    pub fn needs_trial(&self) -> bool {
        self.support == Support::Newer && !self.tried
    }

    /// One line for the first answer of a session on an untested, newer version.
    #[must_use]
    pub fn newer_note(&self) -> Option<String> {
        (self.support == Support::Newer).then(|| {
            format!(
                "agent-browser {} is newer than the tested version {TESTED_VERSION}.",
                self.version
            )
        })
    }

    /// Whether the executable is still the file that was checked.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        Stamp::of(&self.exe).is_some_and(|now| now == self.stamp)
    }
}

/// What tells one build of an executable from the next without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    size: u64,
    modified: (i64, i64),
    /// npm gives every file of every release the same modification time.
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of a file that exists.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let file = fs::metadata(path).ok()?;
        Some(Self {
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }
}

/// The upstream to use: the first one that is usable, else the first one with its reason.
///
/// # Errors
/// When there is none, or none that answers.
pub async fn resolve(
    env: &ParentEnv,
    places: &Places,
    cancel: &CancellationToken,
) -> Result<Upstream, RunError> {
    let mut refused = Err(RunError::NotFound);
    for (at, located) in finder::candidates(env, places)?.into_iter().enumerate() {
        let checked = check_version(located, env, places, cancel).await;
        if checked.as_ref().is_ok_and(|upstream| upstream.support.is_usable()) {
            return checked;
        }
        if at == 0 {
            refused = checked;
        }
    }
    refused
}

/// Asks an executable for its version, and a newer one for what it can do.
///
/// # Errors
/// When it is gone, cannot be started, or does not answer like upstream.
pub async fn check_version(
    located: Located,
    env: &ParentEnv,
    places: &Places,
    cancel: &CancellationToken,
) -> Result<Upstream, RunError> {
    let Some(stamp) = Stamp::of(&located.exe) else {
        return Err(RunError::Missing { path: located.exe });
    };
    let mut cache = Cache::read(places);
    let known = cache.get(&located.exe, stamp);
    let asker = Asker { located: &located, env, places, cancel };
    let version = match known.as_ref().and_then(|known| Version::parse(&known.version)) {
        Some(version) => version,
        None => asker.version().await?,
    };
    let mut support = version::judge(&version, env.switch(EXACT));
    let mut missing = known.as_ref().and_then(|known| known.missing.clone());
    if support == Support::Newer {
        let lacks = match &missing {
            Some(lacks) => lacks.clone(),
            None => version::missing_from_help(&asker.ask("--help").await?),
        };
        missing = Some(lacks.clone());
        if !lacks.is_empty() {
            support = Support::ProbeFailed { missing: lacks };
        }
    }
    let trial = known.as_ref().and_then(|known| known.trial.clone());
    let gap = trial.as_ref().filter(|gap| !gap.is_empty() && support == Support::Newer);
    if let Some(gap) = gap {
        support = Support::TrialFailed { gap: gap.clone() };
    }
    let tried = trial.is_some();
    let checked = Known { stamp, version: version.to_string(), missing, trial };
    if known.as_ref() != Some(&checked) {
        cache.put(&located.exe, checked);
        cache.write(places);
    }
    let Located { exe, found_as, source } = located;
    Ok(Upstream { exe, found_as, version, source, support, stamp, tried })
}

/// Keeps what the first launch with a newer version has shown.
pub fn record_trial(upstream: &Upstream, gap: Option<&str>, places: &Places) {
    let mut cache = Cache::read(places);
    if let Some(mut known) = cache.get(&upstream.exe, upstream.stamp) {
        known.trial = Some(gap.unwrap_or_default().to_owned());
        cache.put(&upstream.exe, known);
        cache.write(places);
    }
}

struct Asker<'a> {
    located: &'a Located,
    env: &'a ParentEnv,
    places: &'a Places,
    cancel: &'a CancellationToken,
}

impl Asker<'_> {
    async fn version(&self) -> Result<Version, RunError> {
        let answer = self.ask("--version").await?;
        Version::in_answer(&answer)
            .ok_or_else(|| RunError::NoVersion { exe: self.located.exe.clone() })
    }

    async fn ask(&self, question: &str) -> Result<String, RunError> {
        let exe = self.located.exe.clone();
        let invocation = Invocation {
            // Upstream reads a configuration file of its working directory; beside the executable is none.
            cwd: exe.parent().map_or_else(|| PathBuf::from("/"), Path::to_owned),
            exe: exe.clone(),
            argv: vec![question.to_owned()],
            stdin: Vec::new(),
            env: self.env.plain(&self.places.socket_dir),
            deadline: CHECK_DEADLINE,
        };
        let completed = run(invocation, self.cancel).await?;
        match completed.end {
            End::Cancelled => Err(RunError::Cancelled { exe }),
            End::Exited if completed.exit_code == 0 => {
                Ok(String::from_utf8_lossy(&completed.stdout).into_owned())
            }
            End::Exited | End::TimedOut => Err(RunError::NoVersion { exe }),
        }
    }
}

/// What is known of one executable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    stamp: Stamp,
    version: String,
    /// What its help lacked, when it was asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    missing: Option<Vec<String>>,
    /// What it lacked when a browser was first started with it; empty = nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    trial: Option<String>,
}

/// Nothing but a saving of time: a cache that cannot be read or written costs a process.
#[derive(Debug, Serialize, Deserialize)]
struct Cache {
    /// Another version of ours may ask for other things.
    asked_by: String,
    executables: BTreeMap<PathBuf, Known>,
}

impl Cache {
    fn empty() -> Self {
        Self { asked_by: env!("CARGO_PKG_VERSION").to_owned(), executables: BTreeMap::new() }
    }

    fn read(places: &Places) -> Self {
        let file = fs::File::open(places.state_root.join(CACHE_FILE)).ok();
        let mut text = String::new();
        let read = file.and_then(|file| file.take(CACHE_LIMIT).read_to_string(&mut text).ok());
        let cache = read.and_then(|_| serde_json::from_str::<Self>(&text).ok());
        let empty = Self::empty();
        cache.filter(|cache| cache.asked_by == empty.asked_by).unwrap_or(empty)
    }

    fn get(&self, exe: &Path, stamp: Stamp) -> Option<Known> {
        self.executables.get(exe).filter(|known| known.stamp == stamp).cloned()
    }

    fn put(&mut self, exe: &Path, known: Known) {
        if self.executables.len() >= CACHED_EXECUTABLES {
            self.executables.clear();
        }
        self.executables.insert(exe.to_owned(), known);
    }

    fn write(&self, places: &Places) {
        let Ok(bytes) = serde_json::to_vec(self) else {
            return;
        };
        let _costs_time_only = private_dir(&places.state_root)
            .and_then(|()| write_private(&places.state_root.join(CACHE_FILE), &bytes));
    }
}
