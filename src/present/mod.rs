//! Answers → outcomes: one file per family of commands, one list. Pure.

mod a11y;
pub mod action;
mod auth;
pub mod batch;
pub mod budget;
mod chat;
mod clipboard;
pub mod close;
mod confirm;
mod connect;
mod control;
mod cookies;
mod devtools;
pub mod dialog;
mod diff;
mod doctor;
pub mod electron;
pub mod failure;
pub mod files;
mod found;
mod frame;
pub mod generic;
mod hints;
pub mod inspection;
pub mod line_diff;
mod logs;
pub mod lookup;
pub mod navigation;
pub mod network;
pub mod our_starts;
pub mod own_page;
mod page_change;
mod profiles;
pub mod qa;
mod react;
mod read;
mod recording;
mod saved_state;
pub mod scalar;
pub mod scroll;
mod sessions;
mod settings;
mod skills;
pub mod snapshot;
pub mod snapshot_view;
pub mod step_lines;
mod storage;
mod stream;
mod tabs;
pub mod text;
pub mod timeout_progress;
mod vitals;
mod wait;
mod webmcp;
mod words;

pub use page_change::one_sentence;

use std::path::Path;

use serde_json::Value;

use crate::diagnose::effect::Effect;
use crate::diagnose::{AfterRow, Evidence};
use crate::envelope::Answer;
use crate::file_fact::FileFact;
use crate::outcome::Outcome;
use crate::plan::Step;
use crate::present::snapshot::SnapshotData;
use crate::probe::report::PageReport;
use crate::session::refs::RefSnapshot;
use crate::session::state::SessionState;

/// Everything that is known about one command that succeeded.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The command.
    pub step: &'a Step,
    /// Upstream's answer.
    pub answer: &'a Answer,
    /// The before-row.
    pub before: Option<&'a PageReport>,
    /// The after-row.
    pub after: &'a AfterRow,
    /// What the command was seen to do.
    pub effect: Effect,
    /// The page behind a navigation, read by the look row.
    pub page: Option<&'a PageReport>,
    /// The command's own snapshot, understood.
    pub taken: Option<&'a SnapshotData>,
    /// The page view behind a navigation.
    pub view: Option<&'a SnapshotData>,
    /// A tab that opened: its id.
    pub new_tab: Option<&'a str>,
    /// What was known about the session before the call.
    pub session: Option<&'a SessionState>,
    /// Files that the command names, as they are on disk now.
    pub files: &'a [FileFact],
    /// The host's directory.
    pub cwd: &'a Path,
    /// `default`, or the name that the caller gave.
    pub session_label: &'a str,
}

impl Shown<'_> {
    /// The command's name.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.step.argv.command().map_or("", |command| command.name)
    }

    /// The refs that were known before the call.
    #[must_use]
    pub fn refs(&self) -> Option<&RefSnapshot> {
        self.session.and_then(|session| session.refs.as_ref())
    }

    /// The evidence for the diagnostics.
    #[must_use]
    pub fn evidence(&self) -> Evidence<'_> {
        Evidence {
            step: self.step,
            before: self.before,
            main: self.answer,
            after: self.after,
            refs: self.refs(),
            known: self.session.and_then(|session| session.page.as_ref()),
            routes: self.session.map_or(&[], |session| &session.routes),
        }
    }
}

