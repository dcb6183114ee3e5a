//! The rows of one process apart again.

use crate::diagnose::AfterRow;
use crate::envelope::Answer;
use crate::plan::{Owner, RowKind};
use crate::present::snapshot::{self, SnapshotData};
use crate::probe::report::PageReport;

/// What the rows of one command brought, apart again.
#[derive(Debug, Default)]
pub(super) struct Brought {
    pub(super) before: Option<PageReport>,
    pub(super) after: AfterRow,
    pub(super) page: Option<PageReport>,
    pub(super) view: Option<SnapshotData>,
    pub(super) new_tab: Option<String>,
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
    }
}

/// The answers behind the command: the page's, and the state of a checked control.
pub(super) fn after_rows(answers: &[(Owner, Answer)]) -> AfterRow {
    let mut after = find(answers, RowKind::After).map_or(AfterRow::Silent, after_row);
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
    let error = answer.error.as_deref().unwrap_or_default();
    if let Some(page) = PageReport::from_failed_step(error) {
        return AfterRow::Page(Box::new(page));
    }
    if document_went(error) { AfterRow::Navigated } else { AfterRow::Silent }
}

/// The document went away while a row waited in it.
pub(super) fn document_went(error: &str) -> bool {
    error.contains("Inspected target navigated or closed")
}

pub(super) fn find(answers: &[(Owner, Answer)], kind: RowKind) -> Option<&Answer> {
    answers.iter().find(|(owner, _)| owner.kind == kind).map(|(_, answer)| answer)
}
