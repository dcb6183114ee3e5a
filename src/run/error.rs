//! Why no upstream process could be run.

use std::io;
use std::path::PathBuf;

use super::version::TESTED_VERSION;

/// Where upstream's own install instructions stand.
const INSTALL_DOCS: &str = "https://agent-browser.dev";

/// A process that was not started, or an executable that cannot be used.
///
/// A process that was started always yields [`super::Completed`], whatever became of it.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Nothing called `agent-browser` was found, neither on `PATH` nor in our own directory.
    #[error(
        "agent-browser is required and was not found on PATH. agent-browser-native does not bundle \
         it: run `agent-browser-native setup` to install the tested version {TESTED_VERSION}, or see \
         {INSTALL_DOCS}"
    )]
    NotFound,
    /// The executable that was named does not exist.
    #[error(
        "agent-browser is required, and {} does not exist. agent-browser-native does not bundle it: \
         run `agent-browser-native setup` to install the tested version {TESTED_VERSION}, or see \
         {INSTALL_DOCS}",
        path.display()
    )]
    Missing {
        /// What was looked for.
        path: PathBuf,
    },
    /// The file is there and may not be executed.
    #[error(
        "{} is not executable. Run `chmod +x` on it, or `agent-browser-native setup` to install the \
         tested version {TESTED_VERSION} in a directory of its own",
        path.display()
    )]
    NotExecutable {
        /// The file without an execute bit.
        path: PathBuf,
    },
    /// The working directory of the call is gone.
    #[error("The working directory {} does not exist", cwd.display())]
    BadDirectory {
        /// The directory that was asked for.
        cwd: PathBuf,
    },
    /// An argument cannot be passed to a process.
    #[error("{place} holds a NUL character, which no process argument can carry")]
    BadArgument {
        /// Which part of the invocation it is.
        place: String,
    },
    /// The executable does not say which version it is.
    #[error(
        "{} does not answer --version like agent-browser does. Name another executable with \
         AGENT_BROWSER_NATIVE_UPSTREAM_PATH, or run `agent-browser-native setup` to install the tested \
         version {TESTED_VERSION}",
        exe.display()
    )]
    NoVersion {
        /// The executable that was asked.
        exe: PathBuf,
    },
    /// The caller gave up while the executable was being checked.
    #[error("The call was cancelled while {} was being checked", exe.display())]
    Cancelled {
        /// The executable that was being checked.
        exe: PathBuf,
    },
    /// The system refused to start it for another reason.
    #[error("Could not start {}: {source}", exe.display())]
    Spawn {
        /// The executable.
        exe: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl RunError {
    /// What is wrong, without what to do about it.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Self::NotFound => "agent-browser was not found on PATH".to_owned(),
            Self::Missing { path } => format!("{} does not exist", path.display()),
            Self::NotExecutable { path } => format!("{} is not executable", path.display()),
            Self::NoVersion { exe } => {
                format!("{} does not answer --version like agent-browser does", exe.display())
            }
            other => other.to_string(),
        }
    }

    /// Whether there is no executable that could be asked.
    #[must_use]
    pub fn is_missing_binary(&self) -> bool {
        matches!(self, Self::NotFound | Self::Missing { .. } | Self::NotExecutable { .. })
    }
}
