//! A text for an element that takes none: upstream types it into whatever field has the focus and
//! reports success (HAZ-19). In front of the command this is refused; here it is told where it could
//! only be seen behind it.

use serde_json::json;

use super::Evidence;
use crate::line::{Line, tame};
use crate::outcome::{FailureCategory, Finding, NextAction};

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let astray = evidence.after.page()?.astray.as_ref()?;
    let meant = super::label(evidence);
    let role = tame(&astray.role);
    let line = if role.is_empty() {
        Line::ours("no field took the text: ").append(&meant).and(" takes none.")
    } else {
        let field = Line::ours("the text went into").role(&role, &astray.name);
        field.and(" instead, which had the focus: ").append(&meant).and(" takes none.")
    };
    Some(Finding {
        key: "textTarget",
        details: json!({ "status": "astray", "into": { "role": role, "name": astray.name } }),
        lead: Some(line),
        next: vec![NextAction::args(
            "inspect-after-astray-text",
            "see the fields",
            &["snapshot", "-i"],
        )],
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}
