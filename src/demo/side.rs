//! The two sides of the comparison: upstream's own command line, and this tool. Both get the same
//! questions, and of both exactly that is kept which a model would read.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::DemoError;
use crate::call::{Block, CallContext, Engine};
use crate::redact::Redactor;
use crate::run::{ChildEnv, Invocation, run};

/// No call of the demo takes longer.
const CALL_LIMIT: Duration = Duration::from_secs(60);

/// What a model needs at the very least between two calls; it is not counted.
const THINKING: Duration = Duration::from_millis(400);
/// How often a call may be tried.
const ATTEMPTS: usize = 3;
/// How often a side may look for a control.
const SNAPSHOTS: usize = 5;

/// One call and its answer, as the model writes and reads them.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    /// The title of the step that begins with this call.
    pub(super) step: Option<&'static str>,
    pub(super) call: String,
    pub(super) answer: String,
    pub(super) failed: bool,
    pub(super) ms: u128,
}

impl Exchange {
    /// Bytes that the model reads.
    pub(super) fn bytes(&self) -> usize {
        self.answer.len()
    }
}

/// Who answers.
pub(super) enum Voice {
    /// Upstream's command line in its text mode, the shortest that it has.
    Raw(RawCli),
    /// This tool, through the same call that every door uses.
    Ours(Box<Engine>),
}

/// How upstream is started.
#[derive(Clone)]
pub(super) struct RawCli {
    pub(super) exe: PathBuf,
    pub(super) env: ChildEnv,
    pub(super) cwd: PathBuf,
    pub(super) session: String,
}

/// A side with what it has said so far.
pub(super) struct Side {
    voice: Voice,
    cancel: CancellationToken,
    /// The latest answer that lists the refs of the current page.
    refs: Option<String>,
    next_step: Option<&'static str>,
    pub(super) said: Vec<Exchange>,
}

impl Side {
    pub(super) fn new(voice: Voice, cancel: CancellationToken) -> Self {
        Self { voice, cancel, refs: None, next_step: None, said: Vec::new() }
    }

    /// The name of its run on the bundled pages.
    pub(super) fn run(&self) -> &'static str {
        match self.voice {
            Voice::Raw(_) => "raw",
            Voice::Ours(_) => "ours",
        }
    }

    /// What was said since the last time it was taken.
    pub(super) fn take_said(&mut self) -> Vec<Exchange> {
        std::mem::take(&mut self.said)
    }

    /// The next call begins a step.
    pub(super) fn step(&mut self, title: &'static str) {
        self.next_step = Some(title);
    }

    /// Sends one call and keeps the answer.
    pub(super) async fn call(&mut self, words: &[&str]) -> Result<&Exchange, DemoError> {
        let started = Instant::now();
        let (call, answer, failed) = match &self.voice {
            Voice::Raw(cli) => cli.call(words, &self.cancel).await?,
            Voice::Ours(engine) => ours(engine, words, &self.cancel).await,
        };
        if self.cancel.is_cancelled() {
            return Err(DemoError::Interrupted);
        }
        let ms = started.elapsed().as_millis();
        if answer.contains("ref=e") {
            self.refs = Some(answer.clone());
        }
        let step = self.next_step.take();
        self.said.push(Exchange { step, call, answer, failed, ms });
        self.said.last().ok_or(DemoError::Interrupted)
    }

    /// A call that must work for the demo to go on. A model would try again a moment later, and that
    /// counts.
    pub(super) async fn must(&mut self, words: &[&str]) -> Result<(), DemoError> {
        let mut answer = String::new();
        for _ in 0..ATTEMPTS {
            let said = self.call(words).await?;
            if !said.failed {
                return Ok(());
            }
            answer.clone_from(&said.answer);
            tokio::time::sleep(THINKING).await;
        }
        Err(DemoError::Unexpected { call: quoted(words), answer })
    }

    /// A call that leads to another page, where refs of the old one are of no use.
    pub(super) async fn must_lead_on(&mut self, words: &[&str]) -> Result<(), DemoError> {
        self.refs = None;
        self.must(words).await?;
        // A model thinks between its calls, and the page has that time too.
        tokio::time::sleep(THINKING).await;
        Ok(())
    }

    /// The ref of a control. A snapshot is taken only where no answer has shown the control yet.
    pub(super) async fn reference(&mut self, role: &str, name: &str) -> Result<String, DemoError> {
        for _ in 0..SNAPSHOTS {
            let known = self.refs.as_deref().and_then(|refs| reference_in(refs, role, name));
            if let Some(found) = known {
                return Ok(found);
            }
            self.must(&["snapshot", "-i"]).await?;
        }
        Err(DemoError::Unexpected {
            call: format!("the search for {role} {name:?}"),
            answer: self.refs.take().unwrap_or_default(),
        })
    }

    /// Starts the browser with a window whose pictures can be read in the report; not counted.
    pub(super) async fn warm_up(&mut self) -> Result<(), DemoError> {
        self.uncounted(&["set", "viewport", "800", "440"]).await
    }

    /// Saves a picture for the report; not counted.
    pub(super) async fn picture(&mut self, name: &str) -> Result<(), DemoError> {
        self.uncounted(&["screenshot", name]).await
    }

    async fn uncounted(&mut self, words: &[&str]) -> Result<(), DemoError> {
        let counted = std::mem::take(&mut self.said);
        let done = self.must(words).await;
        self.said = counted;
        done
    }

    /// Closes the browser.
    pub(super) async fn close(mut self) {
        // Also after an interruption; what cannot be closed ends with its idle timeout.
        self.cancel = CancellationToken::new();
        let _ = self.call(&["close"]).await;
        if let Voice::Ours(engine) = &self.voice {
            engine.shutdown().await;
        }
    }
}

