//! Next actions are exact calls: one that the gate would change is none (NEXT-01, NEXT-06).

use serde_json::Value;

use crate::line::Line;
use crate::outcome::{NextAction, Outcome};
use crate::redact::{MASK, Redactor};

/// Leaves out the calls that would carry a mask, and says so where that takes a way on.
pub(super) fn keep_exact(outcome: &mut Outcome, redactor: &Redactor) {
    let mut dropped = Vec::new();
    let lists = std::iter::once(&mut outcome.next)
        .chain(outcome.findings.iter_mut().map(|finding| &mut finding.next));
    for list in lists {
        let (kept, masked) = list
            .drain(..)
            .partition(|action| action.params().is_none_or(|it| is_exact(it, redactor)));
        *list = kept;
        dropped.extend::<Vec<NextAction>>(masked);
    }
    let steps = outcome.details.get_mut("batchSteps").and_then(Value::as_array_mut);
    for actions in steps.into_iter().flatten().filter_map(|step| step.get_mut("nextActions")) {
        if let Some(actions) = actions.as_array_mut() {
            actions.retain(|action| action.get("params").is_none_or(|it| is_exact(it, redactor)));
        }
    }
    let opens = |action: &&NextAction| {
        let first = action.params().and_then(|params| params.pointer("/args/0"));
        first.and_then(Value::as_str) == Some("open")
    };
    let mut visible = dropped.iter().filter(|action| action.visible).peekable();
    if visible.peek().is_none() {
        return;
    }
    if visible.any(|action| opens(&action)) {
        outcome.answer.push(Line::ours(
            "Its page has a secret in its address, which is not repeated here; open it again.",
        ));
    } else if !super::all_next(outcome).any(|action| action.visible) {
        outcome.answer.push(Line::ours(if dropped.iter().any(is_fresh) {
            "Send the same call with sessionMode \"fresh\"; it holds a secret and is not repeated here."
        } else {
            "The call that would help holds a secret and is not repeated here."
        }));
    }
}

/// The caller's own words, for a browser of their own.
fn is_fresh(action: &NextAction) -> bool {
    let params = action.params().and_then(|params| params.get("sessionMode"));
    params.and_then(Value::as_str) == Some("fresh")
}

/// A mask may also be there already: the journal keeps addresses without their secrets.
fn is_exact(params: &Value, redactor: &Redactor) -> bool {
    redactor.json(params) == *params && !params.to_string().contains(MASK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Finding;

    fn open(url: &str) -> NextAction {
        NextAction::args("reopen-lost-page", "open the last page again", &["open", url])
    }

    // NEXT-01, NEXT-06
    #[test]
    fn a_call_with_a_secret_is_not_offered_and_its_loss_is_said() {
        for url in ["http://a.test/?token=abcdef123456", "http://a.test/?token=[REDACTED]"] {
            let mut outcome = Outcome::success(vec!["answer".into()]);
            outcome.next = vec![open(url)];
            keep_exact(&mut outcome, &Redactor::new([]));
            assert!(outcome.next.is_empty());
            assert!(outcome.answer[1].plain().ends_with("not repeated here; open it again."));
        }
    }

    // NEXT-01, NEXT-06
    #[test]
    fn exact_calls_stay_and_a_lost_routine_call_is_not_mentioned() {
        let mut outcome = Outcome::success(vec!["answer".into()]);
        outcome.next =
            vec![open("http://a.test/?page=2"), open("http://a.test/?token=s3cr3t9x").routine()];
        outcome.findings =
            vec![Finding { next: vec![open("http://a.test/")], ..Finding::default() }];
        let steps = serde_json::json!([{ "nextActions": [
            open("http://a.test/?token=s3cr3t9x").to_details(&[]),
            open("http://a.test/").to_details(&[]),
        ] }]);
        outcome.details.insert("batchSteps".into(), steps);
        keep_exact(&mut outcome, &Redactor::new([]));
        assert_eq!(outcome.next, [open("http://a.test/?page=2")]);
        assert_eq!(outcome.findings[0].next.len(), 1);
        assert_eq!(outcome.details["batchSteps"][0]["nextActions"].as_array().unwrap().len(), 1);
        assert_eq!(outcome.answer.len(), 1);
    }

    // NEXT-06
    #[test]
    fn another_call_with_a_secret_is_mentioned_where_it_was_the_only_one() {
        let mut outcome = Outcome::success(vec!["answer".into()]);
        let wait = ["wait", "--url", "http://a.test/?token=s3cr3t9x"];
        outcome.next = vec![NextAction::args("retry-timeout-step", "again", &wait)];
        keep_exact(&mut outcome, &Redactor::new([]));
        assert!(outcome.answer[1].plain().starts_with("The call that would help holds"));
    }
}
