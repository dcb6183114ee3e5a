//! Installs what calls need and nothing else: the tested upstream, and a browser where none is found.
//!
//! Every decision is made in `plan` from facts; this file finds the facts, says what it does and
//! does it. A second run finds everything in place and changes nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::run::locate::{UPSTREAM_PATH, find_program, own_prefix};
use crate::run::places::private_dir;
use crate::run::upstream::{self, Source, Upstream};
use crate::run::{ChildEnv, End, Invocation, ParentEnv, Places, RunError, run};

mod browser;
mod error;
mod plan;

pub use browser::{Browser, find_browser};
pub use error::SetupError;

use plan::{BrowserFacts, Task, UpstreamFacts};

const NPM_DEADLINE: Duration = Duration::from_secs(5 * 60);
const APT_DEADLINE: Duration = Duration::from_secs(10 * 60);

/// The last line of a setup that found everything in place.
pub const NOTHING_CHANGED: &str = "Nothing was changed.";

/// What may be changed, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetupOptions {
    /// Only say what would be done.
    pub dry_run: bool,
    /// Install upstream for the whole system instead of in our own directory.
    pub system: bool,
    /// Let upstream download a browser instead of installing the distribution's package.
    pub download_browser: bool,
}

/// What is in place at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupReport {
    /// The upstream that calls will use; missing only after a dry run.
    pub upstream: Option<Upstream>,
    /// The browser that upstream will find; missing only after a dry run.
    pub browser: Option<Browser>,
    /// The commands that were run, or that a dry run would run.
    pub commands: Vec<String>,
    /// Whether anything was changed.
    pub changed: bool,
}

/// What decides whether the distribution's package can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// We may install packages.
    pub root: bool,
    /// Packages come from `apt-get`, and the browser's is called `chromium`.
    pub debian_like: bool,
}

impl Machine {
    /// The machine that this process runs on.
    #[must_use]
    pub fn here() -> Self {
        let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        Self {
            root: rustix::process::geteuid().is_root(),
            debian_like: plan::is_debian_like(&release),
        }
    }
}

/// Puts upstream and a browser in place and says each step.
///
/// # Errors
/// When something is missing at the end; the text says what to do about it.
pub async fn setup(
    options: SetupOptions,
    env: &ParentEnv,
    places: &Places,
    cancel: &CancellationToken,
    say: &mut dyn FnMut(&str),
) -> Result<SetupReport, SetupError> {
    setup_on(Machine::here(), options, env, places, cancel, say).await
}

/// [`setup`] on a machine that is described instead of looked at.
///
/// # Errors
/// As [`setup`].
pub async fn setup_on(
    machine: Machine,
    options: SetupOptions,
    env: &ParentEnv,
    places: &Places,
    cancel: &CancellationToken,
    say: &mut dyn FnMut(&str),
) -> Result<SetupReport, SetupError> {
    let mut worker = Worker { options, env, places, cancel, say, commands: Vec::new() };
    // What is wrong with one does not keep the other from being put in place.
    let upstream = worker.upstream().await;
    let exe = upstream.as_ref().ok().and_then(Option::as_ref).map(|upstream| upstream.exe.clone());
    let browser = worker.browser(machine, exe).await;
    // The caller tells one error; the other one is told here.
    if let (Err(first), Err(second)) = (&upstream, &browser)
        && first.to_string() != second.to_string()
    {
        worker.tell(&second.to_string());
    }
    let changed = !options.dry_run && !worker.commands.is_empty();
    match (options.dry_run, worker.commands.is_empty()) {
        (true, _) => worker.tell("Dry run: nothing was changed."),
        (false, true) => worker.tell(NOTHING_CHANGED),
        (false, false) => worker.tell(&format!("Changed by: {}", worker.commands.join("; "))),
    }
    let commands = worker.commands;
    Ok(SetupReport { upstream: upstream?, browser: browser?, commands, changed })
}

struct Worker<'a> {
    options: SetupOptions,
    env: &'a ParentEnv,
    places: &'a Places,
    /// A child has a process group of its own: what ends us ends it by this alone.
    cancel: &'a CancellationToken,
    say: &'a mut dyn FnMut(&str),
    commands: Vec<String>,
}

