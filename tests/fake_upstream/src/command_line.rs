//! Global flags out of the way, as upstream does it: from anywhere in the list.

const WITH_VALUE: &[&str] = &[
    "--session",
    "--namespace",
    "--config",
    "--profile",
    "--restore-save",
    "--restore-check-url",
    "--restore-check-text",
    "--restore-check-fn",
    "--session-name",
    "--state",
    "--headers",
    "--executable-path",
    "--extension",
    "--init-script",
    "--enable",
    "--args",
    "--user-agent",
    "--proxy",
    "--proxy-bypass",
    "--ca-cert",
    "-p",
    "--provider",
    "--device",
    "--screenshot-dir",
    "--screenshot-quality",
    "--screenshot-format",
    "--input-mode",
    "--cdp",
    "--color-scheme",
    "--download-path",
    "--max-output",
    "--allowed-domains",
    "--action-policy",
    "--confirm-actions",
    "--idle-timeout",
    "--engine",
    "--model",
];

const SWITCHES: &[&str] = &[
    "--json",
    "--headed",
    "--webgpu",
    "--debug",
    "--ignore-https-errors",
    "--allow-file-access",
    "--hide-scrollbars",
    "--auto-connect",
    "--annotate",
    "--content-boundaries",
    "--confirm-interactive",
    "--no-auto-dialog",
    "--no-webmcp",
    "--pin-tab",
    "--no-pin-tab",
    "--use-system-ca",
    "--no-ca-cert",
    "-v",
    "--verbose",
    "-q",
    "--quiet",
    "--offline",
    "--quick",
    "--fix",
    "--help",
    "-h",
    "--version",
    "-V",
    "--bail",
    "--omit-command",
];

pub(crate) struct CommandLine {
    /// The command and its own arguments.
    pub(crate) words: Vec<String>,
    switches: Vec<String>,
    values: Vec<(String, String)>,
}

impl CommandLine {
    pub(crate) fn parse(argv: &[String]) -> Self {
        let mut line = Self { words: Vec::new(), switches: Vec::new(), values: Vec::new() };
        let mut rest = argv.iter().peekable();
        while let Some(word) = rest.next() {
            if WITH_VALUE.contains(&word.as_str()) {
                if let Some(value) = rest.next() {
                    line.values.push((word.clone(), value.clone()));
                }
            } else if SWITCHES.contains(&word.as_str()) {
                line.switches.push(word.clone());
                rest.next_if(|next| matches!(next.as_str(), "true" | "false"));
            } else if !word.starts_with("--restore") {
                line.words.push(word.clone());
            }
        }
        line
    }

    pub(crate) fn has(&self, switch: &str) -> bool {
        self.switches.iter().any(|given| given == switch)
    }

    pub(crate) fn wants(&self, long: &str, short: &str) -> bool {
        self.has(long) || self.has(short)
    }

    pub(crate) fn value(&self, flag: &str) -> Option<&str> {
        self.values.iter().rev().find(|(given, _)| given == flag).map(|(_, value)| value.as_str())
    }

    pub(crate) fn reads_stdin(&self) -> bool {
        let is_batch = self.words.first().is_some_and(|word| word == "batch");
        is_batch && self.words.len() == 1
            || self.words.iter().any(|word| word == "--stdin" || word == "--password-stdin")
    }
}
