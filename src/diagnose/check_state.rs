//! `check` and `uncheck` are read back: upstream reports success also where nothing changed (HAZ-26).

use serde_json::{Value, json};

use super::{Asked, Evidence};
use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::rows::Wants;

const ANSWER: &str = "checked";

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    super::wants_read_back(asked, ANSWER)
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let wanted = match evidence.step.argv.name() {
        "check" | "find" => true,
        "uncheck" => false,
        _ => return None,
    };
    let page = evidence.after.page()?;
    let read = page.answers.get(ANSWER);
    let says = |key: &str| read.and_then(|read| read.get(key)).and_then(Value::as_bool);
    // An element that the page has just made anew is told by another diagnostic.
    let stopped = page.effect.as_ref().is_some_and(|effect| effect.stopped.is_some());
    if stopped {
        return None;
    }
    let lead = if read.and_then(|read| read.get("kind")).is_some() {
        Line::ours("nothing was checked: ")
            .append(&super::label(evidence))
            .and(" is no checkbox, radio button or switch.")
    } else {
        let is = says("checked").or(page.checked)?;
        if is == wanted {
            return None;
        }
        let state = if is { "still checked" } else { "still not checked" };
        let watched = read.and_then(|read| read.get("ms")).and_then(Value::as_u64);
        let rest = match watched.filter(|ms| *ms > 0) {
            _ if says("disabled") == Some(true) => ". It is disabled.".to_owned(),
            Some(ms) => format!(" after {ms} ms."),
            None => ".".to_owned(),
        };
        Line::ours(format!("the command ran but did not take effect. The control is {state}{rest}"))
    };
    Some(Finding {
        key: "checkVerification",
        details: json!({ "status": "unchanged", "checked": says("checked").or(page.checked) }),
        lead: Some(lead),
        next: vec![NextAction::args(
            "inspect-after-check-verification",
            "see the control",
            &["snapshot", "-i"],
        )],
        failure: Some(FailureCategory::UpstreamError),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::testing::judged;

    fn lead(words: &[&str], answers: Value, state: Option<bool>) -> Option<String> {
        judged(judge, words, json!({ "answers": answers, "checked": state }))
            .map(|finding| finding.lead.unwrap().plain())
    }

    // HAZ-26
    #[test]
    fn only_a_state_that_was_read_and_is_another_one_is_a_failure() {
        let read = |checked: bool| json!({ "checked": { "checked": checked } });
        assert_eq!(lead(&["check", "#a"], read(true), None), None);
        assert_eq!(lead(&["uncheck", "#a"], read(false), None), None);
        assert_eq!(lead(&["check", "#a"], json!({}), None), None, "nobody has looked");
        assert_eq!(lead(&["check", "#a"], json!({}), Some(true)), None);
        let said = "the command ran but did not take effect. The control is still";
        let still = |words: &[&str], answers, state| lead(words, answers, state).unwrap();
        assert_eq!(still(&["uncheck", "#a"], read(true), None), format!("{said} checked."));
        assert_eq!(still(&["check", "#a"], json!({}), Some(false)), format!("{said} not checked."));
        assert_eq!(
            still(&["find", "label", "A", "check"], read(false), None),
            format!("{said} not checked.")
        );
    }

    // HAZ-26
    #[test]
    fn the_page_that_was_waited_for_knows_better_than_one_look() {
        let read = json!({ "checked": { "checked": true } });
        assert_eq!(lead(&["check", "#a"], read, Some(false)), None);
        let late = json!({ "checked": { "checked": false, "ms": 1500 } });
        assert!(
            lead(&["check", "#a"], late, None).unwrap().ends_with("not checked after 1500 ms.")
        );
        let disabled = json!({ "checked": { "checked": false, "disabled": true } });
        assert!(lead(&["check", "#a"], disabled, None).unwrap().ends_with("It is disabled."));
        let other = json!({ "checked": { "kind": "other", "failed": true } });
        let said = lead(&["check", "#a"], other, Some(false)).unwrap();
        assert_eq!(said, "nothing was checked: \"#a\" is no checkbox, radio button or switch.");
    }
}
