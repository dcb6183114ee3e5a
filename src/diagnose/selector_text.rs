//! `get text` reads the first match of a selector, hidden or not (DIAG-TEXT).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Asked, Evidence};
use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::aim::read_selector;
use crate::plan::rows::Wants;
use crate::probe::{After, Question};

/// Under this name the page answers.
pub const ANSWER: &str = "texts";
const ACTION: &str = "inspect-visible-text-candidates";

/// What one selector matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Matches {
    /// The selector.
    pub selector: String,
    /// How many elements it matches.
    pub match_count: u64,
    /// How many of them can be seen.
    pub visible_count: u64,
    /// The first one, which was read, can be seen.
    pub first_visible: bool,
    /// The first of those that can be seen.
    pub candidates: Vec<Candidate>,
}

/// An element that can be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Candidate {
    /// Its place among all matches.
    pub index: u64,
    /// Its tag.
    pub tag_name: String,
    /// Its role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// How its text begins.
    pub text_preview: String,
}

impl Matches {
    /// The first match is hidden while another one can be seen.
    fn is_hidden_first(&self) -> bool {
        !self.first_visible && self.visible_count > 0
    }

    fn is_hazard(&self) -> bool {
        self.match_count > 1
    }
}

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let after = read_selector(asked.step).map(|selector| After {
        questions: vec![Question::texts(&[selector])],
        ..After::default()
    });
    Wants { after, ..Wants::default() }
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let reports = read(evidence.after.page()?.answers.get(ANSWER)?);
    findings(reports).into_iter().next()
}

/// The page's answer.
#[must_use]
pub fn read(answer: &Value) -> Vec<Matches> {
    serde_json::from_value(answer.clone()).unwrap_or_default()
}

/// The findings for all selectors of a call, those with a hidden first match in front (DIAG-TEXT-05).
#[must_use]
pub fn findings(reports: Vec<Matches>) -> Vec<Finding> {
    let mut hazards: Vec<Matches> = Vec::new();
    for report in reports.into_iter().filter(Matches::is_hazard) {
        if !hazards.iter().any(|known| known.selector == report.selector) {
            hazards.push(report);
        }
    }
    hazards.sort_by_key(|report| !report.is_hidden_first());
    let Some(first) = hazards.first() else { return Vec::new() };
    let ids = (1..).map(|number| match number {
        1 => ACTION.to_owned(),
        _ => format!("{ACTION}-{number}"),
    });
    let named: Vec<(String, &Matches)> = ids.zip(&hazards).collect();
    let mut findings = vec![Finding {
        key: "selectorTextVisibility",
        details: details(first),
        lines: named.iter().map(|(id, report)| line(id, report)).collect(),
        next: named.iter().map(|(id, report)| inspect(id, report)).collect(),
        ..Finding::default()
    }];
    if hazards.len() > 1 {
        findings.push(Finding {
            key: "selectorTextVisibilityAll",
            details: hazards.iter().map(details).collect(),
            ..Finding::default()
        });
    }
    findings
}

fn details(report: &Matches) -> Value {
    let reason = if report.is_hidden_first() { "first-match-hidden" } else { "several-matches" };
    let preview = report.candidates.first().map(|candidate| candidate.text_preview.as_str());
    json!({
        "reason": reason,
        "selector": report.selector,
        "matchCount": report.match_count,
        "visibleCount": report.visible_count,
        "firstMatchVisible": report.first_visible,
        "firstVisibleTextPreview": preview,
        "visibleCandidates": report.candidates,
    })
}

/// Several visible matches prove nothing but that the selector is ambiguous (DIAG-TEXT-07).
fn line(id: &str, report: &Matches) -> Line {
    let count = report.match_count;
    let line = Line::ours("Selector text visibility warning: ");
    let line = if report.is_hidden_first() {
        line.and(format!("the first of {count} matches of "))
            .quote(&report.selector)
            .and(" was read, and it is hidden; visible is ")
            .quote(report.candidates.first().map_or("", |first| first.text_preview.as_str()))
    } else {
        line.quote(&report.selector).and(format!(" matches {count} elements, the first was read"))
    };
    let advice = if report.visible_count == 1 {
        ""
    } else {
        " or use a visible @ref or a narrower selector"
    };
    line.and(format!(" ({id}{advice})."))
}

/// Reads the visible matches; nothing in the page changes.
fn inspect(id: &str, report: &Matches) -> NextAction {
    let script = format!(
        "[...document.querySelectorAll({})].filter(e => e.checkVisibility({{opacityProperty: true, \
         visibilityProperty: true}})).slice(0, 8).map(e => (e.innerText || e.textContent || '').trim())",
        Value::from(report.selector.as_str())
    );
    let params = json!({ "args": ["eval", "--stdin"], "stdin": script });
    NextAction::params_of(id, "the texts of the visible matches", params)
}
