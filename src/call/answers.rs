//! The rows of one process apart again.

use serde_json::Value;

use super::tab_list::page_in_front;
use crate::diagnose::AfterRow;
use crate::envelope::Answer;
use crate::plan::{Owner, RowKind, Step, tab};
use crate::present::snapshot::{self, SnapshotData};
use crate::probe::report::{PageReport, Said};
use crate::session::dialog::from_warning;
use crate::session::fact::Page;

/// What the rows of one command brought, apart again.
#[derive(Debug, Default)]
pub(super) struct Brought {
    pub(super) before: Option<PageReport>,
    pub(super) after: AfterRow,
    pub(super) page: Option<PageReport>,
    pub(super) view: Option<SnapshotData>,
    pub(super) new_tab: Option<String>,
    /// The tab that is in front, where the tabs were listed.
    pub(super) in_front: Option<Page>,
}

impl Brought {
    /// What the document that was left has said, where the next one has not handed it on.
    pub(super) fn says(&mut self, said: Option<Box<Said>>) {
        if let Some(page) = &mut self.page {
            page.said = page.said.take().or(said);
        }
    }
}

/// The rows apart again.
pub(super) fn sort_out(answers: &[(Owner, Answer)]) -> Brought {
    let report = |kind| {
        find(answers, kind).filter(|a| a.success).and_then(|a| PageReport::from_eval(&a.data))
    };
    let view = find(answers, RowKind::View).filter(|answer| answer.success);
    Brought {
        before: report(RowKind::Before),
        after: after_rows(answers),
        page: report(RowKind::Look),
        view: view.and_then(|answer| snapshot::parse(&answer.data)),
        new_tab: None,
        in_front: find(answers, RowKind::Tabs).and_then(page_in_front),
    }
}

/// The answers behind the command: the page's, and the state of a checked control.
pub(super) fn after_rows(answers: &[(Owner, Answer)]) -> AfterRow {
    // Of several looks the last one has an answer.
    let last = answers.iter().rfind(|(owner, _)| owner.kind == RowKind::After);
    let mut after = last.map_or(AfterRow::Silent, |(_, answer)| after_row(answer));
    if let (AfterRow::Page(page), Some(state)) = (&mut after, find(answers, RowKind::State)) {
        page.checked = state.data.get("checked").and_then(serde_json::Value::as_bool);
    }
    after
}

fn after_row(answer: &Answer) -> AfterRow {
    if answer.success {
        return PageReport::from_eval(&answer.data)
            .map_or(AfterRow::Silent, |page| AfterRow::Page(Box::new(page)));
    }
    let text = answer.error.as_deref().unwrap_or_default();
    if let Some(page) = PageReport::from_last_row(text) {
        AfterRow::Page(Box::new(page))
    } else if document_went(text) {
        AfterRow::Navigated
    } else if text.contains("Session with given id not found") {
        AfterRow::Closed
    } else {
        AfterRow::Silent
    }
}

/// The answer to the command itself: where what it means was not found, that is the answer.
pub(super) fn own_answer(step: &Step, answers: &[(Owner, Answer)]) -> Option<Answer> {
    let missed = find(answers, RowKind::Find).filter(|answer| !answer.success);
    let mut own = missed.or_else(|| find(answers, RowKind::Main))?.clone();
    if held_by_dialog(step, &own) {
        (own.success, own.error) = (true, None);
    }
    if own.success && own.warning.is_none() {
        own.warning = dialog_behind(answers);
    }
    if let Some(tab) = find(answers, RowKind::MainExtra).filter(|_| tab::opened(step).is_some()) {
        own.data = with_fields_of(own.data, &tab.data);
    }
    Some(own)
}

/// A dialog that came up while the page was asked, or rested, behind the command: upstream tells it with
/// the row that met it.
fn dialog_behind(answers: &[(Owner, Answer)]) -> Option<String> {
    let is_behind = |owner: &Owner| matches!(owner.kind, RowKind::Rest | RowKind::After);
    let behind = answers.iter().filter(|(owner, _)| is_behind(owner));
    let texts = behind.flat_map(|(_, answer)| [&answer.warning, &answer.error]);
    texts.flatten().find(|text| from_warning(text).is_some()).cloned()
}

/// Both in one; where both have a field, the first one's counts.
fn with_fields_of(first: Value, second: &Value) -> Value {
    let (Value::Object(mut fields), Value::Object(more)) = (first, second) else {
        return second.clone();
    };
    for (name, value) in more {
        fields.entry(name).or_insert_with(|| value.clone());
    }
    Value::Object(fields)
}

/// An event was sent, and the dialog that it opened keeps the page from answering: upstream gives up
/// after 30 s, and the dialog is what the command did.
fn held_by_dialog(step: &Step, answer: &Answer) -> bool {
    let waited = match step.argv.name() {
        "check" | "uncheck" => "CDP command timed out: ",
        _ => "CDP command timed out: Input.",
    };
    let timed_out = answer.error.as_deref().is_some_and(|error| error.contains(waited));
    timed_out && answer.warning.as_deref().and_then(from_warning).is_some()
}

/// The document went away while a row waited in it.
pub(super) fn document_went(error: &str) -> bool {
    error.contains("Inspected target navigated or closed")
}

pub(super) fn find(answers: &[(Owner, Answer)], kind: RowKind) -> Option<&Answer> {
    answers.iter().find(|(owner, _)| owner.kind == kind).map(|(_, answer)| answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    // HAZ-09, DEC-71
    #[test]
    fn an_event_that_opened_a_dialog_was_sent() {
        let asked = |words: &[&str], error: &str, warning: Option<&str>| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let step = Step { argv: parse(&words).unwrap(), words };
            let answer = Answer {
                error: Some(error.into()),
                warning: warning.map(str::to_owned),
                ..Answer::default()
            };
            let owner = Owner { kind: RowKind::Main, step: 0 };
            own_answer(&step, &[(owner, answer)]).unwrap().success
        };
        let open = Some(
            "A JavaScript confirm dialog is blocking the page: \"sure?\" — use `dialog accept` or `dialog dismiss` to resolve it",
        );
        let (key, script) = (
            "CDP command timed out: Input.dispatchKeyEvent",
            "CDP command timed out: Runtime.evaluate",
        );
        assert!(asked(&["press", "Enter"], key, open));
        assert!(asked(&["check", "#a"], script, open));
        assert!(!asked(&["press", "Enter"], key, None));
        assert!(!asked(&["get", "title"], script, open));
        assert!(!asked(&["press", "Enter"], "Unknown key", open));
    }
}
