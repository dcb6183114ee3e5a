//! What a call came to: closed sets of categories, next actions and findings.
//!
//! An [`Outcome`] is data. Nothing in it is printed before `redact` has seen it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::file_fact::FileFact;
use crate::line::Line;
use crate::present::own_page::OwnPage;

/// Why a call failed. The names are a contract: callers branch on them (RES-10, DEC-61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum FailureCategory {
    Aborted,
    CleanupFailed,
    ConfirmationRequired,
    DownloadNotVerified,
    MissingBinary,
    ParseFailure,
    PolicyBlocked,
    QaFailure,
    SelectorNotFound,
    SelectorUnsupported,
    StaleRef,
    TabDrift,
    TabGone,
    Timeout,
    UpstreamError,
    ValidationError,
}

impl FailureCategory {
    /// Every category, in the order of the contract.
    pub const ALL: [Self; 16] = [
        Self::Aborted,
        Self::CleanupFailed,
        Self::ConfirmationRequired,
        Self::DownloadNotVerified,
        Self::MissingBinary,
        Self::ParseFailure,
        Self::PolicyBlocked,
        Self::QaFailure,
        Self::SelectorNotFound,
        Self::SelectorUnsupported,
        Self::StaleRef,
        Self::TabDrift,
        Self::TabGone,
        Self::Timeout,
        Self::UpstreamError,
        Self::ValidationError,
    ];

    /// The name as it stands in `details.failureCategory` and in visible text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Aborted => "aborted",
            Self::CleanupFailed => "cleanup-failed",
            Self::ConfirmationRequired => "confirmation-required",
            Self::DownloadNotVerified => "download-not-verified",
            Self::MissingBinary => "missing-binary",
            Self::ParseFailure => "parse-failure",
            Self::PolicyBlocked => "policy-blocked",
            Self::QaFailure => "qa-failure",
            Self::SelectorNotFound => "selector-not-found",
            Self::SelectorUnsupported => "selector-unsupported",
            Self::StaleRef => "stale-ref",
            Self::TabDrift => "tab-drift",
            Self::TabGone => "tab-gone",
            Self::Timeout => "timeout",
            Self::UpstreamError => "upstream-error",
            Self::ValidationError => "validation-error",
        }
    }
}

/// What kind of success a call was (RES-09, DEC-61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum SuccessCategory {
    Completed,
    ArtifactSaved,
    ArtifactUnverified,
    ArtifactPending,
    Inspection,
}

impl SuccessCategory {
    /// The name as it stands in `details.successCategory`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::ArtifactSaved => "artifact-saved",
            Self::ArtifactUnverified => "artifact-unverified",
            Self::ArtifactPending => "artifact-pending",
            Self::Inspection => "inspection",
        }
    }
}

/// Success or failure, with its category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The command did what it says.
    Success(SuccessCategory),
    /// It did not, or nobody can say that it did.
    Failure(FailureCategory),
}

impl Verdict {
    /// The plain success.
    pub const COMPLETED: Self = Self::Success(SuccessCategory::Completed);

    /// True for every failure: this is the `isError` of all doors.
    #[must_use]
    pub fn is_failure(self) -> bool {
        self.failure().is_some()
    }

    /// The category of a failure.
    #[must_use]
    pub fn failure(self) -> Option<FailureCategory> {
        match self {
            Self::Failure(category) => Some(category),
            Self::Success(_) => None,
        }
    }

    /// The two fields of `details` that tell it.
    #[must_use]
    pub fn to_details(self) -> [(String, Value); 2] {
        let (result, key, name) = match self {
            Self::Success(category) => ("success", "successCategory", category.name()),
            Self::Failure(category) => ("failure", "failureCategory", category.name()),
        };
        [("resultCategory".to_owned(), result.into()), (key.to_owned(), name.into())]
    }
}

/// An exact call that the caller may send next, unchanged (NEXT-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextAction {
    /// Stable id, for example `refresh-interactive-refs`.
    pub id: String,
    /// Why this call helps, in a few words.
    pub reason: String,
    /// What to be careful about, where the action is a guess.
    pub safety: Option<String>,
    /// The call, or the file to look at.
    pub payload: NextPayload,
    /// Recovery and diagnostic actions are printed; routine ones stay in `details`.
    pub visible: bool,
}

/// What a [`NextAction`] carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum NextPayload {
    /// The whole input object of a call.
    Params(Value),
    /// A file to inspect.
    ArtifactPath(String),
}

impl NextAction {
    /// A visible action that sends `args`.
    ///
    /// ```
    /// use agent_browser_native::outcome::NextAction;
    /// let next = NextAction::args("refresh-interactive-refs", "get current refs", &["snapshot", "-i"]);
    /// assert_eq!(next.params().unwrap().to_string(), r#"{"args":["snapshot","-i"]}"#);
    /// ```
    #[must_use]
    pub fn args<S: AsRef<str>>(id: &str, reason: &str, args: &[S]) -> Self {
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        Self::params_of(id, reason, json!({ "args": args }))
    }

    /// A visible action with any input object.
    #[must_use]
    pub fn params_of(id: &str, reason: &str, params: Value) -> Self {
        Self {
            id: id.to_owned(),
            reason: reason.to_owned(),
            safety: None,
            payload: NextPayload::Params(params),
            visible: true,
        }
    }

    /// Keeps the action out of the visible text.
    #[must_use]
    pub fn routine(mut self) -> Self {
        self.visible = false;
        self
    }

    /// Adds the sentence that says what to be careful about.
    #[must_use]
    pub fn with_safety(mut self, safety: &str) -> Self {
        self.safety = Some(safety.to_owned());
        self
    }