impl Worker<'_> {
    async fn upstream(&mut self) -> Result<Option<Upstream>, SetupError> {
        let found = self.resolve().await;
        self.go_on()?;
        let Some(problem) = problem_with(&found, self.options.system) else {
            let found = found?;
            self.tell(&format!(
                "Upstream: agent-browser {} at {}",
                found.version,
                found.exe.display()
            ));
            return Ok(Some(found));
        };
        let facts = UpstreamFacts {
            problem,
            named: self.env.get(UPSTREAM_PATH).is_some(),
            npm: find_program(self.env, "npm"),
            prefix: own_prefix(self.places),
        };
        self.tell(&format!("Upstream: {}.", facts.problem));
        let tasks = plan::upstream(&facts, self.options.system)?;
        if !self.options.dry_run && !self.options.system {
            private_dir(&facts.prefix)
                .map_err(|source| SetupError::Directory { path: facts.prefix.clone(), source })?;
        }
        self.perform(tasks).await?;
        if self.options.dry_run {
            return Ok(None);
        }
        let installed = self.resolve().await;
        self.go_on()?;
        if let Some(problem) = problem_with(&installed, self.options.system) {
            return Err(SetupError::StillUnusable { problem });
        }
        let installed = installed?;
        self.tell(&format!(
            "Installed: agent-browser {} at {}",
            installed.version,
            installed.exe.display()
        ));
        Ok(Some(installed))
    }

    async fn browser(
        &mut self,
        machine: Machine,
        upstream: Option<PathBuf>,
    ) -> Result<Option<Browser>, SetupError> {
        let found = browser::find(self.env, self.cancel).await;
        self.go_on()?;
        let missing = match found {
            Ok(found) => {
                self.tell(&format!("Browser: {} at {}", found.version, found.path.display()));
                return Ok(Some(found));
            }
            Err(missing) => missing,
        };
        let facts = BrowserFacts {
            named: missing.named,
            apt_get: find_program(self.env, "apt-get"),
            machine,
            // A dry run has not installed it yet.
            upstream: upstream
                .or_else(|| self.options.dry_run.then(|| PathBuf::from("agent-browser"))),
        };
        let tasks = plan::browser(&facts, self.options.download_browser)?;
        self.tell("Browser: no Chrome or Chromium was found.");
        self.perform(tasks).await?;
        if self.options.dry_run {
            return Ok(None);
        }
        let found = browser::find(self.env, self.cancel).await;
        self.go_on()?;
        match found {
            Ok(installed) => {
                self.tell(&format!(
                    "Installed: {} at {}",
                    installed.version,
                    installed.path.display()
                ));
                Ok(Some(installed))
            }
            Err(missing) => Err(SetupError::StillNoBrowser { tried: missing.tried }),
        }
    }

    async fn resolve(&self) -> Result<Upstream, RunError> {
        upstream::resolve(self.env, self.places, self.cancel).await
    }

    /// What was asked last may only have been given up, which says nothing of the machine.
    fn go_on(&self) -> Result<(), SetupError> {
        if self.cancel.is_cancelled() { Err(SetupError::Interrupted) } else { Ok(()) }
    }

    async fn perform(&mut self, tasks: Vec<Task>) -> Result<(), SetupError> {
        for task in tasks {
            let command = task.to_string();
            self.tell(&format!(
                "{}: {command}",
                if self.options.dry_run { "Would run" } else { "Running" }
            ));
            self.commands.push(command.clone());
            if self.options.dry_run {
                continue;
            }
            let done = run(self.invocation(&task), self.cancel).await?;
            self.go_on()?;
            if done.end != End::Exited || done.exit_code != 0 {
                return Err(SetupError::failed(command, &done));
            }
        }
        Ok(())
    }

    fn invocation(&self, task: &Task) -> Invocation {
        let own = own_prefix(self.places);
        Invocation {
            exe: task.program.clone(),
            argv: task.argv.clone(),
            stdin: Vec::new(),
            env: self.child_env(task),
            // npm looks for a project in its directory and above; there is none in these two.
            cwd: if own.is_dir() { own } else { Path::new("/").to_owned() },
            deadline: if task.is_apt { APT_DEADLINE } else { NPM_DEADLINE },
        }
    }

    fn child_env(&self, task: &Task) -> ChildEnv {
        match task.is_apt {
            true => self.env.unchanged().and("DEBIAN_FRONTEND", "noninteractive"),
            false => self.env.unchanged(),
        }
    }

    fn tell(&mut self, line: &str) {
        (self.say)(line);
    }
}

/// Why the upstream that was found will not do.
fn problem_with(found: &Result<Upstream, RunError>, system: bool) -> Option<String> {
    match found {
        Ok(found) if system && found.source == Source::Own => {
            Some("agent-browser is in our own directory only".to_owned())
        }
        Ok(found) => found.refusal_reason(),
        Err(error) => Some(error.reason()),
    }
}