/// A family of commands.
pub struct Presenter {
    /// Stable id.
    pub id: &'static str,
    /// Whether it presents this command.
    pub takes: fn(&Shown<'_>) -> bool,
    /// The outcome of a success.
    pub present: fn(&Shown<'_>) -> Outcome,
}

/// Every family; the first that takes a command presents it.
pub const PRESENTERS: &[Presenter] = &[
    Presenter { id: "close", takes: close::takes, present: close::present },
    Presenter { id: "confirm", takes: confirm::takes, present: confirm::present },
    Presenter { id: "dialog", takes: dialog::takes, present: dialog::present },
    Presenter { id: "snapshot", takes: snapshot_view::takes, present: snapshot_view::present },
    Presenter { id: "navigation", takes: navigation::takes, present: navigation::present },
    Presenter { id: "tabs", takes: tabs::takes, present: tabs::present },
    Presenter { id: "wait", takes: wait::takes, present: wait::present },
    Presenter { id: "network", takes: network::takes, present: network::present },
    Presenter { id: "recording", takes: recording::takes, present: recording::present },
    Presenter { id: "diff", takes: diff::takes, present: diff::present },
    Presenter { id: "scroll", takes: scroll::takes, present: scroll::present },
    Presenter { id: "files", takes: files::takes, present: files::present },
    Presenter { id: "logs", takes: logs::takes, present: logs::present },
    Presenter { id: "cookies", takes: cookies::takes, present: cookies::present },
    Presenter { id: "storage", takes: storage::takes, present: storage::present },
    Presenter { id: "auth", takes: auth::takes, present: auth::present },
    Presenter { id: "state", takes: saved_state::takes, present: saved_state::present },
    Presenter { id: "frame", takes: frame::takes, present: frame::present },
    Presenter { id: "stream", takes: stream::takes, present: stream::present },
    Presenter { id: "settings", takes: settings::takes, present: settings::present },
    Presenter { id: "connect", takes: connect::takes, present: connect::present },
    Presenter { id: "clipboard", takes: clipboard::takes, present: clipboard::present },
    Presenter { id: "read", takes: read::takes, present: read::present },
    Presenter { id: "vitals", takes: vitals::takes, present: vitals::present },
    Presenter { id: "a11y", takes: a11y::takes, present: a11y::present },
    Presenter { id: "react", takes: react::takes, present: react::present },
    Presenter { id: "session", takes: sessions::takes, present: sessions::present },
    Presenter { id: "profiles", takes: profiles::takes, present: profiles::present },
    Presenter { id: "skills", takes: skills::takes, present: skills::present },
    Presenter { id: "doctor", takes: doctor::takes, present: doctor::present },
    Presenter { id: "chat", takes: chat::takes, present: chat::present },
    Presenter { id: "webmcp", takes: webmcp::takes, present: webmcp::present },
    Presenter { id: "devtools", takes: devtools::takes, present: devtools::present },
    Presenter { id: "scalar", takes: scalar::takes, present: scalar::present },
    Presenter { id: "action", takes: action::takes, present: action::present },
    Presenter { id: "generic", takes: |_| true, present: generic::present },
];

/// Presents a command that upstream reports as a success.
#[must_use]
pub fn present(shown: &Shown<'_>) -> Outcome {
    if let Some(id) = shown.answer.confirmation_id() {
        let action = shown.answer.text("action").unwrap_or_default();
        let mut outcome = failure::confirmation(id, action);
        page_change::add_pending(shown.command(), &mut outcome);
        return outcome;
    }
    let found = PRESENTERS.iter().find(|presenter| (presenter.takes)(shown));
    let mut outcome =
        found.map_or_else(|| generic::present(shown), |presenter| (presenter.present)(shown));
    page_change::add_warning(shown, &mut outcome);
    if !outcome.verdict.is_failure() {
        page_change::add_look(shown, &mut outcome);
        page_change::add_summary(shown, &mut outcome);
    }
    outcome
}

/// Folds findings into an outcome: a failing one turns it into a failure that it opens.
pub fn fold_findings(outcome: &mut Outcome, findings: Vec<crate::outcome::Finding>) {
    for finding in findings {
        if let Some(category) = finding.failure {
            outcome.verdict = crate::outcome::Verdict::Failure(category);
            if let Some(lead) = &finding.lead {
                outcome.answer = vec![lead.clone()];
                outcome.details.insert("error".into(), lead.plain().into());
            }
        } else if let Some(lead) = &finding.lead {
            if finding.replaces_answer {
                outcome.answer.clear();
            }
            outcome.answer.insert(0, lead.clone());
        }
        if let Some(Value::Object(data)) = outcome.details.get_mut("data") {
            data.extend(finding.data.clone());
        }
        if !finding.key.is_empty() {
            outcome.details.insert(finding.key.to_owned(), finding.details.clone());
        }
        outcome.findings.push(finding);
    }
}
