//! A scripted stand-in for `agent-browser`, for tests only. It never starts a browser. Started with
//! the arguments of an app launch it plays the app instead (`app.rs`).
//!
//! - `FAKE_UPSTREAM_SCRIPT`: a JSON file with rules (see `script.rs`); without it every command
//!   gets a sensible answer.
//! - `FAKE_UPSTREAM_LOG`: every invocation is appended to this file as one JSON line.
//! - `FAKE_UPSTREAM_VERSION`: the version to claim instead of 0.41.0.
//! - `FAKE_UPSTREAM_DAEMON=1`: a session gets a real daemon process with a browser process below it
//!   (both only sleep); else the pid file names the process that ran us.

#![allow(clippy::disallowed_methods, reason = "a program of its own, for tests only")]

mod answers;
mod app;
mod command_line;
mod probe;
mod script;
mod session;

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use answers::{Answer, Page};
use command_line::CommandLine;
use script::{Rule, Script};
use session::Session;

const LOGGED_STDIN: usize = 256 * 1024;

fn main() -> ExitCode {
    if let Some(code) = session::play_a_role() {
        return code;
    }
    let argv: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = app::play(&argv) {
        return code;
    }
    match Script::load() {
        Ok(script) => ExitCode::from(Fake { line: CommandLine::parse(&argv), argv, script }.run()),
        Err(problem) => {
            err(&format!("fake-upstream: {problem}\n"));
            ExitCode::from(97)
        }
    }
}

struct Fake {
    argv: Vec<String>,
    line: CommandLine,
    script: Script,
}

impl Fake {
    fn run(&self) -> u8 {
        let rule = self.script.for_process(&self.argv, &self.line.words);
        let input = match rule {
            Some(rule) if rule.ignore_stdin => Vec::new(),
            _ if self.line.reads_stdin() => read_stdin(),
            _ => Vec::new(),
        };
        if self.line.words == ["batch"] && input.is_empty() && rule.is_none() {
            // It was started ahead of a call that never came; like upstream it does nothing then.
            return 1;
        }
        self.log(&input);
        if let Some(rule) = rule {
            rule.misbehave();
            if let Some(stdout) = &rule.stdout {
                out(&printed(stdout));
                return rule.exit_code.unwrap_or(0);
            }
        }
        let code = self.answer(&input);
        rule.and_then(|rule| rule.exit_code).unwrap_or(code)
    }

    fn answer(&self, input: &[u8]) -> u8 {
        if self.line.wants("--version", "-V") {
            out(&format!("agent-browser {}\n", self.script.version()));
            return 0;
        }
        if self.line.wants("--help", "-h") || self.line.words.is_empty() {
            out(self.script.help());
            return 0;
        }
        let session = Session::of(&self.line);
        match self.line.words.first().map(String::as_str).unwrap_or_default() {
            "batch" => self.batch(&session, input),
            "session" => self.print(&session.describe(&self.line.words)),
            "close" | "quit" | "exit" => self.print(&session.close(&self.line.words)),
            "skills" | "plugin" | "profiles" | "doctor" | "dashboard" | "install" => {
                self.print(&json!({"data": {}, "success": true}))
            }
            _ => self.plain(&session, input),
        }
    }

    fn plain(&self, session: &Session, input: &[u8]) -> u8 {
        let mut row = self.line.words.clone();
        if row.iter().any(|word| word == "--stdin") {
            row = vec!["eval".to_owned(), String::from_utf8_lossy(input).into_owned()];
        }
        let mut page = session.start();
        let answer = self.row(&row, &mut page);
        session.save(&page);
        self.print(&answer.as_envelope())
    }

