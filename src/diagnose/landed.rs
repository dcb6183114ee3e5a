//! The page left in the very moment of the act: the event may have landed on the next one. No check
//! in front of it can see a navigation that is already on its way, but the next page counts the input
//! that it got, and its clock tells when the way to it began.

use serde_json::json;

use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::probe::report::PageReport;

/// Commands whose events the browser counts as input.
const INPUT: [&str; 9] =
    ["click", "dblclick", "tap", "drag", "press", "check", "uncheck", "fill", "type"];
/// A document older than this has had its input from earlier visits (back-forward cache).
const FRESH_MS: u32 = 5_000;

/// The finding for an act behind which a fresh document has counted input, or to which the way had
/// begun `before` the act.
#[must_use]
pub fn judge(
    step: &Step,
    label: &Line,
    before: Option<&PageReport>,
    page: &PageReport,
) -> Option<Finding> {
    let landed = match step.argv.name() {
        // A pointer that rests where the next page comes up lands on it too.
        "hover" => page.hovers > 0,
        // They work by script, which the browser does not count: an act that did not cause the page to
        // leave may have met either one.
        "select" | "upload" => before.is_some_and(|before| page.began_at < before.at),
        name => INPUT.contains(&name) && page.inputs > 0,
    };
    if !landed || page.age_ms > FRESH_MS {
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
            judge(&step, &Line::ours("@e1"), None, &page).is_some()
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

    // HAZ-01: nothing presses below a hover, so the presses do not tell where it went.
    #[test]
    fn a_hover_landed_where_the_pointer_came_upon_something() {
        let words = ["hover", "@e1"].map(str::to_owned).to_vec();
        let step = Step { argv: parse(&words).unwrap(), words };
        let found = |inputs: u32, hovers: u32, age_ms: u32| {
            let page = PageReport { inputs, hovers, age_ms, ..PageReport::default() };
            judge(&step, &Line::ours("@e1"), None, &page).is_some()
        };
        assert!(found(0, 1, 40));
        assert!(!found(1, 0, 40) && !found(0, 1, FRESH_MS + 1));
    }
    // HAZ-01: what works by script is counted nowhere.
    #[test]
    fn a_choice_on_a_page_that_was_leaving_already_may_have_been_made_on_the_next() {
        for words in [&["select", "@e1", "x"][..], &["upload", "@e1", "a.txt"]] {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let step = Step { argv: parse(&words).unwrap(), words };
            let before = PageReport { at: 1_000, ..PageReport::default() };
            let found = |before: Option<&PageReport>, began_at: u64, age_ms: u32| {
                let page = PageReport { began_at, age_ms, ..PageReport::default() };
                judge(&step, &Line::ours("@e1"), before, &page).is_some()
            };
            assert!(found(Some(&before), 990, 40));
            // The choice itself leads on: a list of pages.
            assert!(!found(Some(&before), 1_000, 40) && !found(Some(&before), 1_004, 40));
            assert!(!found(None, 990, 40) && !found(Some(&before), 990, FRESH_MS + 1));
        }
    }
}
