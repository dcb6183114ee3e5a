//! `find`: the words of its locator, and a click on what it finds as rows of their own.

use serde_json::json;

use super::Step;
use crate::command::{Argv, parse};
use crate::probe::{EXACT_MARKER, FOUND_MARK, Question};

/// The same command with the action that upstream takes where none is given: `find text Delete`
/// clicks, and is judged as a click. With a flag in the place of the action upstream does nothing.
#[must_use]
pub fn with_action(mut argv: Argv) -> Argv {
    if argv.name() != "find" || argv.is_inspection() {
        return argv;
    }
    let operands = argv.operands().len();
    let is_whole = match argv.words.get(1).map(String::as_str) {
        Some(
            "role" | "text" | "label" | "placeholder" | "alt" | "title" | "testid" | "first"
            | "last",
        ) => operands == 2,
        Some("nth") => operands == 3,
        _ => false,
    };
    if is_whole && argv.words.len() == operands + 1 {
        argv.words.push("click".to_owned());
    }
    argv
}

/// What `find` does with the element; empty for another command.
#[must_use]
pub fn action(step: &Step) -> &str {
    step.argv.find_action().map_or("", |(_, action)| action)
}

/// A click on an element that upstream marks while it clicks: a dialog which the click opens would
/// hold it for 30 s (HAZ-09). By role upstream needs no mark.
#[must_use]
pub fn is_marked_click(step: &Step) -> bool {
    action(step) == "click" && step.argv.words.get(1).is_some_and(|locator| locator != "role")
}

/// The words that only look the element up, by upstream's own rules, and those that click it.
#[must_use]
pub fn marked_click(step: &Step) -> [Vec<String>; 2] {
    let mut look = step.words.clone();
    if let Some(word) = step.argv.find_action().and_then(|(at, _)| look.get_mut(at)) {
        "text".clone_into(word);
    }
    [look, vec!["click".to_owned(), format!("[{FOUND_MARK}]")]]
}

/// What the page is asked in front of a `find` that acts: to keep the mark, and how many elements
/// fit the locator.
#[must_use]
pub fn question(step: &Step) -> Option<Question> {
    if !matches!(action(step), "click" | "fill" | "check" | "hover") {
        return None;
    }
    let word = |at: usize| step.argv.words.get(at).map_or("", String::as_str);
    Some(Question::found(&json!({
        "locator": word(1),
        "value": word(2),
        "name": step.argv.own_value("--name").map(|found| found.value),
        "exact": step.argv.has_own_flag("--exact"),
        "exactMarker": EXACT_MARKER,
        "mark": is_marked_click(step),
    })))
}

/// The same for the elements that have exactly these words. Upstream takes the first that holds them:
/// "Delete all" for "Delete", although "Delete" is there too.
#[must_use]
pub fn exactly(step: &Step) -> Step {
    let mut words = step.words.clone();
    words.push("--exact".to_owned());
    match parse(&words) {
        Ok(argv) => Step { argv, words },
        Err(_) => step.clone(),
    }
}

/// A row in front of a `find` says that the first match is not the exact one; nothing was done.
#[must_use]
pub fn has_exact_match(error: &str) -> bool {
    error.contains(EXACT_MARKER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;
    use crate::plan::RowKind;
    use crate::plan::caller_rows::{Caller, batch};
    use crate::plan::rows::Context;

    fn step(words: &[&str]) -> Step {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Step { argv: parse(&words).unwrap(), words }
    }

    // HAZ-09
    #[test]
    fn a_click_by_text_is_looked_up_by_upstream_and_clicked_by_a_row_that_never_hangs() {
        let click = step(&["find", "text", "Delete", "click", "--exact"]);
        assert!(is_marked_click(&click));
        let [look, then] = marked_click(&click);
        assert_eq!(look, ["find", "text", "Delete", "text", "--exact"]);
        assert_eq!(then, ["click", "[data-agent-browser-found]"]);
        let nth = step(&["find", "nth", "1", ".dup", "click"]);
        assert_eq!(marked_click(&nth)[0], ["find", "nth", "1", ".dup", "text"]);
        for other in [
            &["find", "role", "button", "click", "--name", "Delete"][..],
            &["find", "label", "Email", "fill", "click"],
            &["find", "text", "click", "hover"],
            &["click", "#a"],
        ] {
            assert!(!is_marked_click(&step(other)), "{other:?}");
        }
    }

    // IN-ARGS-03, HAZ-09
    #[test]
    fn a_find_without_an_action_is_a_click() {
        for (words, wanted) in [
            (&["find", "text", "Delete"][..], &["find", "text", "Delete", "click"][..]),
            (&["find", "role", "link", "--exact"], &["find", "role", "link", "--exact"]),
            (&["find", "last", ".row"], &["find", "last", ".row", "click"]),
            (&["find", "nth", "1", ".row"], &["find", "nth", "1", ".row", "click"]),
            (&["find", "text", "Delete", "text"], &["find", "text", "Delete", "text"]),
            (&["find", "nth", "1"], &["find", "nth", "1"]),
            (&["find", "--exact", "text", "Delete"], &["find", "--exact", "text", "Delete"]),
            (&["find", "xpath", "//a"], &["find", "xpath", "//a"]),
            (&["find", "--help"], &["find"]),
            (&["find"], &["find"]),
            (&["get", "text"], &["get", "text"]),
        ] {
            assert_eq!(with_action(step(words).argv).words, wanted, "{words:?}");
        }
    }

    // HAZ-09, DEC-92
    #[test]
    fn a_row_of_a_batch_is_marked_too_unless_scripts_are_held_back() {
        let steps =
            [step(&["find", "text", "Delete", "click"]), step(&["find", "role", "a", "hover"])];
        let kinds = |scripts: bool| -> Vec<(RowKind, usize)> {
            let caller =
                Caller { steps: &steps, first: 0, bail: true, wishes: &[], has_waited: false };
            let plan = batch(&caller, &Context { scripts, ..Context::default() });
            plan.rows.iter().map(|row| (row.owner.kind, row.owner.step)).collect()
        };
        assert_eq!(kinds(false), [(RowKind::Main, 0), (RowKind::Main, 1)]);
        assert_eq!(
            kinds(true),
            [
                (RowKind::Before, 0),
                (RowKind::Find, 0),
                (RowKind::Main, 0),
                (RowKind::Before, 1),
                (RowKind::Main, 1),
                (RowKind::Look, 1),
            ]
        );
    }
}