/// The ref that a snapshot line gives to a control.
fn reference_in(text: &str, role: &str, name: &str) -> Option<String> {
    let start = format!("- {role} \"{name}\" ");
    let line = text.lines().find(|line| line.trim_start().starts_with(&start))?;
    let (_, behind) = line.split_once("ref=")?;
    let id: String = behind.chars().take_while(char::is_ascii_alphanumeric).collect();
    Some(format!("@{id}"))
}

impl RawCli {
    async fn call(
        &self,
        words: &[&str],
        cancel: &CancellationToken,
    ) -> Result<(String, String, bool), DemoError> {
        let done = run(self.invocation(words), cancel).await?;
        let said = String::from_utf8_lossy(&done.stdout);
        let answer = [said.trim_end(), done.stderr.trim_end()];
        let answer: Vec<&str> = answer.into_iter().filter(|part| !part.is_empty()).collect();
        let answer = Redactor::new([]).safe_text(&answer.join("\n")).into_string();
        Ok((format!("agent-browser {}", quoted(words)), answer, done.exit_code != 0))
    }

    pub(super) fn invocation(&self, words: &[&str]) -> Invocation {
        let session = ["--session", &self.session];
        Invocation {
            exe: self.exe.clone(),
            argv: session.iter().chain(words).map(|&word| word.to_owned()).collect(),
            stdin: Vec::new(),
            env: self.env.clone(),
            cwd: self.cwd.clone(),
            deadline: CALL_LIMIT,
        }
    }
}

/// Words as one would type them.
fn quoted(words: &[&str]) -> String {
    let plain = |word: &&str| {
        let simple = |c: char| c.is_ascii_alphanumeric() || "-_./:@#".contains(c);
        if word.chars().all(simple) { (*word).to_owned() } else { format!("\"{word}\"") }
    };
    words.iter().map(plain).collect::<Vec<_>>().join(" ")
}

async fn ours(
    engine: &Engine,
    words: &[&str],
    cancel: &CancellationToken,
) -> (String, String, bool) {
    let params = json!({ "args": words });
    let context =
        CallContext { cancel: cancel.clone(), reports_progress: true, ..CallContext::default() };
    let reply = engine.call(&params, context).await;
    let texts: Vec<&str> = reply
        .blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            Block::Image { .. } => None,
        })
        .collect();
    (params.to_string(), texts.join("\n"), reply.is_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_are_read_as_a_model_reads_them() {
        let page = "Opened \"Shop\" http://127.0.0.1/\n- link \"Cart\" [ref=e1]\n- combobox \"Delivery\" [expanded=false, ref=e12]: Standard\n";
        assert_eq!(reference_in(page, "link", "Cart"), Some("@e1".to_owned()));
        assert_eq!(reference_in(page, "combobox", "Delivery"), Some("@e12".to_owned()));
        assert_eq!(reference_in(page, "button", "Cart"), None);
    }

    #[test]
    fn calls_are_printed_as_one_would_type_them() {
        assert_eq!(quoted(&["fill", "@e2", "Ada Byron"]), "fill @e2 \"Ada Byron\"");
    }
}