    /// The input object, where the action is a call.
    #[must_use]
    pub fn params(&self) -> Option<&Value> {
        match &self.payload {
            NextPayload::Params(params) => Some(params),
            NextPayload::ArtifactPath(_) => None,
        }
    }

    /// The entry of `details.nextActions`, with the session prefix that the exact payload needs.
    #[must_use]
    pub fn to_details(&self, session_prefix: &[String]) -> Value {
        let mut entry = Map::new();
        entry.insert("tool".into(), "agent_browser".into());
        entry.insert("id".into(), self.id.clone().into());
        entry.insert("reason".into(), self.reason.clone().into());
        if let Some(safety) = &self.safety {
            entry.insert("safety".into(), safety.clone().into());
        }
        match &self.payload {
            NextPayload::Params(params) => {
                entry.insert("params".into(), prefixed(params, session_prefix));
            }
            NextPayload::ArtifactPath(path) => {
                entry.insert("artifactPath".into(), path.clone().into());
            }
        }
        Value::Object(entry)
    }
}

/// Puts `--namespace NS --session S` in front of `args`, unless they name a session (NEXT-04).
#[must_use]
pub fn prefixed(params: &Value, session_prefix: &[String]) -> Value {
    let mut params = params.clone();
    let fresh = params.get("sessionMode").and_then(Value::as_str) == Some("fresh");
    if fresh || session_prefix.is_empty() {
        return params;
    }
    if let Some(Value::Array(args)) = params.get_mut("args") {
        let named = args
            .first()
            .and_then(Value::as_str)
            .is_some_and(|first| first == "--session" || first == "--namespace");
        if !named {
            let prefix = session_prefix.iter().cloned().map(Value::String);
            *args = prefix.chain(args.drain(..)).collect();
        }
    }
    if let Some(Value::Object(lookup)) = params.get_mut("networkSourceLookup") {
        for (flag, field) in [("--namespace", "namespace"), ("--session", "session")] {
            let named = session_prefix.iter().skip_while(|token| *token != flag).nth(1);
            if let Some(name) = named {
                lookup.entry(field).or_insert_with(|| name.clone().into());
            }
        }
    }
    params
}

/// What one diagnostic found: lines for the reader, an object for `details`, and what to do about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The key in `details`, for example `scrollNoop`; empty when there is nothing to keep.
    pub key: &'static str,
    /// The object under that key.
    pub details: Value,
    /// Visible lines, in the place that RES-26 gives to this finding.
    pub lines: Vec<Line>,
    /// A line that must open the answer (`Scroll completed with no observed movement`).
    pub lead: Option<Line>,
    /// The lead stands instead of the answer, which said something else.
    pub replaces_answer: bool,
    /// Fields of `details.data` that the finding knows better than upstream.
    pub data: Map<String, Value>,
    /// Actions, appended behind the generic ones (NEXT-05).
    pub next: Vec<NextAction>,
    /// Set when the finding turns the call into a failure.
    pub failure: Option<FailureCategory>,
}

/// An image for the model, named by its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageRef {
    /// Absolute path of the verified file.
    pub path: std::path::PathBuf,
}

/// The result of a call before redaction: everything as data.
///
/// ```
/// use agent_browser_native::outcome::{Outcome, Verdict};
/// use agent_browser_native::line::Line;
/// let outcome = Outcome::success(vec![Line::ours("Closed the browser.")]);
/// assert_eq!(outcome.verdict, Verdict::COMPLETED);
/// ```
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Success or failure.
    pub verdict: Verdict,
    /// The answer: what was done, to what, and what was seen to happen; then page lines.
    pub answer: Vec<Line>,
    /// Findings in the order of RES-26.
    pub findings: Vec<Finding>,
    /// Generic actions, before those of the findings.
    pub next: Vec<NextAction>,
    /// The managed-session block, always last.
    pub managed: Vec<Line>,
    /// `details`, without the fields that `call` adds to every result.
    pub details: Map<String, Value>,
    /// Verified screenshots for the model.
    pub images: Vec<ImageRef>,
    /// Files that the command saved or will save.
    pub files: Vec<FileFact>,
    /// Whole outputs that did not fit into `answer`; each goes to a private file.
    pub spills: Vec<Spill>,
    /// What stands in `details.data` instead of the whole data, which is kept in `details` until
    /// the reply is made (PRES-SNAP-05).
    pub compact: Option<Value>,
    /// The page that was shown behind the command, for whoever judges several of them.
    pub page: Option<OwnPage>,
    /// The call needed a browser, and none came up.
    pub no_browser: bool,
}

/// Text that is too long to show and goes to a file whose path is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spill {
    /// First part of the file's name, for example `snapshot`.
    pub stem: &'static str,
    /// The whole text, not yet redacted.
    pub text: String,
    /// The label of the path line, for example `Full raw snapshot path:`.
    pub label: Cow<'static, str>,
}

impl Outcome {
    /// A plain success with its lines.
    #[must_use]
    pub fn success(answer: Vec<Line>) -> Self {
        Self {
            verdict: Verdict::COMPLETED,
            answer,
            findings: Vec::new(),
            next: Vec::new(),
            managed: Vec::new(),
            details: Map::new(),
            images: Vec::new(),
            files: Vec::new(),
            spills: Vec::new(),
            compact: None,
            page: None,
            no_browser: false,
        }
    }

    /// A failure; `answer` does not repeat the `Failed (…)` prefix, the printer writes it.
    #[must_use]
    pub fn failure(category: FailureCategory, answer: Vec<Line>) -> Self {
        Self { verdict: Verdict::Failure(category), ..Self::success(answer) }
    }

    /// Adds a field of `details`.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}
