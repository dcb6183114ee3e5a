//! Requests of the active page only (PLAN-21, PLAN-22).

use serde_json::{Value, json};

use crate::line::Line;
use crate::outcome::Outcome;
use crate::plan::page_filter::PageFilter;
use crate::present::Shown;
use crate::present::words::text;

/// What the filter has left of the rows.
pub(super) struct Filtered {
    /// The rows of the page.
    pub(super) rows: Vec<Value>,
    details: Value,
    line: Line,
}

/// Filters the rows where the caller asks for it.
pub(super) fn apply(rows: &[Value], shown: &Shown<'_>) -> Option<Filtered> {
    let filter = PageFilter::of(&shown.step.argv)?;
    let total = rows.len();
    let Some(page) = shown.after.page().map(|page| page.url.as_str()) else {
        let line = "The page could not be asked where it is, so no request was left out.".into();
        let details = json!({ "filter": filter.word(), "applied": false, "total": total });
        return Some(Filtered { rows: rows.to_vec(), details, line });
    };
    let kept = rows.iter().filter(|row| filter.keeps(page, text(row, "url")));
    let rows: Vec<Value> = kept.cloned().collect();
    let (matched, excluded) = (rows.len(), total - rows.len());
    let details = json!({
        "filter": filter.word(), "applied": true, "page": page,
        "total": total, "matched": matched, "excluded": excluded,
    });
    let line = Line::ours(format!("{matched} of {total} requests belong to the active page "));
    Some(Filtered { rows, details, line: line.url(page) })
}

impl Filtered {
    /// Says what was left out.
    pub(super) fn tell(self, outcome: &mut Outcome) {
        outcome.answer.push(self.line);
        outcome.details.insert("networkRequestsPageFilter".into(), self.details);
        outcome.details.insert("data".into(), json!({ "requests": self.rows }));
    }
}
