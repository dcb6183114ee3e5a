//! What `setup` could not put in place, and what to do about it.

use std::io;
use std::path::PathBuf;

use crate::run::locate::{BROWSER_PATH, UPSTREAM_PATH};
use crate::run::version::TESTED_VERSION;
use crate::run::{Completed, End, RunError};

/// The end of a failed command's output that is shown.
const SHOWN_OUTPUT: usize = 600;

/// Why something is still missing.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// There is no npm.
    #[error(
        "npm was not found on PATH, and agent-browser {TESTED_VERSION} comes from npm. Install Node.js with npm, \
         then run `agent-browser-native setup` again"
    )]
    NoNpm,
    /// The environment insists on an upstream that cannot be used.
    #[error(
        "{UPSTREAM_PATH} names an executable that cannot be used: {problem}. Unset it or name another one"
    )]
    NamedUpstream {
        /// What is wrong with it.
        problem: String,
    },
    /// The environment insists on a browser that cannot be used.
    #[error(
        "{BROWSER_PATH} names {}, which is not a browser that can be started. Unset it or name another one",
        path.display()
    )]
    NamedBrowser {
        /// What it names.
        path: PathBuf,
    },
    /// The package can be installed, but not by us.
    #[error(
        "No Chrome or Chromium was found, and installing one needs root. Run: sudo {command}\n\
         Or let agent-browser download one: agent-browser-native setup --download-browser"
    )]
    NoRights {
        /// The command to run.
        command: String,
    },
    /// No way to install a browser is known here.
    #[error(
        "No Chrome or Chromium was found. Install one with the package manager of this system, or let agent-browser \
         download one: agent-browser-native setup --download-browser"
    )]
    NoPackage,
    /// A browser can only be downloaded by an upstream that is in place.
    #[error("No Chrome or Chromium was found, and agent-browser is not in place to download one")]
    NoDownloader,
    /// A directory of ours cannot be used.
    #[error("Cannot use the private directory {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// A command did not do its work.
    #[error("`{command}` {ending}{output}")]
    Failed {
        /// The command.
        command: String,
        /// How it ended.
        ending: String,
        /// The end of what it said.
        output: String,
    },
    /// Everything was installed and still cannot be used.
    #[error("agent-browser was installed but cannot be used: {problem}")]
    StillUnusable {
        /// What is wrong with it.
        problem: String,
    },
    /// A browser was installed and cannot be found or started.
    #[error("A browser was installed but none can be started (tried: {})", tried_list(tried))]
    StillNoBrowser {
        /// The executables that did not start.
        tried: Vec<PathBuf>,
    },
    /// A signal.
    #[error("Interrupted before everything was in place. Run the same command again.")]
    Interrupted,
    /// A process could not be started.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl SetupError {
    /// The failure of a command that was started.
    pub(super) fn failed(command: String, done: &Completed) -> Self {
        let ending = match done.end {
            End::TimedOut => format!("did not end within {} seconds", done.elapsed.as_secs()),
            End::Cancelled => "was interrupted".to_owned(),
            End::Exited => format!("failed with exit code {}", done.exit_code),
        };
        let stdout = String::from_utf8_lossy(&done.stdout);
        let said = [done.stderr.trim(), stdout.trim()]
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        let skipped = said.chars().count().saturating_sub(SHOWN_OUTPUT);
        let tail: String = said.chars().skip(skipped).collect();
        let output = if tail.is_empty() { String::new() } else { format!(": {tail}") };
        Self::Failed { command, ending, output }
    }
}

fn tried_list(tried: &[PathBuf]) -> String {
    if tried.is_empty() {
        return "none was found".to_owned();
    }
    tried.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
