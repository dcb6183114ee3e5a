//! What one call leaves behind.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use super::prepare::Request;
use crate::diagnose::AfterRow;
use crate::plan::Step;
use crate::plan::about::typed_words;
use crate::run::ready::Next;
use crate::session::fact::Fact;
use crate::session::target::{SessionMode, Target};

/// What one call leaves behind, for `details` and the journal.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) branch: u64,
    pub(super) args: Vec<String>,
    pub(super) command: Option<&'static str>,
    pub(super) subcommand: Option<String>,
    pub(super) mode: SessionMode,
    pub(super) target: Option<Target>,
    pub(super) effective: Vec<String>,
    pub(super) secrets: Vec<String>,
    pub(super) facts: Vec<Fact>,
    pub(super) wants_json: bool,
    /// The process that the next call will need.
    pub(super) next: Option<Next>,
    /// Where the caller wants the result (DEC-49).
    pub(super) output: Option<String>,
    /// Texts that were typed into fields which nobody has seen (DEC-68).
    pub(super) typed: Vec<String>,
    /// The characters of texts that a job types key by key.
    pub(super) typed_keys: BTreeSet<String>,
    pub(super) processes: u32,
    pub(super) upstream_time: Duration,
    /// Bytes of the longest answer that upstream gave.
    pub(super) longest_answer: usize,
    pub(super) rows: Vec<Value>,
    pub(super) notes: Vec<String>,
    /// Fields of `details` that echo the compiled input.
    pub(super) echo: Vec<(&'static str, Value)>,
    /// A pending navigation is ended when the next process takes longer than this.
    pub(super) nudge_after: Option<Duration>,
    /// Files that answers to the caller's own commands were read from, where calls are confined.
    pub(super) file_origins: Vec<String>,
    /// A step was seen to change the page, or nobody saw what it did.
    pub(super) page_changed: bool,
    /// A step of this call has closed its session: nothing more is asked.
    pub(super) closed: bool,
}

impl Trace {
    /// The rows that upstream was sent, for `details.upstreamRows`.
    pub(super) fn debug_rows(&self) -> Option<Value> {
        (!self.rows.is_empty()).then(|| Value::Array(self.rows.clone()))
    }

    pub(super) fn describe(&mut self, request: &Request) {
        self.command = request.argv.command().map(|command| command.name);
        self.subcommand = request.argv.words.get(1).filter(|word| is_plain_word(word)).cloned();
        self.wants_json = request.argv.wants_json();
        self.secrets.extend(request.secrets());
        self.typed = request.steps.iter().flat_map(typed_words).collect();
        self.typed_keys.clone_from(&request.typed_keys);
    }

    /// The page has said what kind of field a text went into: a password is a secret of the call,
    /// any other text may be repeated (DEC-68).
    pub(super) fn field_seen(&mut self, step: &Step, after: &AfterRow) {
        let Some(page) = after.page() else { return };
        let filled = page.fill.as_ref().filter(|fill| fill.verdict != "no-field");
        let typed = page.typed.filter(|typed| typed.known);
        let secret = match (filled, typed) {
            (Some(fill), _) => fill.secret,
            (None, Some(typed)) => typed.secret,
            (None, None) => return,
        };
        let words = typed_words(step);
        for word in &words {
            if let Some(at) = self.typed.iter().position(|known| known == word) {
                self.typed.remove(at);
            }
        }
        if secret {
            self.secrets.push(words.join(" "));
            self.secrets.extend(words);
        }
    }
}

/// A word that can only be a subcommand, never text of the caller.
fn is_plain_word(word: &str) -> bool {
    word.len() <= 16 && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}
