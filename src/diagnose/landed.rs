//! The page left in the very moment of the act: the event may have landed on the next one. No check
//! in front of it can see a navigation that is already on its way, but the next page counts the input
//! that it got.

use serde_json::json;

use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::probe::report::PageReport;

/// Commands whose events the browser counts; `select` works by script.
const INPUT: [&str; 9] =
    ["click", "dblclick", "tap", "drag", "press", "check", "uncheck", "fill", "type"];
/// A document older than this has had its input from earlier visits (back-forward cache).
const FRESH_MS: u32 = 5_000;

/// The finding for an act behind which a fresh document has counted input.
#[must_use]
pub fn judge(step: &Step, label: &Line, page: &PageReport) -> Option<Finding> {
    if !INPUT.contains(&step.argv.name()) || page.inputs == 0 || page.age_ms > FRESH_MS {
        return None;
    }
    let line = Line::ours("the page left in the same moment, and the input for ")
        .append(label)
        .and(" may have landed on the next one: ")
        .quote(&page.title)
        .and(" ")
        .url(&page.url);
    Some(Finding {
        key: "landedOnNextPage",
        details: json!({ "url": page.url, "inputs": page.inputs }),
        lead: Some(line),
        next: vec![NextAction::args(
            "inspect-after-mutation",
            "see what it did there",
            &["snapshot", "-i"],
        )],
        failure: Some(FailureCategory::TabDrift),
        ..Finding::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    // HAZ-01: case 3, a navigation that was on its way already.
    #[test]
    fn input_that_a_fresh_document_has_counted_may_have_been_for_the_one_before() {
        let found = |words: &[&str], inputs: u32, age_ms: u32| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let step = Step { argv: parse(&words).unwrap(), words };
            let page = PageReport { inputs, age_ms, ..PageReport::default() };
            judge(&step, &Line::ours("@e1"), &page).is_some()
        };
        for words in [
            &["click", "@e1"][..],
            &["drag", "@e1", "@e2"],
            &["fill", "@e1", "x"],
            &["type", "@e1", "x"],
        ] {
            assert!(found(words, 1, 40), "{words:?}");
            assert!(!found(words, 0, 40) && !found(words, 1, FRESH_MS + 1), "{words:?}");
        }
        assert!(!found(&["select", "@e1", "x"], 1, 40), "it sends no input of its own");
        assert!(!found(&["get", "text", "@e1"], 1, 40));
    }
}
