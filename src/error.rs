//! A call that is refused or could not run: category, one clear sentence, and what to do.

use serde_json::{Map, Value};

use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};

/// Why a stage stopped the walk. It becomes a failed [`Outcome`].
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The category that callers branch on.
    pub category: FailureCategory,
    /// What happened, as the first line behind the `Failed (…)` prefix.
    pub message: Line,
    /// Further lines, for example the `Agent-browser hint:`.
    pub hints: Vec<Line>,
    /// Ready calls.
    pub next: Vec<NextAction>,
    /// Fields of `details`.
    pub details: Map<String, Value>,
}

/// The result of a stage that may refuse.
pub type Checked<T> = Result<T, Box<Refusal>>;

impl Refusal {
    /// A refusal with its sentence.
    #[must_use]
    pub fn new(category: FailureCategory, message: impl Into<Line>) -> Box<Self> {
        Box::new(Self {
            category,
            message: message.into(),
            hints: Vec::new(),
            next: Vec::new(),
            details: Map::new(),
        })
    }

    /// Bad input: `details.validationError` repeats the sentence (IN-GEN-07).
    #[must_use]
    pub fn invalid(message: impl Into<Line>) -> Box<Self> {
        Self::new(FailureCategory::ValidationError, message)
    }

    /// Adds a ready call.
    #[must_use]
    pub fn next(mut self: Box<Self>, action: NextAction) -> Box<Self> {
        self.next.push(action);
        self
    }

    /// Adds a line below the message.
    #[must_use]
    pub fn hint(mut self: Box<Self>, line: impl Into<Line>) -> Box<Self> {
        self.hints.push(line.into());
        self
    }

    /// Adds a field of `details`.
    #[must_use]
    pub fn detail(mut self: Box<Self>, key: &str, value: impl Into<Value>) -> Box<Self> {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The failed result that the caller gets.
    #[must_use]
    pub fn into_outcome(self) -> Outcome {
        let sentence = self.message.plain();
        let mut answer = vec![self.message];
        answer.extend(self.hints);
        let mut outcome = Outcome::failure(self.category, answer);
        outcome.next = self.next;
        outcome.details = self.details;
        let key = match self.category {
            FailureCategory::ValidationError | FailureCategory::PolicyBlocked => "validationError",
            _ => "error",
        };
        outcome.details.entry(key).or_insert_with(|| Value::String(sentence));
        outcome
    }
}
