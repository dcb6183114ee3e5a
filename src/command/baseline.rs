//! The capability baseline: what the tested upstream's own help must name (DOC-08).
//!
//! Data alone: nothing here asks upstream. A live test does, and `cargo xtask rebaseline` does for
//! another version.

use super::help::missing_from_tables;

/// One help text to look at.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The words behind `agent-browser`, without `--help`; none asks for the general text.
    pub command: &'static str,
    /// What it must name.
    pub tokens: &'static [&'static str],
}

const fn sample(command: &'static str, tokens: &'static [&'static str]) -> Sample {
    Sample { command, tokens }
}

/// Every help text of the baseline.
pub const SAMPLES: [Sample; 26] = [
    sample(
        "",
        &[
            "open",
            "read",
            "click",
            "dblclick",
            "type",
            "fill",
            "press",
            "keyboard",
            "hover",
            "focus",
            "check",
            "uncheck",
            "select",
            "drag",
            "upload",
            "download",
            "scroll",
            "scrollintoview",
            "wait",
            "screenshot",
            "pdf",
            "snapshot",
            "eval",
            "connect",
            "close",
            "back",
            "forward",
            "reload",
            "get",
            "is",
            "find",
            "mouse",
            "set",
            "network",
            "cookies",
            "storage",
            "tab",
            "diff",
            "trace",
            "profiler",
            "record",
            "console",
            "errors",
            "highlight",
            "inspect",
            "clipboard",
            "stream",
            "webmcp",
            "react",
            "vitals",
            "a11y",
            "pushstate",
            "removeinitscript",
            "batch",
            "auth",
            "plugin",
            "confirm",
            "deny",
            "session",
            "mcp",
            "chat",
            "dashboard",
            "install",
            "upgrade",
            "doctor",
            "profiles",
            "skills",
            "--profile",
            "--restore",
            "--session-name",
            "--state",
            "--auto-connect",
            "--headers",
            "--session",
            "--json",
            "--headed",
            "--cdp",
            "--allowed-domains",
            "--action-policy",
            "--confirm-actions",
        ],
    ),
    sample("open", &["goto", "navigate"]),
    sample(
        "get",
        &["text", "html", "value", "attr", "title", "url", "count", "box", "styles", "cdp-url"],
    ),
    sample("is", &["visible", "enabled", "checked"]),
    sample(
        "find",
        &["role", "text", "label", "placeholder", "alt", "title", "testid", "--name", "--exact"],
    ),
    sample("wait", &["--text", "--url", "--load", "--fn", "--download", "--timeout"]),
    sample("snapshot", &["--interactive", "--urls", "--compact", "--depth", "--selector"]),
    sample("screenshot", &["--full", "--annotate"]),
    sample("batch", &["--bail", "--omit-command"]),
    sample("eval", &["--stdin"]),
    sample("keyboard", &["type", "inserttext"]),
    sample("tab", &["list", "new", "close", "--label"]),
    sample(
        "network",
        &["route", "unroute", "requests", "har", "--abort", "--filter", "--method", "--status"],
    ),
    sample("cookies", &["set", "clear", "--domain"]),
    sample("storage", &["local", "session"]),
    sample("state", &["save", "load", "list", "show", "clear"]),
    sample(
        "auth",
        &["save", "login", "list", "show", "delete", "--password-stdin", "--credential-provider"],
    ),
    sample("session", &["list", "id", "info"]),
    sample("set", &["viewport", "device", "geo", "offline", "headers", "credentials", "media"]),
    sample("diff", &["snapshot", "screenshot", "url", "--baseline"]),
    sample("record", &["start", "stop", "restart"]),
    sample("trace", &["start", "stop"]),
    sample("dialog", &["accept", "dismiss", "status"]),
    sample("skills", &["list", "get", "path", "--full"]),
    sample("doctor", &["--offline", "--quick", "--fix"]),
    sample("install", &["--with-deps"]),
];

impl Sample {
    /// The invocation as a person types it.
    #[must_use]
    pub fn shown(&self) -> String {
        let words = ["agent-browser", self.command, "--help"];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// What a help text lacks, and what it names that our tables do not know.
    #[must_use]
    pub fn gaps(&self, help: &str) -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || c == '-';
        let words: std::collections::HashSet<&str> = help.split(|c| !is_word(c)).collect();
        let lacking = self.tokens.iter().filter(|token| !words.contains(**token));
        let mut gaps: Vec<String> =
            lacking.map(|token| format!("{}: does not name {token}", self.shown())).collect();
        let unknown = missing_from_tables(help);
        gaps.extend(unknown.iter().map(|name| format!("{}: {name} is new", self.shown())));
        gaps
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read recorded texts")]

    use super::*;

    // DOC-08
    #[test]
    fn the_recorded_help_has_everything_of_the_baseline() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/upstream/0.41.0/help");
        for sample in SAMPLES {
            let name = if sample.command.is_empty() { "general" } else { sample.command };
            let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
            assert_eq!(sample.gaps(&text), Vec::<String>::new());
        }
    }

    // DOC-08
    #[test]
    fn a_lost_and_a_new_word_are_reported() {
        let batch = SAMPLES.iter().find(|sample| sample.command == "batch").unwrap();
        let help = "agent-browser batch - Run\n\nOptions:\n  --omit-command  x\n  --warp  y\n";
        let gaps = batch.gaps(help);
        assert_eq!(
            gaps,
            [
                "agent-browser batch --help: does not name --bail",
                "agent-browser batch --help: --warp is new"
            ]
        );
    }
}
