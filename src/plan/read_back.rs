//! Commands that upstream reports as done in any case, and what the page is asked about them (HAZ-26).

use super::Step;
use super::aim::aim_of;
use crate::probe::Question;
use crate::session::refs::RefSnapshot;

/// The question that reads the state of the control back.
#[must_use]
pub fn read_back(step: &Step, refs: Option<&RefSnapshot>) -> Option<Question> {
    let aim = || aim_of(step, refs);
    match (step.argv.name(), step.argv.find_action()) {
        ("check", _) => Some(Question::checked(aim().as_ref(), true)),
        ("uncheck", _) => Some(Question::checked(aim().as_ref(), false)),
        (_, Some((_, "check"))) => Some(Question::checked(None, true)),
        ("select", _) => Some(Question::selected(aim().as_ref())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    // HAZ-26
    #[test]
    fn every_way_to_check_or_select_is_read_back() {
        let asked = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let step = Step { argv: parse(&words).unwrap(), words };
            read_back(&step, None).map(|question| (question.id, question.ask["wanted"].clone()))
        };
        let checked = |wanted: bool| Some(("checked", wanted.into()));
        assert_eq!(asked(&["check", "#a"]), checked(true));
        assert_eq!(asked(&["uncheck", "#a"]), checked(false));
        assert_eq!(asked(&["find", "label", "Loud", "check"]), checked(true));
        assert_eq!(asked(&["find", "nth", "0", "input", "check"]), checked(true));
        assert_eq!(asked(&["find", "label", "check", "click"]), None);
        assert_eq!(asked(&["select", "#a", "x"]).map(|(id, _)| id), Some("selected"));
        assert_eq!(asked(&["click", "#a"]), None);
    }
}
