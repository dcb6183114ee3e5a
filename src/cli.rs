//! The command line of the program (DEC-108).

use std::collections::BTreeSet;
use std::path::PathBuf;

use agent_browser_native::command::Class;
use clap::{Args, Parser, Subcommand};

/// One browser tool for coding agents, over the CLI agent-browser.
#[derive(Debug, Parser)]
#[command(name = "agent-browser-native", version, about, long_about = None)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the tool agent_browser over MCP on stdin and stdout
    Mcp {
        #[command(flatten)]
        door: DoorFlags,
        /// Also put details into structuredContent (some hosts then drop the text)
        #[arg(long)]
        structured: bool,
    },
    /// Serve the pi package: JSON-RPC on stdin and stdout
    Rpc,
    /// Run one call and print what the model would read
    #[command(after_help = CALL_HELP)]
    Call {
        /// The call as a JSON object; it is read from stdin for - and where it is missing
        #[arg(value_name = "JSON or -")]
        params: Option<String>,
        /// The tool to call
        #[arg(long, value_name = "NAME", default_value = "agent_browser")]
        tool: String,
        /// Print { content, details, isError } as JSON
        #[arg(long)]
        json: bool,
        /// Calls with the same id share a browser; the default is the directory
        #[arg(long, value_name = "ID")]
        session_id: Option<String>,
        /// Directory that relative paths belong to
        #[arg(long, value_name = "DIR")]
        cwd: Option<PathBuf>,
        #[command(flatten)]
        door: DoorFlags,
    },
    /// Install the tested agent-browser, and a browser where none is found
    Setup {
        /// Say what would be done and change nothing
        #[arg(long)]
        dry_run: bool,
        /// Install agent-browser globally with npm instead of into your data directory
        #[arg(long)]
        system: bool,
        /// Let agent-browser download its own browser build
        #[arg(long)]
        download_browser: bool,
    },
    /// Show the same work through agent-browser and through this tool, and leave a report
    Demo {
        /// Directory of the report
        #[arg(long, value_name = "DIR", default_value = "demo-report")]
        out: PathBuf,
    },
    /// Print the reference, or the section or document that is named
    Docs {
        /// For example commands/global-flags, or contract
        section: Option<String>,
    },
    /// Show or change the settings
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Test what calls need, and say how to mend what is broken
    Doctor {
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
    },
    /// End browsers whose owner is provably gone
    Reap {
        /// Say what would be ended and end nothing
        #[arg(long)]
        dry_run: bool,
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
    },
}

/// The `config` subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print what holds and where it comes from; secrets are never shown
    Show {
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the files that are read
    Paths {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print what is wrong with the files; exit code 1 when something is
    Check {
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
    /// Set a value in your own file; an empty VALUE removes it
    Set {
        /// The key, for example webSearch.exaApiKey
        key: String,
        /// The value, or - to read it from stdin; keys for searching may be $NAME or !command
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// Write the file of this directory instead
        #[arg(long)]
        project: bool,
    },
}

const CALL_HELP: &str = "Examples:
  agent-browser-native call '{\"args\":[\"open\",\"https://example.com\"]}'
  agent-browser-native call '{\"args\":[\"click\",\"@e2\"]}'
  echo '{\"args\":[\"close\"]}' | agent-browser-native call -

Exit codes: 0 passed, 1 the act or check failed, 2 bad usage, 3 could not run.
The browser stays open between calls, until close or 15 minutes without a call.";

/// Flags that mcp and call share.
#[derive(Debug, Args)]
pub(crate) struct DoorFlags {
    /// Permission classes, separated by commas: read, navigate, act, eval, files, state, process.
    /// Without this flag mcp allows all but process, and call all of them
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    allow: Vec<String>,
    /// Allow only reading and navigation
    #[arg(long, conflicts_with = "allow")]
    pub(crate) read_only: bool,
    /// Let calls name files below this directory too (repeatable). mcp confines paths without this
    /// flag as well, to its own directory and those that the host names; call only with it
    #[arg(long, value_name = "DIR")]
    allow_path: Vec<PathBuf>,
    /// Let calls name any file, and addresses of cloud metadata services
    #[arg(long, conflicts_with = "allow_path")]
    unconfined: bool,
    /// Do not show the page's controls behind a navigation
    #[arg(long)]
    pub(crate) no_view: bool,
    /// Read the settings file of this directory too, and run the commands it names
    #[arg(long)]
    pub(crate) trust_project: bool,
}

impl DoorFlags {
    /// The directories of `--allow-path`, or `None` where calls may name any path.
    pub(crate) fn confinement(&self, by_default: bool) -> Result<Option<Vec<PathBuf>>, String> {
        if self.unconfined || (!by_default && self.allow_path.is_empty()) {
            return Ok(None);
        }
        let canonical = |dir: &PathBuf| {
            let found = dir.canonicalize();
            found.map_err(|error| format!("--allow-path {}: {error}", dir.display()))
        };
        self.allow_path.iter().map(canonical).collect::<Result<_, _>>().map(Some)
    }

    /// The classes that calls may use; `default` where no flag says otherwise.
    pub(crate) fn classes(&self, default: &[Class]) -> Result<BTreeSet<Class>, String> {
        if self.read_only {
            return Ok(BTreeSet::from([Class::Read, Class::Navigate]));
        }
        if self.allow.is_empty() {
            return Ok(default.iter().copied().collect());
        }
        let class = |word: &String| {
            Class::ALL.into_iter().find(|class| class.name() == word.trim()).ok_or_else(|| {
                let names: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
                format!("--allow knows {}, not {word}", names.join(", "))
            })
        };
        self.allow.iter().map(class).collect()
    }
}
