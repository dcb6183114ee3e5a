//! `select` is read back: upstream reports success also for what is no list at all (HAZ-26).

use serde_json::{Value, json};

use super::{Asked, Evidence};
use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::rows::Wants;

const ANSWER: &str = "selected";

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    super::wants_read_back(asked, ANSWER)
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let page = evidence.after.page()?;
    let read = page.answers.get(ANSWER)?;
    let text = |key: &str| read.get(key).and_then(Value::as_str);
    let stopped = page.effect.as_ref().is_some_and(|effect| effect.stopped.is_some());
    if read.get("failed") != Some(&Value::Bool(true)) || stopped {
        return None;
    }
    let what = super::label(evidence);
    let (lead, next) = if text("verdict") == Some("no-list") {
        let kind = text("kind").unwrap_or_default();
        let way = match kind {
            "text" => " is not a <select>. Fill it instead.",
            "choice" => " is not a <select>. Check it instead.",
            _ => " is not a <select>. Click it, then its option.",
        };
        let lead = Line::ours("nothing was selected: ").append(&what).and(way);
        (lead, instead(evidence, kind))
    } else {
        let shows = text("shows").unwrap_or_default();
        let lead = Line::ours("the command ran but did not take effect: ")
            .append(&what)
            .and(" shows ")
            .quote(shows)
            .and(" again.");
        (lead, vec![NextAction::args("inspect-after-select", "see the list", &["snapshot", "-i"])])
    };
    Some(Finding {
        key: "selectVerification",
        details: json!({ "status": text("verdict"), "shows": text("shows") }),
        lead: Some(lead),
        next,
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}

/// What does it on an element of that kind.
fn instead(evidence: &Evidence<'_>, kind: &str) -> Vec<NextAction> {
    let operands = evidence.step.argv.operands();
    let [target, value, ..] = operands.as_slice() else { return Vec::new() };
    match kind {
        "text" => {
            vec![NextAction::args("fill-instead-of-select", "fill it", &["fill", target, value])]
        }
        "choice" => {
            vec![NextAction::args("check-instead-of-select", "check it", &["check", target])]
        }
        _ => vec![
            NextAction::args("open-list-instead-of-select", "open its list", &["click", target]),
            NextAction::args(
                "click-option-instead-of-select",
                "then choose",
                &["find", "role", "option", "click", "--name", value],
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::testing::judged;

    fn finding(read: Value) -> Option<Finding> {
        let page = json!({ "answers": { "selected": read } });
        judged(judge, &["select", "#a", "West", "East"], page)
    }

    // HAZ-26
    #[test]
    fn a_list_that_took_the_choice_is_no_finding_and_an_unread_one_neither() {
        assert_eq!(finding(json!({ "verdict": "selected" })), None);
        assert_eq!(finding(json!({ "verdict": "set-back", "shows": "Go", "failed": false })), None);
        assert_eq!(finding(Value::Null), None);
    }

    // HAZ-26
    #[test]
    fn what_is_no_list_comes_with_the_calls_that_do_it() {
        let next = |kind: &str| -> Vec<String> {
            let read = json!({ "verdict": "no-list", "kind": kind, "failed": true });
            let found = finding(read).unwrap();
            assert_eq!(found.failure, Some(FailureCategory::UpstreamError));
            found.next.iter().map(|next| next.params().unwrap()["args"].to_string()).collect()
        };
        let option = r#"["find","role","option","click","--name","West"]"#;
        assert_eq!(next("other"), [r##"["click","#a"]"##, option]);
        assert_eq!(next("text"), [r##"["fill","#a","West"]"##]);
        assert_eq!(next("choice"), [r##"["check","#a"]"##]);
    }
}
