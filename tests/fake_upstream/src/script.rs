//! The scenario: an ordered list of rules, the first that matches wins.
//!
//! ```json
//! {"version": "0.42.0", "help": "…", "rules": [
//!   {"match": {"argv": ["batch"]}, "hang": true, "times": 1},
//!   {"match": {"row": ["click", "@e2"]}, "error": "Unknown ref: e2"},
//!   {"match": {"row": ["eval"], "contains": "timeOrigin"}, "value": {"origin": 1.5}}
//! ]}
//! ```
//!
//! A rule with `row` is about single commands, in a batch or plain; any other rule is about the whole
//! process. A bare list is a list of rules.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process};
use serde::Deserialize;
use serde_json::Value;

/// Longer than any test waits, and still not forever.
const HANGS: Duration = Duration::from_secs(120);

const HELP: &str = "\
agent-browser - fast browser automation CLI for AI agents

Usage: agent-browser <command> [args] [options]

  open <url>  click <sel>  fill <sel> <text>  snapshot  eval <js>  screenshot [path]  close [--all]
  tab [new|list|close|<n>]
  batch [options] [\"cmd\" ...]  --bail stops on first error  --omit-command uses an index
  session  session list
  --session <name>  --json  --idle-timeout <time>
";

#[derive(Default)]
pub(crate) struct Script {
    scenario: Scenario,
    path: PathBuf,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Scenario {
    version: Option<String>,
    help: Option<String>,
    #[serde(default)]
    rules: Vec<Rule>,
}

/// When it matches, how it misbehaves, and what it says.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Rule {
    #[serde(rename = "match")]
    when: When,
    /// How often the rule applies, over all processes of the scenario.
    times: Option<u32>,

    delay_ms: u64,
    hang: bool,
    /// It goes on as soon as this file is there.
    until: Option<PathBuf>,
    /// The number of a signal that it sends itself.
    crash: Option<i32>,
    flood_bytes: u64,
    flood_stderr_bytes: u64,
    /// A process below it keeps its pipes open for so long after it has ended.
    hold_pipes_ms: u64,
    pub(crate) ignore_stdin: bool,

    /// Text as it is, anything else as a line of JSON. Only for whole processes.
    pub(crate) stdout: Option<Value>,
    stderr: Option<String>,
    pub(crate) exit_code: Option<u8>,

    pub(crate) success: Option<bool>,
    pub(crate) result: Option<Value>,
    /// The value of an `eval` row.
    pub(crate) value: Option<Value>,
    pub(crate) error: Option<String>,
    pub(crate) warning: Option<String>,
    pub(crate) code: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct When {
    /// The first words behind the global flags.
    argv: Vec<String>,
    /// The first words of a row; `[]` matches every row.
    row: Option<Vec<String>>,
    /// A part of any argument, or of any word of the row.
    contains: Option<String>,
    /// The end of any argument: of a session's name, whose middle holds digits that look like any.
    ends: Option<String>,
    /// Variables that the process must have.
    env: BTreeMap<String, String>,
}

impl Script {
    pub(crate) fn load() -> Result<Self, String> {
        let Some(path) = std::env::var_os("FAKE_UPSTREAM_SCRIPT").map(PathBuf::from) else {
            return Ok(Self::default());
        };
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let value = if value.is_array() { serde_json::json!({"rules": value}) } else { value };
        let scenario = serde_json::from_value(value).map_err(|error| error.to_string())?;
        Ok(Self { scenario, path })
    }

    pub(crate) fn version(&self) -> String {
        let claimed = std::env::var("FAKE_UPSTREAM_VERSION").ok();
        claimed.or_else(|| self.scenario.version.clone()).unwrap_or_else(|| "0.41.0".to_owned())
    }

    pub(crate) fn help(&self) -> &str {
        self.scenario.help.as_deref().unwrap_or(HELP)
    }

    pub(crate) fn for_process(&self, argv: &[String], words: &[String]) -> Option<&Rule> {
        self.first(|when| {
            when.row.is_none() && words.starts_with(&when.argv) && when.found_in(argv)
        })
    }

    pub(crate) fn for_row(&self, row: &[String]) -> Option<&Rule> {
        self.first(|when| {
            when.row.as_ref().is_some_and(|start| row.starts_with(start)) && when.found_in(row)
        })
    }

    fn first(&self, matches: impl Fn(&When) -> bool) -> Option<&Rule> {
        let rules = self.scenario.rules.iter().enumerate();
        let mut rules = rules.filter(|(_, rule)| matches(&rule.when) && rule.when.has_env());
        rules.find(|(index, rule)| self.has_uses_left(*index, rule)).map(|(_, rule)| rule)
    }

    /// Every use takes a file of its own name, which only one process can create.
    fn has_uses_left(&self, index: usize, rule: &Rule) -> bool {
        let Some(times) = rule.times else { return true };
        (0..times).any(|use_number| {
            let mut mark = self.path.clone().into_os_string();
            mark.push(format!(".used-{index}-{use_number}"));
            OpenOptions::new().write(true).create_new(true).open(mark).is_ok()
        })
    }
}

impl When {
    fn found_in(&self, words: &[String]) -> bool {
        let script = crate::probe::script_of(words);
        let any = |is: &dyn Fn(&String) -> bool| words.iter().chain(&script).any(is);
        self.contains.as_ref().is_none_or(|part| any(&|word| word.contains(part.as_str())))
            && self.ends.as_ref().is_none_or(|end| any(&|word| word.ends_with(end.as_str())))
    }

    fn has_env(&self) -> bool {
        self.env.iter().all(|(name, value)| std::env::var(name).is_ok_and(|found| found == *value))
    }
}

impl Rule {
    pub(crate) fn answers_rows(&self) -> bool {
        self.success.is_some()
            || self.result.is_some()
            || self.value.is_some()
            || self.error.is_some()
            || self.warning.is_some()
    }

    pub(crate) fn misbehave(&self) {
        std::thread::sleep(Duration::from_millis(self.delay_ms));
        if let Some(file) = &self.until {
            wait_for(file);
        }
        flood(std::io::stdout(), self.flood_bytes);
        flood(std::io::stderr(), self.flood_stderr_bytes);
        if let Some(stderr) = &self.stderr {
            let _gone = std::io::stderr().write_all(stderr.as_bytes());
        }
        if self.hold_pipes_ms > 0 {
            crate::session::hold_pipes(self.hold_pipes_ms);
        }
        if let Some(signal) = self.crash.and_then(Signal::from_named_raw) {
            // The runtime of Rust survives the first SIGSEGV or SIGBUS that it is merely sent.
            let _sent =
                kill_process(getpid(), signal).and_then(|()| kill_process(getpid(), signal));
        }
        if self.hang {
            std::thread::sleep(HANGS);
        }
    }
}

fn wait_for(file: &Path) {
    let began = Instant::now();
    while !file.exists() && began.elapsed() < HANGS {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn flood(mut pipe: impl Write, bytes: u64) {
    let chunk = [b'x'; 64 * 1024];
    let mut left = bytes;
    while left > 0 {
        let count = left.min(chunk.len() as u64);
        let Some(part) = chunk.get(..count as usize) else {
            return;
        };
        if pipe.write_all(part).is_err() {
            return;
        }
        left -= count;
    }
}