    fn batch(&self, session: &Session, input: &[u8]) -> u8 {
        let rows: Vec<Vec<String>> = match serde_json::from_slice(input) {
            Ok(rows) => rows,
            Err(error) => {
                let expected = "Expected an array of string arrays, e.g. [[\"open\", \"https://example.com\"], [\"snapshot\"]]";
                return self.print(&json!({"error": format!("Invalid JSON input: {error}. {expected}"), "success": false}));
            }
        };
        let mut page = session.start();
        let mut printed = Vec::new();
        let mut failed = false;
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            let answer = self.row(row, &mut page);
            printed.push(answer.as_row(index, row, self.line.has("--omit-command")));
            failed |= !answer.success;
            if row.first().is_some_and(|word| word == "close") {
                session.close(&[]);
                page = session.start();
            }
            if !answer.success && self.line.has("--bail") {
                break;
            }
        }
        session.save(&page);
        out(&format!("{}\n", Value::Array(printed)));
        u8::from(failed)
    }

    fn row(&self, row: &[String], page: &mut Page) -> Answer {
        let rule = self.script.for_row(row);
        if let Some(rule) = rule {
            rule.misbehave();
        }
        let answer = match rule.filter(|rule| rule.answers_rows()) {
            Some(rule) => scripted(rule, page),
            None => answers::usual(row, page),
        };
        probe::as_look(row, answer)
    }

    fn print(&self, envelope: &Value) -> u8 {
        let failed = envelope.get("success") == Some(&Value::Bool(false));
        match (self.line.has("--json"), failed) {
            (false, true) => {
                err(&format!("✗ {}\n", envelope["error"].as_str().unwrap_or_default()))
            }
            _ => out(&format!("{envelope}\n")),
        }
        u8::from(failed)
    }

    fn log(&self, input: &[u8]) {
        let Some(path) = std::env::var_os("FAKE_UPSTREAM_LOG") else {
            return;
        };
        let env: serde_json::Map<String, Value> = std::env::vars()
            .filter(|(name, _)| {
                name.starts_with("AGENT_BROWSER_") || name.to_lowercase().ends_with("_proxy")
            })
            .map(|(name, value)| (name, Value::String(value)))
            .collect();
        let kept = input.get(..LOGGED_STDIN.min(input.len())).unwrap_or_default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let line = json!({
            "argv": self.argv,
            "stdin": String::from_utf8_lossy(kept),
            "stdinBytes": input.len(),
            "env": env,
            "cwd": std::env::current_dir().unwrap_or_default(),
            "pid": std::process::id(),
            "timeMs": now.as_millis() as u64,
        });
        let log = OpenOptions::new().create(true).append(true).open(path);
        let written = log.and_then(|mut log| log.write_all(format!("{line}\n").as_bytes()));
        if let Err(error) = written {
            err(&format!("fake-upstream: cannot log: {error}\n"));
        }
    }
}

fn scripted(rule: &Rule, page: &mut Page) -> Answer {
    let success = rule.success.unwrap_or(rule.error.is_none());
    let result = match (&rule.result, &rule.value) {
        (Some(result), _) => Some(result.clone()),
        (None, Some(value)) => Some(json!({"origin": page.url, "result": value})),
        (None, None) => None,
    };
    let mut answer = if success {
        Answer::success(page, result.unwrap_or_else(|| json!({})))
    } else {
        Answer::failure(rule.error.as_deref().unwrap_or("Scripted failure"))
    };
    if let (false, Some(data)) = (success, &rule.result) {
        answer.result = Some(data.clone());
    }
    answer.warning.clone_from(&rule.warning);
    answer.code.clone_from(&rule.code);
    answer
}

fn printed(stdout: &Value) -> String {
    match stdout {
        Value::String(text) => text.clone(),
        value => format!("{value}\n"),
    }
}

fn read_stdin() -> Vec<u8> {
    let mut input = Vec::new();
    let _partial = std::io::stdin().read_to_end(&mut input);
    input
}

/// A reader that has gone away is no reason to fail.
fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _gone = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn err(text: &str) {
    let _gone = std::io::stderr().write_all(text.as_bytes());
}
