//! What is known of a call that its limit has ended (DIAG-TIME): evidence only, since a step without
//! a mark may have run all the same.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::line::{Line, Span};
use crate::plan::Step;
use crate::plan::about::typed_words;

/// Steps that are listed; the rest is counted.
const SHOWN_STEPS: usize = 6;
/// Words of a step that are listed.
const SHOWN_WORDS: usize = 4;

/// A file that a step was to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Number of the step, from 1.
    pub step: usize,
    /// Absolute path.
    pub path: String,
    /// Its size, where it exists.
    pub bytes: Option<u64>,
}

/// Where the page is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The page itself has said so.
    Live {
        /// Address.
        url: String,
        /// Title.
        title: String,
    },
    /// The last address that a step was to open.
    Planned(String),
    /// Nobody can say.
    Unknown,
}

/// Everything that was found out.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The steps of a batch, job or preset; a single command has none.
    pub steps: &'a [Step],
    /// The characters of texts that steps type key by key.
    pub typed_keys: &'a BTreeSet<String>,
    /// Where the page is.
    pub place: Place,
    /// Files of the steps.
    pub files: Vec<Declared>,
}

impl Progress<'_> {
    /// There is something worth telling (DIAG-TIME-01).
    #[must_use]
    pub fn is_useful(&self) -> bool {
        !self.steps.is_empty() || !self.files.is_empty() || self.place != Place::Unknown
    }

    fn summary(&self) -> String {
        let context = match self.place {
            Place::Live { .. } => "live",
            Place::Planned(_) => "planned",
            Place::Unknown => "unknown",
        };
        let there = self.files.iter().filter(|file| file.bytes.is_some()).count();
        format!("page context {context}, artifacts {there}/{}.", self.files.len())
    }

    /// The visible block.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line::ours(format!("Timeout partial progress: {}", self.summary()))];
        match &self.place {
            Place::Live { url, title } => {
                lines.push(Line::ours("Page: ").quote(title).and(" ").url(url));
            }
            Place::Planned(url) => lines.push(Line::ours("Planned page: ").url(url)),
            Place::Unknown => {}
        }
        if self.steps.is_empty() {
            lines.extend(self.files.iter().map(|file| with_state(Line::ours("File: "), file)));
            return lines;
        }
        lines.push(Line::ours("Planned steps:"));
        for (step, number) in self.steps.iter().zip(1..).take(SHOWN_STEPS) {
            let file = self.files.iter().find(|file| file.step == number);
            lines.push(step_line(number, step, file, self.typed_keys));
        }
        let hidden = self.steps.len().saturating_sub(SHOWN_STEPS);
        if hidden > 0 {
            let word = if hidden == 1 { "step" } else { "steps" };
            lines.push(Line::ours(format!("{hidden} more {word}")));
        }
        lines
    }

    /// `details.timeoutPartialProgress`.
    #[must_use]
    pub fn details(&self) -> Value {
        let mut details = json!({ "summary": self.summary() });
        if !self.steps.is_empty() {
            let steps = self.steps.iter().zip(1..).map(
                |(step, number): (&Step, usize)| json!({ "step": number, "args": step.argv.words }),
            );
            details["steps"] = steps.collect();
        }
        details["currentPage"] = match &self.place {
            Place::Live { url, title } => json!({ "url": url, "title": title, "source": "live" }),
            Place::Planned(url) => json!({ "url": url, "source": "planned" }),
            Place::Unknown => Value::Null,
        };
        let files = self.files.iter().map(|file| {
            let mut entry = json!({
                "path": file.path, "exists": file.bytes.is_some(), "stepIndex": file.step,
            });
            if let Some(bytes) = file.bytes {
                entry["sizeBytes"] = bytes.into();
            }
            entry
        });
        details["artifacts"] = files.collect();
        details
    }
}

/// `2 screenshot /home/ann/shop/before.png (exists, 48213 bytes)`. Typed text is left out, also where
/// each of its characters is a row.
fn step_line(number: usize, step: &Step, file: Option<&Declared>, keys: &BTreeSet<String>) -> Line {
    let typed = typed_words(step);
    let is_typed = |word: &String| {
        typed.contains(word) || (step.argv.name() == "press" && keys.contains(word))
    };
    let line = Line::ours(format!("{number} {}", step.argv.name()));
    if let Some(file) = file {
        return with_state(line.and(" "), file);
    }
    let words = step.argv.words.iter().skip(1).filter(|word| !is_typed(word));
    words.take(SHOWN_WORDS).fold(line, |line, word| {
        let line = line.and(" ");
        if word.contains("://") {
            line.url(word)
        } else if is_plain(word) {
            line.and(word.clone())
        } else {
            line.quote(word)
        }
    })
}

fn is_plain(word: &str) -> bool {
    word.starts_with("--")
        && word.len() <= 24
        && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

fn with_state(line: Line, file: &Declared) -> Line {
    let line = line.push(Span::Path(file.path.clone()));
    match file.bytes {
        Some(bytes) => line.and(format!(" (exists, {bytes} bytes)")),
        None => line.and(" (not there)"),
    }
}
